"""Labels for recorded answers, and doubts about traces whose truth nobody knows."""

from agentdyno_bench.toolfail.classify.answers import (
    BadAnswer,
    Classified,
    classify_answers,
)
from agentdyno_bench.toolfail.classify.doubts import DoubtsFound, doubt_ledger
from agentdyno_bench.toolfail.classify.traces import DoubtedTrace, doubt_traces

__all__ = [
    "BadAnswer",
    "Classified",
    "DoubtedTrace",
    "DoubtsFound",
    "classify_answers",
    "doubt_ledger",
    "doubt_traces",
]
