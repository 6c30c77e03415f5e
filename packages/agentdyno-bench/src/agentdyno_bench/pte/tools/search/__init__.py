"""Searching: `SearchTool` over Serper or an offline index."""

from agentdyno_bench.pte.tools.search.hits import Hit, SearchBackend
from agentdyno_bench.pte.tools.search.tool import SearchTool

__all__ = ["Hit", "SearchBackend", "SearchTool"]
