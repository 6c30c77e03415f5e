"""Where agents keep their sessions, and databases that are read while they are written."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agentdyno.intake.databases import open_database, read_tables
from agentdyno.intake.format import load_formats
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.intake.user_folders import user_ledger
from agentdyno.ledger.manifest import fingerprint
from agentdyno.records import BadRecord, UnreadableError
from agentdyno_daily.homes import AGENTS, find_homes
from tests.labelled import from_set


def folders(home: Path, platform: str = "linux", **environment: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in find_homes(environment, home, platform):
        found.setdefault(each.agent.name, []).append(str(each.folder.relative_to(home)))
    return found


def make(home: Path, *places: str) -> None:
    for place in places:
        (home / place).mkdir(parents=True)


def test_agents_are_found_at_their_usual_places(tmp_path: Path) -> None:
    make(tmp_path, ".claude/projects", ".codex/sessions", ".codex/archived_sessions")
    make(
        tmp_path, ".local/share/opencode", ".config/Code/User/globalStorage/saoudrizwan.claude-dev"
    )
    assert folders(tmp_path) == {
        "Claude Code": [".claude/projects"],
        "Codex": [".codex/sessions", ".codex/archived_sessions"],
        "OpenCode": [".local/share/opencode"],
        "Cline": [".config/Code/User/globalStorage/saoudrizwan.claude-dev"],
    }


@from_set("daily/homes", "platform", "place")
def test_extensions_are_found_where_the_platform_keeps_settings(
    tmp_path: Path, platform: str, place: str
) -> None:
    make(tmp_path, place)
    assert folders(tmp_path, platform) == {"Kilo Code": [place]}


def test_an_agents_variable_replaces_its_usual_place_and_may_name_several(tmp_path: Path) -> None:
    make(tmp_path, ".claude/projects", "work/projects", "private/projects")
    named = f"{tmp_path / 'work'}, {tmp_path / 'private'}"
    assert folders(tmp_path, CLAUDE_CONFIG_DIR=named) == {
        "Claude Code": ["work/projects", "private/projects"]
    }
    assert folders(tmp_path, CLAUDE_CONFIG_DIR="~/work") == {"Claude Code": ["work/projects"]}
    inside = str(tmp_path / "work" / "projects")
    assert folders(tmp_path, CLAUDE_CONFIG_DIR=inside) == {"Claude Code": ["work/projects"]}
    assert folders(tmp_path, CLAUDE_CONFIG_DIR="") == {"Claude Code": [".claude/projects"]}


def test_one_folder_under_two_names_is_found_once(tmp_path: Path) -> None:
    make(tmp_path, ".claude/projects", ".config")
    (tmp_path / ".config" / "claude").symlink_to(tmp_path / ".claude")
    assert folders(tmp_path) == {"Claude Code": [".claude/projects"]}


def test_the_ledger_is_in_the_users_data_folder(tmp_path: Path) -> None:
    linux = user_ledger({}, tmp_path, "linux")
    assert linux == tmp_path / ".local/share/agentdyno/ledger"
    assert user_ledger({"XDG_DATA_HOME": "/d"}, tmp_path, "linux") == Path("/d/agentdyno/ledger")
    assert user_ledger({"AGENTDYNO_LEDGER": "/l"}, tmp_path, "darwin") == Path("/l")
    assert user_ledger({"LOCALAPPDATA": "/a"}, tmp_path, "win32") == Path("/a/agentdyno/ledger")


def test_names_of_agents_are_unique() -> None:
    assert len({agent.name for agent in AGENTS}) == len(AGENTS)


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


@pytest.mark.parametrize("name", ["hermes", "opencode"])
def test_the_database_of_another_program_is_one_bad_record(name: str, tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("CREATE TABLE birds (id)")
    (found,) = load_formats()[name].read(Source(path, path.name))
    assert isinstance(found, BadRecord)
    assert found.expected
