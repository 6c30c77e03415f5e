"""Which AgentDyno this is; a ledger notes it. Nothing below, nothing beside."""

__version__ = "0.1.0"
