from pathlib import Path

from agentdyno.intake.homes import AGENTS, find_homes, user_ledger
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


@from_set("intake/homes", "platform", "place")
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
