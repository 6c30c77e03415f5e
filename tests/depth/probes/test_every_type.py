"""Every type of causal model that transformers knows is counted as it is, or refused.

A type that a newer transformers brings is met by the same tests: what its cache keeps and what a
token computes are measured at several lengths, and must be what the counted shape says.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
from torch.utils.flop_counter import FlopCounterMode
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

from agentdyno.cost.config_reader import ConfigReader
from agentdyno.cost.hf_config import architecture_from_config
from agentdyno.cost.shape import Architecture
from agentdyno.records import InputError
from agentdyno_depth.probes.architecture_walk import _build, _read_library_config, walk_architecture

QUICK = ("qwen3", "qwen3_5_text", "gemma4_text")
TYPES = [
    pytest.param(kind, marks=() if kind in QUICK else pytest.mark.slow)
    for kind in sorted(MODEL_FOR_CAUSAL_LM_MAPPING_NAMES)
]
FEW = {"num_hidden_layers": 4}
"""Enough for every pattern of layers that a quick test looks at."""
MOST_LAYERS = 12
"""Deeper default shapes are cut to these, unless that is refused; then they are built whole."""


def read_config(kind: str, **changed: Any) -> ConfigReader:
    try:
        text = transformers.AutoConfig.for_model(kind, **changed).get_text_config().to_dict()
    except Exception as error:
        pytest.skip(f"the library has no default shape of {kind}: {error}")
    return ConfigReader({**text, "model_type": kind}, kind)


def read_configs(kind: str) -> Iterator[ConfigReader]:
    """The library's default shape, after one with fewer layers where it is deep."""
    if kind in QUICK:
        yield read_config(kind, **FEW)
        return
    whole = read_config(kind)
    if whole.decoded.get("num_hidden_layers", 0) > MOST_LAYERS:
        with suppress(pytest.skip.Exception):
            yield read_config(kind, num_hidden_layers=MOST_LAYERS)
    yield whole


def count(kind: str) -> tuple[Any, Architecture | None, str]:
    """The first config that is not refused with its shape, or the last refusal."""
    refusal = ""
    for config in read_configs(kind):
        try:
            return config, walk_architecture(config), ""
        except InputError as error:
            refusal = str(error)
    return None, None, refusal


def run(model: Any, tokens: int) -> tuple[Any, int]:
    """The cache and the FLOPs of a prompt, in the library's own code."""
    ids = torch.ones(1, tokens, dtype=torch.long, device="meta")
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        found = model(input_ids=ids, use_cache=True)
    return found.past_key_values, counter.get_total_flops()


@pytest.mark.parametrize("kind", TYPES)
def test_a_type_is_counted_as_it_is_or_refused(kind: str) -> None:
    config, shape, refusal = count(kind)
    if shape is None:
        assert refusal.startswith(f"{kind}: expected ")
        assert kind not in QUICK
        return
    assert shape.precision.weights == 16
    if shape.experts or kind == "hy_v4":
        return  # Which experts run depends on numbers that the meta device does not have.
    model = _build(_read_library_config(config))
    try:
        (short, first), (long, second) = run(model, 64), run(model, 128)
    except RuntimeError:
        return
    if not shape.state_bytes:
        check_work(shape, first, second)
    if not shape.window_tokens or shape.window_tokens > 128:
        kept = 2 * (shape.kept_growing_numbers + shape.kept_windowed_numbers)
        assert count_bytes(long) - count_bytes(short) == 64 * kept
        assert count_bytes(short) - 64 * kept == shape.state_bytes


def check_work(shape: Architecture, first: int, second: int) -> None:
    """Two FLOPs for each parameter and token, and those of all pairs, as without a mask."""
    pairs = shape.full_attention_flops + shape.window_attention_flops
    dense = shape.active_params + shape.head_params
    expected = 2 * dense * 64 + pairs * (128**2 - 64**2)
    assert second - first == pytest.approx(expected, rel=0.03)


def count_bytes(cache: Any) -> int:
    tensors = [value for layer in cache.layers for value in vars(layer).values()]
    flat = [
        t for value in tensors for t in (value.values() if isinstance(value, dict) else [value])
    ]
    return sum(t.numel() * t.element_size() for t in flat if torch.is_tensor(t) and t.dim())


def test_layers_that_share_an_index_read_few_tokens_and_keep_all() -> None:
    config = read_config("hy_v4", num_hidden_layers=5)
    shape = walk_architecture(config)
    text = config.decoded
    own = text["indexer_types"].count("full")
    assert own < 5
    assert (shape.full_attention_layers, shape.window_layers) == (0, 5)
    assert shape.window_tokens == text["index_topk"]
    latent = text["kv_lora_rank"] + text["qk_rope_head_dim"]
    assert shape.kept_growing_numbers == 5 * latent + own * text["index_head_dim"]
    assert shape.growing_numbers == own * text["index_head_dim"]


def test_layers_that_share_a_cache_keep_it_once() -> None:
    """Gemma 3n: of ten layers five keep two vectors of two heads of 256, one of them for good."""
    fewer = {"num_hidden_layers": 10, "num_kv_shared_layers": 5}
    shape = walk_architecture(read_config("gemma3n_text", **fewer))
    assert (shape.growing_numbers, shape.windowed_numbers) == (2 * 1024, 8 * 1024)
    assert (shape.kept_growing_numbers, shape.kept_windowed_numbers) == (1024, 4 * 1024)


def test_the_precision_of_a_built_model_is_read_and_an_unknown_one_refused() -> None:
    config = read_config("qwen3_next", num_hidden_layers=4).decoded
    stated = {**config, "quantization_config": {"quant_method": "fp8"}}
    assert walk_architecture(ConfigReader(stated, "config")).precision.weights == 8
    stated["quantization_config"] = {"quant_method": "of its own"}
    with pytest.raises(InputError, match="expected a known 'quant_method'"):
        walk_architecture(ConfigReader(stated, "config"))


def test_deepseek_v32_keeps_its_index_keys_in_memory() -> None:
    """61 layers of 512 + 64 numbers and a key of 128: 42,944 numbers, 85,888 bytes a token."""
    shape = architecture_from_config(read_config("deepseek_v32").decoded)
    assert 2 * shape.kept_growing_numbers == 85_888
    assert shape.kept_windowed_numbers == 0
    assert 2 * shape.growing_numbers == 15_616
    assert shape.full_attention_flops == 61 * 2 * 64 * (128 + 1)
