"""Gemini CLI: patch records, rewinds, sub-agents and old documents, against a plain count."""

import json
from pathlib import Path
from typing import Any

from tests.intake.formats.conformance import (
    Counts,
    json_lines,
    ledger_counts,
)

DATA = Path(__file__).resolve().parents[2] / "data" / "gemini_cli"
[SESSION, AGENT] = sorted(DATA.rglob("*.jsonl"), key=lambda path: len(path.parts))
[OLD] = DATA.rglob("*.json")
FILES = [OLD, SESSION, AGENT]


def plain_count(paths: list[Path]) -> Counts:
    """A count that knows nothing of rewinds: every message once, in its last version."""
    tally, messages, calls = Counts(), dict[str, dict[str, Any]](), dict[str, str]()
    for path in paths:
        for record in _records(path):
            tally = tally.plus(sub_agents=int(record.get("kind") == "subagent"))
            for message in [record, *record.get("messages", [])]:
                if message.get("type") == "gemini":
                    messages[message["id"]] = message
                    calls |= {c["id"]: _state(c) for c in message.get("toolCalls") or []}
    for message in messages.values():
        counts = message.get("tokens") or dict.fromkeys(_COUNTS, 0)
        into, output, cached, thoughts, tool = (counts[name] for name in _COUNTS)
        is_rest = not (into or message["content"] or message.get("thoughts"))
        # Without all three they are calls behind a notice of the client.
        tally = tally.plus(
            responses=int(not is_rest),
            context=into + tool,
            cached=cached,
            output=output + thoughts,
            reasoning=thoughts,
        )
    failed = sum(state != "success" for state in calls.values())
    return tally.plus(calls=len(calls), errors=failed)


_COUNTS = ("input", "output", "cached", "thoughts", "tool")


def _records(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".json":
        return [json.loads(path.read_text())]
    return list(json_lines(path))


def _state(call: dict[str, Any]) -> str:
    return "failed" if "Exit Code: 1" in str(call.get("result")) else str(call["status"])


def test_the_ledger_equals_a_plain_count(tmp_path: Path) -> None:
    found = ledger_counts([DATA], tmp_path)
    assert found == plain_count(FILES)
    # By hand: 12,000 + 12,507 + 12,600 (taken back, but paid) + 12,700 + 12,900 + 6,000 of the
    # session, 4,000 + 4,100 of its sub-agent; the document's two responses are the session's.
    assert (found.responses, found.context, found.errors, found.sub_agents) == (8, 76_807, 2, 1)


def test_every_real_file_equals_a_plain_count(real_traces: Path, tmp_path: Path) -> None:
    files = sorted((real_traces / "gemini_cli").glob("*.json"))
    real = [path for path in files if "constructed" not in path.name]
    assert len(real) >= 12
    found = ledger_counts(real, tmp_path)
    assert found == plain_count(real).plus(retries=2)  # Two messages tell of an error.
    # By hand, from the messages' `tokens`: 58 messages less two that only hold calls.
    assert (found.responses, found.calls, found.sub_agents) == (56, 42, 0)
