"""Cuts a state to a budget so that a judge can still decide, and says what was left out.

Enters: a state and a number of tokens. Leaves: texts, and a sentence on what is missing. Kept in
this order: the task, the call and its result (a third each at most); the latest events; then those
earlier events that share most rare words with the call and its result, because only they tell
whether the result is news. A long text keeps its beginning and its end.

Tokens are counted as four characters each: a budget is a guard, not an invoice.
"""

import re
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from agentdyno.judges.utility.state import CallState, Event

CHARACTERS_PER_TOKEN = 4
TASK_SHARE, CALL_SHARE = 1 / 3, 1 / 3
RECENT_SHARE = 0.6
"""Of what is left for the events: the latest ones; the others are chosen as evidence."""
LONGEST_EVENT_SHARE = 0.25
"""One event takes at most this share of the room for events."""
SMALLEST_EVENT = 200
"""Characters under which a cut event says nothing."""

_WORD = re.compile(r"\w{4,}|\d+")


class Cut(Struct, frozen=True):
    """A state within its budget."""

    task: str
    """The task, perhaps shortened."""
    arguments: str
    """The request, perhaps shortened."""
    result: str | None
    """The result, perhaps shortened."""
    before: tuple[tuple[int, Event], ...]
    """The events that are shown, numbered from 1, perhaps shortened."""
    left_out: str
    """What is missing, in a sentence; empty when nothing is."""


def cut_to_budget(state: CallState, tokens: int) -> Cut:
    """The state in at most so many tokens, or a little more where that would be senseless."""
    room = tokens * CHARACTERS_PER_TOKEN
    task = shorten(state.task, int(room * TASK_SHARE))
    call_room = int(room * CALL_SHARE)
    arguments = shorten(state.arguments, call_room // 3)
    result = None if state.result is None else shorten(state.result, call_room - len(arguments))
    used = len(task) + len(arguments) + len(result or "")
    shown = _chosen(state, max(room - used, 0))
    return Cut(task, arguments, result, tuple(sorted(shown.items())), _missing(state, shown, task))


def shorten(text: str, limit: int) -> str:
    """Beginning and end of a text that is too long, and how much is gone between them."""
    if len(text) <= limit:
        return text
    gone = len(text) - limit
    head = max(limit * 2 // 3, 0)
    tail = max(limit - head, 0)
    note = f"\n[… {gone:,} characters left out …]\n"
    return text[:head] + note + (text[-tail:] if tail else "")


def _chosen(state: CallState, room: int) -> dict[int, Event]:
    events = state.before
    longest = max(int(room * LONGEST_EVENT_SHARE), SMALLEST_EVENT)
    shown: dict[int, Event] = {}
    left = _take(events, range(len(events) - 1, -1, -1), int(room * RECENT_SHARE), longest, shown)
    left += room - int(room * RECENT_SHARE)
    _take(events, _by_evidence(state, shown), left, longest, shown)
    return {number + 1: event for number, event in shown.items()}


def _take(
    events: Sequence[Event],
    order: Sequence[int],
    room: int,
    longest: int,
    shown: dict[int, Event],
) -> int:
    """Takes events in this order while they fit; what is left of the room."""
    for number in order:
        text = shorten(events[number].text, longest)
        if len(text) > room:
            break
        shown[number] = Event(events[number].what, text, events[number].turn)
        room -= len(text)
    return room


def _by_evidence(state: CallState, shown: dict[int, Event]) -> list[int]:
    """The events not yet shown, those that share most with the call first."""
    words = [set(_WORD.findall(event.text.lower())) for event in state.before]
    frequency = Counter(word for each in words for word in each)
    target = set(_WORD.findall(f"{state.arguments} {state.result or ''}".lower()))
    score = {
        number: sum(1 / frequency[word] for word in words[number] & target)
        for number in range(len(state.before))
        if number not in shown
    }
    return sorted(score, key=lambda number: (-score[number], -number))


def _missing(state: CallState, shown: dict[int, Event], task: str) -> str:
    gone = [event for number, event in enumerate(state.before, 1) if number not in shown]
    shortened = sum(
        len(event.text) < len(state.before[number - 1].text) or "left out …]" in event.text
        for number, event in shown.items()
    )
    parts = []
    if gone:
        size = sum(len(event.text) for event in gone)
        parts.append(f"{len(gone):,} of {len(state.before):,} events ({size:,} characters)")
    if shortened:
        parts.append(f"the middle of {shortened:,} long ones")
    if len(task) != len(state.task):
        parts.append("the middle of the task")
    return ", ".join(parts)
