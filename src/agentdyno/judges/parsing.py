"""A judge's reply -> an object with an allowed label, or the reason why there is none.

The reply should be one JSON object. Fences and words around it are tolerated, because models add
them; an object that lacks the label, or has one that is not allowed, is not. Whoever asks may send
one repair; after that there is no label.
"""

import re
from collections.abc import Collection
from typing import Any, NamedTuple

import msgspec

LONGEST_RATIONALE = 500
_FENCE = re.compile(r"^```[a-z]*\s*|\s*```$")
_LEVELS = {"high": 0.9, "medium": 0.6, "low": 0.3}

REPAIR = (
    "That could not be read: {problem}. Reply again with nothing but one JSON object of the "
    "form {form}."
)
FORM = '{{"label": one of {labels}, "confidence": a number from 0 to 1, "rationale": "…"}}'


class Parsed(NamedTuple):
    """What a reply says."""

    label: str
    confidence: float | None
    rationale: str


class Unparsed(NamedTuple):
    """Why a reply says nothing."""

    problem: str


def parse_reply(reply: str, labels: Collection[str]) -> Parsed | Unparsed:
    """The reply as a label, if it is one of those allowed."""
    found = _object(reply)
    if found is None:
        return Unparsed("there is no JSON object in it")
    label = found.get("label")
    if not isinstance(label, str) or label.strip().lower() not in labels:
        return Unparsed(f"its label is {str(label)[:60]!r}, not one of {', '.join(labels)}")
    rationale = found.get("rationale", "")
    text = rationale if isinstance(rationale, str) else ""
    return Parsed(label.strip().lower(), _confidence(found.get("confidence")), text)


def _object(reply: str) -> dict[str, Any] | None:
    """The last JSON object of the reply: models that think aloud conclude with it."""
    bare = _FENCE.sub("", reply.strip())
    places = reversed([m.start() for m in re.finditer(r"\{", bare)])
    starts = [bare, *(bare[place:] for place in list(places)[:50])]
    for text in starts:
        try:
            value = msgspec.json.decode(text[: text.rfind("}") + 1])
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            continue
        if isinstance(value, dict) and "label" in value:
            return value
    return None


def _confidence(value: Any) -> float | None:
    if isinstance(value, str):
        return _LEVELS.get(value.strip().lower())
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1 else None


def repair_request(problem: str, labels: Collection[str]) -> str:
    """What a judge is told when its reply could not be read."""
    return REPAIR.format(problem=problem, form=FORM.format(labels=", ".join(labels)))
