"""Answers that put something where it is only going: "it is in Rotterdam and due in Algeciras".

Takes a task and an answer, returns why it is no answer, or None. A field like `position` says where
something is; swapped is what says that it comes to this place and is at another one, which the
question names.
"""

import re
from collections.abc import Iterator

from agentdyno.matching.legacy_values import words_of_field
from agentdyno.metrics.failures.slots import wanted_fields
from agentdyno.records.failures import ToolTask

_PLACES = frozenset(
    [
        "position",
        "location",
        "station",
        "place",
        "port",
        "whereabouts",
        "stop",
        "airport",
        "city",
        "depot",
        "hub",
        "warehouse",
    ]
)
_NAME = re.compile(r"\b(?:in|to|at|reach|for|into) ([A-ZÀ-ÖØ-Þ][\w'’-]+(?: [A-ZÀ-ÖØ-Þ][\w'’-]+)?)")
_IS_AT = (
    r"(?:\b(?:is|are|was|lies|sits|waits|stands|arrived|reached|already|now|currently)|['’]s)"
    r"(?: (?:is|already|now|currently|still|waiting|lying|moored|held|stuck))*"
    r" (?:in |at |near |off )?(?:the (?:port|harbour|depot) of )?\**"
)
_COMES_TO = (
    r"\b(?:due|expected|arriv\w+|gets?|getting|reach|reaches|heading|headed|bound"
    r"|on (?:its|the|their) way|en route|going|destined|continues|travels|will be)"
    r" (?:in |at |to |for |into )?(?:the (?:port|harbour|depot) of )?\**"
)


def why_elsewhere(task: ToolTask, text: str) -> str | None:
    """Why what is asked for is said to be elsewhere; None when it is not."""
    for field, value in zip(wanted_fields(task), task.must_contain, strict=True):
        if not _PLACES & set(words_of_field(field or "").lower().split()):
            continue
        comes = re.search(rf"(?i:{_COMES_TO}){re.escape(value)}\b", text)
        is_here = re.search(rf"(?i:{_IS_AT}){re.escape(value)}\b", text)
        if comes is None or is_here is not None:
            continue
        for other in _others(task, value):
            if re.search(rf"(?i:{_IS_AT}){re.escape(other)}\b", text):
                return f"is at {other}, and not at {value}: {field}"
    return None


def _others(task: ToolTask, value: str) -> Iterator[str]:
    """Places that the question names."""
    for message in task.messages:
        yield from (name for name in _NAME.findall(message) if name != value)
