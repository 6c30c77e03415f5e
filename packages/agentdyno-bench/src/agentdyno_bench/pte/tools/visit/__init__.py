"""Reading pages: `VisitTool` over plain HTTP, Jina's reader or the offline corpus."""

from agentdyno_bench.pte.tools.visit.page import Page, VisitBackend
from agentdyno_bench.pte.tools.visit.tool import VisitTool

__all__ = ["Page", "VisitBackend", "VisitTool"]
