"""AgentDyno: a dynamometer for LLM agents."""
