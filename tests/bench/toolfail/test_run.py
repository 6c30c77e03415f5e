"""`bench toolfail` from end to end with a scripted model: ledger, marks, table, page and judges."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from msgspec.structs import replace

from agentdyno.ledger.reader import Ledger
from agentdyno.records import InputError
from agentdyno.records.verdicts import SCORES
from agentdyno_bench.app.cli.bench_output import BenchOptions
from agentdyno_bench.shared.judges.asking import Message
from agentdyno_bench.shared.judges.questions import AskOptions
from agentdyno_bench.shared.judging import JudgeOptions, judge_ledger
from agentdyno_bench.shared.models.scripted import Reply, ReplyCall
from agentdyno_bench.shared.running.options import ModelSpec, RunOptions
from agentdyno_bench.toolfail.failure_kind import FailureKind
from agentdyno_bench.toolfail.judge import rubric as failure_rubric
from agentdyno_bench.toolfail.judging import Judging
from agentdyno_bench.toolfail.records import Answers
from agentdyno_bench.toolfail.run import ToolfailDone, ToolfailOptions, run_toolfail
from agentdyno_bench.toolfail.tasks.suite import load_suite
from tests.bench.shared.judging.worlds import ScriptedAsk
from tests.bench.toolfail.tasks.writing import write_suite
from tests.reports.telling import told

SCRIPTS = "bench.scripted.failures:"


def _run(
    out: Path,
    script: str,
    stride: int = 49,
    page: bool = False,
    judging: Judging | None = None,
    answers: Answers = "submit",
) -> ToolfailDone:
    model = ModelSpec("agentdyno/scripted", None, {"script": script})
    asked = ToolfailOptions(models=[model], stride=stride, judging=judging, answers=answers)
    options = RunOptions(out=out, max_tokens=1024, temperature=0.0, seed=42)
    done = run_toolfail(asked, options)
    if page:
        BenchOptions(out=out).write_page()
    return done


def _tables(out: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    ledger = Ledger(out / "ledger")
    return ledger.read("trajectories"), ledger.read("failures")


def test_a_run_marks_every_trajectory_and_fills_the_table(tmp_path: Path) -> None:
    done = _run(tmp_path, SCRIPTS + "medley", page=True)
    trajectories, failures = _tables(tmp_path)
    assert len(trajectories) == done.report.trajectories == 21
    assert trajectories["correct"].null_count() == 0
    whole = failures.filter(pl.col("call").is_null(), pl.col("rule") == "submitted")
    joined = whole.join(trajectories, on="trajectory_id", suffix="_of")
    assert len(joined) == 21
    assert (joined["correct"] == (joined["label"] == "correct")).all()
    assert (joined["pte"] == joined["pte_of"]).all()
    assert joined["label"].n_unique() >= 4
    # A row for each call that ran beside those of the trajectories, with the call's own cost.
    calls = Ledger(tmp_path / "ledger").read("calls").filter("executed")
    assert "submit" not in calls["tool"]
    own = failures.filter(pl.col("call").is_not_null())
    costs = own.join(calls, on=["trajectory_id", "turn", "call"], suffix="_of")
    assert len(costs) == len(own) == len(calls) > 0
    assert (costs["pte"] == costs["pte_of"]).all()
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "Where the tool-use loop breaks" in page
    assert "Models by clean tool use" in page
    again = _run(tmp_path, SCRIPTS + "medley")
    assert (again.runs[0].run_now, again.report) == (0, done.report)
    assert _tables(tmp_path)[1].equals(failures)


def _unruly(input: list[object], tools: list[object], choice: object, config: object) -> Reply:
    """Calls a tool that does not exist, then another with malformed arguments, then answers."""
    if choice == "none" or len(input) > 2:
        return Reply(text="As far as I know, 7.", calls=[ReplyCall("nothing", {})])
    return Reply(calls=[ReplyCall("no_such_tool", {}), ReplyCall(tools[0].name, "{oops")])  # type: ignore[attr-defined]


@pytest.mark.parametrize("answers", ["submit", "prose"])
def test_calls_that_did_not_run_are_no_calls_for_log_and_table_alike(
    tmp_path: Path, answers: Answers
) -> None:
    _run(tmp_path, f"{__name__}:_unruly", stride=250, answers=answers)
    trajectories, failures = _tables(tmp_path)
    assert failures["call"].null_count() == len(failures) == len(trajectories) == 4
    by_kind = dict(failures.select("kind", "label").iter_rows())
    assert by_kind == {"required": "tool_skip", "control": "unnecessary_tool_use"}
    assert trajectories["correct"].to_list() == [False] * 4


def test_prose_and_submissions_of_one_ledger_are_never_ranked_together(tmp_path: Path) -> None:
    _run(tmp_path, SCRIPTS + "faithful", stride=250)
    _run(tmp_path, SCRIPTS + "skipper", stride=250, answers="prose")
    topic = told("failures", tmp_path / "ledger")
    boards = [t for t in topic.tables if t.title.startswith("Models by clean tool use")]
    assert [len(board.rows) for board in boards] == [1, 1]
    assert boards[1].title.endswith("answered in prose")
    assert [row[1] for board in boards for row in board.rows] == ["1", "1"]
    assert "Labels by program" in topic.notes[0]
    assert "Labels by the published rule" in topic.notes[1]


def _failing(input: list[object], tools: list[object], choice: object, config: object) -> Reply:
    """Calls a tool and is then out of service."""
    if len(input) == 2:
        return Reply(calls=[ReplyCall(tools[0].name, {})])  # type: ignore[attr-defined]
    return Reply(error="the service is down")


def test_a_conversation_that_broke_off_is_neither_right_nor_wrong(tmp_path: Path) -> None:
    done = _run(tmp_path, f"{__name__}:_failing", stride=500)
    assert len(done.runs[0].failed) == 2
    trajectories, failures = _tables(tmp_path)
    assert trajectories["correct"].to_list() == [None, None]
    assert (done.report.trajectories, len(failures)) == (0, 0)


SKIPPER = "bench.scripted.failures:skipper"
MANY = 6
"""One in 180 of 1,000 tasks: five need a tool, one does not."""


def strict(conversation: Sequence[Message]) -> str:
    """Says what the head of the question shows."""
    skipped = all(
        line in conversation[1].text for line in ("Task kind: REQUIRED", "Executed calls: none")
    )
    return _said("tool_skip" if skipped else "correct")


def kind(conversation: Sequence[Message]) -> str:
    return _said("correct")


def broken(conversation: Sequence[Message]) -> str:
    return "I would rather not say."


def blind(conversation: Sequence[Message]) -> str:
    return _said("no_failure")


def _said(label: str) -> str:
    answer = {"label": label, "confidence": 0.7, "rationale": "seen"}
    return json.dumps(answer | dict.fromkeys(SCORES, 2))


def _judged_run(out: Path, *judges: ScriptedAsk, page: bool = False, **limits: Any) -> ToolfailDone:
    judging = Judging(judges, JudgeOptions(ask=AskOptions(**limits))) if judges else None
    return _run(out, SKIPPER, 180, page, judging, "prose")


def test_judges_vote_agree_and_are_paid_once(tmp_path: Path) -> None:
    judges = [
        ScriptedAsk(strict, "strict/judge"),
        ScriptedAsk(kind, "kind/judge"),
        ScriptedAsk(broken, "broken/judge"),
    ]
    done = _judged_run(tmp_path, *judges, page=True)
    # The broken one is asked twice about each, and stays without a label.
    assert [judge.asked for judge in judges] == [MANY, MANY, 2 * MANY]
    assert (done.judged.added, done.judged.unread) == (3 * MANY, MANY)
    _check_report(done, tmp_path)
    again = _judged_run(tmp_path, *judges)
    assert (again.judged.paid, again.judged.added) == (0, 0)
    assert [judge.asked for judge in judges] == [MANY, MANY, 2 * MANY]
    assert again.report == done.report


def _check_report(done: ToolfailDone, out: Path) -> None:
    report = done.report
    assert (report.headline, report.trajectories) == ("ensemble", MANY)
    by_rater = {each.rater: each.rates for each in report.rates}
    assert by_rater["paper"].rates["TSR"].value == 1
    assert by_rater["ensemble"].rates["TSR"].value == 1  # Two skips against one correct.
    assert by_rater["evidence_first:kind/judge"].rates["CTUR"].value == 1
    assert by_rater["decision_tree:broken/judge"].undecided == MANY
    assert report.agreement.pairs["paper / decision_tree:strict/judge"].value == 1
    assert "How far the raters agree" in (out / "failures.md").read_text("utf-8")
    shown = json.loads((out / "failures.json").read_bytes())
    assert {each["rater"] for each in shown["rates"]} == set(by_rater)
    rows = Ledger(out / "ledger").read("failures").filter(pl.col("call").is_null())
    assert set(rows["rule"]) == set(by_rater)
    silent = rows.filter(pl.col("rule") == "decision_tree:broken/judge")
    assert silent["label"].to_list() == [None] * MANY
    topic = told("failures", out / "ledger")
    assert topic.notes[0].startswith("Labels by the vote of the published rule and judges")
    assert "evidence_first:kind/judge" in (out / "report.html").read_text("utf-8")


def test_one_judge_takes_both_framings_and_outvotes_the_rule(tmp_path: Path) -> None:
    judge = ScriptedAsk(kind, "kind/judge")
    done = _judged_run(tmp_path, judge, judge)  # Named twice, it is still one.
    raters = {each.rater: each.rates.rates["CTUR"].value for each in done.report.rates}
    assert raters == {
        "paper": 0, "decision_tree:kind/judge": 1, "evidence_first:kind/judge": 1,
        "ensemble": 1,
    }  # fmt: skip


def test_judges_stand_beside_what_was_submitted_and_do_not_outvote_the_program(
    tmp_path: Path,
) -> None:
    judging = Judging([ScriptedAsk(kind, "kind/judge")], JudgeOptions())
    done = _run(tmp_path, SKIPPER, 180, judging=judging)
    raters = {each.rater: each.rates.rates["CTUR"].value for each in done.report.rates}
    assert raters == {
        "submitted": 0, "decision_tree:kind/judge": 1, "evidence_first:kind/judge": 1,
        "ensemble": 1,
    }  # fmt: skip
    assert done.report.headline == "submitted"
    assert done.report.agreement.overrule_share == pytest.approx(5 / 6)  # All but the control.


def test_a_changed_rubric_is_judged_anew_and_the_old_one_is_still_paid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = _judged_run(tmp_path, ScriptedAsk(strict, "j"))
    lenient = ScriptedAsk(kind, "j")
    with monkeypatch.context() as changed:
        changed.setattr(
            "agentdyno_bench.toolfail.judge.question.rubric",
            lambda framing, swapped=False: failure_rubric(framing, swapped=swapped) + " Be kind.",
        )
        second = _judged_run(tmp_path, lenient)
    assert lenient.asked == 2 * MANY
    assert _ctur(second, "decision_tree:j") == 1
    back = ScriptedAsk(broken, "j")
    third = _judged_run(tmp_path, back)
    assert back.asked == 0
    assert third.report == first.report


def _ctur(done: ToolfailDone, rater: str) -> float | None:
    return next(e.rates.rates["CTUR"].value for e in done.report.rates if e.rater == rater)


def test_without_judges_nobody_is_asked_and_earlier_ones_still_vote(tmp_path: Path) -> None:
    assert _judged_run(tmp_path).judged is None
    assert not (tmp_path / "ledger" / "judging").exists()
    judged = _judged_run(tmp_path, ScriptedAsk(strict, "j"))
    assert _judged_run(tmp_path).report == judged.report


def test_a_price_above_the_limit_leaves_the_labels_of_the_rules(tmp_path: Path) -> None:
    judge = ScriptedAsk(strict, "openai/gpt-4.1")
    with pytest.raises(InputError, match=r"more than --max-usd 1e-05.*--stride N"):
        _judged_run(tmp_path, judge, max_usd=1e-5)
    assert judge.asked == 0
    assert "| paper |" in (tmp_path / "failures.md").read_text("utf-8")
    done = _judged_run(tmp_path, judge, max_usd=1)
    # 2 x 6 answers of 1,000 and 50 tokens at 2 and 8 USD a million.
    assert done.judged.spent_usd == pytest.approx(0.0288)


def test_a_judge_that_cannot_be_reached_takes_nothing_from_the_rules(tmp_path: Path) -> None:
    def gone(conversation: Sequence[Message]) -> str:
        raise OSError("no such host")

    limits = {"tries": 1, "first_pause_seconds": 0.0}
    with pytest.raises(InputError, match=r"8 questions in a row failed.*no such host"):
        _judged_run(tmp_path, ScriptedAsk(gone, "j"), **limits)
    assert "| paper |" in (tmp_path / "failures.md").read_text("utf-8")
    assert len(Ledger(tmp_path / "ledger").read("failures")) > 0


def test_other_trajectories_of_the_ledger_are_neither_asked_about_nor_in_the_way(
    tmp_path: Path,
) -> None:
    judge, ledger = ScriptedAsk(strict, "j"), tmp_path / "ledger"
    other = RunOptions(out=tmp_path, max_tokens=1024, temperature=0.0, seed=42, limit=3)
    model = ModelSpec("agentdyno/scripted", None, {"script": SKIPPER})
    suite = load_suite()  # Other tasks of the same names.
    tasks = tuple(replace(each, messages=(f"{each.messages[0]} Please.",)) for each in suite.tasks)
    write_suite(replace(suite, tasks=tasks), tmp_path / "polite")
    run_toolfail(ToolfailOptions(models=[model], tasks=tmp_path / "polite", answers="prose"), other)
    done = _judged_run(tmp_path, judge)
    assert judge.asked == 2 * MANY
    # The same judge, later and without the truth, has other words for all; then it is asked again.
    judge_ledger(ledger, FailureKind(), [ScriptedAsk(blind, "j")])
    assert {each.rater for each in _judged_run(tmp_path).report.rates} >= {"paper"}
    silent = ScriptedAsk(broken, "j")
    again = _judged_run(tmp_path, silent)
    assert silent.asked == 0
    assert again.report == done.report
