"""Pi, OpenClaw and OMP: trees of entries, against plain sums over their lines."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.discover import NotRead, discover
from agentdyno.intake.format import load_formats
from tests.intake.formats.conformance import Counts, detected, ledger_counts
from tests.labelled import from_set

DATA = Path(__file__).resolve().parents[2] / "data" / "pi"
FILES = {
    "tree.jsonl": "pi",
    "fork.jsonl": "pi",
    "first_version.jsonl": "pi",
    "openclaw.jsonl": "openclaw",
    "omp": "omp",
}


def files_of(name: str) -> list[Path]:
    path = DATA / name
    return sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text().splitlines():
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            continue


def messages_of(path: Path) -> Iterator[dict[str, Any]]:
    """Messages of a file, those of sub-agents in its results included."""
    for line in lines_of(path):
        message = line.get("message") or {}
        if line["type"] == "model_usage":
            yield {**line, "role": "assistant", "content": [], "timestamp": line["timestamp"]}
        yield message
        for result in (message.get("details") or {}).get("results", []):
            yield from result["messages"]


def count(paths: list[Path], sub_agents: int) -> Counts:
    """Every answer once, by its moment and its counts."""
    seen: dict[Any, dict[str, Any]] = {}
    calls, errors, retries = set(), set(), 0
    for path in paths:
        for number, message in enumerate(messages_of(path)):
            if message.get("role") == "toolResult" and message.get("isError"):
                errors.add(message["toolCallId"])
            if message.get("role") != "assistant" or message.get("provider") == "openclaw":
                continue
            usage = message.get("usage") or {}
            if message.get("stopReason") in ("error", "aborted") and not message["content"]:
                retries += 1
                continue
            unique = message.get("timestamp") or (path.name, number)
            seen[unique, usage.get("input"), usage.get("output")] = message
            calls |= {block["id"] for block in message["content"] if block["type"] == "toolCall"}
    used = [message.get("usage") or {} for message in seen.values()]
    ended = [
        message.get("usage") or {}
        for message in seen.values()
        if message.get("stopReason") not in ("error", "aborted")
    ]

    def total(of: list[dict[str, Any]], *names: str) -> int:
        return sum(usage.get(name) or 0 for usage in of for name in names)

    return Counts(
        responses=len(seen),
        context=total(used, "input", "cacheRead", "cacheWrite"),
        cached=total(used, "cacheRead"),
        written=total(used, "cacheWrite"),
        output=total(ended, "output"),
        reasoning=total(used, "reasoning"),
        calls=len(calls),
        errors=len(errors & calls),
        sub_agents=sub_agents,
        retries=retries,
        usd=round(sum((usage.get("cost") or {}).get("total", 0) for usage in used), 9),
    )


@from_set("intake/formats/pi", "names", "sub_agents", "responses")
def test_every_response_counts_once(
    tmp_path: Path, names: list[str], sub_agents: int, responses: int
) -> None:
    truth = count([path for name in names for path in files_of(name)], sub_agents)
    assert truth.responses == responses
    assert ledger_counts([DATA / name for name in names], tmp_path) == truth


def test_sessions_that_openclaw_put_away_count_and_copies_count_once(tmp_path: Path) -> None:
    home = tmp_path / ".openclaw" / "agents" / "main"
    sessions = home / "sessions"
    sessions.mkdir(parents=True)
    own = (DATA / "openclaw.jsonl").read_text()
    names = ("1.jsonl.reset.2026-03-31T17-12-57.214Z", "1.checkpoint.5f.jsonl", "1.jsonl.bak")
    for name in names:
        (sessions / name).write_text(own)
    (sessions / "2.jsonl.deleted.2026-04-01T14-24-14.361Z").write_text(
        (DATA / "tree.jsonl").read_text()
    )
    (home / "auth-profiles.json").write_text('{"messages": [{"role": "assistant"}]}')
    truth = count([DATA / "openclaw.jsonl", DATA / "tree.jsonl"], 0)
    alone = ledger_counts([DATA / "openclaw.jsonl", DATA / "tree.jsonl"], tmp_path / "alone")
    assert ledger_counts([home], tmp_path) == alone
    assert alone.responses == truth.responses
    [skipped] = [item for item in discover([home], load_formats()) if isinstance(item, NotRead)]
    assert (skipped.name, skipped.reason) == (
        "main/auth-profiles.json",
        "a file of credentials, which is never opened",
    )


@pytest.mark.parametrize("agent", ["pi", "openclaw", "omp"])
def test_samples_are_counted_as_they_are(real_traces: Path, tmp_path: Path, agent: str) -> None:
    paths = sorted((real_traces / agent).glob("*.jsonl"))
    assert {detected(path) for path in paths} == {agent}
    assert ledger_counts(paths, tmp_path) == count(paths, 0)


def test_every_file_is_known_for_its_own_agents(tmp_path: Path) -> None:
    for name, agent in FILES.items():
        assert {detected(path) for path in files_of(name)} == {agent}
    other = tmp_path / "other.jsonl"
    other.write_text('{"type": "session", "id": "1"}\n{"type": "message", "role": "user"}\n')
    assert detected(other) not in ("pi", "openclaw", "omp")
