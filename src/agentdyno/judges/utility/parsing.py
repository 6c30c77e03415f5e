"""Reads a judge's answer: any text in, a label or the reason why there is none out.

Never a guess: a word in prose is no label, two answers that differ are none, and a confidence
outside 0 to 1 is unknown. Small matters of form are forgiven: fences and prose around the object,
capitals, a hyphen for the underscore, a percentage.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from agentdyno.records import printable
from agentdyno.records.utility import UTILITY_LABELS, UtilityLabel

LONGEST_READ = 200_000
LONGEST_RATIONALE = 600
MOST_TRIES = 200
"""Places where an object may begin that are tried: a wall of braces is not worth more."""

_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_REFUSAL = re.compile(
    r"\b(?:I(?:'m| am) (?:sorry|unable|not able)|I (?:can(?:no|')t|won't)|"
    r"cannot (?:help|assist)|as an AI)",
    re.IGNORECASE,
)


class Parsed(Struct, frozen=True):
    """What could be read of an answer."""

    label: UtilityLabel | None
    """What the judge says; None when that cannot be read."""
    confidence: float | None = None
    """How sure it is; None when it does not say, or says something impossible."""
    rationale: str = ""
    """Its reason, shortened."""
    problem: str | None = None
    """What is wrong with the answer; None when it is as asked."""


def parse_answer(text: str | None) -> Parsed:
    """The verdict in an answer."""
    if text is None or not text.strip():
        return _unread("the answer is empty")
    said = _THOUGHT.sub(" ", text[:LONGEST_READ])
    objects = list(_objects(said))
    answers = [found for found in objects if "label" in found]
    if not answers:
        return _unread(_why_none(said, objects))
    if any(isinstance(found["label"], _Twice) for found in answers):
        return _unread("the object names its label twice")
    labels = {_label(found["label"]) for found in answers}
    if None in labels:
        wrong = next(found["label"] for found in answers if _label(found["label"]) is None)
        return _unread(f"the label is {printable(repr(wrong), 60)}")
    if len(labels) > 1:
        return _unread(f"{len(answers)} answers that differ")
    return _read(answers[-1])


def _read(answer: dict[str, Any]) -> Parsed:
    confidence, problem = _confidence(answer.get("confidence"))
    rationale = answer.get("rationale")
    told = printable(rationale, LONGEST_RATIONALE) if isinstance(rationale, str) else ""
    return Parsed(_label(answer["label"]), confidence, told, problem)


def _unread(problem: str) -> Parsed:
    return Parsed(None, problem=problem)


def _label(value: Any) -> UtilityLabel | None:
    if not isinstance(value, str):
        return None
    word = re.sub(r"[\s-]+", "_", value.strip().lower())
    return next((label for label in UTILITY_LABELS if word == label), None)


def _confidence(value: Any) -> tuple[float | None, str | None]:
    if value is None:
        return None, "no confidence is given"
    try:
        number = _number(value)
    except ValueError:
        return None, f"the confidence is {printable(repr(value), 40)}"
    if not 0 <= number <= 1:
        return None, f"the confidence is {number:g}, outside 0 to 1"
    return number, None


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError
    if isinstance(value, str) and value.strip().endswith("%"):
        return float(value.strip()[:-1]) / 100
    return float(value)


def _why_none(text: str, objects: list[dict[str, Any]]) -> str:
    if objects:
        return "an object without a label"
    if _REFUSAL.search(text[:400]):
        return "the judge refused"
    if "{" in text:
        return "the object is cut off or malformed"
    return "prose without an object"


class _Twice:
    """A key that stands twice in one object."""


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text, outermost first; one inside another is looked at when the outer
    one has no label of its own."""
    decoder = json.JSONDecoder(object_pairs_hook=_pairs)
    place, tries = text.find("{"), 0
    while place >= 0 and tries < MOST_TRIES:
        tries += 1
        try:
            found, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            place = text.find("{", place + 1)
            continue
        yield from _with_label(found)
        place = text.find("{", end)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        same = key in made and made[key] == value
        made[key] = _Twice() if key in made and not same else value
    return made


def _with_label(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    inner = [value for value in found.values() if isinstance(value, dict)]
    if "label" in found or not inner:
        yield found
    else:
        for value in inner:
            yield from _with_label(value)
