"""Every promise of the suite, checked by program: a suite in, broken promises out.

A promise names itself, so that a report reads: `trap: IGN-FIN-012: prior 187.3 and return 190.1
are the same after rounding`. An empty list means that all hold.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

from msgspec import Struct

from agentdyno_bench.records.failures import ScriptedCall, TaskSuite, ToolTask
from agentdyno_bench.toolfail.formulas import evaluate
from agentdyno_bench.toolfail.traps import differs, version_parts
from agentdyno_bench.toolfail.words import DOMAINS, Leaf, ToolWords, vocabulary
from agentdyno_bench.toolfail.world import find_band

PER_DOMAIN = {"tool_skip": 50, "result_ignore": 50, "output_fabrication": 50, "control": 50,
              "multi": 40}  # fmt: skip
LEAST_TOOLS = 9
LEAVES = (8, 14)
"""Values of a return, with the arguments of the call."""
LEAST_WITH_TWO = 0.9
"""Share of required tasks that ask for two values or more."""
MOST_OF_A_PHRASING = 3
"""Tasks of the suite that share one written question."""
LEAST_PHRASINGS = 400
VALUE_REQUEST = re.compile(
    r"\b(?:current|currently|latest|today|right now|look up|as of|on record|register)\b", re.I
)
"""What a question that needs no tool does not say."""


class Broken(Struct, frozen=True):
    """A promise that does not hold."""

    promise: str
    where: str
    """The task or the domain."""
    what: str

    def __str__(self) -> str:
        return f"{self.promise}: {self.where}: {self.what}"


def validate(suite: TaskSuite) -> list[Broken]:
    """All broken promises, in the order of the promises."""
    return [broken for check in CHECKS for broken in check(suite)]


def paths(value: Any, before: str = "") -> list[str]:
    """The path to every value of a return."""
    if isinstance(value, dict):
        return [p for key, inner in value.items() for p in paths(inner, f"{before}.{key}")]
    return [before]


def _counts(suite: TaskSuite) -> Iterator[Broken]:
    for domain in suite.tools:
        tasks = [task for task in suite.tasks if task.domain == domain]
        found = Counter(_kind(task) for task in tasks)
        for kind, expected in PER_DOMAIN.items():
            if found[kind] != expected and (kind != "multi" or found[kind]):
                yield Broken("count", domain, f"{found[kind]} {kind} tasks, expected {expected}")
        if len(suite.tools[domain]) < LEAST_TOOLS:
            yield Broken("count", domain, f"{len(suite.tools[domain])} tools")
        if not suite.prompts.get(domain):
            yield Broken("prompt", domain, "no system prompt")
    for what, values in (
        ("task_id", [task.task_id for task in suite.tasks]),
        ("question", [f"{t.domain}: {t.question}" for t in suite.tasks if t.trap is None]),
    ):
        for value, times in Counter(values).items():
            if times > 1:
                yield Broken("unique", value, f"{what} stands {times} times")


def _kind(task: ToolTask) -> str:
    if task.trap:
        return "multi"
    return "control" if task.kind == "control" else str(task.target)


def _phrasings(suite: TaskSuite) -> Iterator[Broken]:
    tasks = [task for task in suite.tasks if task.trap is None]
    used = Counter(task.register for task in tasks)
    for text, times in used.items():
        if times > MOST_OF_A_PHRASING:
            yield Broken("phrasing", str(text), f"is used {times} times")
    if len(used) < LEAST_PHRASINGS:
        yield Broken("phrasing", suite.name, f"{len(used)} written questions")


def _calls(suite: TaskSuite) -> Iterator[Broken]:
    for task in suite.tasks:
        if bool(task.script) != (task.kind == "required"):
            yield Broken("call", task.task_id, f"{len(task.script)} expected calls")
        for call in task.script:
            yield from _call(suite, task, call)


def _call(suite: TaskSuite, task: ToolTask, call: ScriptedCall) -> Iterator[Broken]:
    tool = next((t for t in suite.tools[task.domain] if t.name == call.tool), None)
    if tool is None:
        yield Broken("call", task.task_id, f"tool {call.tool} is not offered")
        return
    properties: dict[str, Any] = tool.parameters["properties"]
    if set(call.arguments) != set(tool.parameters["required"]):
        yield Broken("call", task.task_id, f"arguments {sorted(call.arguments)}")
    for name, value in call.arguments.items():
        if value not in properties.get(name, {}).get("enum", [value]):
            yield Broken("call", task.task_id, f"argument {name} is {value!r}")
    if call.error is None and (extra := set(call.returns) - set(tool.returns)):
        yield Broken("return", task.task_id, f"fields that the tool does not state: {extra}")


def _shapes(suite: TaskSuite) -> Iterator[Broken]:
    """Returns are nested and hold eight values or more; most questions ask for two or more."""
    for task in _list_required(suite):
        count = len(paths(task.returned))
        if not LEAVES[0] <= count <= LEAVES[1]:
            yield Broken("shape", task.task_id, f"{count} values in the return")
        if not any(isinstance(value, dict) for value in task.returned.values()):
            yield Broken("shape", task.task_id, "the return is flat")
    single = [task for task in _list_required(suite) if task.trap is None]
    two = sum(len(task.must_contain) >= 2 for task in single)
    if single and two < LEAST_WITH_TWO * len(single):
        yield Broken("shape", suite.name, f"{two} of {len(single)} ask for two values or more")


def _coherence(suite: TaskSuite) -> Iterator[Broken]:
    """Records agree within themselves: what follows from other values does follow from them."""
    for domain, known in suite.records.items():
        if domain in DOMAINS:
            for record in known:
                tool = vocabulary(domain).tool(record.tool)
                yield from _agrees(f"{domain}/{record.tool}/{record.arguments}", tool, record)


def _agrees(where: str, tool: ToolWords, record: ScriptedCall) -> Iterator[Broken]:
    values = dict(_flat(record.returns)) | record.arguments
    for leaf in tool.leaves:
        if leaf.drawn == "calc":
            expected, found = evaluate(leaf.formula, values), float(values[leaf.name])
            if abs(expected - found) > 0.5000001 * 10.0**-leaf.decimals:
                yield Broken("coherence", where, f"{leaf.name} is {found}, not {expected}")
        elif reason := _odd(leaf, values):
            yield Broken("coherence", where, reason)


def _odd(leaf: Leaf, values: dict[str, Any]) -> str | None:
    """Why a value does not go with the others of its record; None when it does."""
    found = values[leaf.name]
    if leaf.drawn == "band" and found != find_band(leaf, float(values[leaf.formula])):
        return f"{leaf.name} is {found} where {leaf.formula} is {values[leaf.formula]}"
    if leaf.drawn == "version" and leaf.formula:
        earlier = values[leaf.formula]
        if version_parts(found) <= version_parts(earlier):
            return f"{leaf.name} {found} is not later than {leaf.formula} {earlier}"
    if leaf.drawn == "month" and (date.fromisoformat(found) + timedelta(days=1)).day != 1:
        return f"{leaf.name} {found} is no end of a month"
    return None


def _flat(value: Any) -> Iterator[tuple[str, Any]]:
    for key, inner in value.items():
        if isinstance(inner, dict):
            yield from _flat(inner)
        else:
            yield key, inner


def _traps(suite: TaskSuite) -> Iterator[Broken]:
    for task in _list_required(suite):
        held = {str(value) for _, value in _flat(task.returned)}
        if len(task.must_contain) != len(task.fields) or not task.fields:
            yield Broken("trap", task.task_id, "no field is stored")
        if missing := [value for value in task.must_contain if value not in held]:
            yield Broken("trap", task.task_id, f"{missing[0]} is not in the return")
        if task.prior is not None and not _are_distinct(task.prior, task.must_contain[0]):
            yield Broken("trap", task.task_id, f"prior {task.prior}, return {task.must_contain[0]}")
        if task.prior is None and task.target == "result_ignore" and "{p}" in str(task.register):
            yield Broken("trap", task.task_id, "no prior is stored")
        given_away = [v for v in task.must_contain if v.casefold() in task.question.casefold()]
        if given_away and task.trap is None:
            yield Broken("trap", task.task_id, f"the question says {given_away[0]}")


def _are_distinct(prior: str, text: str) -> bool:
    try:
        return differs(float(prior), float(text))
    except ValueError:
        return prior.casefold() != text.casefold()


def _questions(suite: TaskSuite) -> Iterator[Broken]:
    for task in _list_required(suite):
        if (task.entity or "").casefold() not in task.question.casefold():
            yield Broken("question", task.task_id, f"does not name {task.entity}")
    asked = Counter(
        (t.domain, t.script[0].tool, t.entity, t.fields)
        for t in _list_required(suite)
        if t.trap is None
    )
    for (domain, tool, entity, fields), times in asked.items():
        if times > 1:
            yield Broken("repeat", domain, f"{tool}: {fields} of {entity} asked {times} times")


def _controls(suite: TaskSuite) -> Iterator[Broken]:
    for domain in suite.tools:
        names = {
            t.entity.casefold() for t in _list_required(suite) if t.domain == domain and t.entity
        }
        for task in suite.tasks:
            if task.kind != "control" or task.domain != domain:
                continue
            question = task.question.casefold()
            if found := VALUE_REQUEST.search(question):
                yield Broken("control", task.task_id, f"asks for a value: {found[0]!r}")
            if named := next(
                (n for n in names if re.search(rf"\b{re.escape(n)}\b", question)), None
            ):
                yield Broken("control", task.task_id, f"names an entity: {named}")
            if task.match_mode != "all" or len(task.must_contain) < 2:
                yield Broken("control", task.task_id, "one keyword is enough")
            for word in (w for group in task.must_contain for w in group.split("|")):
                if all(word.casefold() in g.casefold() for g in task.must_contain):
                    yield Broken("control", task.task_id, f"{word} passes every group")
            if all(any(w.casefold() in question for w in g.split("|")) for g in task.must_contain):
                yield Broken("control", task.task_id, "the question itself passes")


def _prompts(suite: TaskSuite) -> Iterator[Broken]:
    for domain, prompt in suite.prompts.items():
        unnamed = [tool.name for tool in suite.tools[domain] if tool.name not in prompt]
        if unnamed:
            yield Broken("prompt", domain, f"does not name {', '.join(unnamed)}")


def _several_turns(suite: TaskSuite) -> Iterator[Broken]:
    for task in suite.tasks:
        if task.trap == "change" and (len(task.messages) != 2 or task.script[-1].message != 1):
            yield Broken("turns", task.task_id, "the second call does not answer a second message")
        if task.trap == "error" and (not task.script[0].error or task.script[-1].error):
            yield Broken("turns", task.task_id, "no error first, or none recovered from")
        if task.trap == "chain":
            first, last = task.script[0], task.script[-1]
            named = " / ".join(last.arguments.values())
            if named not in {value for _, value in _flat(first.returns)}:
                yield Broken("turns", task.task_id, "the first return does not lead to the second")
        if task.trap and len(task.script) != 2:
            yield Broken("turns", task.task_id, f"{len(task.script)} expected calls")


def _list_required(suite: TaskSuite) -> list[ToolTask]:
    return [task for task in suite.tasks if task.kind == "required"]


CHECKS: tuple[Callable[[TaskSuite], Iterator[Broken]], ...] = (
    _counts,
    _phrasings,
    _calls,
    _shapes,
    _coherence,
    _traps,
    _questions,
    _controls,
    _prompts,
    _several_turns,
)
