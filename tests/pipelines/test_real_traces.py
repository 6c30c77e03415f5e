"""`measure` over real traces; `test_every_format.py` has the counts of each file."""

from pathlib import Path

import polars as pl

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure

FORMATS = (
    "openai_chat", "anthropic_messages", "inspect_ai", "tau_bench", "tau2_bench", "claude_code",
    "otel_genai", "atif", "codex", "copilot_cli", "gemini_cli", "qwen_code",
)  # fmt: skip


def test_real_costs_split_exactly(real_traces: Path, tmp_path: Path) -> None:
    paths = [real_traces / format for format in FORMATS]
    ledger = Ledger(
        measure(paths, tmp_path / "ledger", MeasureOptions(workers=1, costs_only=True)).ledger
    )
    sums = ledger.read("parts").group_by("trajectory_id").agg(pl.col("pte", "pte_growth").sum())
    joined = ledger.read("trajectories").join(sums, on="trajectory_id", suffix="_parts")
    assert len(joined) == 227
    for column in ("pte", "pte_growth"):
        off = (joined[column] - joined[f"{column}_parts"]).abs() / joined[column]
        assert off.max() < 1e-9
