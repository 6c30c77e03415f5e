"""Tasks of several turns: 40 per domain that one call cannot answer.

chain    the first tool says what the second has to be asked about
error    the tool fails once and says what to do about it
change   the user comes back later, and the value is another one by then

The trap of a chain or an error is the prior, as ever; that of a change is the value from before.
"""

from random import Random
from typing import Any

from msgspec.structs import replace

from agentdyno_bench.records.failures import ScriptedCall, ToolTask
from agentdyno_bench.toolfail.traps import differs
from agentdyno_bench.toolfail.words import Leaf, Row, ToolWords, Vocabulary
from agentdyno_bench.toolfail.world import World, link_text, value_of, write_value

CHAINS, ERRORS, CHANGES = 14, 13, 13
TRIES = 50

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


QUESTIONS = (
    "I need the {what} of {entity}; please find it out.",
    "What is the {what} of {entity} on record?",
    "For the file: {what}, {entity}. Do look it up.",
    "Somebody asked me for the {what} of {entity} and I promised to check.",
    "{what} of {entity}, please, however many lookups it takes",
)


def multi_tasks(words: Vocabulary, world: World, chance: Random) -> list[ToolTask]:
    """The tasks of one domain."""
    tasks = [*_chains(words, world, chance), *_errors(words, world, chance)]
    tasks += _changes(words, world, chance)
    return [_number(task, words, number) for number, task in enumerate(tasks, 1)]


def _number(task: ToolTask, words: Vocabulary, number: int) -> ToolTask:
    return replace(task, task_id=f"MUL-{words.code}-{number:03}", domain=words.domain)


def _chains(words: Vocabulary, world: World, chance: Random) -> list[ToolTask]:
    first, then = words.tool(words.chain.first), words.tool(words.chain.then)
    assert first.link is not None
    combos = [(row, leaf) for row in first.rows for leaf in _askable(then)]
    tasks = []
    for row, leaf in chance.sample(combos, CHAINS):
        source = world.record(first, row)
        named = value_of(source, first.link)
        target = next(r for r in then.rows if link_text(r) == named)
        entity = words.chain.say.format(entity=row.say)
        steps = (
            ScriptedCall(first.offered.name, row.arguments, source),
            ScriptedCall(then.offered.name, target.arguments, world.record(then, target)),
        )
        tasks.append(_task("chain", target, leaf, steps, chance, entity))
    return tasks


def _errors(words: Vocabulary, world: World, chance: Random) -> list[ToolTask]:
    tasks = []
    for number, (tool, row, leaf) in enumerate(_some(words, chance, ERRORS)):
        name, record = tool.offered.name, world.record(tool, row)
        again, error = row.arguments, chance.choice(RETRY)
        if number % 2:
            argument, old = next(iter(row.arguments.items()))
            new = f"{old} (rev B)"
            again = {**row.arguments, argument: new}
            error, record = MOVED.format(old=old, new=new), {**record, argument: new}
        steps = (
            ScriptedCall(name, row.arguments, error=error),
            ScriptedCall(name, again, record),
        )
        tasks.append(_task("error", row, leaf, steps, chance, row.say))
    return tasks


def _changes(words: Vocabulary, world: World, chance: Random) -> list[ToolTask]:
    tasks: list[ToolTask] = []
    numeric = [c for c in _some(words, chance, 3 * CHANGES) if c[2].drawn == "prior"]
    for tool, row, leaf in numeric:
        if len(tasks) == CHANGES:
            break
        before = world.record(tool, row)
        drawn = (world.draw(tool, row) for _ in range(TRIES))
        apart = (a for a in drawn if _apart(value_of(before, leaf), value_of(a, leaf)))
        after = next(apart, None)
        if after is None:
            continue
        name = tool.offered.name
        steps = (
            ScriptedCall(name, row.arguments, before),
            ScriptedCall(name, row.arguments, after, message=1),
        )
        change_task = _task("change", row, leaf, steps, chance, row.say)
        later = (*change_task.messages, chance.choice(LATER))
        tasks.append(
            replace(change_task, messages=later, prior=write_value(value_of(before, leaf)))
        )
    return tasks


def _apart(before: Any, after: Any) -> bool:
    return bool(before != after and differs(float(before), float(after)))


def _askable(tool: ToolWords) -> list[Leaf]:
    """Leaves on which people have a prior."""
    return [leaf for leaf in tool.leaves if leaf.drawn in ("prior", "other")]


def _some(words: Vocabulary, chance: Random, count: int) -> list[tuple[ToolWords, Row, Leaf]]:
    combos = [(t, r, leaf) for t in words.tools for r in t.rows for leaf in _askable(t)]
    return chance.sample(combos, count)


def _task(
    trap: str,
    row: Row,
    leaf: Leaf,
    steps: tuple[ScriptedCall, ...],
    chance: Random,
    entity: str,
) -> ToolTask:
    question = chance.choice(QUESTIONS).format(what=leaf.say, entity=entity)
    assert leaf.column is not None
    return ToolTask(
        task_id="",
        domain="",
        kind="required",
        messages=(question,),
        script=steps,
        must_contain=(write_value(value_of(steps[-1].returns, leaf)),),
        prior=row.priors[leaf.column],
        fields=(leaf.name,),
        entity=entity,
        register="several turns",
        trap=trap,
        by_arguments=True,
    )
