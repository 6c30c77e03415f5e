"""What every agent's figures leave out, and how it is said in the first line."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agentdyno.cost.price_lookup import unlisted_seller
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import measure
from agentdyno.pipelines.measure_options import MeasureOptions
from agentdyno.reports.topics.completeness import describe_completeness
from agentdyno.studies.completeness import AgentCompleteness, study_completeness
from tests.cli.run import Agentdyno
from tests.daily.cli.test_home import home, run
from tests.labelled import DATA

__all__ = ["home"]


def study(folder: Path, tmp_path: Path) -> dict[str, AgentCompleteness]:
    ledger = measure([folder], tmp_path / "ledger", MeasureOptions(costs_only=True, workers=1))
    return {each.agent: each for each in study_completeness(Ledger(ledger.ledger))}


def test_responses_are_counted_by_agent_with_what_is_not_known_of_them(tmp_path: Path) -> None:
    folder = tmp_path / "traces"
    for name in ("kiro", "claude_code"):
        shutil.copytree(DATA / name, folder / name)
    empty = {"type": "user", "uuid": "u1", "parentUuid": None, "sessionId": "s9", "message": {
        "role": "user", "content": "nobody answered"}}  # fmt: skip
    (folder / "claude_code" / "empty.jsonl").write_text(json.dumps(empty) + "\n")
    found = study(folder, tmp_path)
    kiro, claude = found["kiro"], found["claude_code"]
    # Kiro's files count no tokens, and some of its models have no price.
    assert (kiro.responses, kiro.priced, kiro.estimated) == (8, 5, 8)
    assert kiro.has_no_counts
    assert (claude.responses, claude.unpriced, claude.estimated) == (7, 0, 6)
    assert (claude.read, claude.empty, claude.unread) == (2, 1, 0)
    assert set(found) == {"claude_code", "kiro"}


def test_a_seller_that_no_list_has_is_named_beside_the_makers_price(tmp_path: Path) -> None:
    lines = (DATA / "claude_code" / "session.jsonl").read_text()
    (tmp_path / "a.jsonl").write_text(re.sub(r'"model": ?"claude', '"model":"acme/claude', lines))
    plain = study(DATA / "claude_code" / "session.jsonl", tmp_path / "plain")["claude_code"]
    found = study(tmp_path / "a.jsonl", tmp_path)["claude_code"]
    assert (plain.at_makers_price, plain.unlisted_sellers) == (0, ())
    assert (found.at_makers_price, found.unlisted_sellers) == (plain.priced, ("acme",))
    assert describe_completeness([found])[1] == (
        f"{found.priced} responses at the maker's price: no list has what acme charges."
    )


@pytest.mark.parametrize(
    ("model", "seller"),
    [
        ("acme/claude-opus-4-8", "acme"),
        ("gateway/anthropic/claude-opus-4-8", None),  # It names its maker.
        ("claude-opus-4-8", None),
        ("openrouter/anthropic/claude-opus-4.8", None),
        ("models/gemini-2.5-pro", None),
        ("acme/no-such-model", None),  # It has no price at all.
        ("ollama/llama3.1:8b", None),
    ],
)
def test_only_a_seller_without_a_list_is_unlisted(model: str, seller: str | None) -> None:
    assert unlisted_seller(model) == seller


def agent(name: str, **counts: int) -> AgentCompleteness:
    fields = dict.fromkeys(AgentCompleteness.__struct_fields__[1:], 0)
    return AgentCompleteness(name, **{**fields, "unlisted_sellers": (), **counts})


CLAUDE = agent("claude_code", responses=9, priced=9, estimated=3, read=2, empty=2)
KIRO = agent("kiro", responses=1, estimated=1, read=1)
CUT = agent("codex", responses=2, priced=2, read=1, in_part=1, bad_records=3, unread=1)


def test_only_incomplete_agents_are_named() -> None:
    [line] = describe_completeness([CLAUDE])
    assert line == (
        "9 responses of 1 agent: all priced, 3 with estimated tokens, "
        "2 sessions without a response."
    )
    found = describe_completeness([CLAUDE, CUT, KIRO], ["Amp"])
    assert found[0] == (
        "12 responses of 3 agents: 11 priced, 4 with estimated tokens, "
        "1 file not readable, 2 sessions without a response."
    )
    assert found[1] == (
        "Not complete: Codex: 1 file not readable, 1 file read in part, 3 records not readable; "
        "Kiro CLI: no token counts in its files, 1 of 1 response without a price; "
        "Amp: found, but nothing reads it."
    )
    everyone = describe_completeness([CLAUDE, KIRO], everyone=True)
    assert everyone[1] == "Claude Code: complete"


def test_it_is_the_first_line_and_in_json(agentdyno: Agentdyno) -> None:
    assert agentdyno.measure(DATA / "kiro", "--costs-only") == 0
    assert agentdyno.out.startswith("8 responses of 1 agent: ")
    assert "Not complete: Kiro CLI: no token counts" in agentdyno.out
    assert agentdyno.measure(DATA / "kiro", "--costs-only", "--json") == 0
    [kiro] = agentdyno.object()["completeness"]
    assert (kiro["agent"], kiro["responses"], kiro["priced"]) == ("kiro", 8, 5)


def test_agents_that_nothing_reads_are_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = home / ".local" / "share" / "amp" / "threads"
    threads.mkdir(parents=True)
    (threads / "T-1.json").write_text("{}")
    (home / ".grok").mkdir()  # Nothing is in it.
    ledger = {"AGENTDYNO_LEDGER": str(home / "mine")}
    first = run(home, **ledger)
    assert first.returncode == 0, first.stderr
    assert "Not complete: Amp: found, but nothing reads it." in first.stdout
    doctor = run(home, "about", "doctor", **ledger)
    assert "Claude Code: complete" in doctor.stdout
    assert "Amp: found, but nothing reads it" in doctor.stdout
    kept = json.loads(run(home, "about", "doctor", "--json", **ledger).stdout)
    assert kept["unread_agents"] == ["Amp"]
    assert kept["completeness"][0]["agent"] == "claude_code"


CREDENTIALS = ("auth-profiles.json", "oauth_creds.json", "agents/main/agent/auth.json", "id.key")


def test_credentials_are_never_opened(home: Path) -> None:
    """Every file that the process opens is noted."""
    for name in CREDENTIALS:
        path = home / ".claude" / "projects" / "p" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('{"token": "secret"}')
    (home / "watch.py").write_text(
        "import sys\n"
        "opened = open('opened', 'a', buffering=1)\n"
        "def note(event, values):\n"
        "    if event == 'open': opened.write(f'{values[0]}\\n')\n"
        "sys.addaudithook(note)\n"
        "from agentdyno.cli import main\n"
        "main()\n"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    environment = {**kept, "HOME": str(home), "AGENTDYNO_LEDGER": str(home / "mine")}
    for words in ([], ["--totals-only"], ["about", "doctor"]):
        command = [sys.executable, "watch.py", *words]
        done = subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    opened = (home / "opened").read_text()
    assert "one.jsonl" in opened
    assert not [name for name in CREDENTIALS if name in opened]
