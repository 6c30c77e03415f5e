"""Tasks written by a model: executed before they are believed."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from agentdyno_bench.tps.tasks.authoring import Authored, author_tasks

GOOD: dict[str, Any] = {
    "prompt": "What is Iris Optics trading at, and how warm will Oslo get on 4 May?",
    "subtasks": [
        {"goal": "symbol", "tool": "finance_find_symbol", "arguments": {"company": "Iris Optics"}},
        {
            "goal": "price",
            "tool": "finance_stock_quote",
            "arguments": {"symbol": {"$from": "s1", "path": "matches.0.symbol"}},
            "tell": [{"$from": "s2", "path": "price_usd"}],
        },
        {
            "goal": "weather",
            "tool": "weather_daily_forecast",
            "arguments": {"city": "Oslo", "date": "2026-05-04"},
            "tell": [{"$from": "s3", "path": "high_c"}],
        },
    ],
}


def authored(*replies: Any) -> Authored:
    texts = [r if isinstance(r, str) else json.dumps(r) for r in replies]
    ask: Callable[[str], Awaitable[str]]

    async def ask(question: str) -> str:
        assert "one JSON object" in question
        return texts.pop(0) if texts else "nothing more"

    return asyncio.run(author_tasks(ask, "easy", 1, 7))


def test_a_sound_proposal_becomes_a_task_with_evidence_found_by_execution() -> None:
    made = authored(f"Here it is:\n{json.dumps(GOOD)}")
    (task,) = made.tasks
    assert [s.needs for s in task.subtasks] == [[], ["s1"], []]
    assert task.subtasks[0].evidence == ["IRIS"]
    assert task.subtasks[1].answer == task.subtasks[1].evidence
    assert made.refused == {}


def test_bad_proposals_are_refused_with_a_reason_and_asking_goes_on() -> None:
    named = {**GOOD, "prompt": "Use weather_daily_forecast for Oslo."}
    missing = {"prompt": "x", "subtasks": [{"goal": "g", "tool": "no_tool", "arguments": {}}]}
    step = {**GOOD["subtasks"][1], "tell": [{"$from": "s2", "path": "x", "pattern": "(a+)+$"}]}
    evil = {"prompt": "x", "subtasks": [GOOD["subtasks"][0], step]}
    later = {"prompt": "x", "subtasks": [GOOD["subtasks"][1]]}
    made = authored("no json", named, missing, evil, later, GOOD)
    assert len(made.tasks) == 1
    assert made.refused["names a tool"] == 1
    assert made.refused["a tool that does not exist"] == 1
    assert made.refused["a reference of unknown form"] == 1
    assert sum(made.refused.values()) == 5
