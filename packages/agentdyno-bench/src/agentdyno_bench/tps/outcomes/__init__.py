"""Marks by outcome: what was said and what changed, however it was done."""

from agentdyno_bench.tps.outcomes.marking import AttemptMarks, RequestedCall, mark

__all__ = ["AttemptMarks", "RequestedCall", "mark"]
