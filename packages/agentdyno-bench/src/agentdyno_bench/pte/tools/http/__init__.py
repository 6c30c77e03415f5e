"""HTTP with limits: one request, a bounded answer, and connections only where they are allowed."""

from agentdyno_bench.pte.tools.http.exchange import Answer, Limits, exchange
from agentdyno_bench.pte.tools.http.guard import Guard, RefusedError
from agentdyno_bench.pte.tools.http.targets import Target, parse_target

__all__ = ["Answer", "Guard", "Limits", "RefusedError", "Target", "exchange", "parse_target"]
