import tracemalloc

import pytest

from agentdyno.records import InputError
from tests.depth.probes.families_tiny import FAMILIES, NINE, sequences, tiny, torch

from agentdyno_depth.probes.profiles import label_sequences, record_profiles  # isort: skip
from agentdyno_depth.probes.recording import cache_bytes, record_states  # isort: skip


@pytest.mark.parametrize("model_type", FAMILIES)
def test_pieces_with_a_cache_equal_the_whole(model_type: str) -> None:
    opened = tiny(model_type)
    (sequence,) = sequences((5, 40))
    (whole,) = record_states(opened.model, opened.family, [sequence])
    pieces = list(record_states(opened.model, opened.family, [sequence], piece_tokens=8))
    assert len(pieces) > 4 or not opened.family.in_pieces
    together = torch.cat([piece.states for piece in pieces], 1)
    torch.testing.assert_close(together, whole.states, rtol=1e-3, atol=1e-3)
    assert torch.cat([piece.targets for piece in pieces]).tolist() == list(sequence.response)


@pytest.mark.parametrize("model_type", FAMILIES)
def test_padded_sequences_equal_single_ones(model_type: str) -> None:
    opened = tiny(model_type)
    several = sequences((3, 40), (8, 33))
    together = label_sequences(opened, several, NINE)
    for sequence, labels in zip(several, together.labels, strict=True):
        alone = label_sequences(opened, [sequence], NINE).labels[0]
        assert (alone.deep == labels.deep).all()
        assert alone.confidence.log_probs == pytest.approx(labels.confidence.log_probs, abs=1e-3)


def test_a_response_without_tokens_has_an_empty_profile() -> None:
    opened = tiny("llama")
    profiles = record_profiles(opened, sequences((3, 0), (3, 5)))
    assert [len(profile.token_ids) for profile in profiles] == [0, 5]
    assert profiles[0].distances["jsd"].shape == (0, 9)


def test_the_state_before_a_token_predicts_it() -> None:
    opened = tiny("llama")
    (sequence,) = sequences((4, 6))
    profile = record_profiles(opened, [sequence])[0]
    ids = torch.tensor([sequence.prompt + sequence.response])
    with torch.no_grad():
        log_probs = opened.model(ids).logits[0].log_softmax(-1)
    expected = [float(log_probs[3 + t, token]) for t, token in enumerate(sequence.response)]
    assert profile.confidence.log_probs == pytest.approx(expected, abs=1e-4)


def test_a_budget_in_bytes_decides_how_many_go_together() -> None:
    opened = tiny("llama")
    # 2 x 9 layers x 2 heads x 8 numbers x 4 bytes = 1,152 bytes a token.
    assert cache_bytes(opened.model) == 1152
    several = sequences((10, 40), (11, 40), (12, 40), (13, 40))

    def together(budget: int) -> list[int]:
        blocks = record_states(opened.model, opened.family, several, group_bytes=budget)
        return [len(block.sequences.unique()) for block in blocks]

    assert together(4 * 53 * 1152) == [4]
    assert together(2 * 53 * 1152) == [2, 2]
    assert together(1) == [1, 1, 1, 1]


def test_a_sequence_beyond_the_models_positions_is_named() -> None:
    opened = tiny("llama", max_position_embeddings=30)
    label_sequences(opened, sequences((10, 21)), NINE[:1])  # 30 positions predict 21 tokens
    with pytest.raises(InputError, match=r"response 'b': expected at most 30 tokens.* found 10 of"):
        label_sequences(opened, sequences((3, 5), (10, 22)), NINE[:1], ["a", "b"])


@pytest.mark.slow
def test_long_sequences_take_bounded_memory() -> None:
    opened = tiny("llama", num_hidden_layers=3, vocab_size=4000)
    (sequence,) = sequences((16, 32_000))
    before = _peak_bytes()
    labelled = label_sequences(opened, [sequence], NINE[:1])
    grown = _peak_bytes() - before
    assert labelled.labels[0].deep.shape == (1, 32_000)
    # All layers' logits at once would be 3 x 32,000 x 4,000 x 4 bytes = 1.5 GB, besides copies.
    assert grown < 400 * 2**20


def _peak_bytes() -> int:
    """The most this process ever held; what torch allocates is not seen by tracemalloc."""
    resource = pytest.importorskip("resource", reason="peak memory is read on Unix only")
    assert not tracemalloc.is_tracing()
    return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * 1024
