"""Labels for recorded answers, and doubts about traces whose truth nobody knows."""

from agentdyno.pipelines.classify.answers import (
    BadAnswer,
    Classified,
    answer_of,
    classify_answers,
    labelled,
)
from agentdyno.pipelines.classify.doubts import DoubtsFound, doubt_ledger
from agentdyno.pipelines.classify.traces import DoubtedTrace, doubt_traces

__all__ = [
    "BadAnswer",
    "Classified",
    "DoubtedTrace",
    "DoubtsFound",
    "answer_of",
    "classify_answers",
    "doubt_ledger",
    "doubt_traces",
    "labelled",
]
