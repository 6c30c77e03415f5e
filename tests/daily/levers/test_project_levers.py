"""What stands in contexts for nothing, by project: every figure by hand."""

import json
from pathlib import Path

import pytest

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.levers import find_levers
from agentdyno.studies.report_context import ReportContext
from agentdyno_daily.changes.apply import plan_change
from tests.pipelines.ledger_builder import LedgerRows
from tests.studies.test_cache import READ, SHORT, Talk


def _list(ledger: Path) -> list[Lever]:
    return find_levers(ReportContext(ReadableLedger(ledger).hold_tables()))


def _levers(ledger: Path) -> dict[str, Lever]:
    return {lever.name: lever for lever in _list(ledger)}


def _offer(
    rows: LedgerRows, project: Path, sessions: int, calls: int, usd: float,
    agent: str = "claude_code",
) -> None:  # fmt: skip
    for number in range(sessions):
        name = f"{agent}{project.name}{number}"
        rows.trajectory(name, usd=1.0, format=agent, project=str(project))
        rows.turn(name, 0, usd=1.0)
        rows.part(name, "schema", 1.0, name="mcp__linear__get_issue", usd=usd, enters=0)
        if number < calls:
            rows.call(name, 0, "mcp__linear__get_issue")


def test_a_server_is_disabled_in_the_projects_that_never_call_it(tmp_path: Path) -> None:
    rows, home = LedgerRows(), tmp_path / "home"
    shop, till, new = (home / name for name in ("shop", "till", "new"))
    for project, sessions, calls, usd in ((shop, 10, 8, 0.2), (till, 6, 0, 0.3), (new, 2, 0, 0.9)):
        _offer(rows, project, sessions, calls, usd)
    till.mkdir(parents=True)
    lever = _levers(rows.write(tmp_path / "ledger", "usd"))["server_here:linear"]
    assert lever.amount == pytest.approx(6 * 0.3)
    assert lever.where == [str(till)]
    assert lever.share == pytest.approx(1.8 / 18)
    [file] = plan_change(lever, home, {})
    assert file.path == till / ".claude" / "settings.local.json"
    assert json.loads(file.after) == {"disabledMcpjsonServers": ["linear"]}


def test_every_agent_gets_a_lever_of_its_own(tmp_path: Path) -> None:
    rows, home = LedgerRows(), tmp_path / "home"
    shop, till = home / "shop", home / "till"
    till.mkdir(parents=True)
    _offer(rows, shop, 10, 8, 0.2)
    for agent in ("claude_code", "codex", "gemini_cli"):
        _offer(rows, till, 6, 0, 0.1, agent)
    found = [
        lever for lever in _list(rows.write(tmp_path / "ledger", "usd"))
        if lever.name in ("server_here:linear", "unused_server:linear")
    ]  # fmt: skip
    # The other two never call it anywhere, so it is off for the user there.
    assert {lever.agent: (lever.scope, lever.amount) for lever in found} == {
        "claude_code": ("project", pytest.approx(0.6)),
        "codex": ("user", pytest.approx(0.6)),
        "gemini_cli": ("user", pytest.approx(0.6)),
    }
    (home / ".codex").mkdir()
    (home / ".gemini").mkdir()
    files = {each.path: each.after for lever in found for each in plan_change(lever, home, {})}
    assert files == {
        till / ".claude" / "settings.local.json":
            b'{\n  "disabledMcpjsonServers": [\n    "linear"\n  ]\n}\n',
        home / ".codex" / "config.toml": b"[mcp_servers.linear]\nenabled = false\n",
        home / ".gemini" / "settings.json":
            b'{\n  "mcp": {\n    "excluded": [\n      "linear"\n    ]\n  }\n}\n',
    }  # fmt: skip


def test_a_project_elsewhere_is_not_written_to(tmp_path: Path) -> None:
    rows, home = LedgerRows(), tmp_path / "home"
    home.mkdir()
    for project, calls in ((home / "shop", 8), (tmp_path / "others", 0)):
        _offer(rows, project, 10, calls, 0.2)
    (tmp_path / "others").mkdir()
    lever = _levers(rows.write(tmp_path / "ledger", "usd"))["server_here:linear"]
    with pytest.raises(InputError, match="expected a settings or instruction file"):
        plan_change(lever, home, {})


def _measure(tmp_path: Path, *talks: Talk) -> Path:
    for number, talk in enumerate(talks):
        file = tmp_path / "traces" / f"s{number}.jsonl"
        file.parent.mkdir(exist_ok=True)
        text = "\n".join(json.dumps(line) for line in talk.lines)
        for old, new in (("msg_01", f"msg_{number}"), ('"s1"', f'"s{number}"')):
            text = text.replace(old, new)
        file.write_text(text)
    return measure([tmp_path / "traces"], tmp_path / "l", MeasureOptions(workers=1)).ledger


def test_an_installation_is_disabled_where_nothing_of_it_is_called(tmp_path: Path) -> None:
    call = {"type": "tool_use", "id": "t1", "name": "mcp__linear__get_issue", "input": {}}
    talks = []
    for number in range(12):
        talk = Talk().turn(0, 0, 30_600, answer={"content": [call]} if number >= 6 else {})
        for line in talk.turn(20, 30_600, 500).lines:
            line["cwd"] = "/home/ann/shop/.worktrees/2" if number < 6 else "/home/ann/till"
        talks.append(talk)
    lever = _levers(_measure(tmp_path, *talks))["setup"]
    assert lever.where == ["/home/ann/shop"]
    # 30,610 tokens less the client's 20,600 and the prompt's 5.1, written once and read once.
    assert lever.amount == pytest.approx(6 * 10_005 * (SHORT + READ), rel=0.01)


def test_a_section_costs_its_tokens_and_a_worktree_inside_loads_it_twice(tmp_path: Path) -> None:
    inner = tmp_path / "shop" / ".worktrees" / "2"
    inner.mkdir(parents=True)
    for folder in (inner, tmp_path / "shop"):
        (folder / "CLAUDE.md").write_text("# Small\nNo.\n# Testing\n" + "word " * 4_000)
    talks = [Talk().turn(0, 0, 40_000).turn(20, 40_000, 500) for _ in range(4)]
    for talk in talks:
        for line in talk.lines:
            line["cwd"] = str(inner)
    found = _levers(_measure(tmp_path, *talks))
    tokens = 4 * (0.216 * (20_000 + 10) + 0.78)
    section = found["section:CLAUDE.md # Testing"]
    assert section.amount == pytest.approx(tokens * (SHORT + READ), rel=0.01)
    assert (section.agent, section.scope, section.kind) == ("claude_code", "project", "file")
    assert found["worktrees"].amount == pytest.approx(tokens * (SHORT + READ), rel=0.01)
    assert "section:CLAUDE.md # Small" not in found  # It is less than 1 %.
    with pytest.raises(InputError, match="to be written by hand"):
        plan_change(section)


def test_an_agent_that_came_later_does_not_hide_the_levers_of_the_first(tmp_path: Path) -> None:
    day, rows = 86_400.0, LedgerRows()
    till = tmp_path / "home" / "till"
    till.mkdir(parents=True)
    _offer(rows, till, 6, 0, 0.1, "codex")
    _offer(rows, till.parent / "shop", 8, 8, 0.1, "codex")
    for name in ("old", "new"):
        rows.trajectory(name, usd=1.0, format="claude_code").turn(name, 0, usd=1.0)
    at = {"old": 0.0, "new": 40 * day}
    for turn in rows.tables["turns"]:
        turn["ended_at"] = 1.7e9 + at.get(turn["trajectory_id"], 20 * day)
    lever = _levers(rows.write(tmp_path / "ledger", "usd"))["server_here:linear"]
    # Of Codex, 20 days older, all sessions count: six of them in the project.
    assert (lever.amount, lever.sessions, lever.days) == (pytest.approx(6 * 0.1), 6, 14)
