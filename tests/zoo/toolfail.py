"""Policies for the failure suite whose every label is known before they run.

A policy says for a task which replies it gives, one a turn, and what that is.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import cache
from itertools import cycle
from typing import Any, NamedTuple

from agentdyno.matching.values.leaves import leaves
from agentdyno_bench.shared.models.scripted import Reply, ReplyCall
from agentdyno_bench.toolfail.records import Label, TaskSuite, ToolTask
from agentdyno_bench.toolfail.tasks.sampling import order_evenly
from agentdyno_bench.toolfail.tasks.suite import load_suite
from agentdyno_bench.toolfail.tasks.task import REMINDER
from tests.zoo.server import Conversation

TOOL, KNOWN, NOTHING = "tool", "own knowledge", "not available"
FAR = "123456"
"""A number that no record has."""


class Act(NamedTuple):
    """What a policy does with a task."""

    calls: list[list[ReplyCall]]
    """The calls of each turn before the answer."""
    end: Reply
    """The answer, given again where it is asked for again."""
    label: Label
    """What that is."""


Policy = Callable[[ToolTask], Act]


@cache
def suite() -> TaskSuite:
    return load_suite(None, "multi")


def _submit(answer: list[Any], basis: str) -> Reply:
    return Reply(calls=[ReplyCall("submit", {"answer": answer, "basis": basis})])


def _script(task: ToolTask) -> list[list[ReplyCall]]:
    return [[ReplyCall(step.tool, step.arguments)] for step in task.script]


def _with_calls(task: ToolTask, answer: list[Any], basis: str, label: Label) -> Act:
    return Act(_script(task), _submit(answer, basis), label)


def _explain(task: ToolTask) -> Reply:
    return _submit([" ".join(group.split("|")[0] for group in task.must_contain)], KNOWN)


def _right(task: ToolTask) -> list[Any]:
    return list(task.must_contain)


def _guess(task: ToolTask) -> list[Any]:
    return [task.prior or FAR, *task.must_contain[1:]]


def _ignore(task: ToolTask) -> Act:
    """What people guess; nothing where there is no guess."""
    return _with_calls(task, [task.prior] if task.prior else [], KNOWN, "result_ignore")


def _made_up(task: ToolTask) -> list[Any]:
    return [f"Z9{place}" for place, _ in enumerate(task.must_contain)]


def _is_even(task: ToolTask) -> bool:
    return sum(map(ord, task.task_id)) % 2 == 0


def _good(task: ToolTask) -> Act:
    if not task.script:
        return Act([], _explain(task), "correct")
    return _with_calls(task, _right(task), TOOL, "correct")


def _on_required(act: Policy) -> Policy:
    """Good on controls."""
    return lambda task: act(task) if task.script else _good(task)


def _on_controls(act: Policy) -> Policy:
    """Good on required tasks."""
    return lambda task: _good(task) if task.script else act(task)


def _half(act: Policy) -> Policy:
    """Good on half of the required tasks."""
    return _on_required(lambda task: act(task) if _is_even(task) else _good(task))


def _needless(call: Callable[[ToolTask], ReplyCall]) -> Policy:
    return _on_controls(lambda t: Act([[call(t)]], _explain(t), "unnecessary_tool_use"))


def _ends_with(
    end: Callable[[ToolTask], Reply], on_controls: Label, on_required: Label = "malformed"
) -> Policy:
    """Calls what is needed, and then answers in a way that counts for nothing."""
    return lambda task: Act(_script(task), end(task), on_required if task.script else on_controls)


def _without_running(calls: Callable[[ToolTask], list[list[ReplyCall]]]) -> Policy:
    return _on_required(lambda t: Act(calls(t), _submit(_right(t), TOOL), "tool_skip"))


def _first_call_only(task: ToolTask) -> Act:
    if len(task.script) == 1:
        return _good(task)
    return Act(_script(task)[:1], _submit(_right(task), TOOL), "tool_skip")


def _guess_with_basis(basis: str) -> Policy:
    def act(task: ToolTask) -> Act:
        label: Label = "result_ignore" if task.prior else "output_fabrication"
        return _with_calls(task, _guess(task), basis, label)

    return act


def _worded(word: Callable[[ToolTask, str, str], str], label: Label = "correct") -> Policy:
    """The right values, each put into words by the name of its field."""

    def act(task: ToolTask) -> Act:
        pairs = zip(task.fields, task.must_contain, strict=True)
        words = [word(task, field.replace("_", " "), value) for field, value in pairs]
        return _with_calls(task, words, TOOL, label)

    return _on_required(act)


def _listed(values: Callable[[ToolTask], list[Any]], label: Label = "correct") -> Policy:
    return _on_required(lambda task: _with_calls(task, values(task), TOOL, label))


def _with_weekday(ahead: int) -> Callable[[ToolTask, str, str], str]:
    """Dates with the name of a weekday in front, so many days after their own."""

    def word(task: ToolTask, field: str, value: str) -> str:
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", value):
            return value
        day = date.fromisoformat(value) + timedelta(days=ahead)
        return f"{day:%A}, {value}"

    return word


def _of_wrong_weekday(task: ToolTask) -> Act:
    """A day that no return has, where a date is asked for."""
    dated = any(re.fullmatch(r"\d{4}-\d\d-\d\d", value) for value in task.must_contain)
    act = _worded(_with_weekday(1), "output_fabrication" if dated else "correct")
    return act(task)


def _in_prose_only(task: ToolTask) -> Reply:
    return Reply(text=" and ".join(30 * task.must_contain))


def _submit_beside_a_call(task: ToolTask) -> Act:
    """Hands in the answer together with the first call, and then says nothing."""
    first, *rest = _script(task)
    hasty = [first[0], *_submit(_right(task), TOOL).calls]
    return Act([hasty, *rest], Reply(text="As I said."), "malformed")


def _hasty_then_proper(task: ToolTask) -> Act:
    first, *rest = _script(task)
    hasty = [first[0], *_submit([FAR], KNOWN).calls]
    return Act([hasty, *rest], _submit(_right(task), TOOL), "correct")


def _calls_twice(task: ToolTask) -> Act:
    """Every call again in the same turn, to be sure."""
    return Act([2 * calls for calls in _script(task)], _submit(_right(task), TOOL), "correct")


def _calls_another_tool_too(task: ToolTask) -> Act:
    """Another of the offered tools beside the first call."""
    first, *rest = _script(task)
    others = (t for t in suite().tasks if t.domain == task.domain and t.script)
    other = next(t.script[0] for t in others if t.script[0].tool != task.script[0].tool)
    mixed = [*first, ReplyCall(other.tool, other.arguments)]
    return Act([mixed, *rest], _submit(_right(task), TOOL), "correct")


def _malformed_beside(task: ToolTask) -> Act:
    """What is needed, each time beside a call that cannot be read."""
    calls = [[*calls, ReplyCall(calls[0].tool, "{oops")] for calls in _script(task)]
    return Act(calls, _submit(_right(task), TOOL), "correct")


def _another_tasks_call(task: ToolTask) -> ReplyCall:
    other = next(t for t in suite().tasks if t.domain == task.domain and t.script)
    return ReplyCall(other.script[0].tool, other.script[0].arguments)


def _first_tool(task: ToolTask) -> str:
    return suite().tools[task.domain][0].name


def _written_out(task: ToolTask) -> Reply:
    called = f'<tool_call>{{"name": "{task.script[0].tool}", "arguments": {{}}}}</tool_call>'
    return Reply(text=called)


def _in_other_forms(task: ToolTask) -> Act:
    """The other way round, numbers as numbers, words in capitals."""
    values = [
        float(value) if re.fullmatch(r"-?\d+(\.\d+)?", value) else value.upper()
        for value in reversed(task.must_contain)
    ]
    return _with_calls(task, values, TOOL, "correct")


def _with_units(task: ToolTask) -> Act:
    """Numbers with marks and the unit of their field."""
    signs = {"usd": "${}", "musd": "${} million", "pct": "{} %", "days": "{} days", "mg": "{} mg"}
    values = []
    for field, value in zip(task.fields, task.must_contain, strict=True):
        sign = signs.get(field.rpartition("_")[2], "{}")
        is_whole = re.fullmatch(r"\d{5,}", value)
        values.append(sign.format(f"{int(value):,}" if is_whole else value))
    return _with_calls(task, values, TOOL, "correct")


def _whole_record(task: ToolTask) -> Act:
    values = [str(leaf.value) for leaf in leaves(task.script[-1].returns)]
    return _with_calls(task, values, TOOL, "result_ignore")


HONEST = "honest"
"""Good where the tools that it needs are offered; elsewhere it says that nothing is available."""
POLICIES: dict[str, Policy] = {
    "good": _good,
    HONEST: _good,
    "in_other_forms": _on_required(_in_other_forms),
    "with_units": _on_required(_with_units),
    "hasty_then_proper": _on_required(_hasty_then_proper),
    "refuses": lambda t: Act([], _submit([], NOTHING), "refused"),
    "calls_and_refuses": _on_required(lambda t: _with_calls(t, [], NOTHING, "refused")),
    "right_but_called_unavailable": _on_required(
        lambda t: _with_calls(t, _right(t), NOTHING, "correct")
    ),
    "needless_without_arguments": _needless(lambda t: ReplyCall(_first_tool(t), {})),
    "needless_with_arguments": _needless(_another_tasks_call),
    "needless_unoffered": _needless(lambda t: ReplyCall("no_such_tool", {})),
    "needless_malformed": _needless(lambda t: ReplyCall(_first_tool(t), "{oops")),
    "wrong_on_controls": _on_controls(
        lambda t: Act([], _submit(["I do not know."], KNOWN), "wrong_answer")
    ),
    "lazy": _on_required(lambda t: Act([], _submit([FAR], KNOWN), "tool_skip")),
    "lazy_names_the_tool": _on_required(lambda t: Act([], _submit([FAR], TOOL), "tool_skip")),
    "right_by_heart": _without_running(lambda t: []),
    "unoffered_tool": _without_running(lambda t: [[ReplyCall("no_such_tool", {})]]),
    "malformed_calls": _without_running(lambda t: [[ReplyCall(t.script[0].tool, "{oops")]]),
    "wrong_arguments": _without_running(
        lambda t: [[ReplyCall(s.tool, dict.fromkeys(s.arguments, "WRONG"))] for s in t.script]
    ),
    "first_call_only": _on_required(_first_call_only),
    "writes_calls_as_text": _on_required(lambda t: Act([], _written_out(t), "tool_skip")),
    "calls_twice": _on_required(_calls_twice),
    "mixes_tools": _on_required(_calls_another_tool_too),
    "malformed_beside": _on_required(_malformed_beside),
    "confirms_on_controls": _on_controls(
        lambda t: Act([[_another_tasks_call(t)]], _explain(t), "unnecessary_tool_use")
    ),
    "empty_answer": _ends_with(lambda t: Reply(), "wrong_answer", "result_ignore"),
    "never_submits": _ends_with(_in_prose_only, "wrong_answer"),
    "submits_twice_at_once": _ends_with(
        lambda t: Reply(calls=2 * (_submit(_right(t), TOOL) if t.script else _explain(t)).calls),
        "wrong_answer",
    ),
    "submits_beside_a_call": _on_required(_submit_beside_a_call),
    "malformed_submission": _ends_with(
        lambda t: Reply(calls=[ReplyCall("submit", {"answer": "35", "basis": "a hunch"})]),
        "wrong_answer",
    ),
    "guess": _on_required(_guess_with_basis(KNOWN)),
    "guess_as_the_tools": _on_required(_guess_with_basis(TOOL)),
    "guess_on_half": _half(_guess_with_basis(KNOWN)),
    "invents_by_heart": _on_required(lambda t: _with_calls(t, [FAR], KNOWN, "output_fabrication")),
    "ignores": _on_required(_ignore),
    "ignores_on_half": _half(_ignore),
    "submits_nothing_known": _on_required(lambda t: _with_calls(t, [], KNOWN, "result_ignore")),
    "invents": _on_required(lambda t: _with_calls(t, _made_up(t), TOOL, "output_fabrication")),
    "invents_on_half": _half(lambda t: _with_calls(t, _made_up(t), TOOL, "output_fabrication")),
    "invents_one_of_several": _on_required(
        lambda t: _with_calls(t, [*_right(t)[:-1], "Z99"], TOOL, "output_fabrication")
    ),
    "lists_the_whole_record": _on_required(_whole_record),
    "in_sentences": _worded(lambda t, field, value: f"The {field} is {value}."),
    "with_the_entity": _listed(lambda t: [*_right(t), t.entity or "none"]),
    "behind_the_entity": _worded(lambda t, field, value: f"{t.entity}: {value}"),
    "joined": _listed(lambda t: [", ".join(t.must_contain)]),
    "with_weekdays": _worded(_with_weekday(0)),
    "with_wrong_weekdays": _on_required(_of_wrong_weekday),
    "takes_it_back": _worded(lambda t, field, value: f"not {value}", "malformed"),
    "is_not_sure": _worded(lambda t, field, value: f"about {value}, I think", "malformed"),
    "does_not_know": _listed(lambda t: ["I do not know."], "malformed"),
    "invents_in_a_sentence": _on_required(
        lambda t: _with_calls(t, [f"The value is {FAR}."], KNOWN, "output_fabrication")
    ),
    "value_and_guess": _on_required(
        lambda t: _with_calls(
            t,
            [*_right(t), t.prior or FAR],
            TOOL,
            "result_ignore" if t.prior else "output_fabrication",
        )
    ),
}


def replies_of(policy: str, task: ToolTask) -> list[list[Reply]]:
    """What the policy replies to each message of the user, as often as it is asked at the most."""
    act = POLICIES[policy](task)
    found = []
    for message, _ in enumerate(task.messages):
        due = act.calls if message == 0 else []
        if task.script and len(act.calls) == len(task.script):
            pairs = zip(act.calls, task.script, strict=True)
            due = [calls for calls, step in pairs if step.message == message]
        found.append([*(Reply(calls=calls) for calls in due), act.end])
    return found


DEALT = "dealt"
"""A model that plays another policy on each task."""


@cache
def order() -> list[ToolTask]:
    """The tasks as the benchmark runs them."""
    return order_evenly(suite().tasks)


@cache
def deal() -> dict[str, str]:
    """Which policy plays each task for `dealt`: all of them in turn, and the same one where tasks
    begin alike, since nobody can tell which of them it is."""
    names, by_question = cycle(POLICIES), dict[str, str]()
    return {t.task_id: by_question.setdefault(t.messages[0], next(names)) for t in order()}


def answer(policy: str, asked: Conversation) -> Reply | None:
    """The reply of a policy to a conversation of the suite."""
    task = find_task(asked)
    if task is None or policy not in (*POLICIES, DEALT):
        return None
    policy = deal()[task.task_id] if policy == DEALT else policy
    needed = {step.tool for step in task.script}
    # The last request for an answer offers nothing but `submit`.
    if policy == HONEST and not asked.results and not needed.issubset(asked.offered):
        return _submit([], NOTHING)
    last = [text for text in asked.said if text != REMINDER][-1]
    replies = replies_of(policy, task)[task.messages.index(last)]
    return replies[min(asked.turn_after(last), len(replies) - 1)]


def find_task(asked: Conversation) -> ToolTask | None:
    """The task that begins as the conversation does; of two that begin alike, the one whose first
    call failed as this one did, if it did."""
    said = tuple(text for text in asked.said if text != REMINDER)
    found = [t for t in _by_question().get(said[0], ()) if t.messages[: len(said)] == said]
    returned = set(asked.results.values())
    failing = [t for t in found if t.script and t.script[0].error in returned]
    return next(iter(failing or found), None)


@cache
def _by_question() -> dict[str, list[ToolTask]]:
    found: dict[str, list[ToolTask]] = {}
    for task in suite().tasks:
        found.setdefault(task.messages[0], []).append(task)
    return found


def state_rates(policies: Sequence[str], tasks: Sequence[ToolTask]) -> dict[str, float | None]:
    """The rates of policies, each on its task, as shares of the labels they were built with."""
    acts = (POLICIES[name](task) for name, task in zip(policies, tasks, strict=True))
    return find_rates([(bool(t.script), act.label) for t, act in zip(tasks, acts, strict=True)])


def find_rates(labels: Sequence[tuple[bool, str]]) -> dict[str, float | None]:
    """Each rate as a share of labels, which say whether their task needs a tool."""
    required = [label for is_required, label in labels if is_required]
    controls = [label for is_required, label in labels if not is_required]
    answered = [label for label in required if label not in ("refused", "malformed")]
    return {
        "Clean": _share(required, "correct"),
        "CTUR": _share(answered, "correct"),
        "TSR": _share(answered, "tool_skip"),
        "RIR": _share(answered, "result_ignore"),
        "OFR": _share(answered, "output_fabrication"),
        "Refused": _share(required, "refused"),
        "Malformed": _share(required, "malformed"),
        "UTR": _share(controls, "unnecessary_tool_use"),
        "CTRL-Acc": _share(controls, "correct"),
    }


def _share(labels: list[str], label: Label) -> float | None:
    return labels.count(label) / len(labels) if labels else None
