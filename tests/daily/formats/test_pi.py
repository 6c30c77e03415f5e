"""Pi and OpenClaw: trees of entries."""

from pathlib import Path

from agentdyno.intake.discover import NotRead, discover
from agentdyno.intake.format import load_formats
from tests.intake.formats.conformance import detected, ledger_counts

DATA = Path(__file__).resolve().parents[2] / "data" / "pi"
FILES = {
    "tree.jsonl": "pi",
    "fork.jsonl": "pi",
    "first_version.jsonl": "pi",
    "openclaw.jsonl": "openclaw",
}


def test_sessions_that_openclaw_put_away_count_and_copies_count_once(tmp_path: Path) -> None:
    home = tmp_path / ".openclaw" / "agents" / "main"
    sessions = home / "sessions"
    sessions.mkdir(parents=True)
    own = (DATA / "openclaw.jsonl").read_text()
    names = ("1.jsonl.reset.2026-03-31T17-12-57.214Z", "1.checkpoint.5f.jsonl", "1.jsonl.bak")
    for name in names:
        (sessions / name).write_text(own)
    (sessions / "2.jsonl.deleted.2026-04-01T14-24-14.361Z").write_text(
        (DATA / "tree.jsonl").read_text()
    )
    (home / "auth-profiles.json").write_text('{"messages": [{"role": "assistant"}]}')
    alone = ledger_counts([DATA / "openclaw.jsonl", DATA / "tree.jsonl"], tmp_path / "alone")
    assert ledger_counts([home], tmp_path) == alone
    assert alone.responses == 11
    [skipped] = [item for item in discover([home], load_formats()) if isinstance(item, NotRead)]
    assert (skipped.name, skipped.reason) == (
        "main/auth-profiles.json",
        "a file of credentials, which is never opened",
    )


def test_every_file_is_known_for_its_own_agents(tmp_path: Path) -> None:
    for name, agent in FILES.items():
        assert detected(DATA / name) == agent
    other = tmp_path / "other.jsonl"
    other.write_text('{"type": "session", "id": "1"}\n{"type": "message", "role": "user"}\n')
    assert detected(other) not in ("pi", "openclaw")


def test_a_session_of_omp_is_not_taken_for_one_of_pi(tmp_path: Path) -> None:
    folder = tmp_path / ".omp" / "agent" / "sessions"
    folder.mkdir(parents=True)
    (folder / "a.jsonl").write_text((DATA / "tree.jsonl").read_text())
    assert detected(folder / "a.jsonl") is None
