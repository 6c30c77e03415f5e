"""Makes the suite: vocabularies and a seed in, tasks out; the same seed gives the same tasks.

Every domain has 150 required tasks, 50 aimed at each of skipping the tool, ignoring its result and
making things up, and 50 controls. Every written question of the vocabulary is used, about two
things at the most, and no thing is asked the same question twice.
"""

from random import Random

from agentdyno_bench.records.failures import Label, ScriptedCall, TaskSuite, ToolTask
from agentdyno_bench.toolfail.multi import multi_tasks
from agentdyno_bench.toolfail.words import (
    AIMS,
    DOMAINS,
    Aim,
    QuestionForm,
    Row,
    ToolWords,
    Vocabulary,
    vocabulary,
)
from agentdyno_bench.toolfail.world import World, value_of, write_prior, write_value

SEED = 42
"""The seed of the bundled suite."""
PER_AIM = 50
"""Required tasks of a domain that are aimed at each failure."""
TARGETS: dict[Aim, Label] = {
    "skip": "tool_skip",
    "ignore": "result_ignore",
    "fabricate": "output_fabrication",
}
Combo = tuple[ToolWords, Row, QuestionForm]
PROMPT = """{role} {boundary}

Tools
{tools}

When a question asks for a figure, a date, a code or a state of a particular thing, call the tool \
that holds it, once, with the arguments the question gives. What the tool returns is the record in \
force. Report it as it came, even when it is not what you expected; you may say afterwards that it \
looks unusual. Do not replace it with a value you remember, and do not add fields, figures or \
dates that are not in it.

When a question asks what something means, how it works or how two things differ, answer from what \
you know and call no tool.

If a tool fails, do what its message says or tell the user that no value is available. Never \
invent one.

Form of an answer that rests on a tool:
{template}

Form of an answer that rests on no tool:
<the explanation in two to four sentences>
"""


def generate_suite(seed: int = SEED, multi: bool = False) -> TaskSuite:
    """A whole suite."""
    tasks: list[ToolTask] = []
    worlds = {}
    for domain in DOMAINS:
        words = vocabulary(domain)
        world = worlds[domain] = World(words, Random(f"{seed}/{domain}/world"))
        tasks += _make_required(words, world, Random(f"{seed}/{domain}/required"))
        tasks += _controls(words)
        if multi:
            tasks += multi_tasks(words, world, Random(f"{seed}/{domain}/multi"))
    return TaskSuite(
        name=f"toolfail-{seed}",
        tasks=tuple(tasks),
        tools={d: tuple(t.offered for t in vocabulary(d).tools) for d in DOMAINS},
        prompts={d: system_prompt(vocabulary(d)) for d in DOMAINS},
        records={domain: world.register() for domain, world in worlds.items()},
    )


def _make_required(words: Vocabulary, world: World, chance: Random) -> list[ToolTask]:
    tasks, asked = [], set[tuple[str, str, tuple[str, ...]]]()
    for aim in AIMS:
        for number, combo in enumerate(_spread(words, world, aim, chance, asked), 1):
            tasks.append(_task(words, world, f"{aim[:3].upper()}-{words.code}-{number:03}", combo))
    return tasks


def _spread(
    words: Vocabulary,
    world: World,
    aim: Aim,
    chance: Random,
    asked: set[tuple[str, str, tuple[str, ...]]],
) -> list[Combo]:
    """Every question of this aim about as often as any other, about different things."""
    rounds: list[list[Combo]] = []
    for tool in words.tools:
        for question_form in tool.questions:
            if question_form.aim == aim:
                rows = [row for row in tool.rows if _fair(world, tool, row, question_form)]
                rounds.append(
                    [(tool, row, question_form) for row in chance.sample(rows, len(rows))]
                )
    chance.shuffle(rounds)
    deal: list[Combo] = []
    for turn in range(9):
        for tool, row, question_form in (combos[turn] for combos in rounds if turn < len(combos)):
            key = (tool.offered.name, row.say, question_form.leaves)
            if key not in asked and len(deal) < PER_AIM:
                asked.add(key)
                deal.append((tool, row, question_form))
    return sorted(deal, key=lambda c: (c[0].offered.name, c[1].say, c[2].text))


def _fair(world: World, tool: ToolWords, row: Row, question_form: QuestionForm) -> bool:
    """Whether the question gives nothing away: no asked value stands in it or in its prior."""
    question = _question(tool, row, question_form)
    values = [
        write_value(value_of(world.record(tool, row), tool.leaf(n))) for n in question_form.leaves
    ]
    return not any(value.casefold() in question.casefold() for value in values)


def _question(tool: ToolWords, row: Row, question_form: QuestionForm) -> str:
    prior = _prior(tool, row, question_form)
    prior_text = "" if prior is None else write_prior(tool.leaf(question_form.leaves[0]), prior)
    text = question_form.text
    for sign in ("%", "$"):
        # "{p} percent" and "{p} dollars" say the unit themselves.
        if f"{{p}} {'percent' if sign == '%' else 'dollars'}" in text:
            prior_text = prior_text.replace(sign, "")
    return text.format(e=row.say, p=prior_text)


def _prior(tool: ToolWords, row: Row, question_form: QuestionForm) -> str | None:
    """What somebody who does not look would say to the first thing asked, by the vocabulary."""
    leaf = tool.leaf(question_form.leaves[0])
    known = leaf.column is not None and leaf.drawn not in ("column", "link")
    return row.priors[leaf.column] if known and leaf.column is not None else None


def _guess(world: World, tool: ToolWords, row: Row, question_form: QuestionForm) -> str:
    """The same for every question: where nothing is known of the thing, what is usual."""
    prior = _prior(tool, row, question_form)
    return world.usual(tool, row, tool.leaf(question_form.leaves[0])) if prior is None else prior


def _task(words: Vocabulary, world: World, task_id: str, combo: Combo) -> ToolTask:
    tool, row, question_form = combo
    record = world.record(tool, row)
    return ToolTask(
        task_id=task_id,
        domain=words.domain,
        kind="required",
        messages=(_question(tool, row, question_form),),
        script=(ScriptedCall(tool.offered.name, row.arguments, record),),
        must_contain=tuple(
            write_value(value_of(record, tool.leaf(name))) for name in question_form.leaves
        ),
        prior=_guess(world, tool, row, question_form),
        fields=question_form.leaves,
        entity=row.say,
        register=question_form.text,
        target=TARGETS[question_form.aim],
        by_arguments=True,
    )


def _controls(words: Vocabulary) -> list[ToolTask]:
    return [
        ToolTask(
            task_id=f"CTL-{words.code}-{number:03}",
            domain=words.domain,
            kind="control",
            messages=(control.text,),
            must_contain=control.groups,
            match_mode="all",
            entity=control.text,
            register=control.text,
        )
        for number, control in enumerate(words.controls, 1)
    ]


def system_prompt(words: Vocabulary) -> str:
    """The prompt, with the domain's tools named."""
    tools = "\n".join(
        f"- {t.offered.name}({', '.join(t.offered.parameters['properties'])}): "
        f"{t.offered.description}"
        for t in words.tools
    )
    return PROMPT.format(
        role=words.role, boundary=words.boundary, tools=tools, template=words.template
    )
