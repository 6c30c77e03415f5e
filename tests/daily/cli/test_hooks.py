"""Claude Code's hooks: the status line is never behind the transcript, a budget stops an agent, and
its settings keep what is not ours."""

import io
import json
import math
import os
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agentdyno.cli import main
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.session_states import keep_states
from agentdyno.records import InputError
from agentdyno_daily.cli import statusline
from agentdyno_daily.cli.agent_settings import set_budget_hook, set_status_line
from agentdyno_daily.running import live_session
from agentdyno_daily.running.live_session import DIGEST_LENGTH, FRESH, read_spent
from agentdyno_daily.totals.recent import keep_recent

MODEL = "claude-opus-4-5-20251101"


def answer(name: str, at: float, read: int, written: int, output: int) -> dict[str, Any]:
    stamp = datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
    usage = {
        "input_tokens": 10, "cache_read_input_tokens": read, "output_tokens": output,
        "cache_creation_input_tokens": written,
        "cache_creation": {"ephemeral_5m_input_tokens": written, "ephemeral_1h_input_tokens": 0},
    }  # fmt: skip
    message = {"id": name, "role": "assistant", "model": MODEL, "usage": usage,
               "content": [{"type": "text", "text": "ok"}], "stop_reason": "end_turn"}  # fmt: skip
    return {"type": "assistant", "uuid": f"u{name}", "parentUuid": "u0",
            "sessionId": "s1", "cwd": "/home/ada/shop",
            "isSidechain": False, "timestamp": stamp.replace("+00:00", "Z"),
            "requestId": f"r{name}", "message": message}  # fmt: skip


class Running:
    """A session of two answers, the first of them measured."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = time.time()
        self.path, self.ledger = folder / "traces" / "s1.jsonl", folder / "ledger"
        self.path.parent.mkdir()
        user = {"type": "user", "uuid": "u0", "parentUuid": None,
                "sessionId": "s1", "cwd": "/home/ada/shop",
                "timestamp": answer("x", self.now - 61, 0, 0, 0)["timestamp"],
                "message": {"role": "user", "content": "go"}}  # fmt: skip
        first = answer("a", self.now - 60, 0, 100_000, 1_000)
        self.path.write_text(f"{json.dumps(user)}\n{json.dumps(first)}\n")
        options = MeasureOptions(workers=1, costs_only=True)
        measure([self.path.parent], self.ledger, options)
        keep_states(self.ledger, time.time())
        with self.path.open("a") as file:
            # Written in two lines, as Claude Code does; the last one has the whole count.
            for output in (1, 2_000):
                row = answer("b", self.now - 10, 100_000, 2_000, output) | {"uuid": f"ub{output}"}
                file.write(json.dumps(row) + "\n")
        self.patch = monkeypatch
        monkeypatch.setattr(statusline, "LATEST", 60)  # Machines of tests are slow.

    def run(self, capsys: pytest.CaptureFixture[str], *words: str, **hook: Any) -> str:
        given = {"session_id": "s1", "transcript_path": str(self.path), "cwd": "/home/ada/shop"}
        data = json.dumps(given | hook).encode()
        self.patch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        self.patch.setattr(sys, "argv", ["agentdyno", *words, "--ledger", str(self.ledger)])
        assert main() == 0
        printed = capsys.readouterr()
        self.err = printed.err
        return printed.out.strip()


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Running:
    return Running(tmp_path, monkeypatch)


# $5, $25, $0.50 and $6.25 a million tokens of input, output, read and written:
# 10 * 5 + 100,000 * 6.25 + 1,000 * 25 = 650,050; 10 * 5 + 100,000 * 0.5 + 2,000 * 6.25 +
# 2,000 * 25 = 112,550. Together $0.7626.
FIRST, SECOND = 0.650050, 0.112550


def test_answers_that_nobody_measured_are_in_the_line(
    running: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    line = running.run(capsys, "statusline")
    words = line.split("  ")
    assert words[:3] == ["$0.76", "today $0.76", "2 turns"]
    assert words[3] == "context 102k, 98 % cached"
    # 102,010 + 2,000 tokens at $5.75 more a million; written for five minutes ten seconds ago.
    left, cost = words[4].split("; ")
    assert cost == "a miss costs $0.60"
    minutes, seconds = map(int, left.removeprefix("cache ").removesuffix(" left").split(":"))
    assert 60 * minutes + seconds <= 290  # And less on a slow machine.


def test_answers_of_another_day_are_not_of_today(
    running: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [answer("old", running.now - 40 * 86_400, 0, 100_000, 1_000),
            answer("new", running.now, 100_000, 2_000, 2_000)]  # fmt: skip
    path = running.path.with_name("resumed.jsonl")
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = running.run(capsys, "statusline", session_id="s3", transcript_path=str(path))
    assert words.split("  ")[:3] == ["$0.76", "today $0.76", "2 turns"]


def test_a_budget_of_a_project_has_no_answers_of_another(
    running: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    budgets = [{"usd": 9, "project": "shop"}, {"usd": 9, "project": None}]
    (running.ledger / ".budgets.json").write_text(json.dumps(budgets))
    path = running.path.with_name("else.jsonl")
    path.write_text(json.dumps(answer("big", running.now, 0, 400_000, 20_000)) + "\n")
    given = {"session_id": "s3", "transcript_path": str(path), "cwd": "/home/ada/else"}
    line = running.run(capsys, "statusline", **given)
    assert line.endswith("budget shop $1 of $9  budget $4 of $9")  # $0.65 and $3.00 more.


def test_the_hook_says_when_the_cache_is_gone(
    running: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = {"expires_at": datetime.fromtimestamp(running.now - 5, UTC).isoformat()}
    assert "cache gone; writing it again costs $0.60" in running.run(
        capsys, "statusline", prompt_cache=gone
    )
    later = running.run(capsys, "statusline", prompt_cache={"expires_at": running.now + 1_000})
    assert "cache 16:" in later


def test_a_limit_of_the_plan_ends_the_line(
    running: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    limits = {"seven_day": {"used_percentage": 13.5, "resets_at": running.now + 9}}
    assert running.run(capsys, "statusline", rate_limits=limits).endswith("week 14 %")


@pytest.mark.parametrize(
    "hook",
    [
        {"transcript_path": "/dev/zero"},
        {"transcript_path": 3},
        {"session_id": ["x"]},
        {"rate_limits": {"seven_day": {"used_percentage": "x"}}},
        {"prompt_cache": {"expires_at": []}},
        {"prompt_cache": {"expires_at": math.nan}, "cost": {"total_cost_usd": math.nan}},
        {"prompt_cache": {"expires_at": math.inf}},
        {"rate_limits": {"five_hour": {"used_percentage": math.nan}}},
        {"transcript_path": "\0.jsonl"},
    ],
)
def test_a_hook_that_is_odd_is_answered(
    running: Running, capsys: pytest.CaptureFixture[str], hook: dict[str, Any]
) -> None:
    assert running.run(capsys, "statusline", **hook)


HOSTILE_LINES = {
    "a model that is an object": json.dumps({"m": 1}),
    "a model that is a list": "[[]]",
    "deep nesting": "[" * 100_000,
    "a number for a model": "NaN",
}


@pytest.mark.parametrize("model", HOSTILE_LINES.values(), ids=HOSTILE_LINES)
def test_a_line_that_is_no_response_costs_nothing_else(
    running: Running, capsys: pytest.CaptureFixture[str], model: str
) -> None:
    line = json.dumps(answer("x", running.now, 0, 9, 9)).replace(f'"{MODEL}"', model)
    with running.path.open("ab") as file:
        file.write(line.encode() + b"\n" + line.encode().replace(b"ok", b"\xff\xfe") + b"\n")
    assert running.run(capsys, "statusline").startswith("$0.76  today $0.76  2 turns")


KEPT = (".spent.json", ".sessions.json", ".budgets.json", ".recent.json", ".limits.jsonl")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("name", KEPT)
def test_a_pipe_or_a_huge_file_in_the_ledger_is_not_waited_for(
    running: Running, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    running.patch.setattr(live_session, "_start", lambda _: None)
    (running.ledger / name).unlink(missing_ok=True)
    os.mkfifo(running.ledger / name)
    limits = {"seven_day": {"used_percentage": 1.0, "resets_at": running.now + 9}}
    assert running.run(capsys, "statusline", rate_limits=limits)
    (running.ledger / name).unlink()
    with (running.ledger / name).open("wb") as file:
        file.truncate(30 * 10**9)
    assert running.run(capsys, "statusline", rate_limits=limits)


def test_a_day_that_an_older_ledger_kept_of_the_year_10000_ends_nothing(
    running: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    path = running.ledger / ".spent.json"
    digest, kept = path.read_bytes()[:DIGEST_LENGTH], json.loads(path.read_bytes()[DIGEST_LENGTH:])
    kept["days"] += [["10000-01-01", "shop", 5.0], ["soon", None, 5.0]]
    path.write_bytes(digest + json.dumps(kept).encode())
    with pytest.raises(SystemExit, match="0"):
        running.run(capsys, "budget")
    assert "at list prices" in capsys.readouterr().out
    assert running.run(capsys, "statusline").startswith("$0.76  today $0.76")


def test_a_project_cannot_write_escapes_to_the_terminal(
    running: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    project = "\x1b[2J\n\ud800\u202e"
    budgets = [{"usd": 0.1, "project": project}, {"usd": 0.1, "project": None}]
    (running.ledger / ".budgets.json").write_text(json.dumps(budgets))
    assert running.run(capsys, "statusline").isprintable()
    stop = json.loads(running.run(capsys, "budget", "hook", cwd=f"/a/{project}"))
    assert stop["stopReason"].isprintable()


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda ledger: (ledger / ".spent.json").unlink(), "nothing was measured"),
        (lambda ledger: (ledger / ".budgets.json").write_text("["), "file of budgets"),
    ],
)
def test_an_agent_goes_on_where_its_budget_is_not_known_unless_asked_to_stop(
    running: Running, capsys: pytest.CaptureFixture[str], damage: Any, reason: str
) -> None:
    running.patch.setattr(live_session, "_start", lambda _: None)
    (running.ledger / ".budgets.json").write_text('[{"usd": 9, "project": null}]')
    assert running.run(capsys, "budget", "hook", "--block-unknown") == ""
    damage(running.ledger)
    stop = json.loads(running.run(capsys, "budget", "hook", "--block-unknown"))
    assert stop["continue"] is False
    assert reason in stop["stopReason"]
    assert running.run(capsys, "budget", "hook") == ""
    assert reason in running.err
    assert running.err.count("\n") == 1


@pytest.mark.parametrize(("words", "out"), [(["statusline"], 1), (["budget", "hook"], 0)])
def test_a_hook_whose_input_never_ends_is_answered(
    running: Running, words: list[str], out: int
) -> None:
    (running.ledger / ".budgets.json").write_text('[{"usd": 9, "project": null}]')
    command = [sys.executable, "-c", "from agentdyno.cli import main; main()", *words]
    command += ["--ledger", str(running.ledger)]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, **pipes) as process:  # type: ignore[call-overload]
        assert process.wait(60) == 0
        lines = [process.stdout.read().splitlines(), process.stderr.read().splitlines()]
    assert [len(each) for each in lines] == [out, 1 - out]


def test_a_session_that_was_never_measured_is_read_from_its_transcript(
    running: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    (running.ledger / ".sessions.json").unlink()
    assert running.run(capsys, "statusline").startswith("$0.76  ")
    assert "not measured" in running.run(capsys, "statusline", transcript_path="gone.jsonl")


def test_days_are_kept_by_project_and_a_budget_that_is_spent_stops_the_agent(
    running: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    month = time.strftime("%Y-%m", time.localtime(running.now))
    spent = read_spent(str(running.ledger))
    assert spent.sum(month, "shop") == pytest.approx(FIRST)
    assert spent.sum(month, "other") == 0
    budgets = running.ledger / ".budgets.json"
    budgets.write_text(json.dumps([{"usd": 0.70, "project": "other"}, {"usd": 1, "project": None}]))
    assert running.run(capsys, "budget", "hook") == ""
    # $0.65 is measured; with what was not, it is $0.76.
    budgets.write_text(json.dumps([{"usd": 0.70, "project": "shop"}]))
    told = json.loads(running.run(capsys, "budget", "hook"))
    assert told["continue"] is False
    assert "$0.76 at list prices" in told["stopReason"]
    assert "To go on:" in told["stopReason"]
    assert running.run(capsys, "budget", "hook", cwd="/home/ada/else") == ""


def write_other(running: Running, at: float) -> None:
    """Another session of today: an answer of its own and one of its sub-agent, and one of the year
    before. 5 * (10 + 10) + 6.25 * (100,000 + 40,000) + 25 * (1,000 + 400) = 910,100: $0.9101."""
    folder = running.path.parent
    lines = [
        answer("old", at - 366 * 86_400, 0, 100_000, 1_000),
        answer("c", at, 0, 100_000, 1_000),
    ]
    inner = answer("d", at, 0, 40_000, 400) | {"isSidechain": True, "agentId": "a1"}
    for name, rows in (("s2.jsonl", lines), ("s2/subagents/agent-a1.jsonl", [inner])):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row | {"sessionId": "s2"}) + "\n" for row in rows))


OTHER = 0.9101


def test_what_other_sessions_cost_since_is_in_the_line(
    running: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    write_other(running, running.now - 5)
    keep_recent(running.ledger)
    spent = read_spent(str(running.ledger))
    today = time.strftime("%Y-%m-%d", time.localtime(running.now))
    assert spent.sum(today) == pytest.approx(FIRST + SECOND + OTHER)
    # The session's own new answer is in the scan already, and counts once.
    words = running.run(capsys, "statusline").split("  ")
    assert words[:3] == ["$0.76", "today $1.67", "2 turns"]
    with running.path.open("a") as file:
        file.write(json.dumps(answer("e", running.now, 100_000, 2_000, 2_000)) + "\n")
    words = running.run(capsys, "statusline").split("  ")
    assert words[:3] == ["$0.88", "today $1.79", "3 turns"]
    other = running.run(capsys, "statusline", session_id="s2", transcript_path="gone.jsonl")
    assert other.startswith("$1.56  today $1.67  3 turns")


def test_a_line_that_is_behind_says_so_and_begins_a_scan(
    running: Running, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_recent(running.ledger)
    write_other(running, running.now)
    late = time.time() + FRESH + 1
    for path in running.path.parent.rglob("*.jsonl"):
        os.utime(path, (late, late))
    monkeypatch.setattr(live_session, "time", SimpleNamespace(
        time=lambda: late, strftime=time.strftime, localtime=time.localtime,
        monotonic=time.monotonic,
    ))  # fmt: skip
    assert "today $0.76+" in running.run(capsys, "statusline")
    os.wait()
    assert "today $1.67" in running.run(capsys, "statusline")


def test_a_newer_ledger_counts_for_more_than_a_scan(running: Running) -> None:
    write_other(running, running.now)
    keep_recent(running.ledger)
    keep_states(running.ledger, time.time())
    month = time.strftime("%Y-%m", time.localtime(running.now))
    assert read_spent(str(running.ledger)).sum(month) == pytest.approx(FIRST)


SETTINGS = """{
    "model": "opus",
    "hooks": {
        "PreToolUse": [
            {
                "matcher": "Bash",
                "hooks": [
                    {
                        "type": "command",
                        "command": "echo é"
                    }
                ]
            }
        ]
    }
}
"""


def test_settings_keep_what_is_not_ours_and_come_back_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    path = tmp_path / "settings.json"
    path.write_text(SETTINGS)
    assert "is set" in set_status_line(["statusline"])
    assert (tmp_path / "settings.json.before-agentdyno").read_text() == SETTINGS
    set_budget_hook(["budget", "hook"])
    set_budget_hook(["budget", "hook"])
    found = json.loads(path.read_text())
    assert found["statusLine"]["command"].endswith("statusline")
    assert [len(found["hooks"][event]) for event in ("PreToolUse", "UserPromptSubmit")] == [2, 1]
    set_status_line(None)
    set_budget_hook(None)
    assert path.read_text() == SETTINGS
    assert "nothing was changed" in set_status_line(None)


ODD_SETTINGS = [
    None,
    b"",
    b"{ }",
    b"{\n\n}\n",
    b'{"model":"opus"}',
    b'{"hooks": {}, "big": 1e400, "one": 1.0}\n',
    b'{\r\n\t"n": 12345678901234567890123,\r\n\t"hooks": {\r\n\t\t"PreToolUse": [ ]\r\n\t}\r\n}',
    b'{\n   "hooks" : {"UserPromptSubmit": [{"hooks": [{"command": "x"}]}]} ,\n   "s": "\\u00e9"}',
    SETTINGS.encode(),
]


@pytest.mark.parametrize("before", ODD_SETTINGS)
def test_installing_and_uninstalling_gives_every_byte_back(
    before: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    path = tmp_path / "settings.json"
    if before is not None:
        path.write_bytes(before)
        path.chmod(0o600)
    both = (set_status_line, ["statusline"]), (set_budget_hook, ["budget", "hook"])
    for (first, words), (second, others) in (both, both[::-1]):
        first(words)
        one = path.read_bytes()
        second(others)
        first(words)
        second(others)
        assert {"statusLine", "hooks"} <= set(json.loads(path.read_bytes()))
        assert path.stat().st_mode & 0o777 == 0o600
        second(None)
        assert path.read_bytes() == one
        second(others)
        first(None)
        second(None)
        assert (path.read_bytes() if path.exists() else None) == before


@pytest.mark.parametrize("newer", [b'{"model": "opus"}\n', b'{"model": "opus", "more": [ ]}\n'])
def test_what_the_user_changed_since_stays(
    newer: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    path = tmp_path / "settings.json"
    path.write_text('{"model": "sonnet"}')
    set_budget_hook(["budget", "hook"])
    ours = json.loads(path.read_bytes())["hooks"]
    path.write_bytes(newer.replace(b"}\n", b', "hooks": ' + json.dumps(ours).encode() + b"}\n"))
    set_budget_hook(None)
    assert path.read_bytes() == newer


def test_a_hook_of_the_user_beside_ours_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    path = tmp_path / "settings.json"
    ours = '{"command": "agentdyno budget hook"}'
    path.write_text(f'{{"hooks": {{"PreToolUse": [{{"hooks": [{{"command": "x"}}, {ours}]}}]}}}}')
    set_budget_hook(None)
    assert path.read_text() == '{"hooks": {"PreToolUse": [{"hooks": [{"command": "x"}]}]}}'


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_settings_behind_a_link_are_written_where_it_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    (tmp_path / "claude").mkdir()
    (tmp_path / "dotfiles.json").write_text(SETTINGS)
    (tmp_path / "claude" / "settings.json").symlink_to(tmp_path / "dotfiles.json")
    set_status_line(["statusline"])
    assert "statusLine" in json.loads((tmp_path / "dotfiles.json").read_bytes())
    set_status_line(None)
    assert (tmp_path / "claude" / "settings.json").is_symlink()
    assert (tmp_path / "dotfiles.json").read_text() == SETTINGS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{\n  // mine\n  "a": 1}', r"expected JSON, found a comment \(line 2\)"),
        ('{"hooks": null}', "expected an object at hooks, found null"),
        ('{"hooks": "x"}', "expected an object at hooks, found a string"),
        ('{"hooks": {"PreToolUse": {}}}', r"a list at hooks\.PreToolUse, found an object"),
        ('{"hooks": {}, "hooks": {}}', "expected one value at hooks, found 2"),
        ("null", "expected an object at the top, found null"),
    ],
)
def test_settings_of_another_shape_are_refused_by_name(
    text: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    path = tmp_path / "settings.json"
    path.write_text(text)
    with pytest.raises(InputError, match=f"{path}: .*{expected}.*Nothing was changed; "):
        set_budget_hook(["budget", "hook"])
    assert path.read_text() == text


def test_a_status_line_of_somebody_else_and_broken_settings_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    path = tmp_path / "settings.json"
    for text in ('{"statusLine": {"command": "mine"}}', "{", "[]"):
        path.write_text(text)
        with pytest.raises(InputError, match=r"(?i)nothing was changed"):
            set_status_line(["statusline"])
        assert path.read_text() == text
    path.unlink()
    set_status_line(["statusline"])
    assert list(json.loads(path.read_text())) == ["statusLine"]
