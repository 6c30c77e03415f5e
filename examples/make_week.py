"""Writes an invented week of a coding agent: `python examples/make_week.py [FOLDER]`.

Four Claude Code sessions with a pause beyond the cache's lifetime, a file that is read again and
again and a skill; and one session as a proxy records it, with the schemas of an MCP server that
nobody calls. Nothing here was recorded. The same bytes every time.
"""

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sample_traces.talk import tokens
from sample_traces.week import Billed, Session, Step, bill, offered, week

WEEK = Path(__file__).resolve().parent / "week"
MODEL = "claude-opus-4-5-20251101"


def main(folder: Path) -> None:
    """Writes every file."""
    folder.mkdir(parents=True, exist_ok=True)
    for session in week():
        _write(folder / f"{session.name}.jsonl", session_lines(session))
    _write(folder / "proxy.anthropic.jsonl", [_json(proxied())])


def session_lines(session: Session) -> list[str]:
    """A Claude Code session: one line per event."""
    clock = datetime(2026, 3, session.day, session.hour, 0, tzinfo=UTC)
    lines: list[str] = []

    def add(kind: str, message: dict[str, Any]) -> None:
        before = f"{session.name[:8]}-{len(lines) - 1:04d}" if lines else None
        lines.append(_json({
            "type": kind, "uuid": f"{session.name[:8]}-{len(lines):04d}", "parentUuid": before,
            "sessionId": session.name, "cwd": "/home/ada/shop", "gitBranch": session.branch,
            "isSidechain": False, "timestamp": clock.isoformat(), "message": message,
        }))  # fmt: skip

    for number, (step, billed) in enumerate(zip(session.steps, bill(session), strict=True)):
        if step.asked:
            clock += timedelta(seconds=step.after)
            add("user", {"role": "user", "content": step.asked})
        clock += timedelta(seconds=2 + billed.output / 60)
        known = {"id": f"msg_{session.name[:8]}{number}", "model": MODEL}
        add("assistant", {"role": "assistant", **_answer(step, number, billed), **known})
        if step.calls:
            clock += timedelta(seconds=1)
            add("user", {"role": "user", "content": _results(step, number)})
    return lines


def proxied() -> dict[str, Any]:
    """The week's last session as requests and answers that name every tool that was offered."""
    tools = offered()
    ask = "Ticket 412: the till prints the wrong VAT rate. Find out why."
    steps = [
        ("mcp__tickets__get_ticket", {"ticket": "412"}, "VAT of 19 % is printed for books."),
        ("Read", {"file_path": "/home/ada/shop/vat.py"}, "RATES = {'book': 19, 'bread': 7}"),
        ("Edit", {"file_path": "/home/ada/shop/vat.py"}, "vat.py has been updated"),
        ("Bash", {"command": "pytest -q tests/test_vat.py"}, "6 passed in 0.11s"),
    ]
    context = 2_400 + sum(tokens(json.dumps(tool)) for tool in tools)
    messages: list[dict[str, Any]] = [{"role": "user", "content": ask}]
    held = 0
    for number, (tool, given, result) in enumerate(steps):
        call = {"type": "tool_use", "id": f"call_{number}", "name": tool, "input": given}
        usage = {"input_tokens": 3, "cache_read_input_tokens": held, "output_tokens": 40,
                 "cache_creation_input_tokens": context - held}  # fmt: skip
        messages.append({"role": "assistant", "content": [call], "usage": usage})
        back = {"type": "tool_result", "tool_use_id": f"call_{number}", "content": result}
        messages.append({"role": "user", "content": [back]})
        held, context = context, context + 90
    usage = {"input_tokens": 3, "cache_read_input_tokens": held, "output_tokens": 30,
             "cache_creation_input_tokens": context - held}  # fmt: skip
    end = "Books had the full rate; they are at 7 % now and the tests pass."
    messages.append({"role": "assistant", "content": end, "usage": usage})
    system = "You are a coding agent in the folder of a shop."
    return {"model": MODEL, "system": system, "tools": tools, "messages": messages}


def _answer(step: Step, number: int, billed: Billed) -> dict[str, Any]:
    text = [{"type": "text", "text": step.text}] if step.text else []
    calls = [
        {"type": "tool_use", "id": f"call_{number}_{place}", "name": c.tool, "input": c.arguments}
        for place, c in enumerate(step.calls)
    ]
    usage = {
        "input_tokens": 3,
        "cache_read_input_tokens": billed.read,
        "cache_creation_input_tokens": billed.written,
        "cache_creation": {
            "ephemeral_5m_input_tokens": billed.written,
            "ephemeral_1h_input_tokens": 0,
        },
        "output_tokens": billed.output,
    }
    stop = "tool_use" if step.calls else "end_turn"
    return {"content": [*text, *calls], "usage": usage, "stop_reason": stop}


def _results(step: Step, number: int) -> list[dict[str, Any]]:
    return [
        {"type": "tool_result", "tool_use_id": f"call_{number}_{place}", "content": call.result}
        for place, call in enumerate(step.calls)
    ]


def _json(record: Any) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else WEEK)
