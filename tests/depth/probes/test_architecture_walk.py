"""Models of 2025 and 2026 counted by building them, against what their publishers say."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from agentdyno.cost.architectures import load_architectures
from agentdyno.cost.config_reader import ConfigReader
from agentdyno.cost.shape import Architecture
from agentdyno.records import InputError
from agentdyno_depth.probes.architecture_walk import walk_architecture

FILE = Path(__file__).parents[3] / "bench" / "architectures" / "models.toml"
MODELS: dict[str, dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))
PUBLISHED = [name for name, model in MODELS.items() if "refused" not in model]
QUICK = ("nemotron-3-nano-30b-a3b", "granite-4.0-h-small", "llama-4-maverick", "gemma-3n-e4b")
"""Mamba with experts, Mamba beside attention, chunks, layers that share a cache."""


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
        (MODELS["deepseek-v4-flash"]["config"], MODELS["deepseek-v4-flash"]["refused"]),
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
