"""Studies of agentdyno-bench."""
