"""Dependencies between calls, read off values.

An edge says that a later call rests on an earlier one, with the reason and a confidence:

value     something in the arguments stood first in that call's result: not in the prompt, a schema
          or anything the model wrote before. Ids, paths, days, larger figures and lines of text
          weigh enough; line numbers, enums and small integers prove nothing
          (`matching.distinct_tokens`)
derived   a figure of the arguments is a sum, difference or product of two figures of results

What it cannot see: calls that were chosen because of a result without naming anything of it, and
calls that touch what another wrote. Such edges are missing, so nothing is said of turns that could
have been one. Precision and recall on real traces and on known graphs are in the findings.

Worked: "book the cheapest flight to Rome": search(to="Rome") -> {"id": "NW412"}; book(id="NW412").
"Rome" stands in the prompt, "NW412" first in the first result: one edge, from search to book.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator

from agentdyno.findings.scheduling.value_sources import DISPLAYED, Figures, value_sources
from agentdyno.matching.appearances import Appearances, appearances
from agentdyno.records import Trajectory, printable
from agentdyno.records.scheduling import CallEdge


def infer_edges(trajectory: Trajectory, index: Appearances | None = None) -> list[CallEdge]:
    """Every dependency that values give away, each pair of calls once."""
    if len({call.turn for call in trajectory.calls}) < 2:
        return []  # Only a later turn can have seen a result.
    appearances_index = index or appearances(trajectory)
    figures = Figures(appearances_index)
    edges: list[CallEdge] = []
    after: defaultdict[int, list[int]] = defaultdict(list)
    for target in range(len(trajectory.calls)):
        found = _of_target(appearances_index, figures, after, target)
        for edge in sorted(found.values(), key=lambda edge: edge.source):
            edges.append(edge)
            after[edge.source].append(target)
    return edges


def _of_target(
    index: Appearances,
    figures: Figures,
    after: dict[int, list[int]],
    target: int,
) -> dict[int, CallEdge]:
    """Source -> the edge from it to the target, the surest where there are several."""
    edges: dict[int, CallEdge] = {}
    for source, value, reason, sure in value_sources(index, figures, target):
        old = edges.get(source)
        if old is None or old.confidence < sure:
            edges[source] = CallEdge(source, target, printable(value, 60), reason, sure)
    _drop_repeated(edges, after)
    for source, value in find_compared_calls(index, target, after):
        reason = "it takes one of several that were looked at one by one"
        edges.setdefault(source, CallEdge(source, target, printable(value, 60), reason, 0.7))
    return edges


def _drop_repeated(edges: dict[int, CallEdge], after: dict[int, list[int]]) -> None:
    """Of two calls that showed a value, the later counts where it rests on the earlier one: a
    search shows a time, the booking repeats it, and a calendar waits for the booking."""
    displayed = [edge for edge in edges.values() if edge.reason == DISPLAYED]
    for later in displayed:
        for earlier in displayed:
            if earlier.value == later.value and _rests_on(later.source, earlier.source, after):
                edges.pop(earlier.source, None)


def _rests_on(later: int, earlier: int, after: dict[int, list[int]]) -> bool:
    targets = after.get(earlier, [])
    position = bisect_left(targets, later)
    return position < len(targets) and targets[position] == later


# Choices among look-ups: three cities' weather, then a hotel in one of them. A call in, the calls
# whose results it had to compare out.

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
    for position in range(target - 1, max(-1, target - 1 - MOST_ALTERNATIVES), -1):
        other = index.calls[position]
        if other.turn < call.turn and other.tool != call.tool and not other.error:
            siblings.setdefault(other.tool, []).append(position)
    for places in siblings.values():
        if len(places) < 2:
            continue
        subjects = {p: index.asked[p] for p in places}
        common = frozenset.intersection(*subjects.values()) if len(subjects) > 1 else frozenset()
        distinct = {p: subject - common for p, subject in subjects.items()}
        matching = [
            p for p, subject in distinct.items() if subject and subject <= index.asked[target]
        ]
        if (
            len(subjects) > 1
            and len(matching) == 1
            and all(len(subject_tokens) == 1 for subject_tokens in distinct.values())
        ):
            (value,) = distinct[matching[0]]
            if "/" not in value and not value.isdigit() and index.sources(value, call.turn) == []:
                yield from (
                    (position, value) for position in _find_follow_ups(index, places, target, after)
                )


def _find_follow_ups(
    index: Appearances, places: list[int], target: int, after: dict[int, list[int]]
) -> list[int]:
    """What was asked next about each of the alternatives, where each was asked the same: three
    names, then the prices of their three symbols."""
    turn = index.calls[target].turn
    first_few = {p: after.get(p, [])[:MOST_ALTERNATIVES] for p in places}
    nexts = {p: [n for n in few if index.calls[n].turn < turn] for p, few in first_few.items()}
    tools = {index.calls[later].tool for follow_ups in nexts.values() for later in follow_ups}
    if len(tools) != 1 or index.calls[target].tool in tools:
        return places
    for position, found in nexts.items():
        # One whose name was known from elsewhere leaves no trace: the call right behind it counts.
        if not found and position + 1 < target and index.calls[position + 1].tool in tools:
            found.append(position + 1)
    first = {follow_ups[0] for follow_ups in nexts.values() if follow_ups}
    return sorted(first) if len(first) == len(places) else places
