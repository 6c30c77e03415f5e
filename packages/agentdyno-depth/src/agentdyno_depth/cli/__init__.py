"""Verbs of agentdyno-depth."""
