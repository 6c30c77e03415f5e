"""Traces whose truth nobody knows, calls that were only written, and rates with their intervals."""

from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.findings.failures import unlabelled
from agentdyno.findings.failures.agreement import Rated, rater_agreement, same_family_bias
from agentdyno.findings.failures.leaderboard import build_leaderboard
from agentdyno.findings.failures.model_profiles import profile_of
from agentdyno.findings.failures.rates import failure_rates, rates_by_domain
from agentdyno.findings.failures.texts import (
    find_claimed_call,
    find_written_calls,
    why_broken,
    why_empty,
)
from agentdyno.records import Part, ToolCall, Trajectory, Turn
from agentdyno.records.failures import Label, Labelled
from agentdyno.records.precision import how_often_right, load_measured
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


@from_set("metrics/failures/unlabelled", "why", "answer", "result", "expected")
def test_what_raises_a_doubt(
    why: str, answer: str, result: str, expected: dict[str, list[Any]]
) -> None:
    assert differences(find_doubts(_trajectory(answer, result)), expected) == {}, why


def test_only_what_there_is_something_to_look_at_for_is_checked() -> None:
    whole = _trajectory("Homes in Boise cost $478,000.")
    assert possible_checks(whole) == {"unsupported_claim", "phantom_call", "unused_call"}
    silent = Trajectory("t#1", "t", "openai_chat", whole.parts[:5], whole.turns[:1], whole.calls)
    assert possible_checks(silent) == set()
    alone = Trajectory("t#1", "t", "openai_chat", (Part("text", "Hi.", made=0),), (Turn(),), ())
    assert possible_checks(alone) == {"phantom_call"}


def test_checks_that_were_not_read_often_enough_are_off_and_named() -> None:
    off = unlabelled.off_checks()
    assert {"unsupported_claim:money", "phantom_call", "unused_call"} <= set(off)
    assert "unsupported_claim:day" not in off
    assert unlabelled.find_doubts(_trajectory("You were charged $612,500.")) == []


def test_days_are_shown_unasked_with_the_figure_of_days() -> None:
    (doubt,) = unlabelled.find_doubts(_trajectory("You were charged $612,500 on 4 March 2026."))
    read = load_measured()["unsupported_claim:day"]
    assert (doubt.slot, doubt.evidence) == ("day", "4 March 2026")
    assert doubt.confidence == read.right / read.read >= 0.8
    assert f"day: {read.right} of {read.read} real findings" in how_often_right(doubt.kind)


@given(st.text(max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    find_written_calls(text, {"a_tool"})
    why_broken(text)


@from_set("metrics/failures/unlabelled", "text")
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
    assert why_empty(" \n") == "the answer is empty"


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
        None: 4,
    }
    found = failure_rates(_rows(counts))
    ctur = found.rates["CTUR"]
    assert ctur.value == pytest.approx(0.8633, abs=5e-5)
    assert ctur.low == pytest.approx(0.8367, abs=5e-5)
    assert ctur.high == pytest.approx(0.8861, abs=5e-5)
    assert (found.required, found.unlabelled) == (746, 4)
    names = ("TSR", "CTUR", "RIR", "OFR")
    assert sum(found.rates[name].value or 0 for name in names) == pytest.approx(1)
    assert found.rates["UTR"].value is None


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


def test_the_leaderboard_ranks_tests_and_keeps_broken_runs_apart() -> None:
    good = _rows({"correct": 90, "tool_skip": 10})
    fair = _rows({"correct": 60, "tool_skip": 40})
    salad = _rows({"result_ignore": 100}, broken=True)
    board = build_leaderboard({"fair": fair, "salad": salad, "good": good})
    got = [(s.model, s.rank) for s in board.standings]
    assert got == [("good", 1), ("fair", 2), ("salad", None)]
    (test,) = board.tests
    # z = 0.3 / sqrt(0.75 * 0.25 * 2 / 100) = 4.899; 30 tasks only the better one has.
    assert (test.z, test.z_p_holm) == (pytest.approx(4.899, abs=1e-3), test.z_p)
    assert test.mcnemar_p == pytest.approx(4.3e-8, rel=0.05)  # chi-square 30


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
