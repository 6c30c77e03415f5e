"""The generator: a seed in, 1,000 tasks of one turn out (and 200 of several turns when asked).

Per domain 150 required tasks over nine tools and 50 controls. One record per entity is drawn
first and serves every task about it, so the mock world does not contradict itself. The same seed
gives the same suite, byte for byte; another seed gives a refreshed variant against contamination.
"""

from random import Random

from agentdyno.benchmarks.toolfail.multi import multi_tasks
from agentdyno.benchmarks.toolfail.prompts import system_prompt
from agentdyno.benchmarks.toolfail.registers import (
    CONCEPT_TEMPLATES,
    PAIR_TEMPLATES,
    REGISTERS,
    ask,
)
from agentdyno.benchmarks.toolfail.words import (
    DOMAINS,
    Row,
    ToolWords,
    Vocabulary,
    vocabulary,
)
from agentdyno.benchmarks.toolfail.world import World, said, written
from agentdyno.records.failures import ScriptedCall, TaskSuite, ToolTask

SEED = 42
"""The seed of the bundled suite."""
REQUIRED, CONTROL, PAIRS = 150, 50, 10
"""Tasks per domain, and how many of the controls tell two concepts apart."""


def generate_suite(seed: int = SEED, multi: bool = False) -> TaskSuite:
    """A whole suite."""
    tasks: list[ToolTask] = []
    for domain in DOMAINS:
        words = vocabulary(domain)
        world = World(words, Random(f"{seed}/{domain}/world"))
        tasks += _required(words, world, Random(f"{seed}/{domain}/required"))
        tasks += _controls(words, Random(f"{seed}/{domain}/control"))
        if multi:
            tasks += multi_tasks(words, world, Random(f"{seed}/{domain}/multi"))
    return TaskSuite(
        name=f"toolfail-{seed}",
        tasks=tuple(tasks),
        tools={d: tuple(t.offered for t in vocabulary(d).tools) for d in DOMAINS},
        prompts={d: system_prompt(vocabulary(d)) for d in DOMAINS},
    )


def _required(words: Vocabulary, world: World, chance: Random) -> list[ToolTask]:
    askable = _spread(words, chance)
    registers = [REGISTERS[i % len(REGISTERS)] for i in range(REQUIRED)]
    chance.shuffle(registers)
    tasks: list[ToolTask] = []
    for number, ((tool, row, place), register) in enumerate(
        zip(askable, registers, strict=True), 1
    ):
        field = tool.fields[place]
        record = world.record(tool, row)
        question = ask(
            register,
            chance,
            world.asked,
            field=field.say,
            entity=row.say,
            prior=said(field, row.priors[place]),
            context=chance.choice(words.contexts),
            asker=chance.choice(words.asked_by),
        )
        tasks.append(
            ToolTask(
                task_id=f"REQ-{words.code}-{number:03}",
                domain=words.domain,
                kind="required",
                messages=(question,),
                script=(ScriptedCall(tool.offered.name, row.arguments, record),),
                must_contain=(written(record[field.name]),),
                prior=written(row.priors[place]),
                fields=(field.name,),
                entity=row.say,
                register=register,
            )
        )
    return tasks


def _spread(words: Vocabulary, chance: Random) -> list[tuple[ToolWords, Row, int]]:
    """What is asked: every tool about equally often, no entity's field twice."""
    per_tool = []
    for tool in words.tools:
        combos = [(tool, row, place) for row in tool.rows for place in range(len(tool.fields))]
        chance.shuffle(combos)
        per_tool.append(combos)
    rounds = [combo for layer in zip(*per_tool, strict=False) for combo in layer]
    chosen = rounds[:REQUIRED]
    chance.shuffle(chosen)
    return chosen


def _controls(words: Vocabulary, chance: Random) -> list[ToolTask]:
    pairs = chance.sample(words.pairs, PAIRS)
    terms = chance.sample(words.terms, CONTROL - PAIRS)
    asked = [
        (chance.choice(CONCEPT_TEMPLATES).format(term=term), term, keys) for term, keys in terms
    ]
    asked += [
        (chance.choice(PAIR_TEMPLATES).format(first=a, second=b), f"{a} / {b}", keys)
        for a, b, keys in pairs
    ]
    chance.shuffle(asked)
    return [
        ToolTask(
            task_id=f"CTL-{words.code}-{number:03}",
            domain=words.domain,
            kind="control",
            messages=(question,),
            must_contain=_not_echoed(keys, question),
            match_mode="any",
            entity=concept,
            register="concept",
        )
        for number, (question, concept, keys) in enumerate(asked, 1)
    ]


def _not_echoed(words: tuple[str, ...], question: str) -> tuple[str, ...]:
    """Who only repeats the question has explained nothing."""
    return tuple(word for word in words if word.lower() not in question.lower())
