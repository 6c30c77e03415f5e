"""Judging failure modes: one rubric where the truth is known and one where it is not, each in two
framings, and the questions."""

from agentdyno_bench.toolfail.judge.blind import BLIND_LABELS, blind_prompt
from agentdyno_bench.toolfail.judge.question import failure_prompt
from agentdyno_bench.toolfail.judge.rubric import FRAMINGS, Framing, rubric

__all__ = [
    "BLIND_LABELS",
    "FRAMINGS",
    "Framing",
    "blind_prompt",
    "failure_prompt",
    "rubric",
]
