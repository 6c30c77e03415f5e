"""Which turns could have been one: calls that did not need what came back in between.

Takes a trajectory with the dependencies of its calls; returns each turn that could have been part
of an earlier one, with the reason and how sure that is. A turn joins the batch before it when

- both made calls, with the same model, and all calls of the batch succeeded,
- nothing but results came in since the batch began: nobody spoke and no other tool was offered,
- no call of it depends on a call of the batch, and none writes what another of them touches.

Known edges settle the last point. Inferred ones may be too few, so the join is

certain    when everything the calls name was at hand before the batch began (the prompt, an earlier
           result, an earlier request of the same kind), every call only reads, and the turn says
           nothing about what the batch brought
possible   when nothing speaks against it; the model may have chosen the calls because of a result

Worked: find("gate") -> "paint 4711"; find("harbour"); order("4711"), with gate and harbour in the
prompt: turn 1 joins turn 0 for certain, turn 2 has to wait.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from agentdyno.matching.appearances import Appearances, appearances
from agentdyno.matching.effects import Effect, conflict
from agentdyno.matching.paths import paths_of, without_spans
from agentdyno.matching.tokens import COMMON, argument_tokens, tokens, weight
from agentdyno.records import Part, ToolCall, Trajectory
from agentdyno.records.scheduling import CallEdge, EdgeSource, Join, JoinConfidence

SEARCHING = frozenset(["grep", "egrep", "fgrep", "rg", "ag", "ack", "find", "fd", "glob",
                       "git grep", "git log", "grep_search", "search_file_content"])  # fmt: skip
"""Tools and programs that look for words."""
MOST_SEARCHES = 20
"""Earlier calls that a search may narrow down."""
Dropped = Callable[[str], bool]
"""Whether a tool's calls are to be looked past."""
_REACTS = re.compile(
    r"\b(?:i see|i can see|found|shows?|based on|because|since|interesting|looks like|it seems"
    r"|fail\w*|error|issue|instead|so (?:the|it|we|i)|but|however|turns out|unfortunately"
    r"|now (?:i|that|let)|next|then|also need|good|great|perfect|as expected"
    r"|the (?:output|result|file|test)s?)\b",
    re.IGNORECASE,
)


def joinable_turns(
    trajectory: Trajectory,
    edges: Iterable[CallEdge],
    edge_source: EdgeSource = "inferred",
    dropped: Dropped = lambda tool: False,
    gone: Sequence[bool] = (),
    least: JoinConfidence = "certain",
) -> dict[int, int]:
    """Turn -> the earlier turn that could have made its calls, at that confidence or better."""
    return {
        join.turn: join.into
        for join in find_joins(trajectory, edges, edge_source, dropped, gone, least)
    }


def find_joins(
    trajectory: Trajectory,
    edges: Iterable[CallEdge],
    edge_source: EdgeSource = "inferred",
    dropped: Dropped = lambda tool: False,
    gone: Sequence[bool] = (),
    least: JoinConfidence = "possible",
    index: Appearances | None = None,
) -> list[Join]:
    """Every turn that could have been part of an earlier one; turns that are `gone` are no turns.

    A chain of such turns all join the first of them.
    """
    look = _Look(trajectory, edges, edge_source, dropped, index)
    found: list[Join] = []
    batch: _Batch | None = None
    for turn, calls in enumerate(look.calls):
        if len(gone) and gone[turn]:
            continue
        join = look.join(turn, batch) if batch is not None and calls else None
        if not calls:
            batch = None
        elif batch is not None and join is not None and join.confidence in _AT_LEAST[least]:
            found.append(join)
            batch.calls.update(calls)
        else:
            batch = _Batch(turn, calls)
    return found


_AT_LEAST: dict[JoinConfidence, tuple[JoinConfidence, ...]] = {
    "certain": ("certain",),
    "possible": ("certain", "possible"),
}


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
        index: Appearances | None,
    ) -> None:
        self._t = trajectory
        self._known = edge_source == "known"
        self._given_index = index
        self.calls: list[list[int]] = [[] for _ in trajectory.turns]
        for place, call in enumerate(trajectory.calls):
            if _answered(call) and not dropped(call.tool):
                self.calls[call.turn].append(place)
        self._needs: dict[int, list[CallEdge]] = {}
        for edge in edges:
            self._needs.setdefault(edge.target, []).append(edge)
        self._given = {e for part in trajectory.parts if (e := _given_at(part)) is not None}

    @cached_property
    def _index(self) -> Appearances:
        return self._given_index or appearances(self._t)

    @cached_property
    def _effects(self) -> list[Effect]:
        return self._index.effects

    @cached_property
    def _said(self) -> dict[int, list[Part]]:
        """Turn -> the texts and reasoning that it wrote."""
        said: dict[int, list[Part]] = {}
        for part in self._t.parts:
            if part.made is not None and part.kind in ("text", "reasoning") and part.text.strip():
                said.setdefault(part.made, []).append(part)
        return said

    def join(self, turn: int, batch: _Batch) -> Join | None:
        """How the turn's calls could have been made by the first turn of the batch."""
        turns, calls = self._t.turns, self._t.calls
        mine = self.calls[turn]
        if (
            turns[turn].model != turns[batch.head].model
            or not all(_succeeded(calls[place]) for place in batch.calls)
            or any(batch.head < given <= turn for given in self._given)
            or any(self._waits(place, batch) for place in mine)
        ):
            return None
        if self._known:
            return Join(turn, batch.head, "certain", "the task's graph lets them be one")
        if self._collides(mine, batch):
            return None
        return self._judged(turn, batch)

    def _waits(self, place: int, batch: _Batch) -> bool:
        """Whether a call needs one of the batch; what an earlier result had shown too, it does not
        need for certain."""
        needed = [edge for edge in self._needs.get(place, ()) if edge.source in batch.calls]
        return any(self._known or not self._was_at_hand(edge, batch) for edge in needed)

    def _was_at_hand(self, edge: CallEdge, batch: _Batch) -> bool:
        calls = self._t.calls
        return any(
            other.value == edge.value and calls[other.source].turn < batch.head
            for other in self._needs[edge.target]
            if other.source not in batch.calls
        )

    def _collides(self, mine: list[int], batch: _Batch) -> bool:
        """Whether one writes what another touches, for all that can be seen.

        Of a tool that is only known by its name, nobody knows what it touches: it collides with
        calls that name the same thing.
        """
        return any(self._collide(a, b) for a in batch.calls for b in mine)

    def _collide(self, before: int, after: int) -> bool:
        first, second = self._effects[before], self._effects[after]
        if not (first.may_write or second.may_write) or conflict(first, second) is None:
            return False
        if "named" not in (first.certainty, second.certainty):
            return True
        named = self._heavy[before] & self._heavy[after]
        return bool(named) or self._t.calls[before].tool == self._t.calls[after].tool

    @cached_property
    def _heavy(self) -> list[set[str]]:
        """Per call: what its arguments name."""
        texts = ["\n".join(values) for values in self._index.arguments]
        return [{t for t in argument_tokens(text) if weight(t) >= 0.4} for text in texts]

    def _judged(self, turn: int, batch: _Batch) -> Join | None:
        mine = self.calls[turn]
        if any(self._effects[place].action == "waits" for place in (*mine, *batch.calls)):
            return None  # Time that has to pass does not pass faster.
        new = self._new_words(mine, batch)
        if new is None:
            return None
        if any(self._effects[place].may_write for place in (*mine, *batch.calls)):
            why = "they write different things, and nothing of the one is named in the other"
            return Join(turn, batch.head, "possible", why)
        if new:
            why = f"no result is quoted, but {', '.join(sorted(new)[:3])} had not been named before"
            return Join(turn, batch.head, "possible", why)
        if any(self._takes_up(place, batch) for place in mine):
            why = "all that they name was at hand; the results in between speak of it too"
            return Join(turn, batch.head, "possible", why)
        if self._reacts(turn, batch):
            why = "all that they name was at hand; the turn speaks of what it had just seen"
            return Join(turn, batch.head, "possible", why)
        why = "all that they name was at hand before, and they only read"
        return Join(turn, batch.head, "certain", why)

    def _new_words(self, mine: list[int], batch: _Batch) -> set[str] | None:
        """Words of the arguments that nobody had named before the batch; None when one of them
        stands first in a result of the batch, or is a figure that may have been worked out."""
        new: set[str] = set()
        for place in mine:
            for token in self._named(place, batch.head):
                if token in COMMON or (len(token) < 3 and not token.isdigit()):
                    continue
                origin = self._before(token, batch.head)
                if origin == "batch" or (origin is None and token.isdigit()):
                    return None
                if origin is None and (weight(token) > 0 or len(token) > 3):
                    new.add(token)
        return new

    def _named(self, place: int, head: int) -> set[str]:
        """What a call's arguments name, without paths whose file was known before the batch."""
        found: set[str] = set()
        for value in self._index.arguments[place]:
            known = [p for p in paths_of(value) if self._is_known(p[0], head)]
            found |= argument_tokens(without_spans(value, known), dates=True)
        return found

    def _is_known(self, path: str, head: int) -> bool:
        """Whether a result, a request or the user had named the file before the batch."""
        ends = dict.fromkeys([path, "/".join(path.split("/")[-2:])])
        return any(self._before(end.lstrip("."), head) == "before" for end in ends)

    def _takes_up(self, place: int, batch: _Batch) -> bool:
        """Whether a result of the batch speaks of what the call is about, or a search narrows down
        one that was made before: the model may have chosen it for that."""
        edges = self._needs.get(place, ())
        if any(edge.source in batch.calls for edge in edges):
            return True
        if self._stays(place, batch):
            return True
        if not self._searches(place):
            return False
        about = self._about(place)
        return any(about & self._index.held[p] for p in self._shown(batch)) or any(
            about & self._about(other)
            for other in range(max(0, place - MOST_SEARCHES), place)
            if self._searches(other) and self._t.calls[other].turn < self._t.calls[place].turn
        )

    def _stays(self, place: int, batch: _Batch) -> bool:
        """Whether a call goes on with a file that the batch looked at or showed."""
        names = {path.rpartition("/")[2] for path in self._paths(place)}
        looked = {path.rpartition("/")[2] for other in batch.calls for path in self._paths(other)}
        return bool(names & looked) or any(
            name in self._index.held[result] for name in names for result in self._shown(batch)
        )

    def _paths(self, place: int) -> list[str]:
        """The files that a call's arguments name."""
        values = [value for value in self._index.arguments[place] if len(value) < 2_000]
        found = [path for value in values for path, _, _ in paths_of(value)]
        return [path for path in found if "." in path.rpartition("/")[2].strip(".")]

    def _about(self, place: int) -> set[str]:
        """What a search looks for, without the folders that it looks in."""
        values = self._index.arguments[place]
        return {
            token
            for value in values
            for token in argument_tokens(without_spans(value, paths_of(value)))
            if weight(token) >= 0.2 and "/" not in token
        }

    def _searches(self, place: int) -> bool:
        """Whether a call looks for words in files."""
        effect, tool = self._effects[place], self._t.calls[place].tool.lower()
        return tool in SEARCHING or not SEARCHING.isdisjoint(effect.programs)

    def _shown(self, batch: _Batch) -> list[int]:
        results = [self._t.calls[place].result for place in batch.calls]
        return [result for result in results if result is not None]

    def _before(self, token: str, head: int) -> str | None:
        """Whether it was at hand before the head of the batch wrote, came in with the batch, or
        was never named."""
        for place in self._index.places.get(token, ()):
            part = self._index.parts[place]
            if part.made is not None:
                # What the head itself wrote with its calls is at hand for its other calls.
                return "before" if part.made <= head else None
            if part.enters is not None and part.enters <= head:
                return "before"
            return "batch" if part.kind == "result" else "before"
        return None

    def _reacts(self, turn: int, batch: _Batch) -> bool:
        """Whether what the turn says, before it calls, takes up what the batch brought."""
        said = self._said.get(turn, [])
        if any(_REACTS.search(part.text[:2_000]) for part in said):
            return True
        shown: set[str] = set()
        for result in self._shown(batch):
            shown |= self._index.held[result]
        return any(
            weight(token) > 0 and self._before(token, batch.head) == "batch"
            for part in said
            for token in tokens(part.text[:4_000]) & shown
        )


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
