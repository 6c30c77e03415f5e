"""Samples that are stopped and finished are the samples that run straight through."""

import pytest
import torch

from agentdyno_depth.engines.sampling import draw
from agentdyno_depth.probes.generating import Sampling
from agentdyno_depth.probes.many_samples import SampleKey, sample_complete, sample_stopped
from agentdyno_depth.probes.profiles import label_sequences
from agentdyno_depth.probes.recording import TokenSequence
from agentdyno_depth.records.depth import PAPER
from tests.tiny import tiny_model

PROMPTS = [[10, 20, 30], [40, 50, 60, 70, 80], [10, 20, 30], [5, 6], [90, 91, 92], [7, 7, 7, 7]]
KEYS = [SampleKey("one" if place % 2 else "two", place) for place in range(6)]


def whole(sampling: Sampling, places=range(6), prefixes=(8, 16)):
    prompts, keys = [PROMPTS[p] for p in places], [KEYS[p] for p in places]
    return sample_complete(tiny_model(), prompts, keys, sampling, 40, prefixes)


@pytest.mark.parametrize("sampling", [Sampling(0), Sampling(1.0, seed=3), Sampling(0.8, 0.9, 4)])
def test_kept_samples_finished_from_their_caches_equal_those_run_straight_through(sampling):
    chosen = [4, 0, 3]
    stopped = sample_stopped(tiny_model(), PROMPTS, KEYS, sampling, 40, 8, lambda scores: chosen)
    straight = whole(sampling)
    assert stopped.selected == (4, 0, 3)
    for place, (kept, full) in enumerate(zip(stopped.samples, straight, strict=True)):
        if place in chosen:
            assert (kept.response, kept.ended) == (full.response, full.ended)
        else:
            assert kept.response == full.response[:8]
        early, late = kept.scores[0], full.scores[0]
        assert (early.prefix, early.tokens, early.dtr) == (8, late.tokens, late.dtr)
        assert early.self_certainty == pytest.approx(late.self_certainty, abs=1e-5)


def test_a_sample_does_not_depend_on_the_others_beside_it():
    sampling = Sampling(1.0, seed=9)
    together, alone = whole(sampling), whole(sampling, places=[3])
    assert alone[0].response == together[3].response


def test_samples_of_one_prompt_differ_by_their_number_and_seed():
    sampling = Sampling(1.0, seed=1)
    keys = [SampleKey("p", number) for number in range(4)]
    first = sample_complete(tiny_model(), [[1, 2, 3]] * 4, keys, sampling, 12)
    other = sample_complete(tiny_model(), [[1, 2, 3]] * 4, keys, Sampling(1.0, seed=2), 12)
    assert len({sample.response for sample in [*first, *other]}) == 8


def test_prefix_scores_equal_those_read_off_the_finished_text():
    for prompt, sample in zip(PROMPTS, whole(Sampling(1.0, seed=7)), strict=True):
        sequence = TokenSequence(tuple(prompt), sample.response)
        (labels,) = label_sequences(tiny_model(), [sequence], [PAPER]).labels
        assert [scores.prefix for scores in sample.scores] == [8, 16, None]
        for scores in sample.scores:
            deep = labels.deep[0][: scores.prefix]
            assert (scores.tokens, scores.dtr) == (len(deep), pytest.approx(deep.mean(), abs=1e-6))
            for value, column in (
                (scores.mean_log_prob, labels.confidence.log_probs),
                (scores.entropy, labels.confidence.entropies),
                (scores.self_certainty, labels.confidence.self_certainties),
            ):
                assert value == pytest.approx(column[: scores.prefix].mean(), abs=1e-4)


def test_a_prefix_longer_than_any_response_is_the_whole_response():
    (sample,) = whole(Sampling(1.0, seed=7), places=[0], prefixes=(500,))
    long, end = sample.scores
    assert (long.prefix, end.prefix) == (500, None)
    assert (long.tokens, long.dtr) == (end.tokens, end.dtr)


def test_numbers_pick_tokens_by_their_share_of_the_probability():
    logits = torch.tensor([[0.5, 0.25, 0.25]]).log().repeat(4, 1)
    numbers = torch.tensor([0.0, 0.49, 0.51, 0.99], dtype=torch.float64)
    assert draw(logits, 1.0, 1.0, numbers).tolist() == [0, 0, 1, 2]
    # With the nucleus at 0.6 the first two tokens are left, with 2/3 and 1/3.
    assert draw(logits, 1.0, 0.6, numbers).tolist() == [0, 0, 0, 1]
    assert draw(logits, 0.0, 1.0, numbers).tolist() == [0, 0, 0, 0]
