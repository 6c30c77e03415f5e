"""Topics of agentdyno-bench."""
