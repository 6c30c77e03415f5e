"""Which turns could have been one: calls that did not need what came back in between.

The ledger holds no texts, so the traces it was measured from are read again; a trajectory whose
file is gone or has changed is reported and left alone. A turn joins the one before when

- both made calls, with the same model, and all calls before it succeeded,
- nothing but the results of those calls came in between (nobody spoke),
- no word or number of its arguments first appeared in those results, and no number in them is
  altogether new: it might have been worked out from a result.

Calls of one turn are taken to run in their order, so that side effects still follow each other.
What cannot be seen is that the model chose a call because of a result.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from agentdyno.intake.format import Source, load_formats
from agentdyno.ledger.manifest import InputEntry, fingerprint
from agentdyno.ledger.reader import Ledger
from agentdyno.metrics.cost.columns import Flags, Ints
from agentdyno.pipelines.whatif.recorded import Recorded
from agentdyno.records import Trajectory

_WORD = re.compile(r"\w+")
SHORTEST = 3
"""Shorter words tell nothing about where they come from; numbers of any length do."""


class Batches(Struct, frozen=True):
    """Which turns join which."""

    into: Ints
    """Per turn: itself, or the earlier turn that it joins."""
    unread: Flags
    """Per trajectory: whether its trace could not be read again and it has calls to look at."""


def find_batches(
    ledger: Ledger, r: Recorded, dropped: Callable[[str], bool], gone: Flags
) -> Batches:
    """Reads the traces again and looks for calls that did not depend on each other."""
    into = np.arange(r.turns)
    places = {name: i for i, name in enumerate(r.trajectories["trajectory_id"])}
    unread = np.bincount(r.turn_trajectory[r.calls > 0], minlength=len(places)) > 1
    for trajectory in _read_again(ledger):
        place = places.get(trajectory.trajectory_id)
        if place is None or len(trajectory.turns) != np.diff(r.first_turn)[place]:
            continue
        unread[place] = False
        base = int(r.first_turn[place])
        here = gone[base : base + len(trajectory.turns)]
        for later, earlier in joined_turns(trajectory, dropped, here).items():
            into[base + later] = base + earlier
    return Batches(into, unread)


def _read_again(ledger: Ledger) -> Iterator[Trajectory]:
    formats = load_formats()
    limit = int(ledger.manifest.options.get("max_record_mb", 64)) * 2**20
    for name, entry in ledger.manifest.inputs.items():
        if entry.format in formats and _is_unchanged(entry):
            path = Path(entry.path)
            source = Source(path, name, 0, entry.fingerprint.size, max_record_bytes=limit)
            for item in formats[entry.format].read(source):
                if isinstance(item, Trajectory):
                    yield item


def _is_unchanged(entry: InputEntry) -> bool:
    try:
        now = fingerprint(Path(entry.path))
    except OSError:
        return False
    then = entry.fingerprint
    return (now.size, now.edges) == (then.size, then.edges)


def joined_turns(
    t: Trajectory, dropped: Callable[[str], bool] = lambda tool: False, gone: Any = ()
) -> dict[int, int]:
    """Turns that join an earlier one, by their place in the trajectory."""
    look = _Look(t, dropped)
    joins: dict[int, int] = {}
    head, last = None, -1
    for turn in range(len(t.turns)):
        if len(gone) and gone[turn]:
            continue
        if head is not None and look.can_join(turn, head, last):
            joins[turn] = head
        else:
            head = turn if look.calls[turn] else None
        last = turn
    return joins


class _Look:
    """What a trajectory says about where words came from."""

    def __init__(self, t: Trajectory, dropped: Callable[[str], bool]) -> None:
        self.t = t
        self.calls: list[list[int]] = [[] for _ in t.turns]
        for place, call in enumerate(t.calls):
            if not dropped(call.tool):
                self.calls[call.turn].append(place)
        self.dropped = {i for i, call in enumerate(t.calls) if dropped(call.tool)}
        self._words: dict[int, set[str]] = {}

    def can_join(self, turn: int, head: int, last: int) -> bool:
        """Whether a turn's calls could have been made by the turn `head`, up to `last` with it."""
        if not self.calls[turn] or self.t.turns[turn].model != self.t.turns[head].model:
            return False
        batch = range(head, last + 1)
        return (
            self._all_succeeded(batch)
            and self._nobody_spoke(head, turn)
            and not self._depends(turn, head, batch)
        )

    def _all_succeeded(self, batch: range) -> bool:
        calls = [self.t.calls[place] for turn in batch for place in self.calls[turn]]
        return all(call.executed and call.error is None for call in calls)

    def _nobody_spoke(self, head: int, turn: int) -> bool:
        """Only results of the batch, and what it decoded, came in since its first turn."""
        for part in self.t.parts:
            entered = part.enters is not None and head < part.enters <= turn
            own = part.made is not None and part.made >= head
            if entered and not own and part.kind != "result":
                return False
        return True

    def _depends(self, turn: int, head: int, batch: range) -> bool:
        wanted = set().union(
            *(_argument_words(self.t.calls[c].arguments) for c in self.calls[turn])
        )
        came_back = {
            result
            for member in batch
            for place in self.calls[member]
            if (result := self.t.calls[place].result) is not None
        }
        known: set[str] = set()
        for place, part in enumerate(self.t.parts):
            before = part.enters is not None and part.enters <= head
            own = part.made is not None and head <= part.made < turn
            if (before or own) and place not in came_back:
                known |= self._of(place)
        results = set().union(*(self._of(place) for place in came_back))
        fresh = wanted - known
        return bool(fresh & results) or any(word.isdigit() for word in fresh)

    def _of(self, place: int) -> set[str]:
        if place not in self._words:
            self._words[place] = _words(self.t.parts[place].text)
        return self._words[place]


def _argument_words(arguments: str) -> set[str]:
    """Words of the values; names of arguments come from the schema."""
    try:
        value = msgspec.json.decode(arguments)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        return _words(arguments)
    return set().union(*map(_words, _leaves(value)))


def _leaves(value: Any) -> Iterator[str]:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
        elif item is not None and not isinstance(item, bool):
            yield str(item)


def _words(text: str) -> set[str]:
    found = _WORD.findall(text.lower())
    return {word for word in found if len(word) >= SHORTEST or word.isdigit()}
