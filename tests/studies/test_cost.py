"""Each analysis against numbers worked by hand."""

from pathlib import Path

import pytest

from agentdyno.studies.cost.attribution import expensive_calls, kind_shares, tool_shares
from agentdyno.studies.cost.by_turn import turn_series
from agentdyno.studies.cost.difficulty import difficulty, order_levels
from agentdyno.studies.cost.hardware import hardware_ranks
from agentdyno.studies.cost.latency import latency
from agentdyno.studies.cost.mixing import study_mixing
from agentdyno.studies.cost.outcomes import outcome_gaps
from agentdyno.studies.cost.patterns import patterns
from agentdyno.studies.cost.tradeoff import standings
from tests.pipelines.ledger_builder import LedgerRows


def _setting(rows: LedgerRows, variant: str, pte: float, solved: int, of: int = 20, **more: object):
    for task in range(of):
        rows.trajectory(f"{variant}{task}", pte, benchmark="b", variant=variant, task_id=str(task),
                        correct=task < solved, **more)  # fmt: skip


def test_the_front_holds_what_no_rival_beats(tmp_path: Path) -> None:
    rows = LedgerRows()
    _setting(rows, "cheap", 100.0, 12)
    _setting(rows, "good", 120.0, 14)
    _setting(rows, "bad", 130.0, 11)
    found, fronts = standings(rows.frames(tmp_path / "l"))
    by_name = {row.setting.variant: row for row in found}
    assert ([s.variant for s in fronts[0].settings], fronts[0].rivals) == (["cheap", "good"], 3)
    assert (by_name["bad"].on_front, by_name["bad"].beaten_by) == (False, by_name["cheap"].setting)
    assert by_name["good"].accuracy.value == pytest.approx(0.7)
    # 20 attempts at 130 for 11 solved: 2,600 / 11.
    assert by_name["bad"].pte_per_solved == pytest.approx(236.36, abs=0.01)


def test_settings_of_different_benchmarks_are_no_rivals(tmp_path: Path) -> None:
    rows = LedgerRows()
    rows.trajectory("a", 100.0, benchmark="x", correct=True)
    rows.trajectory("b", 900.0, benchmark="y", correct=False)
    rows.trajectory("c", 900.0, correct=False, variant="v").trajectory("d", 1.0, correct=True)
    found, fronts = standings(rows.frames(tmp_path / "l"))
    assert fronts == []
    assert {row.on_front for row in found} == {None}


def test_attempts_at_one_task_are_one_unit(tmp_path: Path) -> None:
    rows = LedgerRows()
    for attempt in range(10):
        for task in range(3):
            rows.trajectory(f"{task}-{attempt}", 10.0, task_id=str(task), correct=True)
    found, _ = standings(rows.frames(tmp_path / "l"))
    assert found[0].accuracy.n == 3
    # Three tasks that were always solved: Wilson from 3 of 3, not from 30 of 30.
    assert found[0].accuracy.low == pytest.approx(0.4385, abs=1e-4)


def test_the_first_step_effect_is_first_over_later_tokens(tmp_path: Path) -> None:
    rows = LedgerRows()
    for name in "abc":
        rows.trajectory(name)
        for turn, (tokens, pte) in enumerate(((300, 10.0), (100, 20.0), (100, 40.0))):
            rows.turn(name, turn, pte, decode_tokens=tokens)
    series = turn_series(rows.frames(tmp_path / "l"))[0]
    assert (series.first_over_later.value, series.first_longest.value) == (pytest.approx(3.0), 1.0)
    assert series.first_longest_by_chance == pytest.approx(1 / 3)
    assert series.last_over_first_pte.value == pytest.approx(4.0)
    assert [p.pte.value for p in series.points] == [10.0, 20.0, 40.0]
    assert "no spread" in (series.first_over_later.reason or "")


def test_a_curve_ends_where_too_few_trajectories_are_left(tmp_path: Path) -> None:
    rows = LedgerRows()
    for name in range(100):
        rows.trajectory(str(name))
        for turn in range(2 if name < 96 else 5):
            rows.turn(str(name), turn)
    series = turn_series(rows.frames(tmp_path / "l"))[0]
    # Four of a hundred reach the third turn: under 5 %.
    assert [p.trajectories for p in series.points] == [100, 100]


def test_failing_costs_twice_as_much(tmp_path: Path) -> None:
    rows = LedgerRows()
    for name, pte, correct in (("a", 100.0, True), ("b", 120.0, True), ("c", 220.0, False)):
        rows.trajectory(name, pte, correct=correct)
    gap = outcome_gaps(rows.frames(tmp_path / "l"))[0]
    assert (gap.ratio.value, gap.ratio.low) == (pytest.approx(2.0), None)
    assert "two tasks a side" in (gap.ratio.reason or "")


def test_a_dear_setting_with_failures_is_not_dear_failures(tmp_path: Path) -> None:
    """Within each setting failing costs nothing extra; pooled raw costs would say 10 times."""
    rows = LedgerRows()
    for i in range(10):
        rows.trajectory(f"a{i}", 10.0, model="cheap", correct=i > 0)
        rows.trajectory(f"b{i}", 100.0, model="dear", correct=i == 0)
    pooled, *single = outcome_gaps(rows.frames(tmp_path / "l"))
    assert (pooled.setting, pooled.ratio.value) == (None, pytest.approx(1.0))
    assert [g.ratio.value for g in single] == [pytest.approx(1.0)] * 2


def test_nothing_graded_gives_no_gap(tmp_path: Path) -> None:
    assert outcome_gaps(LedgerRows().trajectory("a").frames(tmp_path / "l")) == []


def test_hard_and_solved_below_easy_and_failed(tmp_path: Path) -> None:
    rows = LedgerRows()
    for name, pte, level, correct in (
        ("a", 80.0, "5", True), ("b", 120.0, "5", True), ("c", 90.0, "1", False),
        ("d", 110.0, "1", False), ("e", 30.0, "1", True), ("f", 70.0, "5", False),
    ):  # fmt: skip
        rows.trajectory(name, pte, level=level, correct=correct)
    found = difficulty(rows.frames(tmp_path / "l"))
    assert (found.levels, found.overtakes[0].share.value) == (["1", "5"], pytest.approx(0.5))
    assert found.overtakes[0].share.n == 2
    by_level = {g.level: g for g in found.gaps if g.setting is not None}
    assert by_level["1"].ratio.value == pytest.approx(100 / 30)
    assert by_level["5"].ratio.value == pytest.approx(70 / 100)
    assert (found.partials[0].controls, found.partials[0].correlation.n) == ("level", 6)


def test_levels_in_words_are_ordered_and_unknown_ones_not() -> None:
    assert order_levels(["hard", "Easy", "medium"]) == (["Easy", "medium", "hard"], True)
    schools = ["Primary School", "Senior High School", "University", "PhD"]
    assert order_levels(schools[::-1]) == (schools, True)
    assert order_levels(["10", "9", "2"]) == (["2", "9", "10"], True)
    assert order_levels(["red", "blue"]) == (["blue", "red"], False)


def test_levels_of_unknown_order_are_not_compared(tmp_path: Path) -> None:
    rows = LedgerRows()
    for i, level in enumerate(("red", "blue") * 4):
        rows.trajectory(str(i), 10.0 + i, level=level, correct=i < 4)
    found = difficulty(rows.frames(tmp_path / "l"))
    assert found.overtakes == []
    assert "order" in (found.reason or "")


def test_no_level_says_so(tmp_path: Path) -> None:
    found = difficulty(LedgerRows().trajectory("a", correct=True).frames(tmp_path / "l"))
    assert found.reason == "no graded trajectory carries a difficulty level"


def test_other_hardware_scales_only_the_decoding(tmp_path: Path) -> None:
    """1,000 prefilled and 0.001 * 1,000 * 200 = 200 for decoding; h200 has 336.875 / 756.5."""
    rows = LedgerRows()
    for i in range(4):
        rows.trajectory(str(i), 1200.0)
        rows.turn(str(i), 0, 1200.0, prefill_tokens=1000, context_tokens=1000, decode_tokens=200)
    found = hardware_ranks(rows.frames(tmp_path / "l"), "h100-pcie")
    by_name = {row.hardware: row for row in found.rows}
    assert found.rows[0].hardware == "h100-pcie"
    assert by_name["h100-pcie"].pte == pytest.approx(4800)
    assert by_name["h200"].scale == pytest.approx(0.44531, abs=1e-5)
    assert by_name["h200"].pte == pytest.approx(4 * (1000 + 200 * 0.445307), abs=0.01)
    assert by_name["h200"].trajectories.value is None
    assert "constant" in (by_name["h200"].trajectories.reason or "")


def test_other_hardware_may_turn_the_ranking(tmp_path: Path) -> None:
    """On the V100 (scale 0.1836) much decoding is cheap: 1,000 + 300 falls below 1,250 + 0."""
    rows = LedgerRows()
    for name, prefill, decode in (("a", 1000, 300), ("b", 1250, 0), ("c", 3000, 0), ("d", 9000, 0)):
        pte = prefill + 0.001 * 1000 * decode
        rows.trajectory(name, pte)
        rows.turn(name, 0, pte, prefill_tokens=prefill, context_tokens=1000, decode_tokens=decode)
    found = hardware_ranks(rows.frames(tmp_path / "l"), "h100-pcie")
    rank = {row.hardware: row.trajectories.value for row in found.rows}
    # Two neighbours of four swapped: 1 - 6 * 2 / (4 * 15) = 0.8.
    assert (rank["v100"], rank["l40s"]) == (pytest.approx(0.8), pytest.approx(1.0))


def test_unknown_hardware_gives_a_reason(tmp_path: Path) -> None:
    found = hardware_ranks(LedgerRows().trajectory("a").frames(tmp_path / "l"), "gone.toml")
    assert found.rows == []
    assert found.reason


def test_the_price_that_makes_the_time_correlates_fully(tmp_path: Path) -> None:
    rows = LedgerRows()
    for i in range(12):
        context, decode = 100 + 70 * (i % 5), 10 + 13 * (i % 7)
        seconds = 0.01 * (context + 3 * decode)
        rows.trajectory(str(i), 1.0 + i % 3, latency_seconds=seconds)
        rows.turn(str(i), 0, 1.0 + i % 3, context_tokens=context, decode_tokens=decode,
                  latency_seconds=seconds)  # fmt: skip
    found = latency(rows.frames(tmp_path / "l"))
    by = {(r.unit, r.measure): r for r in found.rows if r.model == "m"}
    assert all(
        by[u, "price 1:3"].pearson.value == pytest.approx(1.0) for u in ("turn", "trajectory")
    )
    assert (by["turn", "tokens 1:1"].pearson.value or 0.0) < 0.999
    assert {r.measure for r in found.rows} == {
        "pte", "pte_growth", "gpu_seconds", "output tokens", "tokens 1:1", "price 1:1.5",
        "price 1:3", "price 1:4", "price 1:8", "a*in + b*out", "turns",
    }  # fmt: skip
    assert by["turn", "pte"].pearson.p is None
    assert by["trajectory", "pte"].pearson.p is not None
    assert (found.turns, found.trajectories, len(found.points)) == (12, 12, 12)


def test_no_latency_says_so(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("a").turn("a", 0)
    assert latency(rows.frames(tmp_path / "l")).reason == "no turn has a latency"


def test_latencies_of_a_busy_process_are_left_out_and_counted(tmp_path: Path) -> None:
    rows = LedgerRows()
    for i in range(12):
        # Of two turns each, the second of the last four was timed by a busy process.
        rows.trajectory(str(i), 2.0 + i, latency_seconds=2.0 + i)
        rows.turn(str(i), 0, 1.0 + i, latency_seconds=1.0 + i, latency_valid=True)
        late = {"latency_seconds": 900.0, "latency_valid": False} if i >= 8 else {}
        rows.turn(str(i), 1, 1.0, **({"latency_seconds": 1.0} | late))
    found = latency(rows.frames(tmp_path / "l"))
    assert (found.turns, found.trajectories, found.left_out) == (20, 8, 4)
    by = {(r.unit, r.measure): r.pearson for r in found.rows if r.model == "m"}
    assert by["turn", "pte"].value == pytest.approx(1.0)
    assert (by["turn", "pte"].n, by["trajectory", "pte"].n) == (20, 8)


def test_only_latencies_of_a_busy_process_are_said_to_be_that(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("a", latency_seconds=1.0)
    rows.turn("a", 0, latency_seconds=1.0, latency_valid=False)
    found = latency(rows.frames(tmp_path / "l"))
    assert (found.turns, found.left_out, found.rows) == (0, 1, [])
    assert "too busy" in found.reason


def test_one_of_three_mixes_tools(tmp_path: Path) -> None:
    rows = LedgerRows()
    for name, pte in (("a", 100.0), ("b", 300.0), ("c", 800.0), ("without calls", 5.0)):
        rows.trajectory(name, pte)
    rows.call("a", 0, "search").call("b", 0, "python").call("b", 1, "python")
    rows.call("c", 0, "search").call("c", 1, "python")
    found = study_mixing(rows.frames(tmp_path / "l"))[0]
    assert (found.share.value, found.multiplier.value) == (pytest.approx(1 / 3), pytest.approx(4.0))


def test_a_pattern_in_half_of_the_trajectories_costs_twice(tmp_path: Path) -> None:
    rows = LedgerRows()
    for name, pte in (("a", 300.0), ("b", 500.0), ("c", 100.0), ("d", 300.0)):
        rows.trajectory(name, pte)
    rows.pattern("a", "lack_of_tool_priors", pte=60.0).pattern("a", "lack_of_tool_priors", pte=60.0)
    rows.pattern("b", "lack_of_tool_priors", call=1, pte=None)
    found = patterns(rows.frames(tmp_path / "l"))
    assert (found.found, found.rates[0].frequency.value) == (3, pytest.approx(0.5))
    assert found.rates[0].multiplier.value == pytest.approx(2.0)
    # Two detections on one call bear its share once: 60 of 1,200.
    assert found.rates[0].pte_share == pytest.approx(0.05)


def test_without_a_table_nobody_looked(tmp_path: Path) -> None:
    found = patterns(LedgerRows().trajectory("a").frames(tmp_path / "l"))
    assert (found.rates, found.reason) == ([], "nobody looked for patterns")


def test_shares_are_of_the_setting(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("a", 100.0).trajectory("b", 7.0, model="other")
    rows.part("a", "result", 40.0, name="t").part("a", "system", 60.0).part("b", "user", 7.0)
    rows.call("a", 0, "t", pte=40.0, request_tokens=3.0, result_tokens=9.0)
    frames = rows.frames(tmp_path / "l")
    kinds = {(k.setting.model, k.kind): k.share for k in kind_shares(frames)}
    assert kinds == {("m", "system"): 0.6, ("m", "result"): 0.4, ("other", "user"): 1.0}
    assert [(t.tool, t.calls, t.share) for t in tool_shares(frames)] == [("t", 1, 0.4)]


def test_an_expensive_call_says_how_long_it_stayed(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("a", 100.0, turns=9)
    rows.part("a", "result", 40.0, name="t", turn=1, call=0, enters=2)
    rows.call("a", 1, "t", pte=40.0)
    call = expensive_calls(rows.frames(tmp_path / "l"))[0]
    assert (call.held_turns, call.share) == (7, 0.4)
