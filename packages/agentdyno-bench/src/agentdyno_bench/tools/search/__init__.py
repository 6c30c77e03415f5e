"""Searching: `SearchTool` over Serper or an offline index."""

from agentdyno_bench.tools.search.hits import Hit, SearchBackend
from agentdyno_bench.tools.search.tool import SearchTool

__all__ = ["Hit", "SearchBackend", "SearchTool"]
