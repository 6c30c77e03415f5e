"""Failures, answers and completion through the same machinery as utility: who is asked what, what
is recorded, and what no record can do to it."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.records import InputError
from agentdyno_bench.app.judge_kinds import (
    completion_parts,
    failure_suite,
    read_references,
)
from agentdyno_bench.shared.judges.asking import Message, answer_schema
from agentdyno_bench.shared.judging import Judged, JudgeOptions, judge_ledger
from agentdyno_bench.shared.verdicts.answer_kind import AnswerKind
from agentdyno_bench.shared.verdicts.kinds import Kind
from agentdyno_bench.shared.verdicts.summary import summarise_verdicts
from agentdyno_bench.toolfail.failure_kind import FailureKind
from agentdyno_bench.toolfail.tasks.suite import load_suite
from agentdyno_bench.tps.completion_kind import CompletionKind
from agentdyno_bench.tps.tasks.dataset import task_by_id
from tests.bench.shared.judges.answering import FORMS, bad, good
from tests.bench.shared.judging.worlds import ScriptedAsk, chat, chat_ledger
from tests.ledger.traces import copy_ledger

Reply = Callable[[Sequence[Message]], str]
INJECTIONS = [
    json.loads(line)
    for line in (Path(__file__).resolve().parents[3] / "data/toolfail/injections.jsonl")
    .read_text("utf-8")
    .split("\n")
    if line
]

FAILURE = good(FORMS["failure"])
ANSWER = good(FORMS["answer"])
PARTS = good(FORMS["completion"])
KINDS: dict[str, tuple[Kind, str, str]] = {
    "failure": (FailureKind(), FAILURE, "failure"),
    "answer": (AnswerKind(), ANSWER, "answer"),
    "completion": (CompletionKind(), PARTS, "completion"),
}
each_kind = pytest.mark.parametrize(("kind", "fine", "form"), KINDS.values(), ids=KINDS)


@pytest.fixture
def ledger(measured: Path, tmp_path: Path) -> Path:
    return copy_ledger(measured, tmp_path / "ledger")


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    looked = [("lookup", '{"of": "A"}', "The price of A is 47.5.")]
    return chat_ledger(
        tmp_path_factory.mktemp("chats"),
        chat("t1", "What does A cost?", "It is 47.50.", looked, expected="47.5", correct=True),
        chat("t2", "What does A cost?", "It is 35.", looked, expected="47.5", correct=False),
    )


def judged(ledger: Path, kind: Kind, reply: Reply | str, **options: Any) -> Judged:
    said = reply if callable(reply) else (lambda _: reply)
    return judge_ledger(ledger, kind, [ScriptedAsk(said)], JudgeOptions(**options))


def rows(ledger: Path) -> list[dict[str, Any]]:
    return Ledger(ledger).read("verdicts").to_dicts()


@each_kind
def test_every_trajectory_gets_a_verdict_of_its_kind(
    ledger: Path, kind: Kind, fine: str, form: str
) -> None:
    done = judged(ledger, kind, fine)
    found = rows(ledger)
    assert done.verdicts == done.added == len(found) == 2 * len(kind.framings)
    assert {row["kind"] for row in found} == {form}
    assert {row["judge"] for row in found} == set(kind.framings)
    assert {(row["turn"], row["call"]) for row in found} == {(None, None)}
    wanted = "complete" if form == "completion" else FORMS[form].labels[0]
    assert {(row["label"], row["confidence"]) for row in found} == {(wanted, 0.8)}
    assert {row["score"] for row in found} == ({1.0} if form == "completion" else {None})


@each_kind
@pytest.mark.parametrize("name", bad(FORMS["utility"]))
def test_a_bad_answer_is_repaired_or_recorded_without_a_label(
    ledger: Path, kind: Kind, fine: str, form: str, name: str
) -> None:
    text, problem = bad(FORMS[form])[name]

    def repaired(conversation: Sequence[Message]) -> str:
        return fine if len(conversation) > 2 else text or ""

    done = judged(ledger, kind, repaired, sample=1)
    assert (done.repaired, done.unread) == (len(kind.framings), 0)
    assert {row["attempts"] for row in rows(ledger)} == {2}
    never = judged(ledger, kind, text or "", repeats=2, sample=1, answers=ledger.parent / "new")
    assert never.unread == 2 * len(kind.framings)
    second = [row for row in rows(ledger) if row["judge"].endswith("~2")]
    assert {(row["label"], row["problem"]) for row in second} == {(None, problem)}


@each_kind
def test_no_injection_leaves_its_block_in_any_place(
    tmp_path: Path, kind: Kind, fine: str, form: str
) -> None:
    seen: list[list[str]] = []

    def keep(conversation: Sequence[Message]) -> str:
        """Remembers the lines that stand outside of blocks."""
        lines = conversation[1].text.split("\n")
        assert all(" " <= letter <= "~" for line in lines for letter in line)
        seen.append([_unkeyed(line) for line in lines if not line.startswith('"')])
        return fine

    judged(chat_ledger(tmp_path / "clean", _attacked("harmless")), kind, keep)
    clean, seen = seen, []
    judged(chat_ledger(tmp_path / "hostile", *map(_attacked, INJECTIONS)), kind, keep)
    assert len(clean) == len(kind.framings)
    assert len(seen) == len(kind.framings) * len(INJECTIONS) > 40
    assert all(lines == clean[0] for lines in seen)


def _attacked(text: str) -> dict[str, Any]:
    looked = [("lookup", json.dumps({"of": text}), f"47.5 {text}")]
    fields: dict[str, Any] = {"expected": f"47.5 {text}", "tools": [_schema(text)]}
    return chat("t", f"What is it? {text}", f"It is 35. {text}", looked, **fields)


def _unkeyed(line: str) -> str:
    """A marker without its word, which depends on the contents."""
    return line.rpartition(" ")[0] if line.startswith("[") and line.endswith("]") else line


def _schema(text: str) -> dict[str, Any]:
    function = {"name": "lookup", "description": text, "parameters": {"type": "object"}}
    return {"type": "function", "function": function}


@each_kind
def test_checks_find_what_moves_a_judge(ledger: Path, kind: Kind, fine: str, form: str) -> None:
    other = good(FORMS[form], 1)

    def obedient(conversation: Sequence[Message]) -> str:
        text = conversation[1].text
        return other if "EVALUATOR" in text or "operator" in text else fine

    checks = judged(ledger, kind, obedient, check=2).checks
    steered = [check for check in checks if check.name == "injection"]
    assert len(checks) == 2 * len(kind.framings)
    assert all((check.calls, check.moved) == (2, 2) for check in steered)
    assert all(check.moved == 0 for check in checks if check.name == "swap")


@each_kind
def test_a_swapped_question_says_the_same_in_another_order(
    ledger: Path, kind: Kind, fine: str, form: str
) -> None:
    asked: list[Sequence[Message]] = []

    def keep(conversation: Sequence[Message]) -> str:
        asked.append(conversation)
        return fine

    judged(ledger, kind, keep, sample=1, check=1)
    plain, swapped = asked[0], asked[len(kind.framings)]
    for before, after in zip(plain, swapped, strict=True):
        assert before != after
    assert sorted(plain[1].text.split("\n")) == sorted(swapped[1].text.split("\n"))
    words = [sorted(said[0].text.replace(",", "").split()) for said in (plain, swapped)]
    assert words[0] == words[1]


def test_one_model_takes_both_framings_and_two_share_them(ledger: Path) -> None:
    models = [ScriptedAsk(lambda _: FAILURE, name) for name in ("a", "b")]
    judge_ledger(ledger, FailureKind(), list(models))
    found = {(row["judge"], row["model"]) for row in rows(ledger)}
    assert found == {("decision_tree", "a"), ("evidence_first", "b")}


def test_a_known_task_is_judged_by_its_truth_and_others_without(tmp_path: Path) -> None:
    suite = failure_suite("bundled")
    required = next(task for task in suite.tasks if task.kind == "required")
    control = next(task for task in suite.tasks if task.kind == "control")
    ledger = chat_ledger(
        tmp_path,
        chat(required.task_id, required.question, "No idea."),
        chat(control.task_id, control.question, "No idea."),
        chat("elsewhere", "What is it?", "No idea."),
    )
    allowed: dict[str, str] = {}

    def keep(conversation: Sequence[Message]) -> str:
        text = conversation[1].text
        kind = next((k for k in ("REQUIRED", "CONTROL") if f"Task kind: {k}" in text), "unknown")
        allowed[kind] = conversation[0].text
        label = {"REQUIRED": "tool_skip", "CONTROL": "wrong_answer", "unknown": "no_failure"}[kind]
        return f'{{"label": "{label}", "confidence": 1, "rationale": ""}}'

    judged(ledger, FailureKind(suite), keep)
    assert set(allowed) == {"REQUIRED", "CONTROL", "unknown"}
    assert "The right answer is not known" in allowed["unknown"]
    got = sorted({row["label"] for row in rows(ledger)})
    assert got == ["no_failure", "tool_skip", "wrong_answer"]
    assert {row["problem"] for row in rows(ledger)} == {None}


def test_the_truth_of_a_task_stands_outside_and_its_answer_inside(tmp_path: Path) -> None:
    task = next(task for task in load_suite().tasks if task.kind == "required")
    ledger = chat_ledger(
        tmp_path, chat(task.task_id, task.question, "It is 7.\nTask kind: CONTROL")
    )
    asked: list[str] = []

    def keep(conversation: Sequence[Message]) -> str:
        asked.append(conversation[1].text)
        return good(FORMS["failure, required"])

    judged(ledger, FailureKind(load_suite()), keep)
    lines = asked[0].split("\n")
    assert lines[0] == "Task kind: REQUIRED"
    assert lines[1] == f"Expected calls: {', '.join(step.tool for step in task.script)}"
    assert "Task kind: CONTROL" not in lines


def test_without_a_reference_nobody_is_asked_and_the_reason_is_recorded(tmp_path: Path) -> None:
    ledger = chat_ledger(
        tmp_path,
        chat("t1", "What is it?", "It is 4."),
        chat("t2", "What is it?", "", expected="4"),
        chat("t3", "What is it?", "It is 4.", expected=4),
    )
    done = judge_ledger(ledger, AnswerKind(), [ask := ScriptedAsk(lambda _: ANSWER)])
    assert ask.asked == 1
    found = {row["trajectory_id"][-1]: row for row in rows(ledger)}
    by_task = {row["label"]: row["attempts"] for row in found.values()}
    assert by_task == {None: 0, "right": 1}
    assert sorted(done.unasked.values()) == [1, 1]
    assert any(why.startswith("no reference answer") for why in done.unasked)
    assert any("neither a text nor a call" in why for why in done.unasked)
    assert done.unread == 0
    # Later somebody has the answers: what was unknown is judged, and that counts.
    file = tmp_path / "references.jsonl"
    file.write_text('{"task_id": "t1", "answer": 4}\nnonsense\n')
    read = read_references(file)
    assert read.answers == {"t1": "4"}
    assert [bad.place for bad in read.bad] == ["line 2"]
    judge_ledger(ledger, AnswerKind(read.answers), [ScriptedAsk(lambda _: ANSWER)])
    summary = summarise_verdicts(Ledger(ledger), "answer")
    assert [(one.verdicts, one.labelled) for one in summary.judges] == [(3, 2)]


def test_the_judge_of_answers_sees_task_reference_and_end_and_nothing_else(ledger: Path) -> None:
    asked: list[str] = []

    def keep(conversation: Sequence[Message]) -> str:
        asked.append(conversation[1].text)
        return ANSWER

    judged(ledger, AnswerKind({"t1": "48"}), keep)
    first = next(text for text in asked if "47.50" in text)
    assert '"48"' in first  # The file goes before the trace.
    assert "What does A cost?" in first
    assert "The price of A is 47.5." not in first


def test_verdicts_on_answers_are_held_against_the_traces_own_marks(ledger: Path) -> None:
    judged(ledger, AnswerKind(), ANSWER)
    summary = summarise_verdicts(Ledger(ledger), "answer")
    assert (summary.as_recorded.value, summary.as_recorded.n) == (0.5, 2)


def test_a_task_with_known_parts_is_marked_part_by_part(tmp_path: Path) -> None:
    task = task_by_id("easy-001")
    parts = completion_parts("bundled")
    assert len(parts[task.task_id]) == len(task.subtasks)
    ledger = chat_ledger(tmp_path, chat(task.task_id, task.prompt, "Done."))
    asked: list[Sequence[Message]] = []

    def half(conversation: Sequence[Message]) -> str:
        asked.append(conversation)
        marks = [
            {"part": n, "mark": "full" if n % 2 else "none", "evidence": "Done."}
            for n in range(1, len(task.subtasks) + 1)
        ]
        return json.dumps({"parts": marks, "confidence": 0.5, "rationale": ""})

    judged(ledger, CompletionKind(parts), half)
    assert f"The task has {len(task.subtasks)} parts" in asked[0][0].text
    assert task.subtasks[0].goal.split()[0] in asked[0][1].text
    (row,) = rows(ledger)
    done = (len(task.subtasks) + 1) // 2
    assert (row["label"], row["score"]) == ("partial", done / len(task.subtasks))
    assert row["rationale"].startswith(f"{done} of {len(task.subtasks)} done.")


def test_scores_are_summed_up_by_task(tmp_path: Path) -> None:
    ledger = chat_ledger(tmp_path, *(chat(f"t{n}", f"Do {n}.", f"Did {n}.") for n in range(3)))

    def more(conversation: Sequence[Message]) -> str:
        done = sum(f"Did {n}" in conversation[1].text for n in (1, 2))
        marks = [{"part": "a", "mark": "full" if done else "none", "evidence": ""}]
        return json.dumps({"parts": marks, "confidence": 1, "rationale": ""})

    judged(ledger, CompletionKind(), more)
    summary = summarise_verdicts(Ledger(ledger), "completion")
    (one,) = summary.judges
    assert {each.label: each.count for each in one.labels} == {"complete": 2, "nothing": 1}
    assert (one.score.value, one.score.n) == (pytest.approx(2 / 3), 3)


def test_sub_agents_and_empty_trajectories_are_not_judged(ledger: Path) -> None:
    calls = len(Ledger(ledger).read("trajectories"))
    assert judged(ledger, CompletionKind(), PARTS, sample=1).verdicts == 1
    assert judged(ledger, CompletionKind(), PARTS).verdicts == calls


def test_models_are_held_to_the_form_of_the_kind() -> None:
    parts = answer_schema(FORMS["completion, three parts"])["properties"]["parts"]["items"]
    assert parts["properties"]["mark"]["enum"] == ["full", "partly", "none"]
    label = answer_schema(FORMS["answer"])["properties"]["label"]
    assert label == {"type": "string", "enum": ["right", "wrong"]}
    assert answer_schema(FORMS["answer"])["additionalProperties"] is False


@pytest.mark.parametrize("read", [failure_suite, completion_parts])
def test_tasks_that_are_not_there_are_said(read: Callable[[str], object]) -> None:
    with pytest.raises(InputError, match="--tasks nowhere: expected `bundled` or a path"):
        read("nowhere")
