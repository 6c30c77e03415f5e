"""A meter from options: wrong names and files are said at once."""

from pathlib import Path

import pytest

from agentdyno.cost.engines import MeterOptions
from agentdyno.pipelines.meter import build_meter
from agentdyno.records import InputError

PRICES = '["house-model"]\ninput = 2.0\noutput = 10.0\nas_of = "2025-01-01"\n'


def test_the_engine_of_a_known_model_and_of_a_closed_one() -> None:
    meter = build_meter(MeterOptions())
    # Qwen3-32B on the reference hardware: 756.5 * 262,144 / (2 * 31.2e9).
    known = meter.engine("qwen3-32b")
    assert known.gamma.value == pytest.approx(0.00317808, rel=1e-4)
    assert known.gamma.source == "model"
    assert meter.engine("nobody-knows-1").gamma.source == "proxy"
    assert meter.engine("nobody-knows-1").tariff is None


def test_an_architecture_that_was_asked_for_holds_for_every_model() -> None:
    meter = build_meter(MeterOptions(arch="qwen3-32b"))
    assert meter.engine("claude-sonnet-4-5").architecture == "qwen3-32b"


def test_a_price_table_goes_before_the_bundled_one(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(PRICES)
    tariff = build_meter(MeterOptions(prices=str(path))).engine("house-model").tariff
    assert tariff is not None
    assert tariff.terms[0].output == 10.0


def test_counts_say_whether_the_vocabulary_is_the_models_own() -> None:
    meter = build_meter(MeterOptions())
    assert meter.count_source("qwen3-32b") == "counted"
    assert meter.count_source("claude-sonnet-4-5") == "estimated"
    assert meter.count("gpt-4o", ["hello world"]) == [2]


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[1, 2", b"\x00\xff", b'{"version": "1.0", "model": 3}']
)
def test_a_file_that_is_no_tokenizer_is_an_input_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"expected a tokenizer\.json"):
        build_meter(MeterOptions(tokenizer=str(path)))


@pytest.mark.parametrize("content", [b"[", b"\xff", b"a = 1", b'[m]\ninput = "free"'])
def test_a_damaged_price_table_is_an_input_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "prices.toml"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"prices\.toml"):
        build_meter(MeterOptions(prices=str(path)))
