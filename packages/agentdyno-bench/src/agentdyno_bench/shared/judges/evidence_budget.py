"""Cuts evidence to a budget so that a judge can still decide, and says what was left out.

Takes events and a number of characters, returns those that are shown, and a sentence on what is
missing. The latest events are kept first; then those earlier ones that share most rare words with
what the question is about, because only they tell whether it is news. A long text keeps its
beginning and its end.

Tokens are counted as four characters each: a budget is a guard, not an invoice.
"""

import re
from collections import Counter
from collections.abc import Sequence
from math import fsum

from agentdyno_bench.shared.judges.evidence import Event

CHARACTERS_PER_TOKEN = 4
BUDGET_TOKENS = 6000
RECENT_SHARE = 0.6
"""Of the room for events: the latest ones; the others are chosen as evidence."""
LONGEST_EVENT_SHARE = 0.25
"""One event takes at most this share of the room for events."""
SMALLEST_EVENT = 200
"""Characters under which a cut event says nothing."""

_WORD = re.compile(r"\w{4,}|\d+")

Chosen = dict[int, Event]
"""Events by their number, from 1, perhaps shortened."""


def shorten(text: str, limit: int) -> str:
    """Beginning and end of a text that is too long, and how much is gone between them."""
    if len(text) <= limit:
        return text
    gone = len(text) - limit
    head = max(limit * 2 // 3, 0)
    tail = max(limit - head, 0)
    note = f"\n[… {gone:,} characters left out …]\n"
    return text[:head] + note + (text[-tail:] if tail else "")


def choose_events(events: Sequence[Event], about: str, room: int) -> Chosen:
    """The events that fit, in their order."""
    longest = max(int(room * LONGEST_EVENT_SHARE), SMALLEST_EVENT)
    picked: Chosen = {}
    free = _take(events, range(len(events) - 1, -1, -1), int(room * RECENT_SHARE), longest, picked)
    free += room - int(room * RECENT_SHARE)
    _take(events, _by_evidence(events, about, picked), free, longest, picked)
    return {number + 1: event for number, event in sorted(picked.items())}


def _take(
    events: Sequence[Event], order: Sequence[int], room: int, longest: int, picked: Chosen
) -> int:
    """Takes events in this order while they fit; what is left of the room."""
    for number in order:
        text = shorten(events[number].text, longest)
        if len(text) > room:
            break
        picked[number] = Event(events[number].what, text, events[number].turn)
        room -= len(text)
    return room


def _by_evidence(events: Sequence[Event], about: str, picked: Chosen) -> list[int]:
    """The events not yet shown, those that share most with what it is about first."""
    words = [set(_WORD.findall(event.text.lower())) for event in events]
    frequency = Counter(word for event_words in words for word in event_words)
    target = set(_WORD.findall(about.lower()))
    score = {
        # Exactly rounded: the order of a set must not decide what is shown, or what is paid twice.
        number: fsum(1 / frequency[word] for word in words[number] & target)
        for number in range(len(events))
        if number not in picked
    }
    return sorted(score, key=lambda number: (-score[number], -number))


def describe_missing(events: Sequence[Event], picked: Chosen, *, task_cut: bool) -> str:
    """Describe the omitted events in a sentence; empty when all are included."""
    gone = [event for number, event in enumerate(events, 1) if number not in picked]
    shortened = sum(
        len(event.text) < len(events[number - 1].text) or "left out …]" in event.text
        for number, event in picked.items()
    )
    parts = []
    if gone:
        size = sum(len(event.text) for event in gone)
        parts.append(f"{len(gone):,} of {len(events):,} events ({size:,} characters)")
    if shortened:
        parts.append(f"the middle of {shortened:,} long ones")
    if task_cut:
        parts.append("the middle of the task")
    return ", ".join(parts)
