"""What the verbs `arch` and `hardware` show."""

from pathlib import Path

import msgspec
import pytest

from agentdyno.records import InputError
from agentdyno.studies.catalogue import (
    describe_architecture,
    describe_hardware,
    list_architectures,
    list_hardware,
    list_measured,
)


def test_every_row_encodes_to_json_with_both_gammas() -> None:
    rows = msgspec.json.decode(msgspec.json.encode(list_architectures()))
    by_name = {row["name"]: row for row in rows}
    assert by_name["qwen3-32b"]["gamma_paper"] == pytest.approx(0.00198630, rel=1e-5)
    assert by_name["qwen3-32b"]["gamma"] == pytest.approx(0.00317808, rel=1e-5)
    # 64 layers * 2 * 8 heads * 128, two bytes each.
    assert by_name["qwen3-32b"]["kv_bytes_per_token"] == 262_144
    assert by_name["qwen3-32b"]["gamma_printed"] == 0.00200
    assert {row["hardware"] for row in rows} == {"h100-pcie"}


def test_the_proxy_comes_last_and_names_its_members() -> None:
    *models, proxy = list_architectures()
    assert {row.gamma_source for row in models} == {"model"}
    assert (proxy.name, proxy.gamma_source) == ("frontier-moe", "proxy")
    assert "kimi-k2" in proxy.members


def test_gammas_follow_the_hardware() -> None:
    here, there = list_architectures(), list_architectures("h200")
    for one, other in zip(here, there, strict=True):
        assert other.gamma / one.gamma == pytest.approx(336.875 / 756.5)


def test_hardware_rows_scale_against_the_reference() -> None:
    rows = {row.name: row for row in list_hardware()}
    assert rows["h100-pcie"].gamma_scale == 1.0
    # Table 4 prints 0.18 for the V100.
    assert rows["v100"].gamma_scale == pytest.approx(0.18, abs=0.005)
    assert msgspec.json.decode(msgspec.json.encode(list_hardware()))[0]["hoi"] == 756.5


def test_measured_models_are_listed_with_their_engine_day_and_error() -> None:
    rows = {row.architecture: row for row in list_measured()}
    assert rows["qwen2.5-7b"].hardware == "h200-sxm-vllm"
    assert (rows["qwen2.5-7b"].engine, rows["qwen2.5-7b"].date) == ("vllm 0.20.2", "2026-11-15")
    assert list_measured("h100-pcie") == []


def test_one_of_each_can_be_described(tmp_path: Path) -> None:
    assert describe_architecture("Qwen/Qwen3-32B", "a100").hardware == "a100"
    path = tmp_path / "card.toml"
    path.write_text("peak_flops = 3e14\npeak_bytes_per_second = 1e12\n")
    assert describe_hardware(str(path)).hoi == 300.0
    assert describe_hardware(str(path)).name == "card"


def test_an_unknown_hardware_is_an_input_error() -> None:
    with pytest.raises(InputError, match="No hardware 'toaster'"):
        list_architectures("toaster")
