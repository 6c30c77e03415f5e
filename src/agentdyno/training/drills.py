"""Exercises of single tools, asked for in the words of their own descriptions.

Scenes use a part of the world's tools; an agent that learns from scenes alone learns those by heart
and fails at a tool that it has not met. A drill asks for what a description says, with arguments
that were found by trying, and with the fields of the result that are wanted; a third go on with a
second tool that takes a value of the first one's result. One to four of them make a conversation.
Takes settings, returns conversations. No words of any scene stand in them, and
a drill whose question and answer belong to a test task is dropped.
"""

import random
import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from msgspec import Struct

from agentdyno.benchmarks.tps.tasks.dataset import bundled
from agentdyno.benchmarks.tps.tasks.screening import answered_pairs
from agentdyno.benchmarks.tps.world import World
from agentdyno.benchmarks.tps.world.directory import all_tools
from agentdyno.benchmarks.tps.world.kit.tool import Tool
from agentdyno.engines.chat import ChatMessage
from agentdyno.engines.dialect import write_call, write_results
from agentdyno.training.environment import begun_with, chat_tools
from agentdyno.training.plans import Conversation
from agentdyno.training.searching import Values, explored

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
MOST = 4
"""Drills of one conversation."""
TRIES = 8
"""Calls that are tried until one succeeds."""
LONGEST = 1_500
"""Characters of a result, so that several fit."""
ASKS = (
    "{about}, please, for {given}: I want {fields}.",
    "{about}. It is about {given}; tell me {fields}.",
    "For {given}, look this up: {about}. Give me {fields}.",
    "What is {fields}? ({about}; {given})",
    "{fields} - that is what I need of: {about}, {given}.",
)
ORDERS = (
    "{about}, with {given}.",
    "Do this for me: {about} ({given}).",
    "With {given}: {about}.",
)
ONWARD = (
    "{first} Take the {field} from there, and with it: {second}",
    "{second} For that you need the {field}, which comes from this: {first}",
    "{first} Then go on with the {field} that you found. {second}",
)
LOOKUPS = ("look up {about} for {given}.", "{about}, {given}.", "check {about} ({given}).")
CHAINED = 0.35
"""Share of drills that go on with a second tool."""
LINKS = ("\n", " Also: ", " Then there is this. ", " And: ", "\n\n", " Besides that, ")


class Drill(Struct, frozen=True):
    """One call with what is asked and what is to be said."""

    tool: str
    """The tool."""
    arguments: dict[str, Any]
    """Its arguments."""
    asks: str
    """What the user says."""
    answer: str
    """What the agent answers."""
    result: str
    """What the service gave."""
    value: Any = None
    """The same, not as text."""
    then: "Drill | None" = None
    """The call that needs a value of this one's result."""


def drill_conversations(
    count: int, seed: int, worlds: Sequence[int], most_tools: int
) -> list[Conversation]:
    """So many conversations of drills, over these worlds in turn; equal arguments, equal drills."""
    held = _held()
    found: list[Conversation] = []
    each = -(-count // max(1, len(worlds)))
    for world in worlds:
        rng = random.Random(f"drills-{seed}-{world}")
        stream = _drills(world, rng, held)
        for number in range(min(each, count - len(found))):
            drills = [next(stream) for _ in range(rng.randint(1, MOST))]
            found.append(_conversation(drills, world, number, most_tools, rng))
    return found


def _held() -> set[tuple[frozenset[str], str]]:
    tasks = [*bundled("easy").tasks, *bundled("hard").tasks]
    return {pair for task in tasks for pair in answered_pairs(task)}


def _drills(
    world_seed: int, rng: random.Random, held: set[tuple[frozenset[str], str]]
) -> Iterator[Drill]:
    """Drills without end, every tool about as often as any other."""
    values = explored(world_seed, rng)
    tools = list(all_tools().items())
    while True:
        rng.shuffle(tools)
        for name, tool in tools:
            drill = _drill(name, tool, world_seed, values, rng)
            if drill is not None and rng.random() < CHAINED:
                drill = _chained(drill, world_seed, values, rng) or drill
            if drill is not None and not _is_held(drill, held):
                yield drill


def _chained(first: Drill, world_seed: int, values: Values, rng: random.Random) -> Drill | None:
    """The drill with a second one that needs a value of its result; None without any."""
    fields = [(k, v) for k, v in _fields(first.value) if isinstance(v, str)]
    rng.shuffle(fields)
    for field, value in fields:
        kind = field.partition(" ")[0]
        takers = [
            (name, tool)
            for name, tool in all_tools().items()
            if kind in tool.schema.get("required", ()) and name != first.tool
        ]
        if str(value) in map(str, first.arguments.values()) or not takers:
            continue
        name, tool = rng.choice(takers)
        second = _drill(name, tool, world_seed, values, rng, {kind: value})
        if second is not None:
            return _joined(first, second, field, kind, rng)
    return None


def _joined(first: Drill, second: Drill, field: str, kind: str, rng: random.Random) -> Drill:
    tools = all_tools()
    lookup = rng.choice(LOOKUPS).format(
        about=_about(tools[first.tool]), given=_given(first.arguments, rng)
    )
    rest = {k: v for k, v in second.arguments.items() if k != kind}
    asks = _asks(tools[second.tool], rest, second.answer.rpartition(": ")[0], rng)
    text = rng.choice(ONWARD).format(
        first=_sentence(lookup), field=_words(field), second=_sentence(asks)
    )
    return Drill(
        first.tool, first.arguments, text, second.answer, first.result, first.value, second
    )


def _drill(
    name: str, tool: Tool, world_seed: int, values: Values, rng: random.Random,
    known: dict[str, Any] | None = None,
) -> Drill | None:  # fmt: skip
    for _ in range(TRIES):
        arguments = values.arguments(tool, rng)
        if arguments is None:
            return None
        arguments |= known or {}
        outcome = World(world_seed).call(name, arguments)
        if outcome.error is None and len(outcome.text) <= LONGEST:
            return _asked(name, tool, arguments, outcome.value, outcome.text, rng)
    return None


def _asked(
    name: str, tool: Tool, arguments: dict[str, Any], value: Any, text: str, rng: random.Random
) -> Drill | None:
    if tool.writes:
        asks = _asks(tool, arguments, "", rng)
        return Drill(name, arguments, asks, f"{_sentence(_about(tool))}: done", text, value)
    echoed = {str(value) for value in arguments.values()}
    fields = [(field, found) for field, found in _fields(value) if str(found) not in echoed]
    if not fields:
        return None
    wanted = rng.sample(fields, rng.randint(1, min(3, len(fields))))
    said = ", ".join(f"the {_words(field)}" for field, _ in wanted)
    answer = ", ".join(_said(value) for _, value in wanted)
    asks = _asks(tool, arguments, said, rng)
    return Drill(name, arguments, asks, f"{_sentence(said)}: {answer}", text, value)


def _asks(tool: Tool, arguments: dict[str, Any], fields: str, rng: random.Random) -> str:
    """What the user says; `fields` are what is wanted, for a tool that reads."""
    given = _given(arguments, rng) or "today"
    wanted = fields[:1].lower() + fields[1:]
    frame = rng.choice(ORDERS if tool.writes else ASKS)
    return _sentence(frame.format(about=_about(tool), given=given, fields=wanted))


def _about(tool: Tool) -> str:
    about = tool.description.partition(".")[0]
    return about[:1].lower() + about[1:] if about[1:2].islower() else about


def _given(arguments: dict[str, Any], rng: random.Random) -> str:
    return ", ".join(f"{_words(k)} {_worded(v, rng)}" for k, v in arguments.items())


def _worded(value: Any, rng: random.Random) -> str:
    """An argument in the user's words: days as people write them."""
    if isinstance(value, str) and _DAY.fullmatch(value) and rng.random() < 0.6:
        day = date.fromisoformat(value)
        return rng.choice(
            (f"{day.day} {day:%B}", f"{day:%B} {day.day}", f"{day.day} {day:%b} 2026")
        )
    return f"“{value}”" if isinstance(value, str) and " " in value else _said(value)


def _fields(value: Any) -> list[tuple[str, Any]]:
    """Fields of a result that can be asked for: its own, and those of the first of a list."""
    if not isinstance(value, dict):
        return []
    found = [(k, v) for k, v in value.items() if _plain(v)]
    for name, items in value.items():
        if isinstance(items, list) and items and isinstance(items[0], dict):
            first = [(f"{k} of the first of the {name}", v) for k, v in items[0].items()]
            found += [(k, v) for k, v in first if _plain(v)]
            break
    return found


def _plain(value: Any) -> bool:
    return isinstance(value, (int, float)) or (isinstance(value, str) and 0 < len(value) <= 60)


def _is_held(drill: Drill, held: set[tuple[frozenset[str], str]]) -> bool:
    """Whether what is asked about and its answer are those of a test task."""
    steps = [drill] if drill.then is None else [drill, drill.then]
    about = " ".join(str(value) for step in steps for value in step.arguments.values())
    results = " ".join(step.result for step in steps)
    return any(
        texts and value in results and all(text in about for text in texts) for texts, value in held
    )


def _conversation(
    drills: Sequence[Drill], world: int, number: int, most_tools: int, rng: random.Random
) -> Conversation:
    prompt = drills[0].asks + "".join(rng.choice(LINKS) + d.asks for d in drills[1:])
    later = [drill.then for drill in drills if drill.then is not None]
    tools = [drill.tool for drill in [*drills, *later]]
    messages = begun_with(prompt, chat_tools(_offer(tools, most_tools, rng)))
    for level in (drills, later):
        if level:
            calls = "\n".join(write_call(d.tool, d.arguments) for d in level)
            messages += [ChatMessage("assistant", calls), write_results(d.result for d in level)]
    messages.append(ChatMessage("assistant", "\n".join(d.answer for d in drills)))
    return Conversation(f"drill-{number:04d}", world, messages)


def _offer(needed: list[str], most: int, rng: random.Random) -> list[str]:
    """The tools that are needed among others, mostly of the same services."""
    names = list(dict.fromkeys(needed))
    servers = {name.partition("_")[0] for name in names}
    near = [n for n in all_tools() if n.partition("_")[0] in servers and n not in names]
    size = rng.randint(len(names) + 4, max(most, len(names) + 4))
    names += rng.sample(near, min(len(near), (size - len(names) + 1) // 2))
    far = [name for name in all_tools() if name not in names]
    names += rng.sample(far, max(0, size - len(names)))
    rng.shuffle(names)
    return names


def _words(name: str) -> str:
    return name.replace("_", " ")


def _said(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
