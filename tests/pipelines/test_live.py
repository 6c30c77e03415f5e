"""Sessions that are measured while they are written come to what a measurement afterwards finds."""

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from polars.testing import assert_frame_equal

from agentdyno.cli import main
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.live import SessionState, follow, list_states
from agentdyno.pipelines.measure import MeasureOptions, measure
from tests.ledger.traces import write_jsonl

SESSION = Path(__file__).parents[1] / "data" / "claude_code" / "session.jsonl"
COSTS = MeasureOptions(workers=1, costs_only=True)


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
    measure([folder / "traces"], folder / "fresh", COSTS)
    for table in ("trajectories", "turns", "calls", "parts", "bad_records"):
        rows = [Ledger(folder / name).read(table) for name in ("ledger", "fresh")]
        one, other = (each.sort(each.columns[:3]) for each in rows)
        assert_frame_equal(one, other)
    (session,) = {state.session for state in told}
    turns = [state.turns for state in told]
    assert turns == sorted(turns)
    assert told[-1] in list_states(Ledger(folder / "fresh"))
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
