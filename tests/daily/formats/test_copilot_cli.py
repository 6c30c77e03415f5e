"""Copilot CLI: older totals, and what schemas took."""

from pathlib import Path

import polars as pl

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from tests.intake.formats.conformance import (
    json_lines,
    read_good,
    write_lines,
)

DATA = Path(__file__).resolve().parents[2] / "data" / "copilot_cli"
_, OLDER, SESSION = sorted(DATA.glob("*/events.jsonl"))


def test_totals_of_older_versions_are_shared_out_and_sum_up(tmp_path: Path) -> None:
    ledger = Ledger(
        measure([OLDER], tmp_path / "l", MeasureOptions(workers=1, costs_only=True)).ledger
    )
    turns = ledger.read("turns")
    # Both runs' totals: 20,100 + 30,000 in, 9,000 + 20,000 of it cached, 52 + 92 out.
    assert (turns["context_tokens"].sum(), turns["cached_tokens"].sum()) == (50_100, 29_000)
    assert turns["decode_tokens"].sum() == 144
    # The compaction reports its own counts, messages only those of their output.
    assert turns["prefill_source"].to_list() == ["estimated"] * 3 + ["reported", "estimated"]
    assert turns["decode_tokens"].to_list() == [40, 12, 9, 80, 3]
    later = turns["context_tokens"].to_list()
    assert later[1] > later[0]  # A later response had more in its context.


def test_totals_that_go_on_over_runs_are_not_added_up(tmp_path: Path) -> None:
    lines = list(json_lines(OLDER))
    first, last = (line["data"]["modelMetrics"]["gpt-5.4"] for line in (lines[6], lines[-1]))
    for name, value in first["usage"].items():
        last["usage"][name] += value
    [found] = read_good("copilot_cli", write_lines(tmp_path / "events.jsonl", lines))
    assert sum(turn.prefill.tokens for turn in found.turns if turn.prefill) == 50_100


def test_the_ledger_shows_what_the_schemas_took(tmp_path: Path) -> None:
    ledger = Ledger(
        measure([SESSION], tmp_path / "l", MeasureOptions(workers=1, costs_only=True)).ledger
    )
    schemas = ledger.read("parts").filter(pl.col("kind") == "schema").sort("tokens")
    assert schemas["tokens"].to_list() == [2609, 11788]
    assert schemas["name"].to_list() == ["11 tools", "25 tools"]
