"""What the cost was spent on, worked by hand on a session of four turns."""

import json
from pathlib import Path
from typing import Any

import pytest

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import build_overview, build_report
from agentdyno.studies.spending import Spending

MODEL = "claude-opus-4-5-20251101"


def session(calls: list[tuple[str, dict[str, Any], str]]) -> str:
    """A Claude Code session with one call a turn, each answered with a text."""
    lines: list[dict[str, Any]] = [line("user", {"role": "user", "content": "Go."}, 0)]
    for at, (tool, arguments, result) in enumerate(calls, 1):
        block = {"type": "tool_use", "id": f"toolu_{at}", "name": tool, "input": arguments}
        usage = {"input_tokens": 1000 * at, "output_tokens": 50}
        answer = {"id": f"msg_{at}", "model": MODEL, "role": "assistant", "content": [block],
                  "usage": usage, "stop_reason": "tool_use"}  # fmt: skip
        lines.append(line("assistant", answer, 2 * at - 1))
        back = {"type": "tool_result", "tool_use_id": f"toolu_{at}", "content": result}
        lines.append(line("user", {"role": "user", "content": [back]}, 2 * at))
    return "".join(json.dumps(each) + "\n" for each in lines)


def line(kind: str, message: dict[str, Any], number: int) -> dict[str, Any]:
    return {
        "type": kind, "uuid": f"u{number}", "parentUuid": f"u{number - 1}" if number else None,
        "sessionId": "5e550000-0000-4000-8000-000000000001", "version": "2.1.0",
        "timestamp": f"2026-02-01T10:00:{number:02d}.000Z", "message": message, "cwd": "/app",
    }  # fmt: skip


@pytest.fixture
def found(tmp_path: Path) -> Spending:
    text = "word " * 400
    calls: list[tuple[str, dict[str, Any], str]] = [
        ("Read", {"file_path": "/app/cli/strategy.go"}, text),
        ("Read", {"file_path": "/app/cli/strategy.go"}, text),
        ("Bash", {"command": "cd x && go test ./..."}, "ok"),
        ("Read", {"file_path": "/app/README.md"}, "short"),
    ]
    (tmp_path / "s.jsonl").write_text(session(calls))
    measure([tmp_path / "s.jsonl"], tmp_path / "ledger", MeasureOptions(workers=1))
    result: Spending = build_report(tmp_path / "ledger").results["spending"]
    return result


def test_calls_about_one_file_are_added_up_and_the_dearest_comes_first(found: Spending) -> None:
    files = found.kinds["file"]
    assert [each.name for each in files] == ["/app/cli/strategy.go", "/app/README.md"]
    assert (files[0].calls, files[0].failed, files[0].sessions) == (2, 0, 1)
    # The first result is in context for turns 1 to 3, the second for turns 2 and 3.
    assert files[0].turns_in_context == pytest.approx((3 + 2) / 2)
    assert [each.name for each in found.kinds["command"]] == ["go test"]


def test_things_cost_no_more_than_everything(found: Spending) -> None:
    everything = [each for kind in found.kinds.values() for each in kind]
    assert found.unit == "usd"
    assert 0 < sum(each.cost or 0.0 for each in everything) < found.total


def test_a_shared_report_names_no_file(tmp_path: Path) -> None:
    calls: list[tuple[str, dict[str, Any], str]] = [("Read", {"file_path": "/app/hidden.go"}, "x")]
    (tmp_path / "s.jsonl").write_text(session(calls))
    measure([tmp_path / "s.jsonl"], tmp_path / "ledger", MeasureOptions(workers=1))
    shared: Spending = build_report(tmp_path / "ledger", share=True).results["spending"]
    assert [each.name for each in shared.kinds["file"]] == ["subject 1"]
    assert "spending" in build_overview(tmp_path / "ledger").results
