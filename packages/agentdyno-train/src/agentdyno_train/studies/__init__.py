"""Studies of agentdyno-train."""
