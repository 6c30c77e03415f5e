"""Every promise of the suite, checked by program: a suite in, broken promises out.

A promise names itself, so that a report reads: `trap: REQ-FIN-012: prior 187.3 and return 190.1
are the same after rounding`. An empty list means that all hold.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from msgspec import Struct

from agentdyno.benchmarks.toolfail.registers import REGISTERS
from agentdyno.benchmarks.toolfail.traps import LEAST_DAYS, differs
from agentdyno.records.failures import ScriptedCall, TaskSuite, ToolTask

PER_DOMAIN = {"required": 150, "control": 50, "multi": 40}
TOOLS = 9
LEAST_OF_REGISTER = 0.1
"""Share of a domain's required tasks that each register has at the least."""
ASKS_FOR_A_VALUE = re.compile(
    r"\d|\b(?:current|currently|latest|today|right now|look up|how much|how many|price of)\b", re.I
)
"""What a question that needs no tool does not say."""


class Broken(Struct, frozen=True):
    """A promise that does not hold."""

    promise: str
    """Which one."""
    where: str
    """The task or the domain."""
    what: str
    """What was found."""

    def __str__(self) -> str:
        return f"{self.promise}: {self.where}: {self.what}"


def validate(suite: TaskSuite) -> list[Broken]:
    """All broken promises, in the order of the promises."""
    return [broken for check in CHECKS for broken in check(suite)]


def _counts(suite: TaskSuite) -> Iterator[Broken]:
    for domain in suite.tools:
        tasks = [task for task in suite.tasks if task.domain == domain]
        found = Counter("multi" if task.trap else task.kind for task in tasks)
        for kind, wanted in PER_DOMAIN.items():
            if found[kind] != wanted and (kind != "multi" or found[kind]):
                yield Broken("count", domain, f"{found[kind]} {kind} tasks, expected {wanted}")
        if len(suite.tools[domain]) != TOOLS:
            yield Broken("count", domain, f"{len(suite.tools[domain])} tools, expected {TOOLS}")
        if not suite.prompts.get(domain):
            yield Broken("prompt", domain, "no system prompt")
    for what, values in (
        ("task_id", [task.task_id for task in suite.tasks]),
        ("question", [task.question for task in suite.tasks]),
    ):
        for value, times in Counter(values).items():
            if times > 1:
                yield Broken("unique", value, f"{what} stands {times} times")


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
        schema = properties.get(name, {})
        wanted = {"string": str, "integer": int}.get(schema.get("type", ""), object)
        if not isinstance(value, wanted) or value not in schema.get("enum", [value]):
            yield Broken("call", task.task_id, f"argument {name} is {value!r}")
    if call.error is None and set(call.returns) - set(tool.returns):
        extra = sorted(set(call.returns) - set(tool.returns))
        yield Broken("return", task.task_id, f"fields that the tool does not state: {extra}")


def _traps(suite: TaskSuite) -> Iterator[Broken]:
    for task in _required(suite):
        if task.prior is None or len(task.must_contain) != len(task.fields) or not task.fields:
            yield Broken("trap", task.task_id, "no prior or no field is stored")
            continue
        value, text = task.returned.get(task.fields[0]), task.must_contain[0]
        if str(value) != text:
            yield Broken("trap", task.task_id, f"{text} is not what {task.fields[0]} holds")
        if not _told_apart(task.prior, text):
            yield Broken("trap", task.task_id, f"prior {task.prior} is too close to {text}")
        if text in task.prior or task.prior in text:
            yield Broken("trap", task.task_id, f"{text} and {task.prior} contain each other")
        if text in task.question:
            yield Broken("trap", task.task_id, f"the question says {text}")
        if any(task.prior == str(leaf) for leaf in task.returned.values()):
            yield Broken("trap", task.task_id, f"the return holds the prior {task.prior}")


def _told_apart(prior: str, text: str) -> bool:
    try:
        days = abs((date.fromisoformat(prior) - date.fromisoformat(text)).days)
        return days >= LEAST_DAYS
    except ValueError:
        pass
    try:
        return differs(float(prior), float(text))
    except ValueError:
        return prior.lower() != text.lower()


def _values(suite: TaskSuite) -> Iterator[Broken]:
    """No entity has one field asked twice, and no number or date is the answer to two tasks."""
    asked: Counter[tuple[str, str, str]] = Counter()
    answers: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    for task in _required(suite):
        if task.trap:
            continue
        asked[task.domain, task.entity or "", task.fields[0]] += 1
        if any(c.isdigit() for c in task.must_contain[0]):
            answers[task.domain, task.must_contain[0]].add((task.entity or "", task.fields[0]))
    for (domain, entity, field), times in asked.items():
        if times > 1:
            yield Broken("repeat", domain, f"{field} of {entity} is asked {times} times")
    for (domain, answer), places in answers.items():
        if len(places) > 1:
            yield Broken("repeat", domain, f"{answer} is the answer to {len(places)} tasks")


def _questions(suite: TaskSuite) -> Iterator[Broken]:
    for task in _required(suite):
        if (task.entity or "").lower() not in task.question.lower():
            yield Broken("question", task.task_id, f"does not name {task.entity}")
        anchored = task.register == "anchored"
        if anchored and not _mentions(task.question, task.prior or ""):
            yield Broken("question", task.task_id, "is anchored and does not state the prior")
    for domain in suite.tools:
        tasks = [t for t in _required(suite) if t.domain == domain and not t.trap]
        found = Counter(task.register for task in tasks)
        for register in REGISTERS:
            if tasks and found[register] < LEAST_OF_REGISTER * len(tasks):
                yield Broken("register", domain, f"{found[register]} tasks are {register}")


def _mentions(question: str, prior: str) -> bool:
    try:
        wanted = float(prior)
    except ValueError:
        return prior in question
    plain = question.replace(",", "")
    return any(float(number) == wanted for number in re.findall(r"\d+(?:\.\d+)?", plain))


def _controls(suite: TaskSuite) -> Iterator[Broken]:
    for domain in suite.tools:
        names = {t.entity.lower() for t in _required(suite) if t.domain == domain and t.entity}
        for task in suite.tasks:
            if task.kind != "control" or task.domain != domain:
                continue
            question = task.question.lower()
            if found := ASKS_FOR_A_VALUE.search(question):
                yield Broken("control", task.task_id, f"asks for a value: {found[0]!r}")
            if named := next((name for name in names if name in question), None):
                yield Broken("control", task.task_id, f"names an entity: {named}")
            if task.match_mode != "any" or len(task.must_contain) < 1:
                yield Broken("control", task.task_id, "no words to recognise a right answer by")
            if echoed := [w for w in task.must_contain if w.lower() in question]:
                yield Broken("control", task.task_id, f"the question itself says {echoed}")


def _prompts(suite: TaskSuite) -> Iterator[Broken]:
    for domain, prompt in suite.prompts.items():
        unnamed = [tool.name for tool in suite.tools[domain] if tool.name not in prompt]
        if unnamed:
            yield Broken("prompt", domain, f"does not name {', '.join(unnamed)}")
        words = set(re.findall(r"[\w.-]+", prompt))
        for task in _required(suite):
            if task.domain == domain and task.must_contain[0] in words:
                yield Broken("prompt", domain, f"gives away the answer to {task.task_id}")


def _several_turns(suite: TaskSuite) -> Iterator[Broken]:
    for task in suite.tasks:
        if task.trap == "change" and (len(task.messages) != 2 or task.script[-1].message != 1):
            yield Broken("turns", task.task_id, "the second call does not answer a second message")
        if task.trap == "error" and (not task.script[0].error or task.script[-1].error):
            yield Broken("turns", task.task_id, "no error first, or none recovered from")
        if task.trap == "chain":
            first, last = task.script[0], task.script[-1]
            if not set(last.arguments.values()) & set(first.returns.values()):
                yield Broken("turns", task.task_id, "the first return does not lead to the second")
        if task.trap and len(task.script) != 2:
            yield Broken("turns", task.task_id, f"{len(task.script)} expected calls")


def _required(suite: TaskSuite) -> list[ToolTask]:
    return [task for task in suite.tasks if task.kind == "required"]


CHECKS: tuple[Callable[[TaskSuite], Iterator[Broken]], ...] = (
    _counts,
    _calls,
    _traps,
    _values,
    _questions,
    _controls,
    _prompts,
    _several_turns,
)
