"""Reads model shapes without importing torch at registration: the entry point's value."""

from agentdyno.cost.config_walk import ConfigWalker

WALKER = ConfigWalker("transformers", "agentdyno_depth.probes.architecture_walk:walk_architecture")
