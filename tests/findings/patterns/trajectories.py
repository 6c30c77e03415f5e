"""Small trajectories for tests: a list of what happened in, a trajectory and its findings out."""

import json
from typing import Any

from msgspec import Struct

from agentdyno.findings.patterns import DETECTORS, Reading
from agentdyno.findings.patterns.published import PUBLISHED
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.records import Trajectory
from agentdyno.records.patterns import Finding

PYTHON = {
    "name": "python",
    "parameters": {
        "type": "object",
        "properties": {"code": {"type": "string"}, "seconds": {"type": "integer"}},
        "required": ["code"],
        "additionalProperties": False,
    },
}


class Call(Struct):
    """A call and what came back; no result when it is None."""

    tool: str
    arguments: Any = {}
    result: str | None = ""
    error: str | None = None
    executed: bool = True


class Turn(Struct):
    text: str = ""
    calls: list[Call] = []
    reasoning: str | None = None


def trajectory(*events: str | Turn, tools: list[dict[str, Any]] | None = None) -> Trajectory:
    """A user's texts and turns, in order."""
    builder = TrajectoryBuilder()
    builder.offer([(tool["name"], json.dumps(tool)) for tool in tools or []])
    for event in events:
        if isinstance(event, str):
            builder.user(event)
            continue
        builder.turn("m")
        if event.reasoning is not None:
            builder.reasoning(event.reasoning, resent=False)
        if event.text:
            builder.text(event.text)
        for number, call in enumerate(event.calls):
            written = call.arguments
            if not isinstance(written, str):
                written = json.dumps(written)
            builder.call(call.tool, written, f"{len(builder.turns)}-{number}")
        for number, call in enumerate(event.calls):
            if call.result is not None:
                name = f"{len(builder.turns)}-{number}"
                builder.result(call.result, name, error=call.error, executed=call.executed)
    return builder.build("t", "s", "f")


def found(pattern: str, given: Trajectory) -> list[Finding]:
    """What the pattern's detector says."""
    rules = {each.name: each.detect for each in (*PUBLISHED, *DETECTORS)}
    return rules[pattern](Reading(given))


def places(pattern: str, given: Trajectory) -> list[tuple[int, int | None]]:
    """Turn and call of each finding."""
    return [(finding.turn, finding.call) for finding in found(pattern, given)]
