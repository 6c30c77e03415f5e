"""Tasks of several turns: 40 per domain that one call cannot answer.

chain    the first tool says what the second has to be asked about
error    the tool fails once and says what to do about it
change   the user comes back later, and the value is another one by then

The trap of a chain or an error is the prior, as ever; that of a change is the value from before.
"""

from random import Random
from typing import Any

from agentdyno.benchmarks.toolfail.registers import REGISTERS, Register, ask
from agentdyno.benchmarks.toolfail.words import Row, ToolWords, Vocabulary
from agentdyno.benchmarks.toolfail.world import World, said, written
from agentdyno.records.failures import ScriptedCall, ToolTask

CHAINS, ERRORS, CHANGES = 14, 13, 13

RETRY = (
    "The service did not answer in time. Nothing was read. Call again with the same arguments.",
    "Too many requests at this moment. Repeat the call.",
    "The connection was reset before the record arrived. Please try once more.",
)
MOVED = "No record under '{old}'. It was moved to '{new}'. Call again with that name."
LATER = (
    "It is an hour later and they tell me it has changed. What is it now?",
    "Back from lunch. Please look again, I need it as it stands at this minute.",
    "New day, same question: what does the record say today?",
    "They just updated the system. Give me the value once more, please.",
)


def multi_tasks(words: Vocabulary, world: World, chance: Random) -> list[ToolTask]:
    """The tasks of one domain."""
    tasks = [*_chains(words, world, chance), *_errors(words, world, chance)]
    tasks += _changes(words, world, chance)
    return [_numbered(task, words, number) for number, task in enumerate(tasks, 1)]


def _numbered(task: ToolTask, words: Vocabulary, number: int) -> ToolTask:
    from msgspec.structs import replace

    return replace(task, task_id=f"MUL-{words.code}-{number:03}", domain=words.domain)


def _chains(words: Vocabulary, world: World, chance: Random) -> list[ToolTask]:
    first, then = words.tool(words.chain.first), words.tool(words.chain.then)
    assert first.link is not None
    combos = [(row, place) for row in first.rows for place in range(len(then.fields))]
    tasks = []
    for row, place in chance.sample(combos, CHAINS):
        source = world.record(first, row)
        target = next(r for r in then.rows if source[first.link] in r.arguments.values())
        entity = words.chain.say.format(entity=row.say)
        steps = (
            ScriptedCall(first.offered.name, row.arguments, source),
            ScriptedCall(then.offered.name, target.arguments, world.record(then, target)),
        )
        tasks.append(_task("chain", words, world, then, target, place, steps, chance, entity))
    return tasks


def _errors(words: Vocabulary, world: World, chance: Random) -> list[ToolTask]:
    tasks = []
    for number, (tool, row, place) in enumerate(_some(words, chance, ERRORS)):
        name, record = tool.offered.name, world.record(tool, row)
        again, error = row.arguments, chance.choice(RETRY)
        if number % 2:
            argument, old = next((k, v) for k, v in row.arguments.items() if isinstance(v, str))
            new = f"{old} (rev B)"
            again = {**row.arguments, argument: new}
            error, record = MOVED.format(old=old, new=new), {**record, argument: new}
        steps = (
            ScriptedCall(name, row.arguments, error=error),
            ScriptedCall(name, again, record),
        )
        tasks.append(_task("error", words, world, tool, row, place, steps, chance, row.say))
    return tasks


def _changes(words: Vocabulary, world: World, chance: Random) -> list[ToolTask]:
    tasks = []
    numeric = [c for c in _some(words, chance, 3 * CHANGES) if c[0].fields[c[2]].kind == "number"]
    for tool, row, place in numeric[:CHANGES]:
        field, before = tool.fields[place], world.record(tool, row)
        after = {**before, field.name: world.fresh(field, before[field.name], row)}
        name = tool.offered.name
        steps = (
            ScriptedCall(name, row.arguments, before),
            ScriptedCall(name, row.arguments, after, message=1),
        )
        made = _task("change", words, world, tool, row, place, steps, chance, row.say)
        tasks.append(_with_later(made, chance.choice(LATER), written(before[field.name])))
    return tasks


def _with_later(task: ToolTask, message: str, before: str) -> ToolTask:
    from msgspec.structs import replace

    return replace(task, messages=(*task.messages, message), prior=before)


def _some(words: Vocabulary, chance: Random, count: int) -> list[tuple[ToolWords, Row, int]]:
    combos = [(t, r, p) for t in words.tools for r in t.rows for p in range(len(t.fields))]
    return chance.sample(combos, count)


def _task(
    trap: str,
    words: Vocabulary,
    world: World,
    tool: ToolWords,
    row: Row,
    place: int,
    steps: tuple[ScriptedCall, ...],
    chance: Random,
    entity: str,
) -> ToolTask:
    field = tool.fields[place]
    # A prior in the question would give the entity away that a chain has to find.
    register: Register = chance.choice([r for r in REGISTERS if r != "anchored"])
    returned: dict[str, Any] = steps[-1].returns
    question = ask(
        register,
        chance,
        world.asked,
        field=field.say,
        entity=entity,
        prior=said(field, row.priors[place]),
        context=chance.choice(words.contexts),
        asker=chance.choice(words.asked_by),
    )
    return ToolTask(
        task_id="",
        domain="",
        kind="required",
        messages=(question,),
        script=steps,
        must_contain=(written(returned[field.name]),),
        prior=written(row.priors[place]),
        fields=(field.name,),
        entity=entity,
        register=register,
        trap=trap,
    )
