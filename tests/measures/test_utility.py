"""Marginal tool utility and tool efficiency against the paper's tables, and by hand."""

import pytest

from agentdyno.measures import utility
from agentdyno.measures.utility import Calls

TABLES_3_AND_4 = [
    ("GPT-5.3-Codex", {"grafana": (52, 27, 25), "mattermost": (7, 42, -35), "plane": (23, 53, -30)},
     (82, 204)),
    ("Gemini 3.1 Pro", {"grafana": (26, 21, 5), "mattermost": (3, 20, -17), "plane": (3, 31, -28)},
     (32, 104)),
]  # fmt: skip


@pytest.mark.parametrize(("model", "tools", "pooled"), TABLES_3_AND_4)
def test_tables_3_to_6_of_the_paper(
    model: str, tools: dict[str, tuple[int, int, int]], pooled: tuple[int, int]
) -> None:
    signs = {tool: [True] * useful + [False] * other for tool, (useful, other, _) in tools.items()}
    counted = {tool: utility.count(calls) for tool, calls in signs.items()}
    assert {tool: found.utility for tool, found in counted.items()} == {
        tool: aggregate for tool, (_, _, aggregate) in tools.items()
    }
    # The first rows of Tables 5 and 6 are the sums of Tables 3 and 4.
    every = utility.count(call for calls in signs.values() for call in calls)
    assert (every.useful, every.judged) == pooled


def test_the_grafana_variants() -> None:
    codex, gemini = Calls(58, 87 - 58), Calls(23, 43 - 23)
    assert (codex.utility, gemini.utility) == (29, 3)
    # Pooled .667 and .535 are not the printed means .720 and .593.
    assert codex.share == pytest.approx(0.667, abs=5e-4)
    assert gemini.share == pytest.approx(0.535, abs=5e-4)


def test_mean_and_pooled_efficiency_differ_and_a_trajectory_without_calls_is_in_neither() -> None:
    trajectories = [[True], [True, False, False, False], [], [None]]
    assert [utility.eta(calls) for calls in trajectories] == [1.0, 0.25, None, None]
    assert utility.mean_eta(trajectories) == 0.625
    assert utility.pooled_eta(trajectories) == 0.4
    assert utility.mean_eta([[], [None]]) is None
    assert utility.pooled_eta([]) is None


def test_a_label_other_than_positive_is_not_useful_and_no_label_is_unknown() -> None:
    assert utility.is_useful("positive") is True
    assert utility.is_useful("non_positive") is False
    assert utility.is_useful(None) is None


def test_delta_from_rollouts_is_a_difference_of_success_rates() -> None:
    assert utility.delta(10, 40, 64) == 30 / 64
    assert utility.delta(40, 10, 64) == -30 / 64


def test_confidence_is_of_one_sign_and_leaves_out_what_no_judge_said() -> None:
    verdicts = [(True, 0.8), (False, 0.9), (False, 1.0), (None, 0.1), (False, None)]
    assert utility.mean_confidence(verdicts, useful=False) == pytest.approx(0.95)
    assert utility.mean_confidence(verdicts, useful=True) == 0.8
    assert utility.mean_confidence([], useful=True) is None


def test_thirds_count_judged_calls_alone() -> None:
    # Four judged calls lie at 0, 0.75, 1.5 and 2.25; the unjudged one has no place.
    found = utility.by_third([[True, None, True, False, True], [False]])
    assert found == {"first": Calls(2, 1), "middle": Calls(0, 1), "last": Calls(1, 0)}
