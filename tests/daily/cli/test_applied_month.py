"""A change of settings from end to end: applied, worked under, undone."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from agentdyno_daily.changes.applied_changes import read_applied
from tests.cli.run import Agentdyno
from tests.daily.cli.scripted_month import DAY, ScriptedAgent

SETTINGS = b'{\n\t"model": "opus",\r\n\t"env": {"A": "\xc3\xa4"}\n}'


def _find_lever(agentdyno: Agentdyno, name: str) -> tuple[int, dict[str, Any]] | None:
    assert agentdyno.run("apply", agentdyno.ledger, "--json") == 0
    levers = json.loads(agentdyno.out)
    return next(((n, each) for n, each in enumerate(levers, 1) if each["name"] == name), None)


def test_a_month_with_a_change_in_its_middle(
    agentdyno: Agentdyno, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    (home / ".claude").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    agent = ScriptedAgent(home, 5)
    agent.settings.write_bytes(SETTINGS)
    now = time.time()

    before = agent.work(now - 14 * DAY, 13.5, 40, 12)
    assert agentdyno.measure(agent.sessions) == 0
    number, lever = _find_lever(agentdyno, "cache_lifetime") or (0, {})
    known = sum(w.cost(300) for w in before) / sum(w.cost(3600) for w in before)
    assert lever["share"] == pytest.approx(1 - known, abs=0.005)
    saved = sum(w.cost(3600) - w.cost(300) for w in before)
    assert lever["amount"] == pytest.approx(saved, rel=0.01)
    assert 0 < lever["low"] < lever["amount"] < lever["high"]

    assert agentdyno.run("apply", agentdyno.ledger, number, "--yes") == 0
    assert '"FORCE_PROMPT_CACHING_5M": "1"' in agentdyno.out
    assert "holds for: Claude Code 2.1.108 or later." in agentdyno.out
    assert agent.lifetime() == 300

    agent.work(now + 60, 14, 45, 20)
    assert agentdyno.measure(agent.sessions) == 0
    [note] = read_applied(agentdyno.ledger)
    assert note.lever == "cache_lifetime"
    # Sessions of the last 14 days do it already.
    assert _find_lever(agentdyno, "cache_lifetime") is None

    assert agentdyno.run("apply", "--undo", agentdyno.ledger, 1, "--yes") == 0
    assert agent.settings.read_bytes() == SETTINGS
    agent.work(now + 15 * DAY, 15, 30, 20)
    assert agentdyno.measure(agent.sessions) == 0
    assert _find_lever(agentdyno, "cache_lifetime") is not None
