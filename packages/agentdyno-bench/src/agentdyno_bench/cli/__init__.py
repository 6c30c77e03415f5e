"""Verbs of agentdyno-bench."""
