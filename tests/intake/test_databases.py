"""SQLite files of agents that run: read as they are, and left as they are."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agentdyno.intake.databases import open_database, read_tables
from agentdyno.intake.format import Source, load_formats
from agentdyno.intake.head import Head
from agentdyno.ledger.manifest import fingerprint
from agentdyno.records import BadRecord, UnreadableError


def write_ahead_database(path: Path) -> sqlite3.Connection:
    """A database whose writer is still there, and whose rows are in the file beside it."""
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("CREATE TABLE message (id TEXT, data TEXT)")
    writer.execute("INSERT INTO message VALUES ('1', '{\"role\": \"user\"}')")
    writer.commit()
    return writer


def test_rows_are_seen_while_the_agent_runs_and_nothing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "agent #1.db"
    writer = write_ahead_database(path)
    with open_database(path) as reader:
        assert reader.execute("SELECT id FROM message").fetchall() == [(b"1",)]
    with pytest.raises(UnreadableError, match="readonly"), open_database(path) as reader:
        reader.execute("DELETE FROM message")
    writer.execute("INSERT INTO message VALUES ('2', '')")
    writer.commit()
    writer.close()
    before = sorted(tmp_path.iterdir())
    with open_database(path) as reader:
        assert len(reader.execute("SELECT id FROM message").fetchall()) == 2
    assert sorted(tmp_path.iterdir()) == before == [path]


def test_a_row_beside_the_database_makes_it_another_file_to_the_ledger(tmp_path: Path) -> None:
    path = tmp_path / "agent.db"
    writer = write_ahead_database(path)
    first = fingerprint(path)
    assert fingerprint(path) == first
    writer.execute("INSERT INTO message VALUES ('2', '')")
    writer.commit()
    assert fingerprint(path) != first
    writer.close()


def test_json_in_the_pages_of_a_database_is_no_format(tmp_path: Path) -> None:
    path = tmp_path / "agent.db"
    write_ahead_database(path).close()
    head = Head(path)
    assert head.tables == {"message": frozenset({"id", "data"})}
    assert (head.first, head.lines, head.keys) == (None, [], frozenset())


def test_a_damaged_database_has_no_tables(tmp_path: Path) -> None:
    path = tmp_path / "agent.db"
    write_ahead_database(path).close()
    path.write_bytes(path.read_bytes()[:3000])
    assert read_tables(path) == {}


@pytest.mark.parametrize("name", ["goose", "hermes", "opencode"])
def test_the_database_of_another_program_is_one_bad_record(name: str, tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("CREATE TABLE birds (id)")
    (found,) = load_formats()[name].read(Source(path, path.name))
    assert isinstance(found, BadRecord)
    assert found.expected
