"""`export --table` under the view that is chosen."""

from pathlib import Path

import polars as pl
import pytest

from agentdyno.records.ledger import SECONDS
from tests.cli.run import Agentdyno
from tests.labelled import from_set
from tests.reports.hostile import large_ledger

PROFILE = """
name = "card"
peak_flops = 989e12
peak_bytes_per_second = 4.8e12
source = "a test"
usd_per_hour = 3.6
concurrency = 16
"""


@pytest.fixture
def agentdyno(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Agentdyno:
    return Agentdyno(capsys, large_ledger(tmp_path / "ledger", 12))


def test_turns_and_trajectories_add_up_to_the_same_seconds(
    agentdyno: Agentdyno, tmp_path: Path
) -> None:
    files = {name: tmp_path / f"{name}.parquet" for name in ("turns", "trajectories")}
    for name, file in files.items():
        assert agentdyno.run("export", agentdyno.ledger, "--table", name, "--to", file) == 0
    turns, whole = (pl.read_parquet(file) for file in files.values())
    assert {column.name for column in SECONDS} <= set(turns.columns) & set(whole.columns)
    assert turns["gpu_seconds"].sum() == pytest.approx(whole["gpu_seconds"].sum())
    causes = [pl.col(f"gpu_seconds_{c}") for c in ("prefill", "step", "cache", "waiting")]
    assert turns.select(pl.sum_horizontal(causes).sum()).item() == pytest.approx(
        turns["gpu_seconds"].sum()
    )
    assert (set(turns["gpu_concurrency"]), set(turns["gpu_seconds_source"])) == ({64}, {"theory"})
    assert turns["gpu_usd"].null_count() == len(turns)


def test_a_profile_with_a_price_gives_money_and_its_own_concurrency(
    agentdyno: Agentdyno, tmp_path: Path
) -> None:
    card, file = tmp_path / "card.toml", tmp_path / "turns.csv"
    card.write_text(PROFILE)
    words = ("export", agentdyno.ledger, "--table", "turns", "--to", file, "--hardware", card)
    assert agentdyno.run(*words) == 0
    rows = pl.read_csv(file)
    assert set(rows["gpu_concurrency"]) == {16}
    assert rows["gpu_usd"].sum() == pytest.approx(rows["gpu_seconds"].sum() * 0.001)
    assert agentdyno.run(*words, "--concurrency", 1) == 0
    fewer = pl.read_csv(file)
    assert fewer["gpu_seconds"].sum() > rows["gpu_seconds"].sum()


@from_set("cli/export_table", "words", "said")
def test_what_cannot_be_written_is_said(
    agentdyno: Agentdyno, words: tuple[str, ...], said: str
) -> None:
    assert agentdyno.run("export", agentdyno.ledger, *words) == 2
    assert said in " ".join(agentdyno.err.split())
