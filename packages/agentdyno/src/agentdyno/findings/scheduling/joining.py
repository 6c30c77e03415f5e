"""Which turns could have been one: calls that did not need what came back in between.

Takes a trajectory with the dependencies of its calls; returns each turn that could have been part
of an earlier one. A turn joins the batch before it when

- both made calls, with the same model, and all calls of the batch succeeded,
- nothing but results came in since the batch began: nobody spoke and no other tool was offered,
- no call of it depends on a call of the batch, and none writes what another of them touches.

Known edges decide the last point. Inferred ones may be too few, so besides

- the batch only kept notes or edited: nothing came back that the model did not write. After a look
  anything that came back may have led to the turn, also where it says and quotes nothing (read by
  hand in other projects, 4 of 19 such joins were right),
- everything the calls name was at hand before the batch began (the prompt, an earlier result, an
  earlier request of the same kind),
- every call only reads, keeps notes, or edits a file whose text was seen before the batch, and
  after an edit none runs in a shell: it may look at what the edit did.

Worked: find("gate") -> "paint 4711"; find("harbour"); order("4711"), with gate and harbour in the
prompt: turn 1 joins turn 0, turn 2 has to wait.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from agentdyno.findings.scheduling.at_hand import AtHand
from agentdyno.findings.scheduling.collisions import Collisions
from agentdyno.matching.appearances import Appearances, appearances
from agentdyno.records import Part, ToolCall, Trajectory
from agentdyno.records.scheduling import AFTER_NOTES, CallEdge, EdgeSource, Join

_ENDING = re.compile(
    r"(?:mark_)?(?:task_)?(?:complete|finish|submit|done|end)(?:_(?:task|answer|work))?"
    r"|final_answer|attempt_completion|exit_?plan_?mode|give_up"
)
"""Tools that end the work: they rest on all that came before."""
_LOADING = re.compile(r"(?:tool_?search|search_?tools|load_?tools?)")
"""Tools that bring other tools, which cannot be called before."""
_ANSWERED = re.compile(r"ask_?user.*|exit_?plan_?mode|(?:task|todo)_?(?:get|list|read)")
"""Tools beside the agent's notes that a person answers, or that show what the notes say."""
AT_HAND = "everything they need was known before, and none touches what another writes"
Dropped = Callable[[str], bool]
"""Whether a tool's calls are to be looked past."""


def joinable_turns(
    trajectory: Trajectory,
    edges: Iterable[CallEdge],
    edge_source: EdgeSource = "inferred",
    dropped: Dropped = lambda tool: False,
    gone: Sequence[bool] = (),
) -> dict[int, int]:
    """Turn -> the earlier turn that could have made its calls."""
    joins = find_joins(trajectory, edges, edge_source, dropped, gone)
    return {join.turn: join.into for join in joins}


def find_joins(
    trajectory: Trajectory,
    edges: Iterable[CallEdge],
    edge_source: EdgeSource = "inferred",
    dropped: Dropped = lambda tool: False,
    gone: Sequence[bool] = (),
    index: Appearances | None = None,
) -> list[Join]:
    """Every turn that could have been part of an earlier one; turns that are `gone` are no turns.

    A chain of such turns all join the first of them.
    """
    return _Joining(trajectory, edges, edge_source, dropped, gone, index).find()


class _Batch:
    """Turns that could have been one, with what is known of all their calls together: a batch may
    be long, and is asked about at every turn."""

    def __init__(self, head: int, calls: Iterable[int]) -> None:
        self.head = head
        self.calls: set[int] = set()
        self.fresh: list[int] = []
        """Calls that were not looked at yet."""
        self.writers: list[int] = []
        """Calls that may write."""
        self.waits = False
        """Whether one of them only lets time pass."""
        self.informs = False
        """Whether a result may say what the model did not know: notes and edits only succeed."""
        self.add(calls)

    def add(self, calls: Iterable[int]) -> None:
        self.calls.update(calls)
        self.fresh += calls


class _Joining:
    """What a trajectory says about its calls."""

    def __init__(
        self,
        trajectory: Trajectory,
        edges: Iterable[CallEdge],
        edge_source: EdgeSource = "inferred",
        dropped: Dropped = lambda tool: False,
        gone: Sequence[bool] = (),
        index: Appearances | None = None,
    ) -> None:
        self._t = trajectory
        self._known = edge_source == "known"
        self._given_index = index
        self._gone = gone
        self._calls: list[list[int]] = [[] for _ in trajectory.turns]
        for position, call in enumerate(trajectory.calls):
            if _was_answered(call) and not dropped(call.tool):
                self._calls[call.turn].append(position)
        self._needs: dict[int, list[CallEdge]] = {}
        for edge in edges:
            self._needs.setdefault(edge.target, []).append(edge)
        user_turns = {e for part in trajectory.parts if (e := _find_given_turn(part)) is not None}
        self._given = sorted(user_turns)

    def find(self) -> list[Join]:
        """Every turn that could have been part of an earlier one."""
        joins: list[Join] = []
        batch: _Batch | None = None
        for turn, calls in enumerate(self._calls):
            if len(self._gone) and self._gone[turn]:
                continue
            join = self._join(turn, batch) if batch is not None and calls else None
            if not calls:
                batch = None
            elif batch is not None and join is not None:
                joins.append(join)
                batch.add(calls)
            else:
                batch = _Batch(turn, calls)
        return joins

    @cached_property
    def _index(self) -> Appearances:
        return self._given_index or appearances(self._t)

    @cached_property
    def _hand(self) -> AtHand:
        return AtHand(self._index)

    @cached_property
    def _collisions(self) -> Collisions:
        return Collisions(self._index)

    def _join(self, turn: int, batch: _Batch) -> Join | None:
        """How the turn's calls could have been made by the first turn of the batch."""
        turns = self._t.turns
        calls = self._calls[turn]
        if (
            turns[turn].model != turns[batch.head].model
            or not all(self._has_succeeded(position) for position in batch.fresh)
            or any(_ENDING.fullmatch(self._t.calls[position].tool.lower()) for position in calls)
            or any(
                _LOADING.fullmatch(self._t.calls[position].tool.lower()) for position in batch.calls
            )
            or bisect_right(self._given, batch.head) < bisect_right(self._given, turn)
            or any(self._must_wait(position, batch) for position in calls)
        ):
            return None
        fresh, batch.fresh = batch.fresh, []
        if self._known:
            return Join(turn, batch.head, "the task's graph lets them be one")
        self._look_at(batch, fresh)
        if self._collisions.collide(calls, batch.calls, batch.writers):
            return None
        return self._judge(turn, batch)

    def _look_at(self, batch: _Batch, fresh: Iterable[int]) -> None:
        """What its new calls add to what is known of the batch."""
        for position in fresh:
            batch.waits = batch.waits or self._collisions.waits(position)
            batch.informs = batch.informs or not self._is_own_act(position)
            if self._collisions.writes(position):
                batch.writers.append(position)

    def _has_succeeded(self, position: int) -> bool:
        call = self._t.calls[position]
        if not call.executed or call.error is not None:
            return False
        if self._known or call.result is None:
            return True
        return not self._index.failed[position]

    def _must_wait(self, position: int, batch: _Batch) -> bool:
        """Whether a call needs one of the batch and not what an earlier result had shown too."""
        needed = [edge for edge in self._needs.get(position, ()) if edge.source in batch.calls]
        return any(self._known or not self._was_at_hand(edge, batch) for edge in needed)

    def _was_at_hand(self, edge: CallEdge, batch: _Batch) -> bool:
        calls = self._t.calls
        return any(
            other.value == edge.value and calls[other.source].turn < batch.head
            for other in self._needs[edge.target]
            if other.source not in batch.calls
        )

    def _judge(self, turn: int, batch: _Batch) -> Join | None:
        calls = self._calls[turn]
        if batch.waits or any(map(self._collisions.waits, calls)):
            return None  # Time that has to pass does not pass faster.
        if batch.informs or self._checks(calls, batch):
            return None
        work = [position for position in calls if self._is_own_work(position)]
        new = self._hand.new_words((p for p in calls if p not in work), batch.head)
        if new is None or self._hand.takes_from(work, batch.head):
            return None
        if new or not all(self._is_decided(position, batch) for position in calls):
            return None
        notes = all(map(self._collisions.is_note, batch.calls))
        return Join(turn, batch.head, AFTER_NOTES if notes else AT_HAND)

    def _checks(self, calls: Sequence[int], batch: _Batch) -> bool:
        """Whether a call may look at what an edit of the batch did: whatever runs in a shell may,
        and so may a test, a linter or a build."""
        collisions = self._collisions
        edits = any(not collisions.is_note(position) for position in batch.writers)
        return edits and any(collisions.is_check(p) or not collisions.is_declared(p) for p in calls)

    def _is_own_act(self, position: int) -> bool:
        """Whether it only keeps notes or edits, so that nothing new comes back."""
        if _ANSWERED.fullmatch(self._t.calls[position].tool.lower()):
            return False
        return self._collisions.is_note(position) or self._collisions.is_plain_edit(position)

    def _is_own_work(self, position: int) -> bool:
        """Whether its new words are what the model writes, and no names that it must have had."""
        return self._is_own_act(position) or self._collisions.is_check(position)

    def _is_decided(self, position: int, batch: _Batch) -> bool:
        """Whether a call that writes needs nothing of the batch: an edit of a text that was seen
        before it, or a note that reports nothing of what the batch did."""
        if not self._collisions.writes(position):
            return True
        if self._collisions.is_note(position):
            return not self._collisions.reports(position) and all(
                map(self._collisions.is_note, batch.writers)
            )
        earlier = (self._t.calls[edge.source].turn for edge in self._needs.get(position, ()))
        return self._collisions.is_plain_edit(position) and any(
            turn < batch.head for turn in earlier
        )


def _find_given_turn(part: Part) -> int | None:
    """The turn before which the model was given something that is no result of a call."""
    if part.kind == "result" or part.enters is None:
        return None
    is_from_agent = part.made is not None and part.made >= part.enters - 1
    return None if is_from_agent else part.enters


def _was_answered(call: ToolCall) -> bool:
    """Whether the model saw anything of the call; what was written in vain is no call here."""
    return call.executed or call.result is not None or call.error is not None
