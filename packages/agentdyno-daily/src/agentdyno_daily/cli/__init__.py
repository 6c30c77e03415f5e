"""The verbs for people with coding agents, and what they see of `measure`."""
