"""Verbs of agentdyno-train."""
