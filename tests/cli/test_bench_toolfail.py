"""`bench toolfail`: a whole run reports what it cost."""

import json
from pathlib import Path
from typing import Any

import pytest

from agentdyno.records.verdicts import SCORES
from agentdyno_bench.shared.models.scripted import Reply
from tests.cli.run import Agentdyno

PRICES = '["scripted"]\ninput = 1.0\noutput = 4.0\nas_of = 2026-01-01\n'


def verdict(conversation: list[Any], *_: Any) -> str:
    """A judge by script: whoever called nothing has skipped, where a tool was needed."""
    shown = conversation[1].text
    skipped = "Task kind: REQUIRED" in shown and "Executed calls: none" in shown
    label = "tool_skip" if skipped else "correct"
    answer = {"label": label, "confidence": 0.9, "rationale": "by the head"}
    return json.dumps(answer | dict.fromkeys(SCORES, 2))


def unsure(conversation: list[Any], *_: Any) -> str:
    """A judge by script that says nothing that can be read."""
    return "Who knows."


def _words(out: Path, *more: object) -> list[object]:
    script = "script=bench.scripted.failures:skipper"
    run = ["bench", "toolfail", "-m", "agentdyno/scripted", "-M", script, "--stride", 180]
    return [*run, "--out", out, "--no-report", "--answers", "prose", *more]


def _judges(script: str = "verdict") -> list[object]:
    return ["--judge", "agentdyno/scripted", "-J", f"script=tests.cli.test_bench_toolfail:{script}"]


def test_judges_are_announced_paid_once_and_shown(agentdyno: Agentdyno, tmp_path: Path) -> None:
    assert agentdyno.run(*_words(tmp_path, *_judges(), "--json")) == 0
    first = agentdyno.object()
    assert "judging: about 12 calls, at an unknown price (agentdyno/scripted)" in agentdyno.err
    assert (first["judged"]["paid"], first["judged"]["added"]) == (12, 12)
    assert first["headline"] == "ensemble"
    raters = {each["rater"] for each in first["rates"]}
    names = {f"{way}:agentdyno/scripted" for way in ("decision_tree", "evidence_first")}
    assert raters == {"paper", "ensemble"} | names
    assert first["agreement"]["overall"]["raw"] == 1
    assert agentdyno.run(*_words(tmp_path, *_judges(), "--json")) == 0
    again = agentdyno.object()
    assert "judging: nothing is left to ask" in agentdyno.err
    assert (again["judged"]["paid"], again["rates"]) == (0, first["rates"])
    assert agentdyno.run("judge", tmp_path / "ledger", "--kind", "failure", "--json") == 0
    assert sum(each["labelled"] for each in agentdyno.object()["judges"]) == 12


def test_answers_that_cannot_be_read_are_said(agentdyno: Agentdyno, tmp_path: Path) -> None:
    assert agentdyno.run(*_words(tmp_path, *_judges("unsure"))) == 0
    assert "12 answers could not be read." in agentdyno.err
    assert "agentdyno/scripted" in agentdyno.out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("-J", "a=1"), "-J is about judges"),
        ((*_judges(), "--max-usd", 1), "agentdyno/scripted has no known price. Give one with"),
        (("--judge", "gpt"), "expected PROVIDER/MODEL"),
        (("--judge", "a/b", "-J", "key"), "expected KEY=VALUE"),
    ],
)
def test_wrong_words_about_judges_are_said_before_anything_runs(
    agentdyno: Agentdyno, tmp_path: Path, more: tuple[object, ...], said: str
) -> None:
    assert agentdyno.run(*_words(tmp_path / "out", *more)) == 2
    assert said in agentdyno.err
    assert agentdyno.out == ""
    assert not (tmp_path / "out").exists()


def talkative(conversation: list[Any], *_: Any) -> Any:
    """A judge by script that uses far more than the 120 tokens that are expected of an answer."""
    return Reply(text=verdict(conversation), decode_tokens=1_000_000)


def test_money_that_runs_out_is_said_and_the_next_run_goes_on(
    agentdyno: Agentdyno, tmp_path: Path
) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES, encoding="utf-8")
    judges = [*_judges("talkative"), "--prices", prices, "--stride", 40, "--json"]
    # Two questions about each of 25 answers; 4 USD for each, and 16 are in flight at once.
    assert agentdyno.run(*_words(tmp_path, *judges, "--max-usd", 30)) == 1
    paid = agentdyno.object()["judged"]["paid"]
    assert 8 <= paid < 8 + 16
    assert f"{50 - paid} questions were not answered; run the command again." in agentdyno.err
    assert agentdyno.run(*_words(tmp_path, *judges)) == 0
    assert agentdyno.object()["judged"]["paid"] == 50 - paid
