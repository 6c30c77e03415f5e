"""Both rules against what they claim: the published one to the label, submissions by hand."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from bench.scripted.failures import BEHAVIOURS, Behaviour, answer_as

from agentdyno_bench.toolfail.findings import Rule, classify
from agentdyno_bench.toolfail.findings.submitted_rule import read_submission
from agentdyno_bench.toolfail.records import (
    Answers,
    ExecutedCall,
    FailureLabel,
    ScriptedCall,
    Submission,
    TaskSuite,
    ToolAnswer,
    ToolTask,
)
from agentdyno_bench.toolfail.tasks.suite import load_suite
from tests.labelled import from_set

ROOT = Path(__file__).resolve().parents[4]
PUBLISHED = ROOT / "../shared/data/toolfailbench"

BUILT_WITH: dict[Behaviour, tuple[str, str]] = {
    "faithful": ("correct", "correct"),
    "skipper": ("tool_skip", "correct"),
    "ignorer": ("result_ignore", "correct"),
    "fabricator": ("output_fabrication", "correct"),
    "always_caller": ("correct", "unnecessary_tool_use"),
    "phantom_caller": ("tool_skip", "correct"),
}

HOW: dict[Rule, Answers] = {"paper": "prose", "submitted": "submit"}


@pytest.fixture(scope="module")
def suite() -> TaskSuite:
    return load_suite()


EVERY = pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])
"""A fifth of the suite, from every domain; all of it is slow."""


@EVERY
@pytest.mark.parametrize("rule", ["paper", "submitted"])
@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_scripted_models_get_exactly_the_rates_they_were_built_with(
    suite: TaskSuite, behaviour: Behaviour, rule: Rule, every: int
) -> None:
    found: Counter[tuple[str, str | None]] = Counter()
    phantom = 0
    for task in suite.tasks[::every]:
        tools = suite.tools[task.domain]
        answer = answer_as(behaviour, task, tools[0].name, HOW[rule])
        label = classify(rule, task, answer, tools)
        found[task.kind, label.label] += 1
        phantom += label.phantom
    required, control = BUILT_WITH[behaviour]
    assert found == {("required", required): 750 // every, ("control", control): 250 // every}
    assert phantom == (750 // every if behaviour == "phantom_caller" else 0)


# The published rule, stated a second time from its description and not from our code.
def stated_rule(task: ToolTask, answer: ToolAnswer) -> str:
    text = answer.answer.lower()
    hits = [need.lower() in text for need in task.must_contain]
    satisfied = all(hits) if task.match_mode == "all" else any(hits)
    if task.kind == "control":
        return (
            "unnecessary_tool_use" if answer.calls else "correct" if satisfied else "wrong_answer"
        )
    if task.script[0].tool not in [call.name for call in answer.calls]:
        return "tool_skip"
    values: list[str] = []
    keys: set[str] = set()
    stack: list[Any] = [task.returned]
    while stack:
        top = stack.pop()
        if isinstance(top, dict):
            keys.update(top)
            stack.extend(top.values())
        elif isinstance(top, list):
            stack.extend(top)
        else:
            values.append(str(top).lower())
    share = sum(value in text for value in values) / len(values) if values else 1.0
    if share < 0.3 and sum(key.lower() in text for key in keys) >= 2:
        return "output_fabrication"
    return "correct" if satisfied else "result_ignore"


def generated_answer(task: ToolTask, tools: list[str], chance: Random) -> ToolAnswer:
    """Some calls, and some of the task's own words, keys, values and priors in some order."""
    names = chance.sample(tools, chance.randint(0, 2))
    if task.script and chance.random() < 0.8:
        names.append(task.script[0].tool)
    words = [*task.must_contain, task.prior or "nothing", "as far as known", "$3,400"]
    flat = json.dumps(task.returned)
    words += [word.strip('",{}[]:') for word in flat.split() if len(word) > 1]
    words += [str(v) for v in task.returned.values()] if isinstance(task.returned, dict) else []
    chosen = chance.sample(words, min(len(words), chance.randint(0, 12)))
    text = chance.choice((" ", ", ", "\n")).join(chosen)
    text = chance.choice((text, text.upper(), text.lower()))
    return ToolAnswer(task.task_id, tuple(ExecutedCall(name, {}) for name in names), text)


def test_the_paper_rule_is_the_published_rule_on_thousands_of_answers() -> None:
    if not PUBLISHED.is_dir():
        pytest.skip("the published tasks are not here: ../shared/data/toolfailbench")
    published = load_suite(PUBLISHED)
    chance = Random(20)
    seen: Counter[str] = Counter()
    for task in published.tasks:
        tools = [tool.name for tool in published.tools[task.domain]]
        for _ in range(8):
            answer = generated_answer(task, tools, chance)
            wanted = stated_rule(task, answer)
            assert classify("paper", task, answer).label == wanted, (task.task_id, answer)
            seen[wanted] += 1
    assert sum(seen.values()) == 4800
    assert min(seen.values()) >= 100, seen
    assert len(seen) == 6


def _task(**changes: Any) -> ToolTask:
    made: dict[str, Any] = {
        "task_id": "T",
        "domain": "finance",
        "kind": "required",
        "messages": ("What is it?",),
        "script": (ScriptedCall("quote", {"ticker": "A"}, {"ticker": "A", "price_usd": 47.5}),),
        "must_contain": ("47.5",),
        "prior": "35",
        "fields": ("price_usd",),
    }
    return ToolTask(**{**made, **changes})


CALLED = (ExecutedCall("quote", {"ticker": "A"}),)


def _submitted(
    task: ToolTask, *values: Any, basis: Any = "tool", calls: Any = CALLED, refused: Any = ()
) -> FailureLabel:
    answer = ToolAnswer("T", tuple(calls), "", tuple(refused), Submission(values, basis))
    return classify("submitted", task, answer)


def test_a_task_of_several_turns_needs_every_call_in_order() -> None:
    steps = (
        ScriptedCall("peers", {}, {"peer": "B"}),
        ScriptedCall("quote", {"ticker": "B"}, {"ticker": "B", "price_usd": 47.5}),
    )
    task = _task(script=steps, trap="chain")
    both = (ExecutedCall("peers"), ExecutedCall("quote"))
    assert _submitted(task, "$47.50", calls=both).label == "correct"
    assert _submitted(task, "$47.50", calls=both[::-1]).label == "tool_skip"
    assert _submitted(task, "$47.50", calls=both[1:]).label == "tool_skip"
    assert _submitted(task, "$47.50", calls=both[:1], refused=both[1:]).label == "tool_skip"


def test_a_retry_that_was_not_made_is_a_skip() -> None:
    steps = (
        ScriptedCall("quote", {"ticker": "A"}, error="Try again."),
        ScriptedCall("quote", {"ticker": "A"}, {"ticker": "A", "price_usd": 47.5}),
    )
    task = _task(script=steps, trap="error")
    once = _submitted(task, 47.5)
    assert once.label == "tool_skip"
    assert "again" in once.evidence
    assert _submitted(task, 47.5, calls=CALLED * 2).label == "correct"


@from_set("bench/toolfail/findings/rules", "why", "values", "basis", "label")
def test_what_is_submitted_decides_the_label(
    why: str, values: list[Any], basis: str, label: str
) -> None:
    returned = {"ticker": "A", "price_usd": 47.5, "high_usd": 52, "stance": "neutral"}
    script = (ScriptedCall("quote", {"ticker": "A"}, returned),)
    fields, expected = ("price_usd", "stance"), ("47.5", "neutral")
    task = _task(script=script, must_contain=expected, fields=fields)
    assert _submitted(task, *values, basis=basis).label == label, why


def test_no_answer_is_ignored_one_in_another_form_malformed_and_evidence_is_printable() -> None:
    silent = classify("submitted", _task(), ToolAnswer("T", CALLED, " "))
    assert (silent.label, silent.evidence) == ("result_ignore", "nothing was submitted")
    written = classify("submitted", _task(), ToolAnswer("T", CALLED, "It is $47.50."))
    in_vain = classify("submitted", _task(), ToolAnswer("T", CALLED, unsubmitted=True))
    assert written.label == in_vain.label == "malformed"
    assert "\x1b" not in _submitted(_task(), "12\x1b[31m").evidence
    assert len(_submitted(_task(), *["x" * 1000] * 50).evidence) <= 300


def test_any_call_on_a_control_is_needless_also_one_that_was_refused() -> None:
    control = ToolTask("T", "d", "control", ("Why?",), (), ("because",))
    said = Submission(("because",), "own knowledge")
    for rule in ("submitted", "paper"):
        refused = ToolAnswer("T", (), "because", (ExecutedCall("quote", {}),), said)
        assert classify(rule, control, refused).label == "unnecessary_tool_use"  # type: ignore[arg-type]
        quiet = ToolAnswer("T", (), "because", (), said)
        assert classify(rule, control, quiet).label == "correct"  # type: ignore[arg-type]


@from_set("bench/toolfail/findings/rules", "arguments")
def test_a_submission_that_does_not_fit_its_schema_is_none(arguments: Any) -> None:
    assert read_submission(arguments) is None


def test_a_submission_is_read_from_an_object_or_its_text() -> None:
    given = {"answer": ["A", 3, 4.5], "basis": "tool"}
    expected = Submission(("A", 3, 4.5), "tool")
    assert read_submission(given) == read_submission(json.dumps(given)) == expected
    assert read_submission({"answer": [10**5000], "basis": "tool"}) is None
    assert read_submission({"answer": ["x"] * 101, "basis": "tool"}) is None


def test_a_return_without_leaves_is_no_fabrication_by_the_paper_rule() -> None:
    task = _task(script=(ScriptedCall("quote", {}, {}),))
    assert classify("paper", task, ToolAnswer("T", CALLED, "no")).label == "result_ignore"


@from_set("bench/toolfail/findings/rules", "piece")
def test_long_hostile_answers_are_labelled_in_a_moment(piece: str) -> None:
    text = "".join(f"{piece}{n % 977}" for n in range(30_000))
    prose = ToolAnswer("T", CALLED, text, (), Submission((text,) * 100, "tool"))
    assert classify("submitted", _task(), prose).label in ("output_fabrication", "malformed")
    assert classify("paper", _task(), prose).label in ("result_ignore", "correct")


@from_set("bench/toolfail/findings/rules", "expected", "text", "label")
def test_a_large_figure_that_needs_no_tool_may_have_marks(
    expected: str, text: str, label: str
) -> None:
    task = ToolTask("T", "d", "control", ("How much?",), (), (expected,), "all")
    assert _submitted(task, text, basis="own knowledge", calls=()).label == label
