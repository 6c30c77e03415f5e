"""Small trajectories for the tests of schedules."""

import json
from typing import Any

from agentdyno.records import Part, ToolCall, Trajectory, Turn

Call = tuple[str, dict[str, Any], Any]
"""Tool, arguments, result."""


def trajectory(
    prompt: str,
    *turns: list[Call],
    waits: float | None = 1.0,
    latency: float | None = 2.0,
    failed: tuple[int, ...] = (),
    spoken: dict[int, str] | None = None,
    says: list[str | None] | None = None,
    thinks: tuple[int, ...] = (),
) -> Trajectory:
    """A trajectory whose turns make these calls; `failed` are places of failed calls, `spoken`
    what a user said before a turn, `says` what each turn said before its calls, `thinks` the turns
    with reasoning that was not written down."""
    parts = [Part("user", prompt, enters=0)]
    calls: list[ToolCall] = []
    for turn, made in enumerate(turns):
        if spoken and turn in spoken:
            parts.append(Part("user", spoken[turn], enters=turn))
        if says and says[turn]:
            parts.append(Part("text", says[turn] or "", made=turn, enters=turn + 1))
        if turn in thinks:
            parts.append(Part("reasoning", "", made=turn, enters=turn + 1))
        first = len(calls)
        for number, (tool, arguments, _) in enumerate(made):
            text = json.dumps(arguments)
            error = "500" if first + number in failed else None
            request, result = len(parts), len(parts) + len(made)
            calls.append(
                ToolCall(turn, number, tool, text, None, request, result, True, error, waits)
            )
            parts.append(Part("request", text, tool, first + number, turn, turn + 1))
        for number, (tool, _, result) in enumerate(made):
            text = result if isinstance(result, str) else json.dumps(result)
            parts.append(Part("result", text, tool, first + number, None, turn + 1))
    steps = tuple(Turn(latency_seconds=latency) for _ in range(len(turns) + 1))
    return Trajectory("t", "t", "test", tuple(parts), steps, tuple(calls))
