"""Tasks written by a model, as in the paper, but believed only after they were executed.

A model is shown some tools and asked for a compound task: what a user would say, and the subtasks
with tools, arguments and references to earlier results. The program executes the plan in a fresh
world, finds the evidence itself, and screens the task like any other. What the model claims is
never taken over: a plan that fails, or a prompt that names a tool, is thrown away with its reason.
"""

import random
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno_bench.tps.tasks.draft import Draft, DraftError
from agentdyno_bench.tps.tasks.references import plain_references
from agentdyno_bench.tps.tasks.screening import Screen
from agentdyno_bench.tps.tasks.values import CompoundTask, Level
from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.directory import all_tools

Complete = Callable[[str], Awaitable[str]]
"""Asks the author model."""

PROMPT_TOOLS = 24
ATTEMPTS_PER_TASK = 8

BRIEF = """Invent one realistic request of a private person to an assistant, made of {size}.

The assistant can use these tools (name, what it does, JSON schema of its arguments):
{tools}

It is Monday, 13 April 2026. Cities are large and well known.

Answer with one JSON object and nothing else:
{{"prompt": "...", "subtasks": [{{"goal": "...", "tool": "...", "arguments": {{...}},
  "tell": [REF, ...], "leaves": "collection or null", "same": ["field", ...]}}]}}

- prompt: what the user says, in natural language. It names no tool and lists no steps, but \
contains every fact that cannot be looked up, and says which values the user wants to be told.
- subtasks: one tool call each, in an order in which they can be done.
- A value that comes from an earlier result is a reference REF:
  {{"$from": "s1", "path": "field.0.name"}} or, for the best row of a list,
  {{"$from": "s1", "list": "rows", "take": "min", "by": "price", "field": "id"}} with take one of \
min, max, first, only. Subtasks are s1, s2, ... in order.
- tell: references into this subtask's own result that the final answer must state.
- leaves, same: for a call that changes something, the collection it adds a row to, and the fields \
of its result by which the row is known; otherwise null and []."""

SIZES: dict[Level, str] = {
    "easy": "two to five subtasks that have little to do with each other",
    "hard": "six to twelve subtasks, most of which need the result of another",
    "purpose": "five to fourteen subtasks for one purpose, most of which need another's result",
    "train": "three to eight subtasks, some of which need the result of another",
}


class _Written(Struct):
    goal: str
    tool: str
    arguments: dict[str, Any]
    tell: list[dict[str, Any]] = []
    leaves: str | None = None
    same: list[str] = []


class _Proposal(Struct):
    prompt: str
    subtasks: list[_Written]


class Authored(Struct, frozen=True):
    """What came of asking."""

    tasks: list[CompoundTask]
    """Tasks that passed every check."""
    refused: dict[str, int]
    """Why others did not, and how often."""


async def author_tasks(
    complete: Complete, level: Level, count: int, world_seed: int, seed: int = 1
) -> Authored:
    """Asks until there are enough tasks, or patience ends."""
    screen, accepted, refused = Screen(world_seed), list[CompoundTask](), Counter[str]()
    for attempt in range(count * ATTEMPTS_PER_TASK):
        if len(accepted) == count:
            break
        reply = await complete(_question(level, random.Random(f"{seed}-{level}-{attempt}")))
        try:
            task = _execute(reply, level, f"{level}-a{len(accepted) + 1:03d}", world_seed)
        except DraftError as error:
            refused[str(error)[:80]] += 1
            continue
        reason = screen.refusal(task)
        if reason is None:
            accepted.append(task)
        else:
            refused[reason] += 1
    return Authored(accepted, dict(refused))


def _question(level: Level, rng: random.Random) -> str:
    tools = all_tools()
    tools_text = rng.sample(sorted(tools), PROMPT_TOOLS)
    lines = [
        f"{name}: {tools[name].description} {msgspec.json.encode(tools[name].schema).decode()}"
        for name in tools_text
    ]
    return BRIEF.format(size=SIZES[level], tools="\n".join(lines))


def _execute(reply: str, level: Level, task_id: str, world_seed: int) -> CompoundTask:
    proposal = _read(reply)
    draft = Draft(World(world_seed), random.Random(0))
    for written in proposal.subtasks:
        if written.tool not in all_tools():
            raise DraftError("a tool that does not exist")
        _check_references([written.arguments, written.tell], len(draft.steps) + 1)
        step = draft.do(
            written.goal,
            written.tool,
            written.arguments,
            leaves=written.leaves,
            same=tuple(written.same),
        )
        step.tell(*written.tell)
    return CompoundTask(
        task_id, level, proposal.prompt, ["authored"], draft.subtasks(), draft.goals()
    )


def _read(reply: str) -> _Proposal:
    start, end = reply.find("{"), reply.rfind("}")
    try:
        return msgspec.json.decode(reply[start : end + 1], type=_Proposal)
    except msgspec.DecodeError as error:
        raise DraftError(f"no readable JSON: {error}") from None


def _check_references(value: Any, newest: int) -> None:
    """References to what exists; patterns are ours alone, a model's could run for ever."""
    known = {f"s{number}" for number in range(1, newest + 1)}
    for ref in plain_references(value):
        if ref["$from"] not in known:
            raise DraftError("a reference to a later subtask")
        if "pattern" in ref or not ("path" in ref or {"list", "take"} <= ref.keys()):
            raise DraftError("a reference of unknown form")
