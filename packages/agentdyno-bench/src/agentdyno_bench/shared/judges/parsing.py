"""Reads a judge's answer: any text in, a label or the reason why there is none out.

Never a guess: a word in prose is no label, two answers that differ are none, and a confidence
outside 0 to 1 is unknown. Small matters of form are forgiven: fences and prose around the object,
capitals, a hyphen for the underscore, a percentage. Whoever asks may send one repair; after that
there is no label.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from agentdyno.measures.planning import completion_rate
from agentdyno.records import printable
from agentdyno_bench.shared.judges.forms import FULL, MOST, Form, label_of

LONGEST_READ = 200_000
LONGEST_RATIONALE = 600
MOST_PARTS = 200
MOST_TRIES = 200
"""Places where an object may begin that are tried: a wall of braces is not worth more."""

_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_REFUSAL = re.compile(
    r"\b(?:I(?:'m| am) (?:sorry|unable|not able)|I (?:can(?:no|')t|won't)|"
    r"cannot (?:help|assist)|as an AI)",
    re.IGNORECASE,
)


class Parsed(Struct, frozen=True):
    """A verdict parsed from a judge's answer."""

    label: str | None
    """What the judge says; None when that cannot be read."""
    confidence: float | None = None
    """How sure it is; None when it does not say, or says something impossible."""
    rationale: str = ""
    problem: str | None = None
    """What is wrong with the answer; None when it is as asked."""
    score: float | None = None
    """Share of the parts that are done; None where no parts are marked."""
    scores: dict[str, int | None] = {}
    """What the form has scored; None where no score can be read."""


def parse_answer(text: str | None, form: Form) -> Parsed:
    """The verdict in an answer."""
    if text is None or not text.strip():
        return _unread("the answer is empty")
    answer_text = _THOUGHT.sub(" ", text[:LONGEST_READ])
    objects = list(_objects(answer_text, form.key))
    answers = [candidate for candidate in objects if form.key in candidate]
    if not answers:
        return _unread(_why_none(answer_text, objects, form))
    if any(isinstance(candidate[form.key], _Twice) for candidate in answers):
        return _unread(f"the object names its {form.key} twice")
    read = [_read(candidate, form) for candidate in answers]
    if wrong := next((verdict for verdict in read if verdict.label is None), None):
        return wrong
    if len({(verdict.label, verdict.score, *verdict.scores.values()) for verdict in read}) > 1:
        return _unread(f"{len(answers)} answers that differ")
    return read[-1]


def _read(answer: dict[str, Any], form: Form) -> Parsed:
    confidence, problem = _confidence(answer.get("confidence"))
    reason = answer.get("rationale")
    reason = printable(reason, LONGEST_RATIONALE) if isinstance(reason, str) else ""
    if form.parts is not None:
        return _read_parts(answer["parts"], form, confidence, problem)
    label = _word(answer["label"], form.labels)
    if label is None:
        return _unread(f"the label is {printable(repr(answer['label']), 60)}")
    scores = {name: _score(answer.get(name)) for name in form.scores}
    unscored = [name for name, score in scores.items() if score is None]
    if unscored:
        unread = f"no whole number from 0 to {MOST} is given as {', '.join(unscored)}"
        problem = "; ".join(filter(None, (problem, unread)))
    return Parsed(label, confidence, reason, problem, scores=scores)


def _score(value: Any) -> int | None:
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return value if is_whole and 0 <= value <= MOST else None


def _unread(problem: str) -> Parsed:
    return Parsed(None, problem=problem)


def _word(value: Any, allowed: Sequence[str]) -> str | None:
    if not isinstance(value, str):
        return None
    word = re.sub(r"[\s-]+", "_", value.strip().lower())
    return word if word in allowed else None


def _read_parts(parts: Any, form: Form, confidence: float | None, problem: str | None) -> Parsed:
    if not isinstance(parts, list):
        return _unread(f"the parts are {printable(repr(parts), 60)}")
    if not parts or len(parts) > MOST_PARTS:
        return _unread(f"{len(parts):,} parts are marked")
    if form.parts and (wrong := _wrong_numbers(parts, form.parts)):
        return _unread(wrong)
    marks = [_word(part.get("mark"), form.labels) for part in parts if isinstance(part, dict)]
    for number, mark in enumerate(marks, 1):
        if mark is None:
            return _unread(f"the mark of part {number} cannot be read")
    valid_marks = [mark for mark in marks if mark is not None]
    if len(valid_marks) != len(parts):
        return _unread("a part that is no object")
    reported = _parts_in_words(parts, valid_marks)
    score = completion_rate(valid_marks.count(FULL), len(valid_marks))
    return Parsed(label_of(valid_marks), confidence, reported, problem, score)


def _wrong_numbers(parts: list[Any], many: int) -> str | None:
    """Parts that were given must all be marked, each once."""
    numbers = [part.get("part") if isinstance(part, dict) else None for part in parts]
    plain = [n for n in map(_as_number, numbers) if n is not None]
    if sorted(plain) == list(range(1, many + 1)) and len(plain) == len(parts):
        return None
    return f"the marked parts are not 1 to {many}, each once"


def _as_number(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    digits = re.match(r"\s*(\d{1,4})\b", str(value))
    return int(digits[1]) if digits else None


def _parts_in_words(parts: list[dict[str, Any]], marks: list[str]) -> str:
    """Every part with its mark and the beginning of its evidence."""
    complete = sum(mark == FULL for mark in marks)
    room = max(24, (LONGEST_RATIONALE - 40) // len(parts) - 12)
    lines = [
        f"[{mark}] {printable(_part_in_words(part), room)}"
        for part, mark in zip(parts, marks, strict=True)
    ]
    return printable(f"{complete} of {len(marks)} done. {' '.join(lines)}", LONGEST_RATIONALE)


def _part_in_words(part: dict[str, Any]) -> str:
    return f"{part.get('part', '')}: {part.get('evidence', '')}"


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


def _why_none(text: str, objects: list[dict[str, Any]], form: Form) -> str:
    if objects:
        return "an object without a label" if form.key == "label" else "an object without parts"
    if _REFUSAL.search(text[:400]):
        return "the judge refused"
    if "{" in text:
        return "the object is cut off or malformed"
    return "prose without an object"


class _Twice:
    """A key that stands twice in one object."""


def _objects(text: str, key: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text, outermost first; one inside another is looked at when the outer
    one has no verdict of its own."""
    decoder = json.JSONDecoder(object_pairs_hook=_pairs)
    start, tries = text.find("{"), 0
    while start >= 0 and tries < MOST_TRIES:
        tries += 1
        try:
            item, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
            continue
        yield from _with_key(item, key)
        start = text.find("{", end)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    produced: dict[str, Any] = {}
    for key, value in pairs:
        same = key in produced and produced[key] == value
        produced[key] = _Twice() if key in produced and not same else value
    return produced


def _with_key(item: dict[str, Any], key: str) -> Iterator[dict[str, Any]]:
    inner = [value for value in item.values() if isinstance(value, dict)]
    if key in item or not inner:
        yield item
    else:
        for value in inner:
            yield from _with_key(value, key)
