"""Searching: `SearchTool` over Serper or an offline index."""

from agentdyno.benchmarks.tools.search.hits import Hit, SearchBackend
from agentdyno.benchmarks.tools.search.tool import SearchTool

__all__ = ["Hit", "SearchBackend", "SearchTool"]
