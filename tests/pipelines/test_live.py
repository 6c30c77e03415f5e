"""Sessions that are measured while they are written come to what a measurement afterwards finds."""

import io
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from polars.testing import assert_frame_equal

from agentdyno.cli import main
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.live import follow
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.session_states import SessionState, SessionStates
from agentdyno.records.ledger import HELD, KIN, TABLES
from tests.ledger.traces import write_jsonl
from tests.pipelines.session_corpus import write_corpus

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
        changed = set(drawn.sample(left, min(len(left), drawn.randint(1, 6))))
        for path in changed:
            at[path] = min(len(files[path]), at[path] + drawn.randint(1, 1 + len(files[path]) // 2))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(files[path][: at[path]])
        yield changed


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
