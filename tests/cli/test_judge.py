"""`judge`, `worth` and `export` from the command line."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno_bench.shared.judging import JudgeOptions
from agentdyno_bench.shared.judging.command import judge as judged
from agentdyno_bench.utility.utility_kind import UtilityKind
from tests.bench.shared.judging.worlds import ScriptedAsk, facts_ledger
from tests.cli.run import Agentdyno
from tests.labelled import from_set


def test_what_an_ablation_ran_is_judged_and_advised_on(
    agentdyno: Agentdyno, tmp_path: Path
) -> None:
    out = tmp_path / "world"
    assert agentdyno.run("worth", "facts", "--variant", "default", "--out", out, "--tasks", 40) == 0
    rolled = ("--estimator", "rollout", "--smallest", 0.1)
    assert agentdyno.run("judge", out / "ledger", *rolled, "--json") == 0
    assert not [one for one in agentdyno.object()["advice"] if one["action"] == "drop"]
    read = ("--reads-only", "get_gossip", "--reads-only", "query_*")
    assert agentdyno.run("judge", out / "ledger", *read, "--json") == 0
    dropped = [one["tool"] for one in agentdyno.object()["advice"] if one["action"] == "drop"]
    assert sorted(dropped) == ["get_gossip", "query_rumours"]


def test_verdicts_of_people_are_imported_and_shown(agentdyno: Agentdyno, tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=6)
    rows = Ledger(ledger).read("calls").select("trajectory_id", "turn", "call", "tool").iter_rows()
    lines = [
        {
            "trajectory_id": trajectory,
            "turn": turn,
            "call": call,
            "label": "positive" if tool in ("search_archive", "lookup_index") else "non_positive",
            "judge": "ann",
        }
        for trajectory, turn, call, tool in rows
    ]
    file = tmp_path / "people.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)) + "\nnonsense\n")
    assert agentdyno.run("judge", ledger, "--import", file) == 0
    assert "skipped: people.jsonl: line" in agentdyno.err
    assert "Judged by ann (imported)" in agentdyno.out
    advice = {tuple(line.split()[:2]) for line in agentdyno.out.splitlines()}
    assert ("search_archive", "keep") in advice
    assert agentdyno.run("judge", ledger, "--json") == 0
    assert agentdyno.object()["judges"] == ["ann (imported)"]


def test_rules_change_what_is_counted(agentdyno: Agentdyno, tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=3)
    rules = tmp_path / "tools.toml"
    rules.write_text('leave_out = ["write_*"]\n[[tool]]\nname = "facts"\nmatch = "*_[ai]*"\n')
    rolled = ("--estimator", "rollout", "--continuations", 16)
    assert agentdyno.run("judge", ledger, *rolled, "--tools", rules, "--json") == 0
    tools = {row["tool"] for row in agentdyno.object()["settings"][0]["tools"]}
    assert tools == {"facts", "get_gossip", "query_rumours"} or tools == {"facts", "get_gossip"}


@from_set("cli/judge", "words", "said")
def test_wrong_usage_is_said_with_exit_2(
    agentdyno: Agentdyno, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    ledger = facts_ledger(tmp_path, tasks=1)
    given = [str(ledger) if word == "LEDGER" else word for word in words]
    assert agentdyno.run(*given) == 2
    assert said in agentdyno.err
    assert agentdyno.out == ""


def reply(conversation: list[Any], *_: Any) -> str:
    """A judge by script that opens with a bad answer."""
    if len(conversation) == 2:
        return "Hard to say."
    return '{"label": "positive", "confidence": 0.7, "rationale": "after all"}'


def test_any_model_of_inspect_judges(agentdyno: Agentdyno, tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=1)
    scripted = ("--model", "agentdyno/scripted", "-M", "script=tests.cli.test_judge:reply")
    assert agentdyno.run("judge", ledger, *scripted, "--sample", 2, "--check", 2, "--json") == 0
    found = agentdyno.object()
    assert found["judged"]["verdicts"] == 2
    assert found["judged"]["paid"] == 12  # Each of the six is repaired.
    assert (found["judged"]["repaired"], found["judged"]["unread"]) == (2, 0)
    assert [check["moved"] for check in found["judged"]["checks"]] == [0, 0]
    said = "about 6 calls (4 of them for --check), at an unknown price (agentdyno/scripted)"
    assert said in agentdyno.err


def first_word(conversation: list[Any], *_: Any) -> str:
    """A judge by script that takes the first label that it is told of, and marks every part."""
    system = conversation[0].text
    if '"parts"' in system:
        part = '{"part": "all", "mark": "full", "evidence": "so it says"}'
        return f'{{"parts": [{part}], "confidence": 1, "rationale": ""}}'
    label = "right" if '- "right"' in system else "no_failure"
    return f'{{"label": "{label}", "confidence": 1, "rationale": "so it says"}}'


@from_set("cli/judge", "kind", "said")
def test_other_kinds_are_judged_and_shown(
    agentdyno: Agentdyno, tmp_path: Path, kind: str, said: str
) -> None:
    ledger = facts_ledger(tmp_path, tasks=2)
    task = Ledger(ledger).read("trajectories")["task_id"][0]
    references = tmp_path / "references.jsonl"
    references.write_text(json.dumps({"task_id": task, "answer": "x"}) + "\n{\n")
    words = ["--model", "agentdyno/scripted", "-M", "script=tests.cli.test_judge:first_word"]
    words += ["--references", str(references)] if kind == "answer" else []
    assert agentdyno.run("judge", ledger, "--kind", kind, *words) == 0
    assert said in " ".join(agentdyno.out.split())
    if kind == "answer":
        assert "skipped: references.jsonl: line 2" in agentdyno.err
        assert "1 trajectories were not asked about: no reference answer" in agentdyno.err
        assert "no label: no reference" in " ".join(agentdyno.out.split())
    if kind == "failure":
        assert "Agreement of judges on 2 trajectories: alpha" in agentdyno.out
    assert agentdyno.run("judge", ledger, "--kind", kind, "--json") == 0
    assert agentdyno.object()["kind"] == kind


def test_a_terminal_sees_a_bar_and_a_pipe_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = facts_ledger(tmp_path, tasks=2)
    judged(ledger, UtilityKind(), [ScriptedAsk()], JudgeOptions())  # type: ignore[list-item]
    assert "judging" not in capsys.readouterr().err
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    slow = ScriptedAsk(name="other", seconds=0.2)
    judged(ledger, UtilityKind(), [slow], JudgeOptions())  # type: ignore[list-item]
    assert "judging" in capsys.readouterr().err
