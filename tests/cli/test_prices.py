"""`agentdyno prices`: the user's own table, and other lists beside ours."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from agentdyno.cost.price_lookup import price_of
from agentdyno.cost.price_sources import read_price_list
from agentdyno.cost.prices import money
from agentdyno.pipelines.versions import current_versions
from agentdyno.records import InputError
from tests.cli.run import Agentdyno

CHAT = {"mode": "chat", "litellm_provider": "acme"}
LITELLM: dict[str, Any] = {
    "sample_spec": {"mode": "chat", "input_cost_per_token": 0.0, "output_cost_per_token": 0.0},
    "acme/big": CHAT | {
        "input_cost_per_token": 3e-06, "output_cost_per_token": 1.5e-05,
        "cache_read_input_token_cost": 3e-07, "input_cost_per_token_above_200k_tokens": 6e-06,
        "input_cost_per_token_batches": 1.5e-06, "output_cost_per_token_batches": 7.5e-06,
        "search_context_cost_per_query": {"search_context_size_medium": 0.01},
    },
    "gpt-5": {"mode": "chat", "litellm_provider": "openai",
              "input_cost_per_token": 2.5e-06, "output_cost_per_token": 1e-05},
    "acme/odd": CHAT | {"input_cost_per_token": "1e-6", "output_cost_per_token": 1e-06},
    "acme/less": CHAT | {"input_cost_per_token": -1e-06, "output_cost_per_token": 1e-06},
    "acme/\x1b[2J": CHAT | {"input_cost_per_token": 1e-06, "output_cost_per_token": 1e-06},
    "embed": {"mode": "embedding", "input_cost_per_token": 1e-06},
}  # fmt: skip
GENAI_SOURCE = b'''"""Data."""
import os
os.system("touch {flag}")
providers: list[Provider] = [
    Provider(id='anthropic', models=[
        ModelInfo(id='claude-opus-5', match=ClauseEquals(equals='claude-opus-5'), prices=[
            ConditionalPrice(prices=ModelPrice(input_mtok=Decimal('4'), output_mtok=Decimal('25'))),
            ConditionalPrice(constraint=StartDateConstraint(start_date=datetime.date(2026, 2, 3)),
                prices=ModelPrice(input_mtok=TieredPrices(base=Decimal('5'),
                    tiers=[Tier(start=1000, price=Decimal('7'))]), output_mtok=Decimal('25'))),
            ConditionalPrice(constraint=StartDateConstraint(start_date=datetime.date(2999, 1, 1)),
                prices=ModelPrice(input_mtok=Decimal('9'), output_mtok=Decimal('25'))),
        ]),
    ]),
]
'''


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own table, which is not there yet."""
    path = tmp_path / "own" / "prices.toml"
    monkeypatch.setenv("AGENTDYNO_PRICES", str(path))
    return path


def table_of_litellm(folder: Path) -> Path:
    path = folder / "litellm.json"
    path.write_text(json.dumps(LITELLM))
    return path


def test_an_update_adds_what_has_no_price_and_names_the_rows_it_skips(
    agentdyno: Agentdyno, own: Path, tmp_path: Path
) -> None:
    before = current_versions()
    agentdyno.run("prices", "update", table_of_litellm(tmp_path), "--json")
    found = agentdyno.object()
    assert found["added"] == ["acme/big"]
    assert (found["replaced"], found["differing"]) == ([], 1)
    assert set(found["bad"]) == {"acme/odd", "acme/less", "acme/\ufffd[2J"}
    price = price_of("acme/big")
    assert price is not None
    assert (price.source, price.web_search, price.in_tier("batch").input) == ("litellm", 10.0, 1.5)
    # 300,000 tokens of context cost the longer rate: 0.3 at $6, and one decoded at $15 a million.
    assert money(price, 300_000, None, None, 1_000_000) == pytest.approx(1.8 + 15)
    assert current_versions() == before | {"own prices": 1}, "rows priced before are old now"


def test_other_prices_are_taken_over_only_when_asked_and_from_today_on(
    agentdyno: Agentdyno, own: Path, tmp_path: Path
) -> None:
    agentdyno.run("prices", "update", "--replace", table_of_litellm(tmp_path))
    assert price_of("gpt-5").input == 2.5
    assert price_of("gpt-5", None, 1.75e9).input == 1.25


def test_an_alias_costs_what_its_model_costs_on_every_day(agentdyno: Agentdyno, own: Path) -> None:
    agentdyno.run("prices", "alias", "My-Deployment=gpt-5.6-sol")
    for seconds in (None, 1.78e9):
        assert price_of("my-deployment", None, seconds) == price_of("gpt-5.6-sol", None, seconds)
    agentdyno.run("prices", "--json")
    assert agentdyno.object()["own"]["aliases"] == {"my-deployment": "gpt-5.6-sol"}


@pytest.mark.parametrize("pair", ["no-equals", "a=", "=gpt-5", "a=no-such-model"])
def test_an_alias_of_nothing_is_refused(agentdyno: Agentdyno, own: Path, pair: str) -> None:
    assert agentdyno.run("prices", "alias", pair) == 2
    assert not own.exists()


def test_a_check_lists_every_difference_and_fails_on_one_that_nobody_decided(
    agentdyno: Agentdyno, tmp_path: Path
) -> None:
    assert agentdyno.run("prices", "check", table_of_litellm(tmp_path), "--all", "--json") == 1
    [found] = agentdyno.object()["lists"]
    [one] = found["disagreements"]
    assert (found["compared"], found["agreeing"], found["unknown"]) == (1, 0, ["acme/big"])
    assert (one["model"], one["ours"], one["theirs"]) == ("gpt-5", {"input": 1.25}, {"input": 2.5})
    nemo = {"mode": "chat", "litellm_provider": "mistral"}
    nemo |= {"input_cost_per_token": 3e-07, "output_cost_per_token": 3e-07}
    path = tmp_path / "decided.json"
    path.write_text(json.dumps({"mistral/open-mistral-nemo": nemo}))
    assert agentdyno.run("prices", "check", path, "--json") == 0
    assert "2024" in agentdyno.object()["lists"][0]["disagreements"][0]["decided"]


def test_source_in_a_wheel_is_parsed_and_never_run(tmp_path: Path) -> None:
    flag, wheel = tmp_path / "flag", io.BytesIO()
    with zipfile.ZipFile(wheel, "w") as archive:
        source = GENAI_SOURCE.replace(b"{flag}", str(flag).encode())
        archive.writestr("genai_prices/data.py", source)
    found = read_price_list("genai_prices-9.1-py3-none-any.whl", wheel.getvalue())
    [one] = found.prices
    assert (found.library, found.version, found.bad) == ("genai-prices", "9.1", {})
    assert (one.name, one.terms.input, one.terms.at_length(1001).input) == (
        "anthropic/claude-opus-5", 5.0, 7.0
    )  # fmt: skip
    assert not flag.exists()


@pytest.mark.parametrize(
    "data", [b"", b"[1]", b"{}", b'{"a": 1}', b"PK\x03\x04", b'"', b"[" * 9999]
)
def test_a_file_that_is_no_list_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(InputError, match="expected"):
        read_price_list("list.json", data)


BROKEN = {
    "revision = -1\n": "revision",
    "[aliases]\na = 3\n": "aliases",
    '["m"]\ninput = 1.0\noutput = 2.0\nas_of = 2026-01-31\nrun = "rm"\n': "[m]",
    '["m"]\ninput = nan\noutput = 2.0\nas_of = 2026-01-31\n': "[m]",
}


@pytest.mark.parametrize(("text", "named"), BROKEN.items())
def test_a_table_of_ones_own_that_is_broken_is_named_with_its_row(
    agentdyno: Agentdyno, own: Path, text: str, named: str
) -> None:
    own.parent.mkdir()
    own.write_text(text)
    assert agentdyno.run("prices") == 2
    assert "prices.toml" in agentdyno.err
    assert named in agentdyno.err
