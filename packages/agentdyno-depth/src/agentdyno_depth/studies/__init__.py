"""Studies of agentdyno-depth."""
