"""Marks by outcome: what was said and what changed, however it was done."""

from agentdyno_bench.tps.outcomes.marking import Asked, AttemptMarks, mark

__all__ = ["Asked", "AttemptMarks", "mark"]
