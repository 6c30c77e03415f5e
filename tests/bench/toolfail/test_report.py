"""The topic on failures from rows made by hand: what it says, shows and lists."""

from pathlib import Path
from typing import Any

import pytest

from agentdyno.estimates.estimate import Estimate
from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.reader import Ledger
from agentdyno.reports.topic import PlaneChart, RowsChart, Topic, Value
from agentdyno_bench.toolfail.classify.table import add_failures
from agentdyno_bench.toolfail.studies.rated_attempts import list_rated_trajectories
from tests.pipelines.ledger_builder import LedgerRows, _frame
from tests.reports.telling import table_of, told

Attempt = tuple[str, str, str | None, float]
"""Kind of task, domain, label, PTE."""
MIXED: list[Attempt] = [
    ("required", "law", "correct", 100.0),
    ("required", "law", "correct", 100.0),
    ("required", "finance", "tool_skip", 50.0),
    ("required", "finance", "result_ignore", 150.0),
    ("control", "law", "correct", 40.0),
    ("control", "law", "unnecessary_tool_use", 60.0),
]


class Failures:
    """Collects attempts with labels; trajectories come along."""

    def __init__(self) -> None:
        self.ledger = LedgerRows()
        self.rows: list[dict[str, Any]] = []

    def model(self, model: str, attempts: list[Attempt], **fields: Any) -> "Failures":
        """One model's attempts, each with the label of what it submitted."""
        for number, (kind, domain, label, pte) in enumerate(attempts):
            name = f"{model}#{number}"
            self.ledger.trajectory(name, pte, model=model, benchmark="toolfail")
            row = {
                "trajectory_id": name, "turn": None, "call": None, "task_id": f"T-{number}",
                "domain": domain, "kind": kind, "trap": None, "label": label, "rule": "submitted",
                "evidence": "", "phantom": False, "broken": False,
            }  # fmt: skip
            self.rows.append(row | fields)
        return self

    def topic(self, folder: Path, unproven: bool = False) -> Topic:
        """What the report gets."""
        self.ledger.write(folder)
        add_failures(folder, self.rows)
        found = told("failures", folder, unproven)
        assert found is not None
        return found


def test_a_ledger_that_nobody_asked_has_no_topic(tmp_path: Path) -> None:
    LedgerRows().trajectory("a").write(tmp_path / "l")
    assert told("failures", tmp_path / "l") is None


def test_one_model_in_words(tmp_path: Path) -> None:
    topic = Failures().model("m", MIXED).topic(tmp_path / "l")
    # Wilson: 2 of 4 -> 15.0 to 85.0 %, 1 of 4 -> 4.6 to 69.9 %, 1 of 2 -> 9.5 to 90.5 %.
    assert topic.lead == (
        "m uses tools cleanly on 50.0 % (15.0 to 85.0 %) of 4 required tasks; it otherwise mostly "
        "skips the tool, on 25.0 % (4.6 to 69.9 %); it calls one for nothing on 50.0 % (9.5 to "
        "90.5 %) of 2 controls. Profile: always-call, "
        # 260 of 500 PTE are not in `correct`.
        "UTR 50%. Loops that broke took 52.0 % of all PTE."
    )
    assert (topic.anchor, topic.title) == ("failures", "Where the tool-use loop breaks")


def test_the_leaderboard_has_six_rates_with_intervals_and_the_profile(tmp_path: Path) -> None:
    topic = Failures().model("m", MIXED).topic(tmp_path / "l")
    shown: dict[str, Value] = {}
    for table in topic.tables[:3]:
        (row,) = table.rows
        shown |= dict(zip([column.title for column in table.columns], row, strict=True))
    rates = [shown[name] for name in ("TSR", "CTUR", "RIR", "OFR", "UTR", "CTRL-Acc")]
    assert all(isinstance(rate, Estimate) and rate.low is not None for rate in rates)
    assert [rate.value for rate in rates if isinstance(rate, Estimate)] == [
        0.25, 0.5, 0.25, 0.0, 0.5, 0.5,
    ]  # fmt: skip
    assert (shown["profile"], shown["required"], shown["controls"]) == ("always-call", 4, 2)
    assert [table.folded for table in topic.tables[:3]] == [False, False, True]


def test_undecided_answers_give_bounds_first_and_a_wider_rank(tmp_path: Path) -> None:
    clean, open_ended = ("required", "law", "correct", 5.0), ("required", "law", None, 5.0)
    topic = Failures().model("m", [clean, clean, open_ended]).topic(tmp_path / "one")
    assert topic.lead.startswith(
        "m uses tools cleanly on 66.7 % to 100.0 % of 3 required tasks, of which 1 is undecided."
    )
    board = topic.tables[0]
    titles = [column.title for column in board.columns]
    assert titles[:5] == ["model", "rank", "Clean, at least", "Clean, at most", "CTUR"]
    (row,) = board.rows
    assert row[2:4] == [2 / 3, 1.0]
    assert isinstance(row[4], Estimate)
    # Wilson of 2 of 3 begins at 20.8 %; that of 3 of 3 ends at 100 %.
    assert (row[4].value, row[4].n) == (1.0, 2)
    assert (row[4].low, row[4].high) == (pytest.approx(0.2077, abs=5e-5), 1.0)


def test_without_undecided_answers_there_are_no_bounds(tmp_path: Path) -> None:
    topic = Failures().model("m", MIXED).topic(tmp_path / "l")
    titles = [column.title for column in topic.tables[0].columns]
    assert titles == ["model", "rank", "CTUR", "TSR", "RIR", "OFR"]
    assert "undecided" not in topic.lead


def test_refusals_have_a_rate_of_their_own_and_count_against_the_rank(tmp_path: Path) -> None:
    refused: list[Attempt] = [("required", "law", "refused", 5.0)] * 4
    topic = Failures().model("m", [*MIXED, *refused]).topic(tmp_path / "l")
    assert "cleanly on 25.0 % (" in topic.lead
    assert "it refuses 50.0 % (" in topic.lead
    (row,) = topic.tables[0].rows
    rates = dict(zip([column.title for column in topic.tables[0].columns], row, strict=True))
    values = {name: rate.value for name, rate in rates.items() if isinstance(rate, Estimate)}
    assert values == {
        "Clean": 0.25, "CTUR": 0.5, "TSR": 0.25, "RIR": 0.25, "OFR": 0.0, "Refused": 0.5,
            "Malformed": 0.0
    }  # fmt: skip


def test_what_each_outcome_cost(tmp_path: Path) -> None:
    topic = Failures().model("m", MIXED).topic(tmp_path / "l")
    rows = {(row[1], row[2]): row[3:6] for row in table_of(topic, "What each outcome cost").rows}
    assert rows["required", "clean"] == [2, 100.0, 0.4]
    assert rows["required", "return ignored"] == [1, 150.0, 0.3]
    assert rows["control", "needless call"] == [1, 60.0, 0.12]
    chart = next(c for c in topic.charts if c.name == "failure-costs")
    assert isinstance(chart, RowsChart)
    assert [(row.name, row.reading.value) for row in chart.rows] == [
        ("clean", 0.48),
        ("return ignored", 0.3),
        ("needless call", 0.12),
        ("tool skipped", 0.1),
    ]


def test_two_models_are_ranked_tested_and_drawn(tmp_path: Path) -> None:
    clean: list[Attempt] = [("required", "law", "correct", 10.0)] * 30
    skips: list[Attempt] = [("required", "law", "tool_skip", 10.0)] * 30
    control: list[Attempt] = [("control", "law", "correct", 10.0)]
    made = Failures().model("worse", skips + control).model("better", clean + control)
    topic = made.topic(tmp_path / "l")
    assert topic.lead.startswith(
        "Of 2 models better uses tools best: cleanly on 100.0 % (88.6 to 100.0 %) of "
        "30 required tasks; 1 of the other 1 is worse beyond chance. Profiles: 1 disciplined, "
        "1 tool-skip."
    )
    (test,) = table_of(topic, "Every pair of models tested").rows
    assert test[:3] == ["better", "worse", 1.0]
    # McNemar: 30 pairs differ, all to one side: chi-square (30 - 0)² / 30 = 30.
    assert test[5] == pytest.approx(4.32e-8, rel=0.01)
    plane = topic.charts[0]
    assert isinstance(plane, PlaneChart)
    got = [(p.name, p.x.value, p.y.value, p.group) for p in plane.points]
    assert got == [("better", 1.0, 0.0, "disciplined"), ("worse", 0.0, 0.0, "tool-skip")]
    domains = topic.charts[1]
    assert isinstance(domains, RowsChart)
    assert [row.name for row in domains.rows] == ["law, better", "law, worse"]


def test_many_models_share_a_row_by_their_median(tmp_path: Path) -> None:
    made = Failures()
    for number in range(20):
        ignored = ["result_ignore"] * (number // 5) + ["correct"] * (3 - number // 5)
        attempts: list[Attempt] = [("required", "law", label, 1.0) for label in ignored]
        attempts += [("required", "finance", "correct", 1.0), ("control", "law", "correct", 1.0)]
        made.model(f"m{number}", attempts)
    topic = made.topic(tmp_path / "l")
    plane, domains = topic.charts[:2]
    assert isinstance(plane, PlaneChart)
    assert not plane.named
    assert {point.group for point in plane.points} == {"disciplined", "mixed"}
    assert isinstance(domains, RowsChart)
    # Five models each at 0, 1/3, 2/3 and 1.
    law = next(row.reading for row in domains.rows if row.name == "law")
    assert (law.low, law.value, law.high, law.n) == (0.0, 0.5, 1.0, 20)
    assert "of 20 models" in domains.title


def test_models_whose_names_would_touch_are_told_apart_by_a_legend(tmp_path: Path) -> None:
    plane = Failures().model("m", MIXED).model("n", MIXED).topic(tmp_path / "l").charts[0]
    assert isinstance(plane, PlaneChart)
    assert not plane.named
    assert [point.group for point in plane.points] == ["m", "n"]


def test_broken_output_stands_apart(tmp_path: Path) -> None:
    made = Failures().model("m", MIXED).model("salad", MIXED, broken=True)
    topic = made.topic(tmp_path / "l")
    assert "salad stands apart and is not scored: 100% of the answers are broken." in topic.lead
    places = {row[0]: row[1] for row in topic.tables[0].rows}
    assert places == {"m": "1", "salad": "apart"}
    assert any(note.startswith("6 answers are broken output") for note in topic.notes)
    plane = topic.charts[0]
    assert isinstance(plane, PlaneChart)
    assert [point.name for point in plane.points] == ["m"]


def test_judges_are_listed_beside_the_rules_and_their_agreement(tmp_path: Path) -> None:
    made = Failures().model("m", MIXED, rule="paper")
    own = list(made.rows)
    for rater in ("decision_tree:a", "evidence_first:b", "ensemble"):
        made.rows += [row | {"rule": rater} for row in own[:5]]
        made.rows.append(own[5] | {"rule": rater, "label": None})
    topic = made.topic(tmp_path / "l")
    title = "By rater: the rule, judges, and their vote, answered in prose"
    undecided = {row[1]: row[-1] for row in table_of(topic, title).rows}
    assert undecided == {"paper": 0, "decision_tree:a": 1, "evidence_first:b": 1, "ensemble": 0}
    title = "How far the raters agree, answered in prose"
    agreed = {row[0]: row[2] for row in table_of(topic, title).rows}
    kappa = agreed["paper / decision_tree:a"]
    assert isinstance(kappa, Estimate)
    assert kappa.value == 1
    assert topic.notes[0].startswith("Labels by the vote of the published rule and judges")
    assert any("Over 5 answers that every rater labelled" in note for note in topic.notes)


def test_judges_that_came_later_join_the_vote(tmp_path: Path) -> None:
    made = Failures().model("m", MIXED, rule="paper")
    folder = tmp_path / "l"
    made.topic(folder)
    said: list[tuple[str, str, str | None]] = [
        # Both judges overrule the skip; on the ignored return they differ, and the rule stays.
        ("m#2", "decision_tree", "correct"),
        ("m#2", "evidence_first", "correct"),
        ("m#3", "decision_tree", "correct"),
        ("m#3", "evidence_first", "output_fabrication"),
        ("m#3", "evidence_first~2", "correct"),
        # This judge did not know the truth and uses other words.
        ("m#3", "blind", "looks_fine"),
    ]
    rows = [
        {"trajectory_id": place, "kind": "failure", "judge": judge, "model": "j", "label": label}
        for place, judge, label in said
    ]
    add_derived(folder, "verdicts", _frame("verdicts", rows))
    found = {each.trajectory_id: each.labels for each in list_rated_trajectories(Ledger(folder))}
    assert (found["m#2"]["ensemble"], found["m#3"]["ensemble"]) == ("correct", "result_ignore")
    assert set(found["m#3"]) == {"paper", "decision_tree:j", "evidence_first:j", "ensemble"}
    assert "ensemble" not in found["m#0"]
    topic = told("failures", folder)
    # The judges did not see everything.
    assert topic.notes[0].startswith("Labels by the published rule")


def test_two_suites_in_one_ledger_are_not_mixed(tmp_path: Path) -> None:
    made = Failures().model("m", MIXED)
    made.ledger.tables["trajectories"][0]["benchmark"] = "toolfail-seed-5"
    board = made.topic(tmp_path / "l").tables[0]
    assert {row[0] for row in board.rows} == {"m, toolfail", "m, toolfail-seed-5"}


def _doubted(rule: str, evidence: str) -> Failures:
    """Four trajectories, of which a check doubts the first."""
    made = Failures()
    for number in range(4):
        name = f"t#{number}"
        made.ledger.trajectory(name, 100.0)
        row = {
            "trajectory_id": name, "turn": None, "call": None, "task_id": None, "domain": None,
            "kind": None, "trap": None, "label": "doubtful" if number == 0 else "clear",
            "rule": rule, "evidence": evidence, "phantom": False, "broken": None,
        }  # fmt: skip
        made.rows.append(row)
    return made


def test_doubts_alone_make_a_topic(tmp_path: Path) -> None:
    made = _doubted("phantom_call", "")
    off = made.topic(tmp_path / "off")
    assert off.lead == "The checks that need no truth are off."
    assert "call that was not executed. Option --unproven" in off.notes[-1]
    topic = made.topic(tmp_path / "l", unproven=True)
    assert topic.lead == (
        "By checks that need no truth, 25.0 % (4.6 to 69.9 %) of 4 trajectories have a call that "
        "was not executed."
    )
    assert [chart.name for chart in topic.charts] == ["failure-doubts"]
    assert [table.title for table in topic.tables] == ["Doubts, by checks that need no truth"]


def test_what_an_older_version_wrote_is_named_once_and_the_rest_is_read(tmp_path: Path) -> None:
    made = Failures().model("m", MIXED, rule="paper")
    claims = [row | {"rule": "unsupported_claim", "label": "doubtful"} for row in made.rows[:2]]
    made.rows += [row | {"rule": "own", "label": "tool_skip"} for row in made.rows] + claims
    topic = made.topic(tmp_path / "l")
    assert "Answered in prose: m uses tools cleanly on 50.0 %" in topic.lead
    named = [note for note in topic.notes if "own" in note and "older version" in note]
    assert len(named) == 1
    assert "own (6), unsupported_claim (2)" in named[0]
    raters = {row[1] for table in topic.tables if "By rater" in table.title for row in table.rows}
    assert raters == {"paper"}


def test_a_ledger_with_nothing_but_what_was_removed_says_so(tmp_path: Path) -> None:
    topic = _doubted("unsupported_claim", "day: 4 May").topic(tmp_path / "l")
    assert (topic.lead, topic.tables, topic.charts) == ("", [], [])
    assert topic.notes == [
        "Written by an older version and not counted here, by kind and number of trajectories: "
        "unsupported_claim (4). These kinds read prose by rules and were removed."
    ]
