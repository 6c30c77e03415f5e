"""Live and real sessions."""

import io
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from agentdyno.cli import main
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.live import follow
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.session_states import SessionState, SessionStates
from agentdyno.records.ledger import HELD, KIN, TABLES
from tests.ledger.traces import glob, write_jsonl
from tests.pipelines.session_corpus import write_corpus

pytestmark = pytest.mark.daily

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
        got = (row["cached_tokens"], row["cache_write_tokens"])
        assert got == (truth["read"], truth["written"])
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


SESSION = Path(__file__).parents[1] / "data" / "claude_code" / "session.jsonl"
COSTS = MeasureOptions(workers=1, costs_only=True)


def assert_as_if_measured_whole(folder: Path) -> None:
    """Every table of the ledger that was followed against one of the files as they are now."""
    measure([folder / "traces"], folder / "fresh", COSTS)
    for table in TABLES:
        rows = [Ledger(folder / name).read(table) for name in ("ledger", "fresh")]
        if table == HELD + "trajectories":  # Rows that do not count name the parent found last.
            rows = [each.drop(KIN) for each in rows]
        one, other = (each.sort(each.columns) for each in rows)
        assert_frame_equal(one, other, rel_tol=1e-12, abs_tol=1e-12)


def grow(files: dict[Path, bytes], seed: int) -> Iterator[set[Path]]:
    """Writes files piece by piece, cut anywhere, several at a time."""
    drawn = random.Random(seed)
    at = dict.fromkeys(files, 0)
    while left := [path for path in files if at[path] < len(files[path])]:
        changed = drawn.sample(left, min(len(left), drawn.randint(1, 6)))
        for path in changed:
            at[path] = min(len(files[path]), at[path] + drawn.randint(1, 1 + len(files[path]) // 2))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(files[path][: at[path]])
        yield set(changed)


def follow_growing(folder: Path, sources: Path, seed: int) -> None:
    """Follows copies of traces while they grow; those that come first are there from the start."""
    found = sorted(path for path in sources.rglob("*.jsonl"))
    files = {folder / "traces" / path.relative_to(sources): path.read_bytes() for path in found}
    drawn = random.Random(seed)
    there = drawn.sample(sorted(files), max(1, len(files) // 3))
    for path in there:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files[path])
    growing = {path: data for path, data in files.items() if path not in there}
    follow([folder / "traces"], folder / "ledger", grow(growing, seed), lambda states: None)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_forks_resumed_sessions_and_sub_agents_that_grow_are_as_if_measured_whole(
    tmp_path: Path, seed: int
) -> None:
    write_corpus(tmp_path / "corpus", seed)
    follow_growing(tmp_path, tmp_path / "corpus", seed)
    assert_as_if_measured_whole(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["claude_code", "codex"])
def test_real_sessions_that_grow_are_as_if_measured_whole(
    real_traces: Path, tmp_path: Path, agent: str
) -> None:
    follow_growing(tmp_path, real_traces / agent, 3)
    assert_as_if_measured_whole(tmp_path)


@pytest.fixture
def followed(tmp_path: Path) -> tuple[Path, list[SessionState]]:
    """A ledger of a session that was written in pieces, lines cut in two among them."""
    data, traces, told = SESSION.read_bytes(), tmp_path / "traces", list[SessionState]()
    live = traces / "live.jsonl"
    traces.mkdir()
    write_jsonl(traces / "other.jsonl", range(3))

    def write() -> Iterator[set[Path]]:
        for end in (len(data) // 3, 2 * len(data) // 3, len(data)):
            live.write_bytes(data[:end])
            yield {live}
        live.unlink()
        yield {live}

    follow([traces], tmp_path / "ledger", write(), told.extend)
    live.write_bytes(data)
    return tmp_path, told


def test_a_session_that_grows_and_is_deleted_is_as_if_measured_whole(
    followed: tuple[Path, list[SessionState]],
) -> None:
    folder, told = followed
    assert_as_if_measured_whole(folder)
    (session,) = {state.session for state in told}
    turns = [state.turns for state in told]
    assert turns == sorted(turns)
    assert told[-1] in SessionStates().update(Ledger(folder / "fresh"))
    assert told[-1].session == session


def test_the_status_hook_is_answered_from_what_was_measured(
    followed: tuple[Path, list[SessionState]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder, told = followed
    for session, expected in ((told[-1].session, f"{told[-1].turns} turns"), ("?", "not measured")):
        hook = json.dumps({"session_id": session, "transcript_path": "x", "model": {"id": "m"}})
        given = SimpleNamespace(buffer=io.BytesIO(hook.encode()))
        monkeypatch.setattr(sys, "stdin", given)
        words = ["agentdyno", "statusline", "--ledger", str(folder / "ledger")]
        monkeypatch.setattr(sys, "argv", words)
        assert main() == 0
        assert expected in capsys.readouterr().out
