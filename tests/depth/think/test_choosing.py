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
