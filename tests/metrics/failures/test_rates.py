"""Rates, profiles, leaderboard and agreement, with figures worked by hand or from the paper."""

import pytest

from agentdyno.findings.failures.agreement import Rated, rater_agreement, same_family_bias
from agentdyno.findings.failures.leaderboard import build_leaderboard
from agentdyno.findings.failures.model_profiles import profile_of
from agentdyno.findings.failures.rates import failure_rates, rates_by_domain
from agentdyno.records.failures import Label, Labelled


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
    assert by_domain["finance"].rates["CTUR"].value == 1
    assert by_domain["law"].rates["TSR"].value == 1


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
    assert [(s.model, s.rank) for s in board.standings] == [
        ("good", 1),
        ("fair", 2),
        ("salad", None),
    ]
    (test,) = board.tests
    # z = 0.3 / sqrt(0.75 * 0.25 * 2 / 100) = 4.899; 30 tasks only the better one has.
    assert test.z == pytest.approx(4.899, abs=1e-3)
    assert test.z_p_holm == test.z_p
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
    assert found.units == 4
    assert found.tie_share == 0.25
    assert found.overrule_share == 0.25
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
