"""Answers to a task whose calls were all right: some state it, some only seem to.

Each form takes a task with the run of its reference plan and returns an answer, or None where the
form does not apply to the task.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from agentdyno_bench.tps.tasks.execution import PlanRun
from agentdyno_bench.tps.tasks.values import CompoundTask, Wish
from agentdyno_bench.tps.world.directory import all_tools
from tests.bench.tps.outcomes.cheats import _other, _said
from tests.labelled import read_set

Form = Callable[[CompoundTask, PlanRun], str | None]


def _goal(wish: Wish) -> str:
    return wish.asks.partition(": say")[0]


def _named(wish: Wish) -> str:
    return f"{_goal(wish)}, {wish.slot.field.replace('_', ' ')}"


def _right(wish: Wish, value: Any = None) -> str:
    unit = "" if wish.slot.unit in (None, "1") else f" {wish.slot.unit}"
    return _said(wish.slot.value if value is None else value) + unit


def _wrong(wish: Wish) -> str:
    return _right(wish, _other(wish.slot.value))


def _slots(task: CompoundTask) -> list[Wish]:
    return [wish for wish in task.wishes if wish.slot is not None]


def _rivals(wish: Wish, run: PlanRun) -> list[str]:
    """Values of the rows beside the right one, then one that nobody saw."""
    right = wish.slot.value
    columns = [c for call in run.calls for c in _columns(call.result) if right in c]
    others = dict.fromkeys(str(v) for column in columns for v in column if v is not None)
    others.pop(str(right), None)
    return [*(_right(wish, other) for other in others), _wrong(wish)]


def each(wording: str, head: str = "", tail: str = "") -> Form:
    """One line for each slot, with what it is, its right value, a wrong one and a rival."""

    def form(task: CompoundTask, run: PlanRun) -> str:
        return head + "\n".join(_word(wording, w, run) for w in _slots(task)) + tail

    return form


def _word(wording: str, wish: Wish, run: PlanRun, right: str | None = None) -> str:
    rivals = _rivals(wish, run)
    return wording.format(
        x=_named(wish), right=right or _right(wish), wrong=_wrong(wish), rival=rivals[0],
        last=rivals[-1], goal=_goal(wish),
    )  # fmt: skip


def written(value: Callable[[Wish], str]) -> Form:
    """Values in another notation."""
    return lambda task, run: "\n".join(
        _word("{x}: {right}", w, run, value(w)) for w in _slots(task)
    )


def in_german(wish: Wish) -> str:
    """1.234,5"""
    right, value = _right(wish), wish.slot and wish.slot.value
    if not isinstance(value, int | float):
        return right
    number = f"{value:,}" if abs(value) >= 10_000 else str(value)
    return right.replace(str(value), number.translate(str.maketrans(",.", ".,")))


def with_unit_in_words(wish: Wish) -> str:
    """12 percent"""
    number, _, unit = _right(wish).partition(" ")
    words = {"%": "percent", "EUR": "euros", "min": "minutes", "h": "hours", "kg": "kilograms"}
    return f"{number} {words[unit]}" if unit in words else _right(wish)


def rounded_beside_exact(wish: Wish) -> str:
    """about 264 EUR (263.82 EUR exactly)"""
    value = wish.slot.value if wish.slot else None
    if isinstance(value, float) and value > 10:
        return f"about {_right(wish, round(value))} ({_right(wish)} exactly)"
    return _right(wish)


def in_words(wish: Wish) -> str:
    """Friday, 8 May 2026"""
    if wish.slot.kind not in ("date", "moment"):
        return _right(wish)
    day = datetime.fromisoformat(wish.slot.value)
    clock = f" at {day:%H:%M}" if wish.slot.kind == "moment" else ""
    return f"{day:%A}, {day.day} {day:%B %Y}{clock}"


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


_TABLE = "| What | Value |\n|---|---|\n"
_ROW, _SENTENCE = each("| {x} | {rival} |", _TABLE), each("The {x} is {right}.")
CHEATS: dict[str, Form] = {
    "wrong goals": under_wrong_goals,
    "three rows": first_three_rows,
    "another unit": in_another_unit,
    "text after table": lambda t, r: f"{_ROW(t, r)}\n\n{_SENTENCE(t, r)}",
    "table after text": lambda t, r: f"{_SENTENCE(t, r)}\n\n{_ROW(t, r)}",
    **{name: each(*words) for name, *words in read_set("cases/bench/tps/cheat_answers")},
}
HELPFUL: dict[str, Form] = {
    "plain": plainly,
    "sentences": _SENTENCE,
    "confirmations": with_confirmations,
    "below plan": below_plan,
    "table": each("| {x} | {right} |", "Here it is:\n\n" + _TABLE, "\n\nIs anything missing?"),
    "twice": lambda t, r: f"{plainly(t, r)}\n\nIn short:\n{_SENTENCE(t, r)}",
    "units in words": written(with_unit_in_words),
    "rounded and exact": written(rounded_beside_exact),
    "German figures": written(in_german),
    "days in words": written(in_words),
    **{name: each(*words) for name, *words in read_set("cases/bench/tps/helpful_answers")},
}
