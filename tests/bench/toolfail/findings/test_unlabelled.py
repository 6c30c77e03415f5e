"""Traces whose truth nobody knows, calls that were only written, and rates with their intervals."""

from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from agentdyno.records import Part, ToolCall, Trajectory, Turn
from agentdyno_bench.toolfail.findings import unlabelled
from agentdyno_bench.toolfail.findings.agreement import Rated, rater_agreement, same_family_bias
from agentdyno_bench.toolfail.findings.leaderboard import build_leaderboard
from agentdyno_bench.toolfail.findings.model_profiles import profile_of
from agentdyno_bench.toolfail.findings.rates import failure_rates, rates_by_domain
from agentdyno_bench.toolfail.findings.texts import (
    find_claimed_call,
    find_written_calls,
    why_broken,
)
from agentdyno_bench.toolfail.records import Label, Labelled
from tests.labelled import from_set
from tests.rows import differences

find_doubts = partial(unlabelled.find_doubts, unproven=True)
possible_checks = partial(unlabelled.possible_checks, unproven=True)


def _trajectory(answer: str, result: str = '{"city": "Boise", "price_usd": 478000}') -> Trajectory:
    parts = (
        Part("system", "You help.", enters=0),
        Part("schema", "{}", name="find_market", enters=0),
        Part("user", "What do homes in Boise cost?", enters=0),
        Part("request", "", name="find_market", call=0, made=0, enters=1),
        Part("result", result, name="find_market", call=0, enters=1),
        Part("text", answer, made=1),
    )
    call = ToolCall(0, 0, "find_market", '{"city": "Boise"}', request=3, result=4, executed=True)
    return Trajectory("t#1", "t", "openai_chat", parts, (Turn(), Turn()), (call,))


@from_set("bench/toolfail/findings/unlabelled", "why", "answer", "result", "expected")
def test_what_raises_a_doubt(
    why: str, answer: str, result: str, expected: dict[str, list[Any]]
) -> None:
    assert differences(find_doubts(_trajectory(answer, result)), expected) == {}, why


def test_only_what_there_is_something_to_look_at_for_is_checked() -> None:
    whole = _trajectory("Homes in Boise cost $478,000.")
    assert possible_checks(whole) == {"phantom_call", "unused_call"}
    silent = Trajectory("t#1", "t", "openai_chat", whole.parts[:5], whole.turns[:1], whole.calls)
    assert possible_checks(silent) == set()
    alone = Trajectory("t#1", "t", "openai_chat", (Part("text", "Hi.", made=0),), (Turn(),), ())
    assert possible_checks(alone) == {"phantom_call"}


def test_checks_that_were_not_read_often_enough_are_off_and_named() -> None:
    assert unlabelled.off_checks() == ["phantom_call", "unused_call"]
    written = 'Next: <tool_call>{"name": "find_market", "arguments": {}}</tool_call>'
    assert unlabelled.find_doubts(_trajectory(written)) == []
    assert [doubt.kind for doubt in find_doubts(_trajectory(written))] == ["phantom_call"]


@given(st.text(max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    find_written_calls(text, {"a_tool"})
    why_broken(text)


@from_set("bench/toolfail/findings/unlabelled", "text")
def test_written_calls_are_seen(text: str) -> None:
    assert find_written_calls(text, {"f"})


def test_talk_of_tools_is_no_written_call_and_executed_ones_are_no_phantom() -> None:
    assert not find_written_calls('The field "name" is f, and f(x) is a function.', {"f"})
    assert find_claimed_call("Per `f`, it is 3.", {"f"}, set()) == "Per `f"
    assert find_claimed_call("Per `f`, it is 3.", {"f"}, {"f"}) is None


def test_prose_is_not_broken_and_token_salad_is() -> None:
    assert why_broken("The share price is $3,400 as of 2 June 2031.") is None
    assert "raw tokens" in (why_broken("Ġthe Ġ<|im_end|> ▁82 <unk><unk>") or "")
    assert "repetition" in (why_broken("the " * 40) or "")
    assert why_broken(" \n") is None


def _rows(
    counts: dict[Label | None, int], kind: str = "required", **about: object
) -> list[Labelled]:
    rows: list[Labelled] = []
    for label, times in counts.items():
        for _ in range(times):
            number = f"{kind}-{len(rows)}"
            rows.append(Labelled(number, "finance", kind, label, **about))  # type: ignore[arg-type]
    return rows


def test_rates_of_the_papers_first_model() -> None:
    # Grok-4.3, Tables 2 and 6: 644 + 88 + 13 + 1 of 746.
    counts: dict[Label | None, int] = {
        "correct": 644,
        "tool_skip": 88,
        "result_ignore": 13,
        "output_fabrication": 1,
    }
    found = failure_rates(_rows(counts))
    ctur = found.rates["CTUR"]
    assert ctur.value == pytest.approx(0.8633, abs=5e-5)
    assert ctur.low == pytest.approx(0.8367, abs=5e-5)
    assert ctur.high == pytest.approx(0.8861, abs=5e-5)
    assert (ctur.n, found.required, found.undecided) == (746, 746, 0)
    assert found.rates["Clean"] == ctur
    assert found.rates["UTR"].value is None


def test_undecided_answers_widen_the_interval_and_do_not_leave_the_denominator() -> None:
    # 36 of 45 decided are clean: 80 %. If all 26 undecided failed it is 36 of 71, 50.7 %; if all
    # were clean, 62 of 71, 87.3 %. Wilson of 36 of 71 begins at 39.34 %, of 62 of 71 ends at 93.19.
    found = failure_rates(_rows({"correct": 36, "tool_skip": 9, None: 26}))
    assert found.bounds["CTUR"] == (36 / 71, 62 / 71)
    ctur = found.rates["CTUR"]
    assert (ctur.value, ctur.n) == (0.8, 45)
    assert ctur.low == pytest.approx(0.3934, abs=5e-5)
    assert ctur.high == pytest.approx(0.9319, abs=5e-5)
    assert (found.required, found.undecided) == (71, 26)


def test_nothing_decided_is_no_rate_and_may_be_any() -> None:
    found = failure_rates(_rows({None: 5}))
    ctur = found.rates["CTUR"]
    assert (ctur.value, ctur.low, ctur.high) == (None, 0.0, 1.0)
    assert found.bounds["CTUR"] == (0.0, 1.0)


def test_a_refusal_is_in_no_rate_of_the_paper_and_raises_no_rank() -> None:
    counts: dict[Label | None, int] = {
        "correct": 6, "tool_skip": 1, "result_ignore": 2, "output_fabrication": 1, "refused": 10,
    }  # fmt: skip
    found = failure_rates(_rows(counts) + _rows({"refused": 1, "correct": 3}, "control"))
    names = ("TSR", "CTUR", "RIR", "OFR")
    assert [found.rates[name].value for name in names] == [0.1, 0.6, 0.2, 0.1]
    assert {found.rates[name].n for name in names} == {10}
    assert (found.rates["Clean"].value, found.rates["Refused"].value) == (0.3, 0.5)
    assert (found.rates["CTRL-Acc"].value, found.rates["UTR"].value) == (0.75, 0.0)
    assert (found.required, found.refused, found.control) == (20, 10, 4)
    picky = _rows({"correct": 30, "refused": 70})
    honest = _rows({"correct": 80, "tool_skip": 20})
    board = build_leaderboard({"picky": picky, "honest": honest})
    assert [s.model for s in board.standings] == ["honest", "picky"]
    assert board.standings[1].rates.rates["CTUR"].value == 1


def test_rates_by_domain_are_over_that_domain_alone() -> None:
    rows = [*_rows({"correct": 3}), Labelled("x", "law", "required", "tool_skip")]
    by_domain = rates_by_domain(rows)
    assert (by_domain["finance"].rates["CTUR"].value, by_domain["law"].rates["TSR"].value) == (1, 1)


def test_profiles() -> None:
    control_ok = _rows({"correct": 10}, "control")
    control_called = _rows({"unnecessary_tool_use": 8, "correct": 2}, "control")
    clean = _rows({"correct": 8, "tool_skip": 2})
    skips = _rows({"tool_skip": 9, "correct": 1})
    phantoms = _rows({"tool_skip": 9, "correct": 1}, phantom=True)
    broken = _rows({"result_ignore": 10}, broken=True)
    assert profile_of(clean + control_ok).name == "disciplined"
    assert profile_of(clean + control_called).name == "always-call"
    assert profile_of(skips + control_ok).name == "tool-skip"
    assert profile_of(phantoms + control_ok).name == "phantom-call"
    apart = profile_of(broken + _rows({"wrong_answer": 3}, "control"))
    assert (apart.name, apart.scored) == ("broken output", False)
    assert profile_of(_rows({"refused": 6, "correct": 4}) + control_ok).name == "refusing"


def test_the_leaderboard_ranks_tests_and_keeps_broken_runs_apart() -> None:
    good = _rows({"correct": 90, "tool_skip": 10})
    fair = _rows({"correct": 60, "tool_skip": 40})
    salad = _rows({"result_ignore": 100}, broken=True)
    board = build_leaderboard({"fair": fair, "salad": salad, "good": good})
    got = [(s.model, s.rank) for s in board.standings]
    assert got == [("good", (1, 1)), ("fair", (2, 2)), ("salad", None)]
    (test,) = board.tests
    # z = 0.3 / sqrt(0.75 * 0.25 * 2 / 100) = 4.899; 30 tasks only the better one has.
    assert (test.z, test.z_p_holm) == (pytest.approx(4.899, abs=1e-3), test.z_p)
    assert test.mcnemar_p == pytest.approx(4.3e-8, rel=0.05)  # chi-square 30


def test_ranks_are_the_places_that_intervals_allow() -> None:
    # Wilson of 90, 80 and 50 of 100: [82.6, 94.5], [71.1, 86.7], [40.4, 59.6].
    models = {
        "first": _rows({"correct": 90, "tool_skip": 10}),
        "near": _rows({"correct": 80, "tool_skip": 20}),
        "far": _rows({"correct": 50, "tool_skip": 50}),
    }
    ranks = {s.model: s.rank for s in build_leaderboard(models).standings}
    assert ranks == {"first": (1, 2), "near": (1, 2), "far": (3, 3)}


def test_a_model_with_undecided_answers_can_stand_anywhere_its_bounds_reach() -> None:
    sure = _rows({"correct": 60, "tool_skip": 40})
    open_ended = _rows({"correct": 40, "tool_skip": 10, None: 50})  # 40 to 90 %; 80 % decided.
    board = build_leaderboard({"open": open_ended, "sure": sure})
    assert [(s.model, s.rank) for s in board.standings] == [("sure", (1, 2)), ("open", (1, 2))]
    (test,) = board.tests
    # With all 50 counted for the other: 60 against 90 of 100.
    assert test.difference == pytest.approx(-0.3)
    assert test.z == pytest.approx(-4.899, abs=1e-3)


def test_agreement_ties_and_overrules_by_hand() -> None:
    both: Label = "correct"
    units = [
        Rated("law", "m", {"rule": both, "a": both, "b": both}),
        Rated("law", "m", {"rule": "tool_skip", "a": "tool_skip", "b": "tool_skip"}),
        Rated("law", "m", {"rule": "result_ignore", "a": both, "b": both}),  # overruled
        Rated("finance", "n", {"rule": "result_ignore", "a": both, "b": "tool_skip"}),  # tie
        Rated("finance", "n", {"rule": both, "a": None, "b": both}),  # not by all
    ]
    found = rater_agreement(units, "rule")
    assert (found.units, found.tie_share, found.overrule_share) == (4, 0.25, 0.25)
    assert found.overall.raw == 0.5
    assert {s.name for s in found.by_domain} == {"law", "finance"}
    assert found.pairs["rule / b"].n == 5
    # a against b on four units: agree on 3; chance = (3*2 + 1*2) / 16 = 0.5 -> (0.75 - 0.5) / 0.5.
    assert found.pairs["a / b"].value == pytest.approx(0.5)


def test_same_family_bias_of_the_papers_table_7() -> None:
    ctur = {"Qwen": (71.45, 77.44), "other": (69.75, 75.92)}
    gap = same_family_bias(ctur, lambda model: model == "Qwen")
    assert gap.own_gap == pytest.approx(-5.99)
    assert gap.other_gap == pytest.approx(-6.17)  # printed -6.16
    assert gap.bias == pytest.approx(0.18)


def test_attempts_at_the_same_task_are_counted_as_one_task_in_the_interval() -> None:
    """Three equal attempts at each of ten tasks say no more than one at each."""
    once = [
        Labelled(f"t{n}", "law", "required", "correct" if n < 4 else "tool_skip") for n in range(10)
    ]
    thrice = failure_rates([*once, *once, *once]).rates["CTUR"]
    single = failure_rates(once).rates["CTUR"]
    assert (thrice.value, thrice.low, thrice.high) == (single.value, single.low, single.high)
    unlike = [*once, *(structs.replace(each, label="correct") for each in once[:6])]
    found = failure_rates(unlike).rates["CTUR"]
    assert found.value == 10 / 16
    assert found.low is not None
    assert found.low < 10 / 16
