"""One shared set of MCP connections: opened once, names with a prefix, calls truly parallel.

suite       which servers: the world's, and others from an `mcpServers` file
connection  one server: started, restarted when it dies, its state rebuilt
pool        all of them, in an event loop of their own
"""

from agentdyno_bench.tps.pool.pool import Pool, PoolTool, open_pool, open_shared_pool
from agentdyno_bench.tps.pool.suite import PoolSpec, ServerDiedError

__all__ = ["Pool", "PoolSpec", "PoolTool", "ServerDiedError", "open_pool", "open_shared_pool"]
