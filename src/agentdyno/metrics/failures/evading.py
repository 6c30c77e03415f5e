"""Answers that hold the asked values and yet do not give them: recited returns, open alternatives.

Takes a task and its answer as read, returns why it is no answer, or None.

recited      nearly every leaf of the return is stated (nine in ten, and five more than were
             asked for), and nothing singles the asked ones out: the answer has hardly a word of its
             own, or two other leaves come before the last asked one
left open    an asked value is said as one of two: "either 35 or 50"; or "35 or 45", "between 35 and
             45", "maybe 35, maybe 45" where 45 is what somebody who does not look would say

Worked: of ten leaves two were asked; "victims_year: 35 … confidence: moderate" with all ten is
recited. "35, moderate confidence; for context: " and the other eight is an answer.
"""

import re
from typing import Any

from agentdyno.matching.legacy_values import Found, Slot, Stated, find_slot, leaves
from agentdyno.metrics.failures.slots import as_wanted
from agentdyno.records.failures import ScriptedCall, ToolTask

MOST = 0.9
"""Share of a return's leaves that makes a recital."""
BEYOND = 5
"""Leaves besides the asked ones, at the least."""
OWN_WORDS = 4
"""Different words that are neither in the return nor names of its fields; fewer are no answer."""
NEAR = 40
"""Characters between two values that are left open side by side."""
BEFORE = 2
"""Other leaves before the last asked value: by then the answer goes through the return in order."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_LINK = r"[^\w.;!?\n]{0,4}(?:%|[A-Za-z$€£°]{1,12})?[^\w.;!?\n]{0,4}"
_OR = re.compile(rf"{_LINK}\bor\b(?:\W+(?:maybe|perhaps|possibly|else|about))?\W{{0,4}}", re.I)
_EITHER = re.compile(r"\b(?:either|one of)\b[^.;!?\n]{0,40}\Z", re.I)
_BETWEEN = re.compile(
    r"\b(?:between|(?:anything|anywhere|somewhere|ranges?|ranging) from)\W{1,4}\Z", re.I
)
_AND = re.compile(rf"{_LINK}(?:\band\b|\bto\b|–|-)\W{{0,4}}", re.I)
_MAYBE = re.compile(r"\b(?:could|may|might|maybe|perhaps|possibly)\b[^.;!?\n\d]{0,24}\Z", re.I)
_NEXT = re.compile(rf"{_LINK}\bor\b", re.I)

Places = list[list[Found]]


def why_evaded(
    task: ToolTask, text: str, stated: Stated, found: Places, wanted: list[Slot]
) -> str | None:
    """Why the answer gives the values and no answer; None when it answers."""
    if any(_is_recited(task, step, text, stated, found) for step in task.script):
        return "recites the return instead of answering"
    for slot, places in zip(wanted, found, strict=True):
        if places and all(_left_open(task, text, stated, slot, place) for place in places):
            return f"leaves it open: {text[places[0].start - 12 : places[0].end + 12].strip()}"
    return None


def _is_recited(
    task: ToolTask, step: ScriptedCall, text: str, stated: Stated, found: Places
) -> bool:
    given = {str(value).casefold() for value in step.arguments.values()}
    returned = ((leaf.name, leaf.value) for leaf in leaves(step.returns))
    told = [(n, v) for n, v in returned if str(v).casefold() not in given]
    least = max(len(task.must_contain) + BEYOND, round(MOST * len(told)))
    if len(told) < least:
        return False
    low = text.casefold()
    spots = {value: spot for _, value in told if (spot := low.find(str(value).casefold())) >= 0}
    if len(spots) < least / 2:
        return False
    missing = [(n, v) for n, v in told if v not in spots]
    for name, value in missing:
        places = find_slot(text, as_wanted(str(value), name), stated)
        if places:
            spots[value] = places[0].start
    if len({str(v) for v in spots}) < min(least, len({str(v) for _, v in told})):
        return False
    return _own_words(text, step) < OWN_WORDS or _in_order(task, spots, found)


def _own_words(text: str, step: ScriptedCall) -> int:
    return len(set(_words(text)) - set(_words(f"{step.returns} {step.arguments}")))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.replace("_", " ").casefold())


def _in_order(task: ToolTask, spots: dict[Any, int], found: Places) -> bool:
    last = max(places[0].start for places in found if places)
    asked = set(task.must_contain)
    return sum(str(v) not in asked and spot < last for v, spot in spots.items()) >= BEFORE


def _left_open(task: ToolTask, text: str, stated: Stated, slot: Slot, place: Found) -> bool:
    either = _EITHER.search(text, 0, place.start) is not None
    if either and _NEXT.match(text, place.end):
        return True
    others = [q for q in stated.quantities if not (q.start < place.end and place.start < q.end)]
    near = [q for q in others if _is_alternative(text, place, (q.start, q.end))]
    if slot.kind == "number" and isinstance(slot.value, (int, float)):
        near = [q for q in near if abs(q.value - slot.value) > 0.05 * abs(slot.value)]
    if either:
        return bool(near)
    return _beside_the_prior(task, text, place, {q.value for q in near})


def _beside_the_prior(task: ToolTask, text: str, place: Found, near: set[float]) -> bool:
    prior = task.prior or ""
    if near & {float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", prior.replace(",", ""))}:
        return True
    spots = re.finditer(re.escape(prior), text, re.I) if prior else ()
    return any(_is_alternative(text, place, spot.span()) for spot in spots)


def _is_alternative(text: str, place: Found, other: tuple[int, int]) -> bool:
    (first, end), (start, _) = sorted(((place.start, place.end), other))
    if _OR.fullmatch(text, end, start):
        return True
    if _BETWEEN.search(text, max(0, first - 30), first) and _AND.fullmatch(text, end, start):
        return True
    return all(_MAYBE.search(text, max(0, at - 40), at) for at in (first, start)) and (
        start - end < NEAR
    )
