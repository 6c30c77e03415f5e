"""How the sessions of coding agents are read; one file or folder for each agent."""
