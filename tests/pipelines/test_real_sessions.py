"""Real Claude Code sessions, turn by turn, against a small reader that knows nothing of ours."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from agentdyno.pipelines.measure import MeasureOptions, measure
from tests.ledger.traces import glob

ONE = MeasureOptions(workers=1, costs_only=True)
Key = tuple[str, str | None]


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
    """Lines of a session, those of its sub-agents included."""
    for text in path.read_text().splitlines():
        line = json.loads(text)
        yield line
        data = line.get("data") or {}
        if line.get("type") == "progress" and data.get("type") == "agent_progress":
            yield data["message"]


def responses(paths: list[Path]) -> dict[Key, dict[str, Any]]:
    """Every response once: its last usage, its calls, the largest output count."""
    found: dict[Key, dict[str, Any]] = {}
    for path in paths:
        for line in lines_of(path):
            message = line.get("message") or {}
            if line.get("type") != "assistant" or message.get("model") == "<synthetic>":
                continue
            usage = message["usage"]
            one = found.setdefault((message["id"], line.get("requestId")), {"calls": set()})
            one["read"] = usage.get("cache_read_input_tokens") or 0
            one["written"] = usage.get("cache_creation_input_tokens") or 0
            one["prompt"] = usage["input_tokens"] + one["read"] + one["written"]
            one["output"] = max(one.get("output", 0), usage["output_tokens"])
            blocks = [b for b in message["content"] if isinstance(b, dict)]
            one["calls"] |= {b["id"] for b in blocks if b["type"] == "tool_use"}
    return found


@pytest.fixture(scope="module")
def measured(
    real_traces: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[list[Path], Path, int]:
    """All real sessions that are here, in one ledger."""
    folders = [real_traces / "claude_code", real_traces.parent / "claude_code_corpus"]
    paths = [path for folder in folders for path in sorted(folder.glob("*.jsonl"))]
    ledger = tmp_path_factory.mktemp("real") / "ledger"
    return paths, ledger, measure(paths, ledger, ONE).repeats


def test_every_real_response_counts_once(measured: tuple[list[Path], Path, int]) -> None:
    paths, ledger, repeats = measured
    expected = responses(paths)
    rows = {
        (row["response_id"], row["request_id"]): row
        for row in glob(ledger, "turns").iter_rows(named=True)
        if row["response_id"] is not None
    }
    assert rows.keys() == expected.keys()
    for key, row in rows.items():
        truth = expected[key]
        assert row["context_tokens"] == truth["prompt"]
        assert (row["cached_tokens"], row["cache_write_tokens"]) == (
            truth["read"],
            truth["written"],
        )
        assert row["calls"] == len(truth["calls"])
        if row["decode_source"] == "reported":
            assert row["decode_tokens"] == truth["output"]
    calls = glob(ledger, "calls")["call_id"]
    assert calls.is_unique().all()
    assert set(calls) == {call for truth in expected.values() for call in truth["calls"]}
    assert repeats > 0


def test_every_agent_made_the_calls_that_its_starter_was_told_of(
    measured: tuple[list[Path], Path, int],
) -> None:
    paths, ledger, _ = measured
    agents = glob(ledger, "trajectories").filter(pl.col("agent_id").is_not_null())
    made = dict(agents.select("agent_id", "calls").iter_rows())
    turns = dict(agents.select("agent_id", "turns").iter_rows())
    checked = 0
    for path in paths:
        for line in lines_of(path):
            told = line.get("toolUseResult")
            if not isinstance(told, dict) or "totalToolUseCount" not in told:
                continue
            # Of agents without lines of their own only the last answer is known.
            if turns.get(told.get("agentId"), 0) > 1:
                assert made[told["agentId"]] == told["totalToolUseCount"]
                checked += 1
    assert checked >= 7
