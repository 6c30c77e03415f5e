"""Which recorded samples vote, what that costs and which answer wins."""

import pytest

from agentdyno.measures.depth import best_first
from agentdyno_depth.records.thinking import PrefixScores, Sample
from agentdyno_depth.think.choosing import METHODS, decide, score, scores_at
from tests.studies.thinking_pools import sample


def ranked(samples: list[Sample], rank: str, prefix: int) -> list[int]:
    return best_first([score(each, rank, prefix) for each in samples])  # type: ignore[arg-type]


# Right is 7. Six samples: answer, tokens, ratio at 50, self-certainty at 50.
SIX = [
    sample("7", tokens=60, dtr=0.10, certainty=3.0),
    sample("9", tokens=90, dtr=0.30, certainty=9.0),
    sample("9", tokens=120, dtr=0.20, certainty=8.0),
    sample("7", tokens=150, dtr=0.40, certainty=1.0),
    sample("9", tokens=40, dtr=0.05, certainty=7.0),
    sample("7", tokens=200, dtr=0.35, certainty=2.0),
]


def test_any_score_of_a_prefix_ranks():
    samples = [sample("7", log_prob=-2.0, entropy=0.1), sample("9", log_prob=-0.5, entropy=3.0)]
    assert ranked(samples, "mean_log_prob", 50) == [1, 0]
    assert ranked(samples, "neg_perplexity", 50) == [1, 0]
    assert ranked(samples, "neg_entropy", 50) == [0, 1]
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


def test_samples_without_an_answer_do_not_vote_but_count_as_wrong():
    samples = [sample(None, dtr=0.9), sample(None, dtr=0.8), sample("7", dtr=0.7), sample("9")]
    assert decide("cons", samples).answer == "7"
    assert decide("mean", samples).accuracy == 0.25
    silent = decide("think", samples)
    assert (silent.answer, silent.accuracy) == (None, 0.0)


def test_an_empty_response_ranks_last_and_an_unrecorded_prefix_is_named():
    nothing = PrefixScores(50, 0, None, None, None, None)
    empty = Sample("", 0, True, (nothing,), None, False)
    assert ranked([empty, sample("7")], "self_certainty", 50) == [1, 0]
    assert ranked([empty, sample("7")], "neg_perplexity", 50) == [1, 0]
    with pytest.raises(ValueError, match="prefix 80, recorded are: 50"):
        scores_at(empty, 80)


def test_keeping_everything_is_cons_for_every_method_but_mean():
    for method in METHODS:
        if method != "mean":
            assert decide(method, [*SIX, sample("9")], keep=1.0).answer == "9"
