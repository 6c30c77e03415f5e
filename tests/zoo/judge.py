"""A judge of failures whose labels and scores are known before it is asked: they follow from what
ran, which its question says."""

import json

from agentdyno_bench.shared.models.scripted import Reply
from tests.zoo.server import Conversation

BY_CALLS = "lazy-judge"
"""The judge's name, which makes it a relative of the policy `lazy`."""
PARTLY, RIGHT = 1, 2
"""What it scores every answer that could be faithful to a return, and the answer of every task
that needs a tool."""


def answer(policy: str, asked: Conversation) -> Reply | None:
    """Its verdict, whatever the answer says."""
    if policy != BY_CALLS:
        return None
    question = asked.said[0]
    required, ran = "Task kind: REQUIRED" in question, "Executed calls: none" not in question
    if required:
        label = "correct" if ran else "tool_skip"
    else:
        label = "unnecessary_tool_use" if ran else "correct"
    return write_verdict(question, label, {
        "tool_selection": 3 * ran, "result_faithfulness": PARTLY,
        "answer_correctness": RIGHT * required,
    })  # fmt: skip


def write_verdict(question: str, label: str, scores: dict[str, int]) -> Reply:
    """A verdict with the scores that the question asks for."""
    (line,) = (one for one in question.splitlines() if one.startswith("Scores to give: "))
    named = {name: scores[name] for name in line.removeprefix("Scores to give: ").split(", ")}
    verdict = {"label": label, **named, "confidence": 0.9, "rationale": "seen"}
    return Reply(text=json.dumps(verdict))
