"""Labels of several models become one report and rows of the ledger."""

import json
from typing import Any

import pytest

from agentdyno.records import Part, ToolCall, Trajectory, Turn
from agentdyno_bench.toolfail.records import Submission
from agentdyno_bench.toolfail.studies.labels import answer_of
from agentdyno_bench.toolfail.studies.report import family_of


def _submits(*turns: list[tuple[str, Any]], asked_in: int = 0) -> Trajectory:
    """A trajectory whose turns make these calls, as a log is read; asked again in a turn."""
    parts = [Part("user", "What is it?", enters=0), Part("user", "And now?", enters=asked_in)]
    calls = []
    for turn, made in enumerate(turns):
        for place, (tool, given) in enumerate(made):
            if tool == "submit":
                parts.append(Part("text", json.dumps(given), name="submit", made=turn))
            else:
                calls.append(ToolCall(turn, place, tool, json.dumps(given), executed=True))
    return Trajectory("t#1", "t", "inspect_ai", parts, [Turn()] * len(turns), calls)


RIGHT = {"answer": ["35"], "basis": "tool"}
ODD = {"answer": "35", "basis": "a hunch"}


@pytest.mark.parametrize(
    ("why", "trajectory", "counts"),
    [
        ("alone and once", _submits([("look", {})], [("submit", RIGHT)]), True),
        ("beside another call", _submits([("look", {}), ("submit", RIGHT)]), False),
        ("twice in a turn", _submits([("submit", RIGHT)] * 2), False),
        ("in two turns", _submits([("submit", RIGHT)], [("submit", RIGHT)]), False),
        ("not by the schema", _submits([("submit", ODD)]), False),
        ("first not by the schema", _submits([("submit", ODD)], [("submit", RIGHT)]), True),
        ("hasty, then alone",
         _submits([("look", {}), ("submit", RIGHT)], [("submit", RIGHT)]), True),
        ("before the last question", _submits([("submit", RIGHT)], [], asked_in=1), False),
        ("once for each question",
         _submits([("submit", RIGHT)], [("submit", RIGHT)], asked_in=1), True),
    ],
)  # fmt: skip
def test_a_submission_counts_alone_in_its_turn_and_once(
    why: str, trajectory: Trajectory, counts: bool
) -> None:
    answer = answer_of(trajectory)
    assert answer.submission == (Submission(("35",), "tool") if counts else None), why
    assert {call.name for call in answer.calls} <= {"look"}


def test_the_same_written_as_text_is_no_submission() -> None:
    parts = [Part("user", "What is it?", enters=0), Part("text", json.dumps(RIGHT), made=0)]
    answer = answer_of(Trajectory("t#1", "t", "inspect_ai", parts, [Turn()], []))
    assert answer.submission is None
    assert answer.answer == json.dumps(RIGHT)


def test_families_are_the_letters_a_name_begins_with() -> None:
    assert family_of("openai-api/vllm/Qwen2.5-72B") == "qwen"
    assert family_of("anthropic/claude-sonnet-4") == "claude"
