"""Choices among look-ups: three cities' weather, then a hotel in one of them. A call in, the calls
whose results it had to compare out.
"""

from collections.abc import Iterator

from agentdyno.matching.appearances import Appearances

MOST_ALTERNATIVES = 12
"""Calls before a choice among which its alternatives are looked for, and behind each of them."""


def find_compared_calls(
    index: Appearances, target: int, after: dict[int, list[int]]
) -> Iterator[tuple[int, str]]:
    """The look-ups among whose subjects a call picks one: weather of three cities, then a hotel.

    Alternatives are calls of one tool, in the turns just before, that differ in one argument; the
    target is another tool's call and names one of their subjects and no other.
    """
    call = index.calls[target]
    siblings: dict[str, list[int]] = {}
    for place in range(target - 1, max(-1, target - 1 - MOST_ALTERNATIVES), -1):
        other = index.calls[place]
        if other.turn < call.turn and other.tool != call.tool and not other.error:
            siblings.setdefault(other.tool, []).append(place)
    for places in siblings.values():
        if len(places) < 2:
            continue
        subjects = {p: index.asked[p] for p in places}
        common = frozenset.intersection(*subjects.values()) if len(subjects) > 1 else frozenset()
        own = {p: subject - common for p, subject in subjects.items()}
        chosen = [p for p, subject in own.items() if subject and subject <= index.asked[target]]
        if len(subjects) > 1 and len(chosen) == 1 and all(len(each) == 1 for each in own.values()):
            (value,) = own[chosen[0]]
            if "/" not in value and not value.isdigit() and index.sources(value, call.turn) == []:
                yield from (
                    (place, value) for place in _find_follow_ups(index, places, target, after)
                )


def _find_follow_ups(
    index: Appearances, places: list[int], target: int, after: dict[int, list[int]]
) -> list[int]:
    """What was asked next about each of the alternatives, where each was asked the same: three
    names, then the prices of their three symbols."""
    turn = index.calls[target].turn
    first_few = {p: after.get(p, [])[:MOST_ALTERNATIVES] for p in places}
    nexts = {p: [n for n in few if index.calls[n].turn < turn] for p, few in first_few.items()}
    tools = {index.calls[later].tool for found in nexts.values() for later in found}
    if len(tools) != 1 or index.calls[target].tool in tools:
        return places
    for place, found in nexts.items():
        # One whose name was known from elsewhere leaves no trace: the call right behind it counts.
        if not found and place + 1 < target and index.calls[place + 1].tool in tools:
            found.append(place + 1)
    first = {found[0] for found in nexts.values() if found}
    return sorted(first) if len(first) == len(places) else places
