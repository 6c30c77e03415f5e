"""Topics of agentdyno-depth."""
