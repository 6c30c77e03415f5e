"""Which architecture stands for which model's name."""

import subprocess
import sys
from pathlib import Path
from statistics import median

import msgspec
import pytest

from agentdyno.cost.architectures import (
    frontier_moe,
    load_architectures,
    match_architecture,
    resolve_architecture,
)
from agentdyno.cost.gamma import gamma, gamma_paper
from agentdyno.cost.hardware import resolve_hardware
from agentdyno.records import InputError
from tests.labelled import read_table

SPELLINGS = read_table("metrics/cost/spellings")


@pytest.mark.parametrize(("spelled", "name"), SPELLINGS.items())
def test_an_open_model_is_found_by_any_spelling(spelled: str, name: str) -> None:
    resolved = resolve_architecture(spelled)
    assert (resolved.architecture.name, resolved.source) == (name, "model")


@pytest.mark.parametrize(
    "model",
    [
        "gpt-4o",
        "gpt-5.4-mini",
        "o3",
        "claude-opus-4-5-20251101",
        "gemini-2.5-pro",
        "deepseek-r1-distill-llama-3b",
        "deepseek-v3.5",
        "kimi-k2.5",
        "glm-4.5v",
        "glm-4.5-flash",
        "mistral-7b-instruct-v0.1",
        "mistral-large-2402",
        "mistral-small-2409",
        "gemma-3n-e2b",
        "qwen3-vl-30b-a3b",
        "qwen2.5-vl-7b",
        "llama-3.2-11b-vision",
        "llama-3.1-8",
        "\x00\x1b[31m",
        "-" * 10_000,
        "",
    ],
)
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
        assert row.total_params is not None
        # Zamba's layers share blocks, which a token passes at every use.
        assert row.active_params <= row.total_params or row.family == "zamba2"
        assert row.query_heads % row.kv_heads == 0


def test_the_proxys_gamma_is_the_median_of_the_large_mixtures() -> None:
    proxy, hardware = frontier_moe(), resolve_hardware("b200")
    assert proxy.stand_in is not None
    members = [load_architectures()[name] for name in proxy.stand_in.members]
    assert len(members) >= 5
    assert all((member.total_params or 0) >= 100e9 for member in members)
    assert "mistral-large-2" not in proxy.stand_in.members
    own = [gamma(member, hardware).value for member in members]
    assert gamma(proxy, hardware).value == pytest.approx(median(own))
    paper = [gamma_paper(member, hardware) for member in members]
    assert gamma_paper(proxy, hardware) == pytest.approx(median(paper))


def test_releases_of_one_model_vote_once_in_the_proxy() -> None:
    stand_in = frontier_moe().stand_in
    assert stand_in is not None
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
    config = {
        "model_type": "llama",
        "num_hidden_layers": 2,
        "hidden_size": 64,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "intermediate_size": 128,
        "vocab_size": 100,
    }
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
