"""Shapes of models: the registry, and Hugging Face configs against published counts."""

import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.cost import config_walk
from agentdyno.cost.architectures import (
    frontier_moe,
    load_architectures,
    match_architecture,
    resolve_architecture,
)
from agentdyno.cost.gamma import gamma, turn_gammas
from agentdyno.cost.hardware import resolve_hardware
from agentdyno.cost.hf_config import architecture_from_config
from agentdyno.measures.pte import gamma_of
from agentdyno.records import InputError
from tests.cost.by_token import decode_cost
from tests.labelled import from_set, read_set, read_table


def gqa(
    model_type: str,
    layers: int,
    hidden: int,
    heads: int,
    kv: int,
    inter: int,
    vocab: int,
    **more: Any,
) -> dict[str, Any]:
    return {
        "model_type": model_type,
        "num_hidden_layers": layers,
        "hidden_size": hidden,
        "num_attention_heads": heads,
        "num_key_value_heads": kv,
        "intermediate_size": inter,
        "vocab_size": vocab,
        **more,
    }


def latent(heads: int, experts: int, first_dense: int, vocab: int, **more: Any) -> dict[str, Any]:
    return gqa(
        "deepseek_v3", 61, 7168, heads, heads, 18432, vocab,
        kv_lora_rank=512, q_lora_rank=1536, qk_nope_head_dim=128, qk_rope_head_dim=64,
        v_head_dim=128, n_routed_experts=experts, n_shared_experts=1, num_experts_per_tok=8,
        moe_intermediate_size=2048, first_k_dense_replace=first_dense, **more,
    )  # fmt: skip


def qwen_moe(
    layers: int, hidden: int, heads: int, kv: int, experts: int, width: int
) -> dict[str, Any]:
    return gqa(
        "qwen3_moe", layers, hidden, heads, kv, 6144, 151936,
        head_dim=128, num_experts=experts, num_experts_per_tok=8, moe_intermediate_size=width,
    )  # fmt: skip


def glm(
    layers: int, hidden: int, inter: int, width: int, experts: int, dense: int
) -> dict[str, Any]:
    return gqa(
        "glm4_moe", layers, hidden, 96, 8, inter, 151552,
        head_dim=128, n_routed_experts=experts, n_shared_experts=1, num_experts_per_tok=8,
        moe_intermediate_size=width, first_k_dense_replace=dense,
    )  # fmt: skip


def oss(layers: int, experts: int) -> dict[str, Any]:
    return gqa(
        "gpt_oss", layers, 2880, 64, 8, 2880, 201088,
        head_dim=64, num_local_experts=experts, num_experts_per_tok=4, sliding_window=128,
        layer_types=["sliding_attention", "full_attention"] * (layers // 2),
    )  # fmt: skip


def gemma(layers: int, hidden: int, inter: int, **more: Any) -> dict[str, Any]:
    text = {
        "model_type": "gemma3_text",
        "num_hidden_layers": layers,
        "hidden_size": hidden,
        "intermediate_size": inter,
        "sliding_window": 1024,
        **more,
    }
    return {"model_type": "gemma3", "text_config": text}


def llama4(experts: int, step: int) -> dict[str, Any]:
    text = gqa(
        "llama4_text", 48, 5120, 40, 8, 8192, 202048,
        head_dim=128, intermediate_size_mlp=16384, num_local_experts=experts, num_experts_per_tok=1,
        interleave_moe_layer_step=step, attention_chunk_size=8192,
    )  # fmt: skip
    return {"model_type": "llama4", "text_config": text}


SHAPES = {shape.__name__: shape for shape in (gqa, qwen_moe, llama4, latent, oss, glm, gemma)}
CONFIGS: dict[str, dict[str, Any]] = {
    name: SHAPES[shape](*numbers, **more)
    for name, shape, numbers, more in read_set("cases/cost/hf_configs")
}


@pytest.mark.parametrize("name", CONFIGS)
def test_counted_parameters_agree_with_the_published_ones(name: str) -> None:
    counted, known = architecture_from_config(CONFIGS[name]), load_architectures()[name]
    # DeepSeek publishes one figure for V3 and V3.2, whose indexer adds 2.4 %.
    assert counted.active_params == pytest.approx(known.active_params, rel=0.04)
    # GLM publishes with its draft layer, Gemma with its vision tower: up to a tenth more.
    assert counted.total_params == pytest.approx(known.total_params, rel=0.10)


@pytest.mark.parametrize("name", CONFIGS)
def test_a_config_and_the_registry_describe_the_same_cache(name: str) -> None:
    counted, known = architecture_from_config(CONFIGS[name]), load_architectures()[name]
    assert counted.growing_numbers == known.growing_numbers
    assert counted.windowed_numbers == known.windowed_numbers
    assert counted.window_tokens == known.window_tokens
    assert counted.paper_numbers == pytest.approx(known.paper_numbers)


def test_a_type_that_is_not_understood_is_refused_where_no_model_can_be_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(config_walk, "load_plugins", lambda *_: ({}, []))
    with pytest.raises(InputError, match=r"type 'jamba' are counted by building.*pip install"):
        architecture_from_config(gqa("jamba", 32, 4096, 32, 8, 14336, 65536))


def test_a_kind_of_layer_that_is_not_understood_is_refused() -> None:
    config = gqa("llama", 4, 64, 4, 2, 128, 100, layer_types=["full_attention"] * 3 + ["mamba"])
    with pytest.raises(InputError, match="'layer_types', found 'mamba'"):
        architecture_from_config(config)


def test_a_chunk_starts_anew_where_a_window_slides() -> None:
    scout = architecture_from_config(CONFIGS["llama-4-scout"])
    # 10,000 = one chunk of 8,192 and 1,808 tokens of the next.
    assert scout.count_window_reads(10_000) == 1808
    found = gamma(scout, resolve_hardware(), "user")
    assert decode_cost(found, 10_000) == pytest.approx(
        found.value * 10_000 + found.window_value * 1808
    )
    one_by_one = sum(decode_cost(found, 8190 + j) for j in range(5))
    turns = turn_gammas([found])
    context, decode = np.array([8190.0]), np.array([5.0])
    whole = turns.effective(context) * context * decode + turns.growth(context, decode)
    assert float(whole[0]) == pytest.approx(one_by_one)


def test_a_window_on_every_layer_leaves_nothing_that_grows() -> None:
    config = gqa("mistral", 32, 4096, 32, 8, 14336, 32000, sliding_window=4096)
    shape = architecture_from_config(config)
    assert (shape.full_attention_layers, shape.window_layers) == (0, 32)


def test_a_switched_off_window_is_no_window() -> None:
    config = gqa("qwen2", 28, 3584, 28, 4, 18944, 152064, sliding_window=131072)
    assert architecture_from_config(config).window_layers == 0
    config |= {"use_sliding_window": True, "max_window_layers": 20}
    assert architecture_from_config(config).window_layers == 8


@from_set("cost/architectures", "key", "value", "said")
def test_an_incomplete_or_hostile_config_is_refused_by_its_key(
    key: str, value: object, said: str
) -> None:
    config = {**CONFIGS["qwen3-8b"], "head_dim": None, key: value}
    with pytest.raises(InputError) as caught:
        architecture_from_config(config)
    assert said in str(caught.value)


@pytest.mark.parametrize("content", [b"[1]", b"{", b"\xff\xfe", b"[" * 100_000, b"null", b""])
def test_a_file_that_is_no_config_is_refused_by_its_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"config\.json: expected"):
        architecture_from_config(path)


ANYTHING = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)


@given(st.dictionaries(st.sampled_from(sorted(latent(128, 256, 3, 129280))),
                       ANYTHING | st.lists(ANYTHING, max_size=3)))  # fmt: skip
def test_a_mutated_config_gives_a_shape_or_a_plain_error(changes: dict[str, Any]) -> None:
    try:
        shape = architecture_from_config({**CONFIGS["deepseek-v3"], **changes})
    except InputError:
        return
    assert shape.active_params > 0
    assert shape.growing_numbers + shape.windowed_numbers > 0


SPELLINGS = read_table("cost/spellings")


@pytest.mark.parametrize(("spelled", "name"), SPELLINGS.items())
def test_an_open_model_is_found_by_any_spelling(spelled: str, name: str) -> None:
    resolved = resolve_architecture(spelled)
    assert (resolved.architecture.name, resolved.source) == (name, "model")


UNKNOWN = """
gpt-4o gpt-5.4-mini o3 claude-opus-4-5-20251101 gemini-2.5-pro deepseek-r1-distill-llama-3b
deepseek-v3.5 kimi-k2.5 glm-4.5v glm-4.5-flash mistral-7b-instruct-v0.1 mistral-large-2402
mistral-small-2409 gemma-3n-e2b qwen3-vl-30b-a3b qwen2.5-vl-7b llama-3.2-11b-vision llama-3.1-8
"""


@pytest.mark.parametrize("model", [*UNKNOWN.split(), "\x00\x1b[31m", "-" * 10_000, ""])
def test_a_model_of_unknown_shape_gets_the_proxy_and_says_so(model: str) -> None:
    resolved = resolve_architecture(model)
    assert (resolved.architecture.name, resolved.source) == ("frontier-moe", "proxy")


def test_every_name_and_alias_of_the_registry_finds_its_own_entry() -> None:
    for name, row in load_architectures().items():
        assert match_architecture(name) is row
        for alias in row.aliases:
            assert match_architecture(alias) is row, alias


def test_no_two_entries_share_a_name() -> None:
    names = [name for row in load_architectures().values() for name in (row.name, *row.aliases)]
    assert len(names) == len(set(names))


def test_the_layers_of_every_entry_add_up() -> None:
    for row in load_architectures().values():
        with_cache = row.full_attention_layers + row.window_layers
        # The layers of a hybrid that have no cache keep a state, or hold a feed-forward block.
        assert with_cache == row.layers or (row.state_bytes and with_cache < row.layers), row.name
        assert (row.window_layers > 0) == (row.window_tokens > 0), row.name
        # Zamba's layers share blocks, which a token passes at every use.
        assert row.active_params <= row.total_params or row.family == "zamba2"
        assert row.query_heads % row.kv_heads == 0


def test_the_proxys_gamma_is_the_median_of_the_large_mixtures() -> None:
    proxy, hardware = frontier_moe(), resolve_hardware("b200")
    members = [load_architectures()[name] for name in proxy.stand_in.members]
    assert len(members) >= 5
    assert all((member.total_params or 0) >= 100e9 for member in members)
    assert "mistral-large-2" not in proxy.stand_in.members
    own = [gamma(member, hardware).value for member in members]
    assert gamma(proxy, hardware).value == pytest.approx(median(own))
    paper = [gamma_of(member, hardware.hoi) for member in members]
    assert gamma_of(proxy, hardware.hoi) == pytest.approx(median(paper))


def test_releases_of_one_model_vote_once_in_the_proxy() -> None:
    stand_in = frontier_moe().stand_in
    assert [name for name in stand_in.members if name.startswith("deepseek")] == ["deepseek-v3"]
    assert [name for name in stand_in.members if name.startswith("qwen3-235b")] == [
        "qwen3-235b-a22b"
    ]


def test_an_asked_for_name_wins_over_the_models_own() -> None:
    resolved = resolve_architecture("gpt-4o", "Qwen/Qwen3-32B")
    assert (resolved.architecture.name, resolved.source) == ("qwen3-32b", "user")


def test_the_proxy_stays_a_proxy_when_asked_for() -> None:
    assert resolve_architecture("qwen3-32b", "frontier-moe").source == "proxy"


def test_a_config_or_its_folder_can_be_asked_for(tmp_path: Path) -> None:
    folder = tmp_path / "tiny"
    folder.mkdir()
    config = gqa("llama", 2, 64, 4, 2, 128, 100)
    (folder / "config.json").write_bytes(msgspec.json.encode(config))
    for asked in (folder, folder / "config.json"):
        resolved = resolve_architecture("gpt-4o", str(asked))
        assert (resolved.architecture.name, resolved.source) == ("tiny", "user")
        assert resolved.architecture.growing_numbers == 2 * 2 * 2 * 16


def test_an_unknown_name_says_what_is_known_and_what_to_do() -> None:
    with pytest.raises(InputError) as caught:
        resolve_architecture("gpt-4o", "qwen9")
    message = str(caught.value)
    assert message.startswith("No architecture 'qwen9'. Known: qwen3-")
    assert message.endswith("… Pass a config.json with --arch PATH.")


def test_a_missing_config_is_said_to_be_missing() -> None:
    with pytest.raises(InputError, match=r"nowhere/config\.json: cannot be read"):
        resolve_architecture("gpt-4o", "nowhere/config.json")


def test_importing_reads_no_registry() -> None:
    code = (
        "import sys, tomllib; tomllib.loads = tomllib.load = None\n"
        "import agentdyno.cost.architectures, agentdyno.cost.prices\n"
        "import agentdyno.studies.catalogue\n"
        "sys.exit('polars' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
