"""`agentdyno about prices`: the user's own table, and a model's price."""

import os
from pathlib import Path

import pytest

from agentdyno.cost.price_lookup import price_of
from agentdyno.cost.prices import money
from agentdyno.pipelines.versions import current_versions
from agentdyno.records.stages import older_stages
from tests.cli.run import Agentdyno


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own table, which is not there yet."""
    path = tmp_path / "own" / "prices.toml"
    monkeypatch.setenv("AGENTDYNO_PRICES", str(path))
    return path


TABLE = """revision = 3
[aliases]
"My-Deployment" = "gpt-5.6-sol"

["acme/big"]
input = 3.0
output = 15.0
as_of = 2026-11-18
long_context = [{ above = 200000, input = 6.0, output = 15.0 }]
"""


def test_a_table_of_ones_own_goes_first_and_one_written_since_makes_rows_old(
    agentdyno: Agentdyno, own: Path
) -> None:
    before = current_versions()
    own.parent.mkdir()
    own.write_text(TABLE)
    price = price_of("acme/big")
    assert price is not None
    # 300,000 tokens of context cost the longer rate: 0.3 at $6, and one decoded at $15 a million.
    assert money(price, 300_000, None, None, 1_000_000) == pytest.approx(1.8 + 15)
    for seconds in (None, 1.78e9):
        assert price_of("my-deployment", None, seconds) == price_of("gpt-5.6-sol", None, seconds)
    assert agentdyno.run("about", "prices", "--json") == 0
    assert agentdyno.object()["own"]["aliases"] == {"my-deployment": "gpt-5.6-sol"}
    priced = current_versions()
    assert priced.keys() - before.keys() == {"own prices"}
    later = priced["own prices"] + 10
    os.utime(own, (later, later))
    assert older_stages(priced, current_versions()) == ["own prices"]


def test_a_part_of_a_name_finds_prices_and_a_name_without_one_says_where_to_write_it(
    agentdyno: Agentdyno, own: Path
) -> None:
    assert agentdyno.run("about", "prices", "claude-opus-5-5", "--json") == 0
    assert "claude-opus-5-5" in {each["model"] for each in agentdyno.object()["prices"]}
    assert agentdyno.run("about", "prices", "no-such-model") == 1
    assert str(own) in agentdyno.out


BROKEN = {
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
    assert agentdyno.run("about", "prices") == 2
    assert "prices.toml" in agentdyno.err
    assert named in agentdyno.err
