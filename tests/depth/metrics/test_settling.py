import numpy as np
import pytest

from agentdyno_depth.metrics import (
    baselines,
    deep_thinking_ratio,
    deep_tokens,
    find_settling_depths,
    sweep,
)
from agentdyno_depth.records.depth import Confidence, DepthProfile, Thresholds, cut_layer

FIGURE_3 = np.array([[0.96, 0.93, 0.85, 0.86, 0.82, 0.78, 0.76, 0.36, 0.08, 0.0]], np.float32)
"""Distances of the ten layers that the paper's Figure 3 draws, the first layer first."""


def test_the_papers_figure_3_settles_at_layer_8_and_is_deep() -> None:
    assert find_settling_depths(FIGURE_3, 0.5).tolist() == [8]
    assert deep_tokens(FIGURE_3, Thresholds(0.5, 0.8)).tolist() == [True]
    # With rho = 0.85 the deep layers begin at ceil(8.5) = 9.
    assert deep_tokens(FIGURE_3, Thresholds(0.5, 0.85)).tolist() == [False]


def test_a_token_that_settles_early_and_leaves_again_has_settled_early() -> None:
    distances = np.array([[0.9, 0.4, 0.9, 0.9, 0.0]], np.float32)
    assert find_settling_depths(distances, 0.5).tolist() == [2]


def test_a_distance_of_exactly_g_has_settled() -> None:
    assert find_settling_depths(np.array([[0.9, 0.5, 0.0]], np.float32), 0.5).tolist() == [2]


@pytest.mark.parametrize(
    ("layers", "rho", "first"),
    [(30, 0.85, 26), (36, 0.85, 31), (20, 0.55, 11), (10, 0.8, 8), (10, 1.0, 10), (10, 0.01, 1)],
)
def test_the_cut_takes_rho_as_it_is_written(layers: int, rho: float, first: int) -> None:
    assert cut_layer(layers, rho) == first


def test_a_response_without_tokens_has_no_ratio() -> None:
    assert deep_thinking_ratio(np.zeros(0, dtype=np.bool_)) is None


def test_a_sweep_reads_one_profile_with_every_pair() -> None:
    distances = np.array([[0.9, 0.6, 0.3, 0.0], [0.2, 0.1, 0.1, 0.0]], np.float32)
    profile = DepthProfile(
        sequence_id="a",
        model="m",
        dtype="float32",
        layers=4,
        token_ids=np.array([1, 2]),
        tokens=(),
        distances={"jsd": distances},
        confidence=Confidence(*(np.zeros(2, np.float32) for _ in range(3))),
    )
    # g = 0.5: settled at 3 and 1; g = 0.25: at 4 and 1. The cut is at 3, then at 4.
    found = sweep(profile, [Thresholds(0.5, 0.75), Thresholds(0.5, 1.0), Thresholds(0.25, 1.0)])
    assert list(found.values()) == [0.5, 0.0, 0.5]


def test_baselines_of_two_tokens() -> None:
    confidence = Confidence(
        log_probs=np.log(np.array([0.5, 0.125], np.float32)),
        entropies=np.array([0.2, 0.4], np.float32),
        self_certainties=np.array([3.0, 5.0], np.float32),
    )
    found = baselines(confidence)
    assert (found.length, found.reverse_length) == (2, -2)
    assert found.mean_log_prob == pytest.approx(-1.3863, abs=1e-4)
    assert found.negative_perplexity == pytest.approx(-4.0, abs=1e-4)
    assert found.negative_entropy == pytest.approx(-0.3)
    assert found.self_certainty == pytest.approx(4.0)


def test_baselines_of_no_tokens_are_unknown_not_zero() -> None:
    found = baselines(Confidence(*(np.zeros(0, np.float32) for _ in range(3))))
    assert found.length == 0
    assert found.mean_log_prob is None
    assert found.negative_perplexity is None
