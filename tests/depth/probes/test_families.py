"""Model families on tiny models: readout, states, architectures, depth while generating,
recording."""

import pytest

from agentdyno.records import InputError
from tests.depth.probes.families_tiny import FAMILIES, build_tiny, sequences, tiny, torch

from agentdyno_depth.probes.families import family_of  # isort: skip

from agentdyno_depth.probes.recording import record_states  # isort: skip

import tomllib
from pathlib import Path
from typing import Any

from agentdyno.cost.architectures import load_architectures
from agentdyno.cost.config_reader import ConfigReader
from agentdyno.cost.shape import Architecture
from agentdyno_depth.probes.architecture_walk import walk_architecture
from agentdyno_depth.records.depth import Thresholds
from tests.depth.probes.families_tiny import NINE

from agentdyno_depth.probes.generating import Batch, Sampling, draw  # isort: skip

from agentdyno_depth.probes.online import OnlineDepth  # isort: skip

from agentdyno_depth.probes.profiles import label_sequences  # isort: skip

import tracemalloc

from agentdyno_depth.probes.profiles import record_profiles  # isort: skip

from agentdyno_depth.probes.recording import cache_bytes  # isort: skip


@pytest.mark.parametrize("model_type", FAMILIES)
def test_the_readout_of_the_last_state_is_the_models_own_logits(model_type: str) -> None:
    opened = tiny(model_type)
    (sequence,) = sequences((4, 9))
    (block,) = record_states(opened.model, opened.family, [sequence])
    ours = opened.readout.logits(opened.readout.normalize(block.states[-1]))
    ids = torch.tensor([sequence.prompt + sequence.response])
    with torch.no_grad():
        theirs = opened.model(ids).logits[0, 3:12]
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("model_type", FAMILIES)
def test_states_are_hidden_states_without_the_embedding_and_before_the_norm(
    model_type: str,
) -> None:
    opened = tiny(model_type)
    (sequence,) = sequences((3, 6))
    (block,) = record_states(opened.model, opened.family, [sequence])
    ids = torch.tensor([sequence.prompt + sequence.response])
    with torch.no_grad():
        hidden = opened.model(ids, output_hidden_states=True).hidden_states
    assert len(block.states) == len(hidden) - 1
    for state, expected in zip(block.states[:-1], hidden[1:-1], strict=True):
        torch.testing.assert_close(state, expected[0, 2:8], rtol=1e-4, atol=1e-4)
    # The library norms its last entry; ours is normed by the readout.
    last = opened.readout.normalize(block.states[-1])
    torch.testing.assert_close(last, hidden[-1][0, 2:8], rtol=1e-4, atol=1e-4)


def test_a_model_with_another_way_to_logits_says_what_to_declare() -> None:
    opened = build_tiny("llama")
    opened.model.config.model_type = "novel"
    opened.model.lm_head.register_forward_hook(lambda module, inputs, logits: 1.5 * logits)
    with pytest.raises(InputError, match=r"(?s)No adapter for models of type 'novel'.*--readout"):
        family_of(opened.model)


def test_a_declared_family_reads_like_a_known_one() -> None:
    opened = tiny("granite")
    family = family_of(opened.model, "decoder=model,norm=model.norm,scale=2.5,soft_cap=none")
    state = torch.randn(3, 32)
    known = opened.readout.logits(opened.readout.normalize(state))
    readout = family.readout(opened.model)
    assert torch.equal(readout.logits(readout.normalize(state)), known)


def test_a_declaration_says_where_the_layers_are() -> None:
    opened = tiny("gpt2")
    declared = "decoder=transformer,layers=transformer.h,norm=transformer.ln_f"
    family = family_of(opened.model, declared)
    assert list(family.layers) == list(opened.family.layers)
    (sequence,) = sequences((3, 6))
    (known,) = record_states(opened.model, opened.family, [sequence])
    (found,) = record_states(opened.model, family, [sequence])
    assert torch.equal(found.states, known.states)


def test_a_declaration_that_misses_the_norm_is_refused() -> None:
    with pytest.raises(InputError, match="expected decoder=PATH,norm=PATH"):
        family_of(tiny("llama").model, "decoder=model")


def test_a_declared_path_that_is_not_there_names_what_is() -> None:
    opened = tiny("llama")
    with pytest.raises(InputError, match="found no 'final'; there are: embed_tokens, layers, norm"):
        family_of(opened.model, "decoder=model,norm=model.final")


FILE = Path(__file__).parents[3] / "bench" / "architectures" / "models.toml"
MODELS: dict[str, dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))
PUBLISHED = [name for name, model in MODELS.items() if "refused" not in model]
QUICK = ("nemotron-3-nano-30b-a3b", "llama-4-maverick")
"""Mamba beside attention and experts; chunks."""


def check_published(shape: Architecture, model: dict[str, Any]) -> None:
    assert shape.total_params == pytest.approx(model["total"] * 1e9, rel=0.03)
    if "active" in model:
        # Publishers count no embedding, one or both, and round.
        embeddings = shape.vocabulary * shape.hidden_size * (1 if shape.tied_embeddings else 2)
        rounding = 0.5e9 if float(model["active"]).is_integer() else 0.05e9
        assert shape.active_params - rounding <= model["active"] * 1e9
        assert model["active"] * 1e9 <= shape.active_params + embeddings + rounding
    assert shape.layers == model["layers"]
    assert shape.full_attention_layers == model["full_attention_layers"]
    assert shape.window_layers == model["window_layers"]
    assert shape.kv_bytes_per_token == model["cache_bytes_per_token"]


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_shipped_counts_agree_with_the_published_ones(name: str) -> None:
    check_published(load_architectures()[name], MODELS[name])


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.slow]) for n in PUBLISHED]
)
def test_a_model_that_is_built_has_the_published_shape(name: str) -> None:
    built = walk_architecture(ConfigReader(MODELS[name]["config"], name))
    check_published(built, MODELS[name])
    shipped = load_architectures()[name]
    assert built.growing_numbers == shipped.growing_numbers
    assert built.windowed_numbers == shipped.windowed_numbers
    assert (built.window_tokens, built.chunked) == (shipped.window_tokens, shipped.chunked)
    assert built.state_bytes == shipped.state_bytes


@pytest.mark.parametrize(
    ("config", "found"),
    [
        # Five layers of its 43 have the cache for which it is refused.
        (MODELS["deepseek-v4-flash"]["config"] | {"num_hidden_layers": 5}, "may be compressed"),
        ({"model_type": "qwen9"}, "type 'qwen9', which transformers"),
        (
            {"model_type": "jamba", "num_hidden_layers": 10**6},
            "at most 1000 at 'num_hidden_layers'",
        ),
        ({"model_type": "jamba"}, "'num_hidden_layers', found nothing"),
        ({"model_type": "jamba", "num_hidden_layers": 4}, "'hidden_size', found nothing"),
        ({"model_type": "jamba", "num_hidden_layers": 4, "hidden_size": -3}, "found -3"),
        (
            {"model_type": "minimax_text_01", "num_hidden_layers": 4, "hidden_size": 64},
            "a type with experts, 8 by default",
        ),
        ({"model_type": "bert", "num_hidden_layers": 4, "hidden_size": 48}, "keeps no cache"),
    ],
)
def test_a_model_that_is_not_understood_is_refused(config: dict[str, Any], found: str) -> None:
    with pytest.raises(InputError, match=r"config\.json: expected") as caught:
        walk_architecture(ConfigReader(config, "config.json"))
    assert found in str(caught.value)


@pytest.mark.parametrize("every_steps", [1, 4, 100])
def test_depth_while_generating_equals_depth_afterwards(every_steps: int) -> None:
    opened = tiny("granite")
    prompts = [sequence.prompt for sequence in sequences((3, 0), (7, 0), (5, 0))]
    online = OnlineDepth(opened, 3, NINE, every_steps=every_steps)
    batch = Batch(opened, prompts, Sampling(seed=4), online)
    batch.advance(25)
    afterwards = label_sequences(opened, batch.sequences(), NINE).labels
    expected = torch.tensor([[float(row.mean()) for row in own.deep] for own in afterwards]).T
    torch.testing.assert_close(online.ratios(), expected)
    assert online.tokens().tolist() == [len(s.response) for s in batch.sequences()]
    log_probs = [float(own.confidence.log_probs.mean()) for own in afterwards]
    assert online.confidences()[0].tolist() == pytest.approx(log_probs, abs=1e-3)


def test_dropped_sequences_keep_their_counts_and_the_others_go_on() -> None:
    opened = build_tiny("granite", eos_token_id=None)
    opened.model.generation_config.eos_token_id = None
    prompts = [sequence.prompt for sequence in sequences((3, 0), (7, 0), (5, 0))]
    online = OnlineDepth(opened, 3, [Thresholds(0.5, 0.6)], every_steps=3)
    batch = Batch(opened, prompts, Sampling(temperature=0), online)
    batch.advance(5)
    batch.keep([2, 0])
    batch.advance(4)
    assert [len(s.response) for s in batch.sequences()] == [9, 5, 9]
    assert online.tokens().tolist() == [9, 5, 9]
    # Greedy decoding does not depend on who else is in the batch.
    alone = Batch(opened, [prompts[2]], Sampling(temperature=0))
    alone.advance(9)
    assert alone.sequences()[0] == batch.sequences()[2]


def test_nothing_is_counted_before_the_first_token() -> None:
    online = OnlineDepth(tiny("llama"), 2)
    assert online.ratios().isnan().all()


def test_top_p_leaves_out_the_unlikely_and_never_everything() -> None:
    logits = torch.log(torch.tensor([[0.6, 0.3, 0.1]])).repeat(200, 1)
    random = torch.Generator().manual_seed(0)
    uniform = torch.rand(200, generator=random, dtype=torch.float64)
    drawn = draw(logits, 1.0, 0.7, uniform)
    assert set(drawn.tolist()) == {0, 1}  # 0.6 alone is below 0.7; with 0.3 it is not
    assert set(draw(logits, 1.0, 0.01, uniform).tolist()) == {0}
    assert set(draw(logits, 0.0, 1.0, uniform).tolist()) == {0}


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
