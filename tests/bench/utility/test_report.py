"""What a ledger's verdicts say in a report: numbers worked by hand, and the whole from a world."""

from pathlib import Path

import pytest

from agentdyno.findings.patterns import unshown_patterns
from agentdyno.ledger.reader import Ledger
from agentdyno.matching.logical_tools import LogicalTools
from agentdyno.pipelines.report import build_report
from agentdyno.reports.topic import PlaneChart, RowsChart, Topic, Value
from agentdyno.reports.topics.cost.waste import render_waste
from agentdyno.studies.cost.patterns import patterns
from agentdyno.studies.cost.results import Waste
from agentdyno_bench.app.restoring import find_benches
from agentdyno_bench.shared.judging import judge_ledger
from agentdyno_bench.shared.judging.verdicts import add_verdicts, volumes_of
from agentdyno_bench.shared.records.verdicts import Verdict
from agentdyno_bench.shared.verdicts.answer_kind import AnswerKind
from agentdyno_bench.tps.completion_kind import CompletionKind
from agentdyno_bench.utility.findings.rollouts import SignTest
from agentdyno_bench.utility.rollouts.run import roll_out
from tests.bench.shared.judges.answering import FORMS, good
from tests.bench.shared.judging.worlds import ScriptedAsk, facts_ledger, judge_utility
from tests.pipelines.ledger_builder import LedgerRows
from tests.reports.telling import table_of, told, value_of

USEFUL, USELESS = "positive", "non_positive"


def _verdict(name: str, turn: int, label: str | None, judge: str = "utility") -> Verdict:
    return Verdict(
        kind="utility",
        trajectory_id=name,
        turn=turn,
        call=0,
        judge=judge,
        model="m1",
        label=label,
        problem=None if label else "the answer is empty",
        rubric="",
        digest=f"{name}{turn}{judge}{label}",
    )


def _by_hand(folder: Path, *more: Verdict) -> Topic:
    """Three trajectories: 1 of 3 calls useful, 1 of 1, and one without calls."""
    rows = LedgerRows()
    rows.trajectory("a", pte=60.0, usd=6.0, task_id="t1").trajectory(
        "b", 10.0, usd=1.0, task_id="t2"
    )
    rows.trajectory("c", 5.0, task_id="t3")
    rows.call("a", 0, "search", pte=10.0).call("a", 1, "search", pte=30.0)
    rows.call("a", 2, "gossip", pte=20.0).call("b", 0, "search", pte=10.0)
    ledger = rows.write(folder)
    volume = next(iter(set(volumes_of(Ledger(ledger)).values())))
    labels = [("a", 0, USEFUL), ("a", 1, USELESS), ("a", 2, USELESS), ("b", 0, USEFUL)]
    verdicts = [*(_verdict(*one) for one in labels), *more]
    add_verdicts(ledger, [(volume, verdict) for verdict in verdicts])
    topic = told("utility", ledger)
    assert topic is not None
    return topic


def _row(topic: Topic, title: str, first: str) -> dict[str, Value]:
    table = table_of(topic, title)
    row = next(row for row in table.rows if row[0] == first)
    return {column.title: cell for column, cell in zip(table.columns, row, strict=True)}


def test_the_numbers_by_setting_are_those_worked_by_hand(tmp_path: Path) -> None:
    row = _row(_by_hand(tmp_path / "ledger"), "Efficiency by setting", "m")
    # eta: (1/3 + 1) / 2 over the two that have one; pooled 2 of 4.
    assert value_of(row["eta, mean"]) == pytest.approx(2 / 3)
    assert value_of(row["eta, pooled"]) == pytest.approx(0.5)
    assert [row[name] for name in ("trajectories", "without eta", "judged calls", "useful")] == [
        3, 1, 4, 2,
    ]  # fmt: skip


def test_the_numbers_by_tool_are_those_worked_by_hand(tmp_path: Path) -> None:
    topic = _by_hand(tmp_path / "ledger")
    search = _row(topic, "By tool", "search")
    assert [search[name] for name in ("calls", "useful", "not useful", "utility")] == [3, 2, 1, 1]
    assert (search["PTE"], search["wasted PTE"]) == (50.0, 30.0)
    # 0.10 USD for a PTE in both trajectories; +1 for 50 PTE is 20 for 1,000.
    assert search["cost"] == pytest.approx(5.0)
    assert search["utility per 1,000 PTE"] == pytest.approx(20.0)
    gossip = _row(topic, "By tool", "gossip")
    assert (gossip["utility"], gossip["wasted PTE"]) == (-1, 20.0)
    assert gossip["utility per 1,000 PTE"] == pytest.approx(-50.0)


def test_the_lead_says_how_many_helped_and_what_the_others_took(tmp_path: Path) -> None:
    topic = _by_hand(tmp_path / "ledger")
    assert topic.title == "Did the calls help?"
    assert topic.lead.startswith("In 2 trajectories with judged calls, on average 66.7 %"), (
        topic.lead
    )
    assert "of all 4 calls together, 50.0 %" in topic.lead
    assert "took 50 PTE, 71.4 % of what calls took" in topic.lead  # 30 + 20 of 50 + 20.
    assert "No tool is so surely useless that it should be dropped." in topic.lead
    assert any("1 trajectory has no judged call" in note for note in topic.notes)


def test_charts_show_shares_waste_and_the_plane(tmp_path: Path) -> None:
    shares, waste, plane = _by_hand(tmp_path / "ledger").charts
    assert isinstance(shares, RowsChart)
    assert (shares.style, shares.middle) == ("points", 0.5)
    assert [row.name for row in shares.rows] == ["search", "gossip"]
    assert shares.rows[0].note == "2 of 3"
    assert isinstance(waste, RowsChart)
    got = [(row.name, row.reading.value) for row in waste.rows]
    assert got == [("search", 30.0), ("gossip", 20.0)]
    assert isinstance(plane, PlaneChart)
    listed = [(p.name, p.x.value, p.y.value) for p in plane.points]
    assert listed == [("search", 50.0, 1.0), ("gossip", 20.0, -1.0)]


def test_streaks_are_told_with_what_they_took(tmp_path: Path) -> None:
    topic = _by_hand(tmp_path / "ledger", _verdict("a", 0, USELESS))
    assert table_of(topic, "streaks").rows == [["a", "m", 3, 0, 60.0]]


def test_places_and_agreement_are_told(tmp_path: Path) -> None:
    more = [_verdict("a", turn, USELESS, "second") for turn in range(3)]
    topic = _by_hand(tmp_path / "ledger", *more)
    thirds = table_of(topic, "By third")
    # Of a's three calls the first is divided: its other two and b's only one have a place.
    assert [row[:4] for row in thirds.rows] == [["all", "first", 2, 1], ["all", "middle", 1, 0]]
    agreement = table_of(topic, "How far judges agree").rows[0]
    # Calls 0 to 2 of `a` have two labels; on the first the judges are divided.
    assert (agreement[1], agreement[3]) == (3, 1)


def test_calls_that_nobody_could_judge_are_said_and_not_counted(tmp_path: Path) -> None:
    topic = _by_hand(tmp_path / "ledger", *[_verdict("b", 0, None, "utility")])
    row = _row(topic, "Efficiency by setting", "m")
    assert (row["judged calls"], row["no label"]) == (3, 1)
    assert any("1 of 4 calls have no label" in note for note in topic.notes)


def test_a_ledger_without_verdicts_has_no_such_topic(tmp_path: Path) -> None:
    ledger = LedgerRows().trajectory("a").write(tmp_path / "ledger")
    assert told("utility", ledger) is None


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    ledger = facts_ledger(tmp_path_factory.mktemp("topic"), tasks=12)
    roll_out(ledger, find_benches(), SignTest(most=256, smallest=0.1))
    judge_utility(ledger, [ScriptedAsk()])
    return ledger


def test_advice_and_rollouts_of_a_world_are_in_the_report(world: Path) -> None:
    held_back = told("utility", world)
    assert held_back == told("utility", world)
    assert "did not help either, but may write: " in held_back.lead
    rules = LogicalTools(reads_only=("get_gossip",))
    (topic,) = build_report(world, ("utility",), rules=rules).topics
    advice = {row[0]: row for row in table_of(topic, "Advice").rows}
    assert advice["get_gossip"][1] == "drop"
    assert "drop get_gossip" in topic.lead
    assert not any("No rollouts stand" in note for note in topic.notes)
    saved = advice["get_gossip"][5]
    assert isinstance(saved, float)
    assert f"{100 * saved:.1f} % less PTE" in topic.lead
    against = table_of(topic, "Judges against rollouts").rows[0]
    assert against[0] == "utility (scripted)"
    assert value_of(against[2]) > 0.8  # type: ignore[operator]


def test_other_verdicts_have_a_table_of_their_own(tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=2)
    tasks = Ledger(ledger).read("trajectories")["task_id"].to_list()
    answers = {tasks[0]: "x"}
    reply = good(FORMS["answer"], 1)
    judge_ledger(ledger, AnswerKind(answers), [ScriptedAsk(lambda _: reply)])
    judge_ledger(ledger, CompletionKind(), [ScriptedAsk(lambda _: good(FORMS["completion"]))])
    topic = told("utility", ledger)
    assert topic.charts == []
    assert topic.lead == (
        "Nobody has judged yet which calls helped. Answer: 1 of 2 verdicts with a label. "
        "Completion: 2 of 2 verdicts with a label."
    )
    right = table_of(topic, "Is the answer right")
    assert right.rows[0][2:4] == ["wrong", 1]
    assert [column.title for column in right.columns][-1] == "of those with a label"
    assert right.rows[1][:2] == ["all", "all"]
    assert str(right.rows[1][2]).startswith("no label: no reference answer")
    assert right.rows[1][3] == 1
    done = table_of(topic, "Which parts are done").rows[0]
    assert (done[2], done[3]) == ("complete", 2)
    assert value_of(done[5]) == 1.0


def test_findings_of_unmeasured_patterns_are_counted_and_named(tmp_path: Path) -> None:
    hidden = unshown_patterns()[0]
    rows = LedgerRows().trajectory("a").turn("a", 0).pattern("a", hidden).pattern("a", hidden)
    found = patterns(rows.pattern("a", "lack_of_tool_priors").frames(tmp_path))
    assert (found.found, found.unproven) == (1, {hidden: 2})
    said = " ".join(render_waste(Waste(found)).notes)
    assert f"{hidden.replace('_', ' ')} (2)" in said
    assert "--unproven" in said
