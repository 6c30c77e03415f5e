"""Which turns could have been one: calls that did not need what came back in between.

Enters a trajectory with the dependencies of its calls; leaves, for each turn that could have been
part of an earlier one, that earlier turn. A turn joins the batch before it when

- both made calls, with the same model, and all calls of the batch succeeded,
- nothing but results came in since the batch began: nobody spoke and no other tool was offered,
- no call of it depends on a call of the batch.

Known edges settle the last point. Inferred ones may be too few, so words are asked as well: no word
of the arguments stands first in a result of the batch, and no number of them is new since the batch
began, for it might have been worked out from a result.

Calls of one turn are taken to run in their order, so that side effects still follow each other.
What cannot be seen is that the model chose a call because of a result.

Worked: find("gate") -> "paint 4711"; find("harbour"); order("4711"), with gate and harbour in the
prompt: turn 1 joins turn 0, turn 2 has to wait.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from agentdyno.metrics.scheduling.inference import argument_leaves
from agentdyno.records import Part, ToolCall, Trajectory
from agentdyno.records.scheduling import CallEdge, EdgeSource

_WORD = re.compile(r"\w+")
SHORTEST = 3
"""Shorter words tell nothing about where they come from; numbers of any length do."""

Dropped = Callable[[str], bool]
"""Whether a tool's calls are to be looked past."""


def joinable_turns(
    trajectory: Trajectory,
    edges: Iterable[CallEdge],
    edge_source: EdgeSource = "inferred",
    dropped: Dropped = lambda tool: False,
    gone: Sequence[bool] = (),
) -> dict[int, int]:
    """Turn -> the earlier turn that could have made its calls; turns that are `gone` are no turns.

    A chain of such turns all join the first of them.
    """
    look = _Look(trajectory, edges, edge_source, dropped)
    joined: dict[int, int] = {}
    batch: _Batch | None = None
    for turn, calls in enumerate(look.calls):
        if len(gone) and gone[turn]:
            continue
        if not calls:
            batch = None
        elif batch is not None and look.can_join(turn, batch):
            joined[turn] = batch.head
            batch.calls.update(calls)
        else:
            batch = _Batch(turn, calls)
    return joined


class _Batch:
    """Turns that could have been one."""

    def __init__(self, head: int, calls: Iterable[int]) -> None:
        self.head = head
        self.calls = set(calls)


class _Look:
    """What a trajectory says about its calls."""

    def __init__(
        self,
        trajectory: Trajectory,
        edges: Iterable[CallEdge],
        edge_source: EdgeSource,
        dropped: Dropped,
    ) -> None:
        self._t = trajectory
        self._by_words = edge_source == "inferred"
        self.calls: list[list[int]] = [[] for _ in trajectory.turns]
        for place, call in enumerate(trajectory.calls):
            if _answered(call) and not dropped(call.tool):
                self.calls[call.turn].append(place)
        self._needs: dict[int, set[int]] = {}
        for edge in edges:
            self._needs.setdefault(edge.target, set()).add(edge.source)
        self._given = {e for part in trajectory.parts if (e := _given_at(part)) is not None}

    def can_join(self, turn: int, batch: _Batch) -> bool:
        """Whether the turn's calls could have been made by the first turn of the batch."""
        turns, calls = self._t.turns, self._t.calls
        return (
            turns[turn].model == turns[batch.head].model
            and all(_succeeded(calls[place]) for place in batch.calls)
            and not any(batch.head < given <= turn for given in self._given)
            and not any(self._depends(place, batch) for place in self.calls[turn])
        )

    def _depends(self, place: int, batch: _Batch) -> bool:
        if self._needs.get(place, set()) & batch.calls:
            return True
        return self._by_words and any(self._waits(word, batch) for word in self._wanted[place])

    def _waits(self, word: str, batch: _Batch) -> bool:
        part = self._first.get(word)
        if part is None:
            return word.isdigit()
        if part.kind == "result":
            return part.call in batch.calls
        return word.isdigit() and part.made is not None and part.made > batch.head

    @cached_property
    def _wanted(self) -> list[AbstractSet[str]]:
        """The words of each call's arguments."""
        return [
            {word for leaf in argument_leaves(call.arguments) for word in _words(str(leaf))}
            for call in self._t.calls
        ]

    @cached_property
    def _first(self) -> dict[str, Part]:
        """The part in which each of these words stands first."""
        wanted = set().union(*self._wanted)
        found: dict[str, Part] = {}
        for part in self._t.parts:
            if not wanted:
                break
            here = wanted.intersection(_WORD.findall(part.text.lower()))
            found.update(dict.fromkeys(here, part))
            wanted -= here
        return found


def _given_at(part: Part) -> int | None:
    """The turn before which the model was given something that is no result of a call."""
    if part.kind == "result" or part.enters is None:
        return None
    own = part.made is not None and part.made >= part.enters - 1
    return None if own else part.enters


def _answered(call: ToolCall) -> bool:
    """Whether the model saw anything of the call; what was written in vain is no call here."""
    return call.executed or call.result is not None or call.error is not None


def _succeeded(call: ToolCall) -> bool:
    return call.executed and call.error is None


def _words(text: str) -> set[str]:
    found = _WORD.findall(text.lower())
    return {word for word in found if len(word) >= SHORTEST or word.isdigit()}
