"""A change that `apply` makes, what `undo` leaves, and what neither touches."""

import json
import os
from pathlib import Path

import pytest

from agentdyno.records import InputError
from agentdyno.studies.cost.lever import FileEdit, Lever
from agentdyno_daily.changes.applied_changes import read_applied
from agentdyno_daily.changes.apply import make_change, plan_change, undo_change
from tests.pipelines.ledger_builder import LedgerRows

SETTINGS = '{\n    "model": "opus",\n    "env": {"A": "ä"}\n}\n'
CODEX = '# mine\nmodel = "gpt-5" # dear\n\n[mcp_servers.linear]\ncommand = "npx"\n'


def _lever(*edits: FileEdit) -> Lever:
    return Lever(
        name="cache_lifetime", kind="setting", what="write the cache for 5 minutes", where=[],
        amount=1.0, share=0.1, unit="usd", certainty="counted", assumption="", edits=[*edits],
    )  # fmt: skip


def _edit(file: str, key: list[str], value: object, adds: bool = False) -> FileEdit:
    return FileEdit(agent="claude_code", file=file, key=key, value=value, adds=adds)


JSON_EDIT = _edit("~/.claude/settings.json", ["env", "FORCE_PROMPT_CACHING_5M"], "1")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    found = tmp_path / "home"
    (found / ".claude").mkdir(parents=True)
    (found / ".claude" / "settings.json").write_text(SETTINGS)
    (found / ".claude" / "settings.json").chmod(0o640)
    (found / ".codex").mkdir()
    (found / ".codex" / "config.toml").write_text(CODEX)
    return found


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return LedgerRows().trajectory("a", 100.0).write(tmp_path / "ledger")


def test_a_setting_is_written_and_taken_back_byte_for_byte(home: Path, ledger: Path) -> None:
    file = home / ".claude" / "settings.json"
    lever = _lever(JSON_EDIT)
    note = make_change(ledger, lever, plan_change(lever, home, {}))
    assert json.loads(file.read_text()) == {
        "model": "opus", "env": {"A": "ä", "FORCE_PROMPT_CACHING_5M": "1"},
    }  # fmt: skip
    assert file.stat().st_mode & 0o777 == 0o640
    [known] = read_applied(ledger)
    assert (known.id, known.lever) == (1, "cache_lifetime")
    assert (known.is_written, known.undone_at) == (True, None)
    undo_change(note.id, home, {})
    assert file.read_bytes() == SETTINGS.encode()
    assert file.stat().st_mode & 0o777 == 0o640
    assert read_applied(ledger)[0].undone_at is not None
    with pytest.raises(InputError, match="undone before"):
        undo_change(note.id, home, {})


def test_several_agents_change_at_once_and_comments_stay(home: Path, ledger: Path) -> None:
    lever = _lever(
        _edit("~/.codex/config.toml", ["mcp_servers", "linear", "enabled"], value=False),
        _edit("~/.codex/config.toml", ["tool_output_token_limit"], 2000),
        _edit("~/.claude/CLAUDE.md", [], "Be brief."),
        _edit("~/.claude/settings.json", ["permissions", "deny"], ["WebSearch"], adds=True),
    )
    make_change(ledger, lever, plan_change(lever, home, {}))
    assert (home / ".codex" / "config.toml").read_text() == (
        'tool_output_token_limit = 2000\n# mine\nmodel = "gpt-5" # dear\n\n'
        '[mcp_servers.linear]\nenabled = false\ncommand = "npx"\n'
    )
    assert (home / ".claude" / "CLAUDE.md").read_text() == "Be brief.\n"
    undo_change(1, home, {})
    assert (home / ".codex" / "config.toml").read_text() == CODEX
    assert (home / ".claude" / "settings.json").read_text() == SETTINGS
    assert not (home / ".claude" / "CLAUDE.md").exists()


def test_a_file_that_changed_since_is_left_alone(home: Path, ledger: Path) -> None:
    file, lever = home / ".claude" / "settings.json", _lever(JSON_EDIT)
    make_change(ledger, lever, plan_change(lever, home, {}))
    changed = file.read_text().replace("opus", "sonnet")
    file.write_text(changed)
    with pytest.raises(InputError, match="changed since") as found:
        undo_change(1, home, {})
    assert '-    "model": "sonnet"' in str(found.value)
    assert file.read_text() == changed


def test_what_is_set_already_is_no_change(home: Path) -> None:
    (home / ".claude" / "settings.json").write_text('{"env": {"FORCE_PROMPT_CACHING_5M": "1"}}')
    with pytest.raises(InputError, match="set already"):
        plan_change(_lever(JSON_EDIT), home, {})


@pytest.mark.parametrize(
    "file", ["~/.bashrc", "/etc/passwd", "~/.claude/../.ssh/config", ".claude/settings.json"]
)
def test_files_that_are_no_settings_of_an_agent_are_refused(file: str, home: Path) -> None:
    with pytest.raises(InputError, match="expected a settings or instruction file"):
        plan_change(_lever(_edit(file, [], "x")), home, {})


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("linked", [".claude/settings.json", ".claude"])
def test_links_are_refused(linked: str, home: Path, tmp_path: Path) -> None:
    place = home / linked
    place.rename(tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="found a link"):
        plan_change(_lever(JSON_EDIT), home, {})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("// mine\n{}", "expected JSON"),
        ('{"env": 3}', "expected an object at env, found a number"),
        ("[]", "expected an object at the top, found a list"),
    ],
)
def test_settings_that_are_not_understood_are_left_alone(
    text: str, expected: str, home: Path
) -> None:
    (home / ".claude" / "settings.json").write_text(text)
    with pytest.raises(InputError, match=expected):
        plan_change(_lever(JSON_EDIT), home, {})


def test_what_fails_halfway_is_taken_back(
    home: Path, ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lever = _lever(JSON_EDIT, _edit("~/.claude/CLAUDE.md", [], "Be brief."))
    files = plan_change(lever, home, {})
    (home / ".claude" / "CLAUDE.md").write_text("Somebody was quicker.\n")
    with pytest.raises(InputError, match="changed just now"):
        make_change(ledger, lever, files)
    assert (home / ".claude" / "settings.json").read_text() == SETTINGS
    assert read_applied(ledger) == []
