"""Credit by goal: which turns of an attempt a goal's outcome is put down to.

GRPO gives every token of an attempt the attempt's one advantage, although a goal is usually won or
lost in a turn or two. Here each goal is compared within the group by itself, and what it is above
or below the group's share goes to the turns that worked on it: those with a call for its step or
for one that the step needs, and the answer when a value had to be given. A goal that nobody worked
on is put down to all turns, since any of them could have.

    credit of a token = sum over its turn's goals of (met - share of the group that met it) / goals

Worked: a group of two, two goals; both meet the first, only attempt 1 meets the second. Tokens of
attempt 1 in turns for the second goal get (1 - 1/2) / 2 = +0.25, those of attempt 2 -0.25; turns
for the first goal alone get 0.
"""

from collections.abc import Sequence

from agentdyno_bench.tps.tasks.placing import place_calls
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_train.sampled_attempts import SampledAttempt

ANSWERED = ("answered", "nothing submitted")
"""Ends of attempts whose last turn was the answer."""


def credit_tokens(group: Sequence[SampledAttempt]) -> list[list[float]]:
    """For every attempt at one task, the credit of each token after the prompt."""
    goals = group[0].training_task.task.wishes
    met = [{mark.wish_id: mark.done for mark in one.scored.marks.wishes} for one in group]
    share = {w.wish_id: sum(done[w.wish_id] for done in met) / len(group) for w in goals}
    found = []
    for one, done in zip(group, met, strict=True):
        spans = _spans(one.own)
        credit = [0.0] * len(one.own)
        for wish_id, turns in _turns_by_goal(one, len(spans)).items():
            amount = (done[wish_id] - share[wish_id]) / len(goals)
            for start, end in (spans[turn] for turn in turns):
                for place in range(start, end):
                    credit[place] += amount
        found.append(credit)
    return found


def _turns_by_goal(one: SampledAttempt, turns: int) -> dict[str, set[int]]:
    """The turns that worked on each goal."""
    task, attempt = one.training_task.task, one.scored.attempt
    working: dict[str, set[int]] = {}
    for call in place_calls(task, attempt.calls):
        if call.node is not None and call.turn < turns:
            working.setdefault(call.node, set()).add(call.turn)
    found = {}
    for wish in task.wishes:
        steps = _with_needed(task, wish.step)
        mine = set().union(*(working.get(step, set()) for step in steps))
        if mine and wish.slot is not None and attempt.stopped in ANSWERED:
            mine.add(turns - 1)
        found[wish.wish_id] = mine or set(range(turns))
    return found


def _with_needed(task: CompoundTask, step: str) -> set[str]:
    """A step and all that must be done before it."""
    needs = {subtask.subtask_id: subtask.needs for subtask in task.subtasks}
    found, left = set[str](), [step]
    while left:
        current = left.pop()
        if current not in found:
            found.add(current)
            left += needs[current]
    return found


def _spans(own: Sequence[int]) -> list[tuple[int, int]]:
    """Where the model's turns begin and end among the tokens after the prompt."""
    edges = [
        place
        for place in range(len(own) + 1)
        if (place < len(own) and own[place]) != (place > 0 and bool(own[place - 1]))
    ]
    return list(zip(edges[::2], edges[1::2], strict=True))
