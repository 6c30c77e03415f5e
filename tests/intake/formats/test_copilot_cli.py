"""Copilot CLI: usage records, sub-agents and older totals, against a plain count."""

from pathlib import Path
from typing import Any

import polars as pl
from msgspec import structs

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from tests.intake.formats.conformance import (
    Counts,
    add_up,
    json_lines,
    ledger_counts,
    read_good,
    write_lines,
)

DATA = Path(__file__).resolve().parents[2] / "data" / "copilot_cli"
FORK, OLDER, SESSION = sorted(DATA.glob("*/events.jsonl"))


def plain_count(paths: list[Path]) -> Counts:
    """A count that knows nothing of sessions: each model call and each tool call once, by id."""
    tally, seen = Counts(), set[Any]()
    for path in paths:
        for event in json_lines(path):
            data, kind = event["data"], event["type"]
            keys = {
                "session.usage_record": data.get("usage", {}).get("apiCallId"),
                "tool.execution_complete": data.get("toolCallId"),
                "subagent.started": event.get("agentId"),
            }
            calls = [call["toolCallId"] for call in data.get("toolRequests") or []]
            tally = tally.plus(calls=len(set(calls) - seen))
            seen |= set(calls)
            if kind not in keys or (kind, keys[kind]) in seen:
                continue
            seen.add((kind, keys[kind]))
            tally = _add(tally, kind, data)
    return tally


_USAGE = {
    "context": "inputTokens",
    "cached": "cacheReadTokens",
    "written": "cacheWriteTokens",
    "output": "outputTokens",
    "reasoning": "reasoningTokens",
}


def _add(tally: Counts, kind: str, data: dict[str, Any]) -> Counts:
    if kind == "subagent.started":
        return tally.plus(sub_agents=1)
    if kind == "tool.execution_complete":
        code = (data.get("shellExecution") or {}).get("exitCode")
        return tally.plus(errors=int(not data["success"] or bool(code)))
    return tally.plus(**structs.asdict(add_up([data["usage"]], _USAGE)))


def test_the_ledger_equals_a_plain_count(tmp_path: Path) -> None:
    found = ledger_counts([SESSION.parent, FORK.parent], tmp_path)
    assert structs.replace(found, usd=0.0) == plain_count([SESSION, FORK])
    # By hand: 25,213 + 25,423 + 26,000 + 26,200 + 18,000 of the session, 3,945 + 3,999 of its
    # sub-agent, 26,100 of the fork; its copied calls and its copied sub-agent count once.
    assert (found.responses, found.context, found.calls, found.errors) == (8, 154_880, 5, 2)


def test_constructed_samples_equal_a_plain_count(real_traces: Path, tmp_path: Path) -> None:
    found = ledger_counts([real_traces / "copilot_cli"], tmp_path)
    plain = plain_count(sorted((real_traces / "copilot_cli").glob("*.jsonl")))
    assert found == plain.plus(responses=2)  # Two answers without any count.


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
