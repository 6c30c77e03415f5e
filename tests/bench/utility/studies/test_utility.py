"""What a ledger's verdicts say, and the advice they lead to."""

from pathlib import Path

import polars as pl
import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.matching.logical_tools import LogicalTools, Rule
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError
from agentdyno_bench.app.restoring import find_benches
from agentdyno_bench.shared.judging import JudgeOptions
from agentdyno_bench.utility.facts import DISTRACTORS, TOOLS
from agentdyno_bench.utility.findings.rollouts import SignTest
from agentdyno_bench.utility.rollouts.run import roll_out
from agentdyno_bench.utility.studies import report_utility
from agentdyno_bench.utility.studies.judged_calls import consensus
from agentdyno_bench.utility.studies.results import UtilityReport
from tests.bench.shared.judging.worlds import (
    USEFUL,
    USELESS,
    ScriptedAsk,
    facts_ledger,
    judge_utility,
)

TASKS = 40


@pytest.fixture(scope="module")
def rolled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = facts_ledger(tmp_path_factory.mktemp("facts"), tasks=TASKS)
    roll_out(folder, find_benches(), SignTest(most=512, smallest=0.1))
    return folder


@pytest.fixture(scope="module")
def report(rolled: Path) -> UtilityReport:
    return report_utility(ReadableLedger(rolled), LogicalTools(reads_only=tuple(DISTRACTORS)))


def test_the_advice_drops_exactly_the_useless_tools(report: UtilityReport) -> None:
    actions = {one.tool: one.action for one in report.advice}
    assert {tool for tool, action in actions.items() if action == "drop"} == set(DISTRACTORS)
    assert actions["search_archive"] == actions["lookup_index"] == "keep"
    # It never helps either, but it writes.
    assert actions["write_note"] == "watch"


def test_tools_that_read_the_same_pages_are_named_together(report: UtilityReport) -> None:
    same = {one.tool: one.same_work for one in report.advice if one.same_work}
    assert same == {"search_archive": ("lookup_index",), "lookup_index": ("search_archive",)}


def test_the_expected_saving_is_what_schemas_and_calls_cost(
    rolled: Path, report: UtilityReport
) -> None:
    gossip = next(one for one in report.advice if one.tool == "get_gossip")
    ledger = Ledger(rolled)
    parts = ledger.read("parts").filter(pl.col("name") == "get_gossip")
    assert gossip.saving.cost == pytest.approx(parts["pte"].sum())
    assert gossip.saving.share == pytest.approx(
        parts["pte"].sum() / ledger.read("trajectories")["pte"].sum()
    )
    calls = ledger.read("calls")
    own = calls.filter(calls["tool"] == "get_gossip")["pte"].sum()
    assert gossip.saving.cost > own  # The schema goes too.


def test_settings_hold_eta_tools_thirds_and_streaks(report: UtilityReport) -> None:
    (setting,) = report.settings
    assert (setting.setting.benchmark, setting.setting.variant) == ("facts", "default")
    assert setting.eta.trajectories == TASKS
    assert {row.tool for row in setting.tools} == set(TOOLS)
    assert sum(third.calls for third in setting.thirds) == setting.eta.calls
    assert setting.streaks.trajectories > 0
    assert all(row.wasted_cost <= row.cost for row in setting.tools)


def test_judges_that_are_evenly_divided_give_no_label(tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=2)
    always = [ScriptedAsk(lambda _: USEFUL, "yes"), ScriptedAsk(lambda _: USELESS, "no")]
    judge_utility(ledger, always)
    report = report_utility(ReadableLedger(ledger))
    assert report.agreement.split == report.agreement.calls == len(Ledger(ledger).read("calls"))
    assert report.settings[0].eta.calls == 0
    assert "have no label" in report.notes[0]


def test_a_majority_decides_and_rollouts_are_no_vote() -> None:
    votes = [("a", "positive", 0.5), ("b", "positive", 0.7), ("c", "non_positive", 0.9)]
    assert consensus(votes) == ("positive", pytest.approx(0.6))
    assert consensus([("a", "positive", None), ("rollout", "non_positive", None)])[0] == "positive"
    assert consensus([("rollout", "non_positive", None)])[0] == "non_positive"
    assert consensus([("a", None, None)]) == (None, None)


def test_logical_tools_behind_one_function_save_only_their_calls(tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=8)
    rules = LogicalTools(
        tool=(
            Rule("quarry", "search_archive", arguments="quarry"),
            Rule("elsewhere", "search_archive"),
        ),
        leave_out=("write_*",),
    )
    judge_utility(ledger, [ScriptedAsk()], JudgeOptions(rules=rules))
    report = report_utility(ReadableLedger(ledger), rules)
    quarry = next(one for one in report.advice if one.tool == "quarry")
    assert "shares search_archive" in quarry.saving.method
    assert all(row.tool != "write_note" for row in report.settings[0].tools)
    assert any("left out by the rules" in note for note in report.notes)


def test_without_verdicts_the_command_that_adds_some_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="agentdyno judge LEDGER --kind utility"):
        report_utility(ReadableLedger(facts_ledger(tmp_path, tasks=1)))
