"""The world: servers by name, and all of them together in this process."""

from agentdyno_bench.tps.world.directory import SERVERS, World, server_class

__all__ = ["SERVERS", "World", "server_class"]
