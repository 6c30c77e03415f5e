"""Topics of agentdyno-train."""
