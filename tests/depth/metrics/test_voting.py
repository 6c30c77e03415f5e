"""Every method on samples made by hand."""

import pytest

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
from agentdyno_depth.records.thinking import PrefixScores, Sample
from tests.studies.thinking_pools import sample

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


def test_cons_lets_everybody_vote_and_the_first_of_a_tie_wins():
    decision = decide("cons", SIX)
    assert (decision.answer, decision.accuracy, decision.cost_tokens) == ("7", 1.0, 660)


def test_mean_is_the_share_of_right_samples():
    decision = decide("mean", SIX)
    assert (decision.answer, decision.accuracy, decision.cost_tokens) == (None, 0.5, 660)


def test_long_votes_by_the_longest_half_and_pays_for_everything():
    # 200 (7), 150 (7), 120 (9)
    decision = decide("long", SIX)
    assert (decision.answer, decision.accuracy, decision.cost_tokens) == ("7", 1.0, 660)


def test_short_votes_by_the_shortest_half_and_stops_the_rest_with_its_longest():
    # 40 (9), 60 (7), 90 (9): 190 tokens, and 3 * 90 of the others
    decision = decide("short", SIX)
    assert (decision.answer, decision.accuracy) == ("9", 0.0)
    assert decision.cost_tokens == decision.generated_tokens == 190 + 3 * 90


def test_self_certainty_votes_by_the_most_certain_prefixes():
    # 9.0 (9), 8.0 (9), 7.0 (9): 90 + 120 + 40 tokens, and 3 * 50
    decision = decide("self_certainty", SIX)
    assert (decision.answer, decision.accuracy) == ("9", 0.0)
    assert decision.cost_tokens == decision.generated_tokens == 250 + 150


def test_think_votes_by_the_deepest_prefixes():
    # 0.40 (7), 0.35 (7), 0.30 (9): 150 + 200 + 90 tokens, 3 * 50; the one of 40 wrote only 40
    decision = decide("think", SIX)
    assert (decision.answer, decision.accuracy) == ("7", 1.0)
    assert (decision.cost_tokens, decision.generated_tokens) == (440 + 150, 440 + 140)


def test_ranking_whole_samples_saves_nothing():
    assert decide("think", SIX, prefix=None).cost_tokens == 660


def test_any_score_of_a_prefix_ranks():
    samples = [
        sample("7", log_prob=-2.0, entropy=0.1),
        sample("9", log_prob=-0.5, entropy=3.0),
    ]
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
