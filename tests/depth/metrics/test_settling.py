"""Depths in numbers: where layers settle, votes, and what thinking costs."""

from typing import Any

import numpy as np
import pytest

from agentdyno_depth.metrics import (
    baselines,
    deep_thinking_ratio,
    deep_tokens,
    find_settling_depths,
    sweep,
)
from agentdyno_depth.metrics.thinking_cost import (
    count_generated,
    full_cost,
    prefix_cost,
    short_cost,
)
from agentdyno_depth.metrics.voting import (
    METHODS,
    best_first,
    count_selected,
    decide,
    majority,
    rank_samples,
    score,
    scores_at,
)
from agentdyno_depth.records.depth import Confidence, DepthProfile, Thresholds, cut_layer
from agentdyno_depth.records.thinking import PrefixScores, Sample
from tests.labelled import from_set
from tests.studies.thinking_pools import sample

FIGURE_3 = np.array([[0.96, 0.93, 0.85, 0.86, 0.82, 0.78, 0.76, 0.36, 0.08, 0.0]], np.float32)
"""Distances of the ten layers that the paper's Figure 3 draws, the first layer first."""


@from_set("depth/metrics/settling", "why", "distances", "g", "depths")
def test_where_a_token_settles(
    why: str, distances: list[list[float]], g: float, depths: list[int]
) -> None:
    assert find_settling_depths(np.array(distances, np.float32), g).tolist() == depths, why


def test_the_papers_figure_3_is_deep_from_layer_8_on() -> None:
    assert deep_tokens(FIGURE_3, Thresholds(0.5, 0.8)).tolist() == [True]
    # With rho = 0.85 the deep layers begin at ceil(8.5) = 9.
    assert deep_tokens(FIGURE_3, Thresholds(0.5, 0.85)).tolist() == [False]


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
    assert (found.length, found.mean_log_prob, found.negative_perplexity) == (0, None, None)


# Right is 7. Six samples: answer, tokens, ratio at 50, self-certainty at 50.
SIX = [
    sample("7", tokens=60, dtr=0.10, certainty=3.0),
    sample("9", tokens=90, dtr=0.30, certainty=9.0),
    sample("9", tokens=120, dtr=0.20, certainty=8.0),
    sample("7", tokens=150, dtr=0.40, certainty=1.0),
    sample("9", tokens=40, dtr=0.05, certainty=7.0),
    sample("7", tokens=200, dtr=0.35, certainty=2.0),
]
# All tokens: 60 + 90 + 120 + 150 + 40 + 200 = 660.


@pytest.mark.parametrize(
    ("way", "answer", "accuracy", "cost", "generated"),
    [
        # Everybody votes; the first of a tie wins.
        ("cons", "7", 1.0, 660, 660),
        # The share of right samples.
        ("mean", None, 0.5, 660, 660),
        # The longest half, 200 (7), 150 (7), 120 (9), is known after everything.
        ("long", "7", 1.0, 660, 660),
        # The shortest half, 40 (9), 60 (7), 90 (9): 190 tokens, and 3 * 90 of the others.
        ("short", "9", 0.0, 190 + 3 * 90, 190 + 3 * 90),
        # The most certain, 9.0 (9), 8.0 (9), 7.0 (9): 90 + 120 + 40 tokens, and 3 * 50.
        ("self_certainty", "9", 0.0, 250 + 150, 250 + 150),
        # The deepest, 0.40 (7), 0.35 (7), 0.30 (9): 150 + 200 + 90 tokens, and 3 * 50, though the
        # one of 40 wrote only 40.
        ("think", "7", 1.0, 440 + 150, 440 + 140),
    ],
)
def test_a_way_chooses_who_votes_and_who_is_paid_for(way, answer, accuracy, cost, generated):
    found = decide(way, SIX)
    assert (found.answer, found.accuracy) == (answer, accuracy)
    assert (found.cost_tokens, found.generated_tokens) == (cost, generated)


def test_ranking_whole_samples_saves_nothing():
    assert decide("think", SIX, prefix=None).cost_tokens == 660


def test_any_score_of_a_prefix_ranks():
    samples = [sample("7", log_prob=-2.0, entropy=0.1), sample("9", log_prob=-0.5, entropy=3.0)]
    assert rank_samples(samples, "mean_log_prob", 50) == [1, 0]
    assert rank_samples(samples, "neg_perplexity", 50) == [1, 0]
    assert rank_samples(samples, "neg_entropy", 50) == [0, 1]
    assert score(samples[0], "neg_perplexity", 50) == pytest.approx(-7.389, abs=1e-3)
    assert decide("neg_entropy", samples).answer == "7"


def test_a_tie_of_votes_goes_to_the_best_ranked_sample():
    # Kept are 0.4 (7) and 0.3 (9): one vote each.
    samples = [
        sample("7", dtr=0.1), sample("9", dtr=0.3), sample("9", dtr=0.2), sample("7", dtr=0.4)
    ]  # fmt: skip
    assert decide("think", samples).answer == "7"
    assert decide("cons", samples).answer == "7"
    assert decide("cons", samples[1:] + samples[:1]).answer == "9"


def test_equal_scores_rank_as_they_were_drawn():
    assert best_first([0.2, 0.3, 0.2, 0.3]) == [1, 3, 0, 2]


def test_samples_without_an_answer_do_not_vote_but_count_as_wrong():
    samples = [sample(None, dtr=0.9), sample(None, dtr=0.8), sample("7", dtr=0.7), sample("9")]
    assert decide("cons", samples).answer == "7"
    assert decide("mean", samples).accuracy == 0.25
    silent = decide("think", samples)
    assert (silent.answer, silent.accuracy) == (None, 0.0)
    assert majority([]) is None


@pytest.mark.parametrize(
    ("n", "keep", "kept"), [(48, 0.5, 24), (5, 0.5, 3), (48, 0.25, 12), (10, 0.15, 2), (3, 0.01, 1)]
)
def test_the_share_is_rounded_and_somebody_is_always_kept(n, keep, kept):
    assert count_selected(n, keep) == kept


def test_an_empty_response_ranks_last_and_an_unrecorded_prefix_is_named():
    nothing = PrefixScores(50, 0, None, None, None, None)
    empty = Sample("", 0, True, (nothing,), None, False)
    assert rank_samples([empty, sample("7")], "self_certainty", 50) == [1, 0]
    assert rank_samples([empty, sample("7")], "neg_perplexity", 50) == [1, 0]
    with pytest.raises(ValueError, match="prefix 80, recorded are: 50"):
        scores_at(empty, 80)


def test_keeping_everything_is_cons_for_every_method_but_mean():
    for method in METHODS:
        if method != "mean":
            assert decide(method, [*SIX, sample("9")], keep=1.0).answer == "9"


COSTS = {each.__name__: each for each in (count_generated, full_cost, prefix_cost, short_cost)}


@from_set("depth/metrics/settling", "why", "function", "arguments", "tokens")
def test_what_thinking_costs(why: str, function: str, arguments: list[Any], tokens: int) -> None:
    assert COSTS[function](*arguments) == tokens, why


@from_set("depth/metrics/settling", "full", "certainty", "think")
def test_keeping_24_of_48_equal_samples_after_50_tokens_costs_what_table_2_prints(
    full: float, certainty: float, think: float
) -> None:
    """Thousands of tokens of Cons@n, Self-Certainty@n and Think@n for AIME 25, AIME 24, HMMT 25 and
    GPQA-D of both models; all samples as long as the mean: what a rank that ignores length must
    cost."""
    lengths = [round(1000 * full / 48)] * 48
    ours = prefix_cost(lengths, range(24), 50)
    for printed in (certainty, think):
        # Within 3 % of the pool: kept samples are not exactly of mean length.
        assert ours / 1000 == pytest.approx(printed, abs=0.03 * full)
