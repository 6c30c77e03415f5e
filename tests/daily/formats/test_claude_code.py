"""Claude Code: session files and what they leave to be worked out."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.source import Source
from agentdyno.records import BadRecord, Trajectory
from agentdyno_daily.formats.claude_code import FORMAT, session
from tests.intake.formats.conformance import items_of, read_good

DATA = Path(__file__).resolve().parents[2] / "data" / "claude_code"
read = partial(items_of, "claude_code")
trajectories = partial(read_good, "claude_code")


def main_talks(path: Path) -> list[Trajectory]:
    return [found for found in trajectories(path) if found.parent_id is None]


def lines_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


def written(folder: Path, lines: list[Any], name: str = "lines.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def line(kind: str, uuid: str, parent: str | None, content: Any, **more: Any) -> dict[str, Any]:
    """A line as short as a session file allows."""
    message = {"role": kind, "content": content}
    if kind == "assistant":
        usage = {"input_tokens": 10, "output_tokens": 5}
        message |= {"id": f"msg_{uuid}", "model": "claude-opus-4-5", "usage": usage}
    known = {"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s"}
    return {**known, "message": message, **more}


def test_numbered_message_ids_of_two_sessions_are_two_responses(tmp_path: Path) -> None:
    talk = [line("user", "u", None, "?"), line("assistant", "a", "u", "Hi.", requestId="r1")]
    other = [each | {"sessionId": "other"} for each in talk]
    copy = [{k: v for k, v in each.items() if k != "requestId"} for each in talk]
    one, two, again = (
        trajectories(written(tmp_path, lines))[0].turns[0].identity for lines in (talk, other, copy)
    )
    assert (one == again, one == two) == (True, False)


def test_many_sessions_in_one_file_are_closed_as_they_fall_quiet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "MAX_OPEN", 4)
    talk = [
        (line("user", f"u{i}", None, "?", sessionId=f"s{i}"),
         line("assistant", f"a{i}", f"u{i}", "Hi.", sessionId=f"s{i}"))
        for i in range(9)
    ]  # fmt: skip
    late = line("assistant", "late", "a0", "Still here.", sessionId="s0")
    found = trajectories(written(tmp_path, [line for pair in talk for line in pair] + [late]))
    ids = [t.trajectory_id.removeprefix("lines.jsonl#") for t in found]
    assert sorted(ids) == ["s0", "s0~2", *(f"s{i}" for i in range(1, 9))]


def test_objects_on_one_line_are_read_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "joined.jsonl"
    first, _, rest = (DATA / "chains.jsonl").read_bytes().partition(b"\n")
    path.write_bytes(b"null" + first + rest)
    found = list(FORMAT.read(Source(path, path.name)))
    whole = tmp_path / "whole.jsonl"
    whole.write_bytes((DATA / "chains.jsonl").read_bytes())
    wanted = list(FORMAT.read(Source(whole, path.name)))
    turns = [len(item.turns) for item in wanted if not isinstance(item, BadRecord)]
    assert [len(item.turns) for item in found if not isinstance(item, BadRecord)] == turns
    assert sum(isinstance(item, BadRecord) for item in found) > 0, "null is none"


def test_most_real_output_counts_are_placeholders(real_traces: Path) -> None:
    files = (real_traces / "claude_code").glob("*.jsonl")
    turns = [turn for path in files for found in main_talks(path) for turn in found.turns]
    # Of 121 responses, 91 say less than a tenth of the characters that can be seen; three more say
    # 19, 25 and 27 from first to last, for 77, 102 and 130 characters, as a response begins.
    assert (len(turns), sum(turn.decode is None for turn in turns)) == (121, 94)
