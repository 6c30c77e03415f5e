"""OpenCode: databases of both versions, files and exports."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from agentdyno_daily.formats.opencode import FORMAT
from tests.intake.formats.conformance import ledger_counts, read_as
from tests.intake.formats.sqlite_files import rows_in, written_database
from tests.intake.mutations import assert_survives

DATA = Path(__file__).resolve().parents[2] / "data" / "opencode"
EXPORT = DATA / "export.json"
"""The main session of version 1, as `opencode export` writes it."""


_OPEN = ExitStack()


def rows_of(name: str) -> list[dict[str, Any]]:
    return rows_in(DATA / name)


def database(path: Path, *names: str) -> Path:
    """A file with these rows, whose writer is there until the test ends."""
    rows = [row for name in names for row in rows_of(name)]
    _OPEN.enter_context(written_database(path, rows))
    return path


@pytest.fixture(autouse=True)
def _writers_end() -> Iterator[None]:
    yield
    _OPEN.pop_all().close()


def stored(folder: Path) -> Path:
    """The rows of version 1 as the files that versions before the database wrote."""
    rows = rows_of("first_version.jsonl")
    for table, row in ((each["table"], each["row"]) for each in rows):
        places = {
            "session": f"session/global/{row['id']}",
            "message": f"message/{row.get('session_id')}/{row['id']}",
            "part": f"part/{row.get('message_id')}/{row['id']}",
        }
        path = folder / "storage" / f"{places[table]}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        data = row.get("data") or {
            **{name: row[name] for name in ("id", "title", "version")},
            "parentID": row["parent_id"],
            "time": {"created": row["time_created"]},
        }
        path.write_text(json.dumps({"id": row["id"], **data}))
    return folder


def test_every_response_in_files_of_their_own_counts_once(tmp_path: Path) -> None:
    home = stored(tmp_path / "home")
    database(tmp_path / "alone.db", "first_version.jsonl")
    truth = ledger_counts([tmp_path / "alone.db"], tmp_path / "alone")
    assert ledger_counts([home], tmp_path) == truth
    # Beside the database that the files were moved into, nothing is new.
    database(home / "opencode.db", "first_version.jsonl")
    assert ledger_counts([home], tmp_path) == truth


def test_a_damaged_message_in_a_file_of_its_own_costs_only_itself(tmp_path: Path) -> None:
    home = stored(tmp_path)
    main = home / "storage" / "session" / "global" / "ses_main7Kq2xWz9.json"
    whole, _ = read_as("opencode", main)
    (home / "storage" / "message" / "ses_main7Kq2xWz9" / "msg_13.json").write_text("{")
    runs, bad = read_as("opencode", main)
    assert [len(run.turns) for run in runs] == [len(whole[0].turns) - 1]
    assert [each.place for each in bad] == ["msg_13.json"]


def test_what_the_agent_writes_after_a_measurement_is_new_the_next_time(tmp_path: Path) -> None:
    rows = rows_of("second_version.jsonl")
    last = next(item for item in rows if item["row"]["id"] == "msg_c10")
    rows.remove(last)
    path = tmp_path / "opencode.db"
    with written_database(path, rows) as writer:
        before = ledger_counts([path], tmp_path)
        cells = [json.dumps(v) if isinstance(v, dict) else v for v in last["row"].values()]
        writer.execute(f"INSERT INTO session_message VALUES ({', '.join('?' * len(cells))})", cells)
        writer.commit()
        after = ledger_counts([path], tmp_path)
    assert (before.responses, after.responses) == (7, 8)
    assert (before.context, after.context) == (5_845, 7_055)


def test_a_cut_export_and_a_bad_row_cost_only_themselves(tmp_path: Path) -> None:
    text = EXPORT.read_text()
    path = tmp_path / "cut.json"
    path.write_text(text[: text.index("msg_09")])
    [run], [problem] = read_as("opencode", path)
    assert (len(run.turns), problem.found) == (3, "the file ends early")
    rows = rows_of("second_version.jsonl")
    for row in (item["row"] for item in rows if item["row"]["id"] == "msg_a3"):
        row["data"] = '{"text":'
    _OPEN.enter_context(written_database(tmp_path / "a.db", rows))
    runs, [problem] = read_as("opencode", tmp_path / "a.db")
    assert problem.place == "row msg_a3"
    assert sum(len(run.turns) for run in runs) == 9


def test_databases_with_damaged_pages_never_raise(tmp_path: Path) -> None:
    path = database(tmp_path / "a.db", "first_version.jsonl", "second_version.jsonl")
    _OPEN.pop_all().close()
    data = path.read_bytes()
    for start in range(100, len(data), len(data) // 40):
        (tmp_path / "b.db").write_bytes(data[:start] + b"\xff" * 300 + data[start + 300 :])
        assert_survives(FORMAT, tmp_path / "b.db")
