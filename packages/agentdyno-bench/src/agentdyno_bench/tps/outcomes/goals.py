"""What a text is asked for: each slot as a typed value, with the words that name its goal.

A goal is named by what the user said of it: the sentence of its step, the names and days that its
steps are about, the name of its field, and what its tool deals with. Words that two goals share
tell them apart in no text, so only those that differ are ever compared.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from agentdyno.matching.values import (
    Expected,
    Unit,
    Value,
    bare_code,
    expect,
    fold,
    read_values,
    unit_named,
)
from agentdyno_bench.tps.tasks.references import is_reference
from agentdyno_bench.tps.tasks.slots import slot_of
from agentdyno_bench.tps.tasks.values import BARE, CompoundTask, Slot, Subtask

_WORD = re.compile(r"[^\W\d_]{2,}")
_ENDING = re.compile(r"(?<=\w{4})(?:ing|ed|est|es|er|s|e)\Z")
"""At least four letters stay: "notes" is "note", never "not"."""
_SMALL = frozenset({
    "the", "of", "and", "or", "to", "in", "on", "at", "for", "from", "with", "where", "what",
    "that", "it", "is", "are", "my", "me", "say", "find", "by", "be", "as", "who", "how", "whether",
    "when", "which", "all", "one", "lives", "look", "up",
})  # fmt: skip
_PHONE = re.compile(r"\+?\d[\d\s()/-]{5,}")
_UNITS = {
    "billion USD": Unit("money", 1e9, 0.0, "usd"),
    "µg/m³": Unit("mass/volume", 1e-9),
}
"""Units that are put together; the base of mass over volume is grams a litre."""


@dataclass(frozen=True, eq=False)
class Goal:
    """A slot with what it takes to find it in a text; two goals are never the same."""

    slot: Slot
    expected: tuple[Expected, ...]
    """All of them have to be stated; several for a list."""
    field: frozenset[str] = frozenset()
    """Tokens of its field."""
    names: frozenset[str] = frozenset()
    """Tokens of the names and days that it is about, and of its tool."""
    words: frozenset[str] = frozenset()
    """Tokens of its sentence."""
    sentence: str = ""
    """How it was asked for, with the name of its field."""

    def tokens_beside(self, other: "Goal") -> frozenset[str]:
        """Tokens that name this goal and not another one."""
        return beside(self, other)[0]

    @cached_property
    def all_tokens(self) -> frozenset[str]:
        """Every token."""
        return self.field | self.names | self.words


@lru_cache(4096)
def beside(goal: Goal, other: Goal) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Tokens that name a goal and not another one: all, those that name it surely, and words of
    its sentence."""
    names = (goal.field - other.field - other.words) | (goal.names - other.all_tokens)
    words = goal.words - other.all_tokens
    return names | words, names, words


def goals_of(task: CompoundTask) -> list[Goal]:
    """The slots of a task."""
    steps = {step.subtask_id: step for step in task.subtasks}
    found = []
    for wish in task.wishes:
        if wish.slot is not None:
            chain = _chain(wish.step, steps)
            asked, field = wish.asks.partition(": say")[0], wish.slot.field.replace("_", " ")
            named = tokens(field), _names(wish.slot, chain), tokens(asked)
            goal = Goal(wish.slot, expect_slot(wish.slot), *named, f"{asked}, {field}")
            found.append(goal)
    return found


def goal_for(value: Any, known: Iterable[Goal]) -> Goal:
    """The goal that asks for a value in a letter; one without names where no slot has it."""
    for goal in known:
        if goal.slot.value == value and type(goal.slot.value) is type(value):
            return goal
    slot = slot_of("", value, None, [])
    slot = Slot(slot.kind, value) if slot.unit == BARE else slot
    return Goal(slot, expect_slot(slot))


def _chain(step_id: str, steps: dict[str, Subtask]) -> list[Subtask]:
    """A step and all that it needs, the step first."""
    found: dict[str, Subtask] = {}
    waiting = [step_id] if step_id in steps else []
    while waiting:
        step = steps[waiting.pop(0)]
        if step.subtask_id not in found:
            found[step.subtask_id] = step
            waiting += step.needs
    return list(found.values())


def _names(slot: Slot, chain: list[Subtask]) -> frozenset[str]:
    given = [
        str(value)
        for step in chain
        for value in step.arguments.values()
        if not is_reference(value) and isinstance(value, str)
    ]
    about = [text for step in chain for text in step.about]
    found = [str(value) for step in chain[1:] for value in step.evidence if isinstance(value, str)]
    tools = [step.tool.replace("_", " ") for step in chain[:1]]
    own = tokens(str(slot.value))
    return tokens(" . ".join([*given, *about, *found])) - own | tokens(" ".join(tools))


@lru_cache(8192)
def tokens(text: str) -> frozenset[str]:
    """Words without their endings, and days of the year."""
    return stems(text) | _days(text)


@lru_cache(8192)
def stems(text: str) -> frozenset[str]:
    """Words without their endings."""
    return frozenset(stem(word) for word in set(_WORD.findall(fold(text))) - _SMALL)


@lru_cache(4096)
def stem(word: str) -> str:
    """A folded word without its ending, cut short."""
    return _ENDING.sub("", word)[:5]


def _days(text: str) -> frozenset[str]:
    if not re.search(r"\d", text):
        return frozenset()
    dates = [value.date for value in read_values(text, "en") if value.kind == "date" and value.sure]
    return frozenset(f"{month}/{day}" for _, month, day in dates if month and day)


def expect_slot(slot: Slot) -> tuple[Expected, ...]:
    """What a text has to state for a slot."""
    if isinstance(slot.value, list):
        return tuple(_expect(item, slot) for item in slot.value)
    return (_expect(slot.value, slot),)


def _expect(value: Any, slot: Slot) -> Expected:
    text = str(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = Value("number", 0, 0, float(value), _unit(slot.unit))
        return Expected((number,), (), text, changes="change" in slot.field)
    if _PHONE.fullmatch(text) and slot.kind == "entity":
        return Expected((Value("code", 0, 0, text=bare_code(text)),), (), text)
    found = expect(text)
    if slot.kind in ("entity", "list") and found.kind in ("number", "truth", "time"):
        return Expected((Value("text", 0, 0, text=fold(text)),), (), text)
    return found


def _unit(name: str | None) -> Unit | None:
    return None if name in (None, BARE) else _UNITS.get(name) or unit_named(name)
