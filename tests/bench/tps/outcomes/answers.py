"""Answers to a task whose calls were all right: some state it, some only seem to.

Each form takes a task with the run of its reference plan and returns an answer, or None where the
form does not apply to the task.
"""

from collections.abc import Callable, Iterator
from typing import Any

from agentdyno_bench.tps.tasks.execution import PlanRun
from agentdyno_bench.tps.tasks.values import CompoundTask, Wish
from agentdyno_bench.tps.world.directory import all_tools
from tests.bench.tps.outcomes.cheats import _other, _said

Form = Callable[[CompoundTask, PlanRun], str | None]


def _goal(wish: Wish) -> str:
    return wish.asks.partition(": say")[0]


def _named(wish: Wish) -> str:
    assert wish.slot is not None
    return f"{_goal(wish)}, {wish.slot.field.replace('_', ' ')}"


def _right(wish: Wish, value: Any = None) -> str:
    assert wish.slot is not None
    unit = "" if wish.slot.unit in (None, "1") else f" {wish.slot.unit}"
    return _said(wish.slot.value if value is None else value) + unit


def _wrong(wish: Wish) -> str:
    assert wish.slot is not None
    return _right(wish, _other(wish.slot.value))


def _slots(task: CompoundTask) -> list[Wish]:
    return [wish for wish in task.wishes if wish.slot is not None]


def each(wording: str) -> Form:
    """One line for each slot, with what it is, its right value and a wrong one."""

    def form(task: CompoundTask, run: PlanRun) -> str:
        return "\n".join(
            wording.format(x=_named(w), right=_right(w), wrong=_wrong(w)) for w in _slots(task)
        )

    return form


def under_wrong_goals(task: CompoundTask, run: PlanRun) -> str | None:
    """Every value, each under the name of the next goal."""
    wishes = _slots(task)
    values = [_right(wish) for wish in wishes]
    moved = zip(wishes, [*values[1:], values[0]], strict=True) if len(wishes) > 1 else ()
    return "\n".join(f"{_named(wish)}: {value}" for wish, value in moved) or None


def first_three_rows(task: CompoundTask, run: PlanRun) -> str | None:
    """For each slot three rows of the list that its value stood in, and no choice."""
    lines = []
    for wish in _slots(task):
        assert wish.slot is not None
        value = wish.slot.value
        columns = (c for call in run.calls for c in _columns(call.result) if value in c)
        for column in columns:
            others = [str(v) for v in dict.fromkeys(map(str, column)) if v != str(value)]
            if others:
                lines.append(f"{_goal(wish)}: {', '.join([str(value), *others[:2]])}")
                break
    return "\n".join(lines) or None


def _columns(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _columns(item)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        yield from ([row.get(field) for row in value] for field in value[0])


def in_another_unit(task: CompoundTask, run: PlanRun) -> str | None:
    """Every number in yen, or in euros where yen were asked for."""
    wishes = [w for w in _slots(task) if w.slot is not None and w.slot.kind == "number"]
    return "\n".join(
        f"{_named(w)}: {w.slot.value} {'EUR' if w.slot.unit == 'JPY' else 'JPY'}"
        for w in wishes if w.slot is not None
    ) or None  # fmt: skip


def with_confirmations(task: CompoundTask, run: PlanRun) -> str:
    """What was asked for, and all that a booking service says about each booking."""
    writes = [c.result for c in run.calls if all_tools()[c.tool].writes]
    lines = [
        "Done: " + ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in row.items() if v) + "."
        for row in writes
        if isinstance(row, dict)
    ]
    return "\n".join([*lines, "", plainly(task, run)])


plainly = each("{x}: {right}")


def below_plan(task: CompoundTask, run: PlanRun) -> str | None:
    """A negative deviation as people say it."""
    wishes = [w for w in _slots(task) if _is_deviation(w)]
    lines = [
        f"{_goal(w)}: {abs(w.slot.value)} % {'below' if w.slot.value < 0 else 'above'} plan"
        for w in wishes
        if w.slot is not None
    ]
    return "\n".join(lines) or None


def _is_deviation(wish: Wish) -> bool:
    slot = wish.slot
    return slot is not None and slot.field == "change_percent" and bool(slot.support)


CHEATS: dict[str, Form] = {
    "withdrawn": each("The {x} is {right}. No, wait, it is {wrong}."),
    "as likely": each("{x}: {right}; just as likely {wrong}"),
    "between": each("{x}: between {right} and {wrong}"),
    "question": each("{x}: Could it be {right}? I don't know."),
    "wrong goals": under_wrong_goals,
    "three rows": first_three_rows,
    "another unit": in_another_unit,
}
HELPFUL: dict[str, Form] = {
    "plain": plainly,
    "sentences": each("The {x} is {right}."),
    "confirmations": with_confirmations,
    "below plan": below_plan,
}
