"""What the measures say of each other, on frames small enough to be worked by hand."""

from typing import Any

import polars as pl
import pytest

from agentdyno.reports.markdown import render_markdown
from agentdyno_train.reports.instruments import render_instruments
from agentdyno_train.studies.instruments.depths import find_separations, part_depths
from agentdyno_train.studies.instruments.predictors import habits, seconds_fits
from agentdyno_train.studies.instruments.rollout_frames import SCHEMAS, RolloutFrames
from agentdyno_train.studies.instruments.sample_choices import choices
from agentdyno_train.studies.instruments.study import study_instruments
from agentdyno_train.studies.instruments.worth import agreements, call_deltas, tool_worths


def make_frames(agents: tuple[str, ...] = ("a",), **rows: list[tuple[Any, ...]]) -> RolloutFrames:
    frames = {
        name: pl.DataFrame(rows.get(name, []), schema=schema, orient="row")
        for name, schema in SCHEMAS.items()
    }
    return RolloutFrames(agents, **frames, machine="a test")


def depth(agent: str, task: str, attempt: int, turn: int, deep: str, kinds: str) -> tuple[Any, ...]:
    return (agent, "easy", task, attempt, turn, deep, kinds, -1.0, 5.0, 5.0)


def test_depth_is_counted_by_part_and_over_the_turns_of_an_attempt() -> None:
    frames = make_frames(
        depths=[depth("a", "t", 0, 0, "100011", "nnssss"), depth("a", "t", 0, 1, "1", "t")]
    )
    found = {reading.part: reading for reading in part_depths(frames)}
    assert (found["tool names"].dtr.value, found["other letters of calls"].dtr.value) == (0.5, 0.5)
    assert (found["words"].dtr.value, found["whole attempt"].dtr.value) == (1, pytest.approx(4 / 7))
    assert (found["whole attempt"].tokens, found["turn 1"].dtr.value) == (7, 0.5)
    assert "arguments" not in found  # Nothing was written there.


def test_change_of_depth_is_paired_by_task() -> None:
    rows = [depth("a", t, 0, 0, "1000", "tttt") for t in "xyz"]
    rows += [
        depth("b", t, 0, 0, d, "tttt") for t, d in zip("xyz", ("1100", "1110", "1100"), strict=True)
    ]
    found = [r for r in part_depths(make_frames(("a", "b"), depths=rows)) if r.part == "words"]
    assert found[0].change is None
    assert (found[1].change.value, found[1].change.n) == (pytest.approx((0.25 + 0.5 + 0.25) / 3), 3)


def attempt(task: str, number: int, tokens: int, solved: bool, agent: str = "a") -> tuple[Any, ...]:
    return (agent, "tps", "easy", task, number, 1, tokens, solved, float(solved))


def test_depth_tells_right_from_wrong_where_right_ones_are_deeper() -> None:
    attempts, depths = [], []
    for number in range(6):
        task = f"t{number}"
        attempts += [attempt(task, 1, 10, True), attempt(task, 2, 20, False)]
        depths += [depth("a", task, 1, 0, "11", "tt"), depth("a", task, 2, 0, "10", "tt")]
    told = find_separations(make_frames(attempts=attempts, depths=depths))
    assert {t.outcome for t in told} == {"solved", "something granted"}
    found = {t.measure: t for t in told if t.outcome == "solved"}
    assert (found["DTR"].within.value, found["DTR"].within.low) == (1, 1)
    assert (found["DTR"].right, found["DTR"].wrong) == (6, 6)
    assert found["self-certainty"].within.value == 0.5  # All alike.
    assert found["output tokens, fewer"].within.value == 1


def test_think_at_n_keeps_the_deeper_half_and_pays_for_prefixes() -> None:
    attempts = [attempt("t", n, 100, n in (1, 3)) for n in (1, 2, 3, 4)]
    attempts += [attempt("u", n, 100, n in (1, 2)) for n in (1, 2, 3, 4)]
    bits = {1: "1111", 2: "1110", 3: "1100", 4: "1000"}
    depths = [depth("a", t, n, 0, bits[n], "tttt") for t in "tu" for n in bits]
    found = {c.method: c for c in choices(make_frames(attempts=attempts, depths=depths))}
    assert found["all samples"].mark.value == 0.5
    assert found["highest DTR"].mark.value == 0.75  # 1 of 2, and 2 of 2.
    assert found["highest DTR"].gain.value == 0.25
    assert found["highest DTR"].tokens_over_all == (200 + 2 * 50) / 400
    assert found["best in hindsight"].mark.value == 1
    assert found["best in hindsight"].tokens_over_all == 1


def futures(task: str, marks: dict[tuple[int, int], list[float]]) -> list[tuple[Any, ...]]:
    return [
        ("a", task, *cut, number, mark == 1, mark)
        for cut, values in marks.items()
        for number, mark in enumerate(values)
    ]


def test_a_call_is_worth_what_continuations_gain_by_it() -> None:
    known = futures("t", {(0, 0): [0, 0, 1, 0], (1, 1): [1, 1, 1, 0], (1, 2): [1, 1, 1, 0]})
    known += futures("t", {(2, 1): [0.5, 0.5, 0.5, 0.5]})
    calls = [
        ("a", "t", 0, 0, "search", 0, 0, True),
        ("a", "t", 0, 1, "search", 1, 1, False),
        ("a", "t", 1, 0, "mail", 1, 2, True),
    ]
    frames = make_frames(futures=known, calls=calls)
    deltas = call_deltas(frames).sort("turn", "call")
    assert deltas["delta"].to_list() == [0.5, 0.0, -0.25]
    assert deltas["solved"].to_list() == [0.5, 0.0, -0.75]
    found = {w.tool: w for w in tool_worths(frames)}
    assert found["all tools"].calls == 3
    assert found["all tools"].delta.value == pytest.approx(0.25 / 3)
    assert found["seldom called"].useful == pytest.approx(2 / 3)
    agreed = agreements(frames)[0]
    got = (agreed.both, agreed.only_continuations, agreed.only_rule, agreed.neither)
    assert got == (1, 0, 1, 1)
    assert agreed.auc.value == 0.5  # 0.5 above 0, -0.25 below it.


def test_patterns_are_set_against_attempts_without_them() -> None:
    rows = [("a", "tps_easy", f"t{n}", "repeats", n < 2, n >= 2, n / 10) for n in range(6)]
    rows += [("a", "tps_easy", f"t{n}", "never", False, True, 1.0) for n in range(6)]
    found = habits(make_frames(habits=rows))
    assert [h.pattern for h in found] == ["repeats"]
    assert (found[0].failed_with, found[0].failed_others, found[0].difference.value) == (2, 0, 1)
    assert found[0].mark.value == pytest.approx(0.05 - 0.35)  # Tasks 0, 1 against 2 to 5.


def test_seconds_that_follow_decoded_tokens_are_found_to() -> None:
    turns = [
        ("a", "easy", f"t{n}", -1, 0, 1000 - 37 * (n % 3), 1000 - 37 * (n % 3), 50 * n, 0.5 * n)
        for n in range(1, 9)
    ]
    found = {f.predictor: f for f in seconds_fits(make_frames(turns=turns), "h200")}
    assert found["output tokens"].pearson.value == pytest.approx(1)
    assert found["output tokens"].attempts == 8
    assert found["output tokens"].seconds == pytest.approx(18)
    assert found["turns"].pearson.value is None  # Always one.
    assert seconds_fits(make_frames(), "h200") == []


def test_what_nobody_played_is_not_told() -> None:
    found = study_instruments(make_frames(), "h200")
    assert render_instruments(found) == []


def test_every_answer_is_told_with_its_numbers() -> None:
    attempts, depths = [], []
    for number in range(6):
        for which in (1, 2):
            attempts.append(attempt(f"t{number}", which, 30, which == 1))
            depths.append(
                depth("a", f"t{number}", which, 0, "1" * which + "0" * (3 - which), "nat")
            )
    found = study_instruments(
        make_frames(
            attempts=attempts,
            depths=[*depths, depth("a", "t0", 0, 0, "100", "nat")],
            futures=futures("t", {(0, 0): [0.0], (1, 1): [1.0]}),
            calls=[("a", "t", 0, 0, "search", 0, 0, True)],
        ),
        "h200",
    )
    text = render_markdown(render_instruments(found))
    assert "AUC of DTR 0.00" in text  # Wrong attempts are the deeper ones here.
    assert "Think@n" in text or "Think\\@n" in text
    assert "agree on 1 of 1 calls" in text
