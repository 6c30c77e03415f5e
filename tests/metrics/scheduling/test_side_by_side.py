"""Edits, notes and checks that could have been made together, and those that have to wait."""

import pytest

from agentdyno.findings.scheduling.inference import infer_edges
from agentdyno.findings.scheduling.joining import joinable_turns
from tests.metrics.scheduling.trajectories import Call, trajectory

A_TEXT = "def opens_the_harbour_gate(hour):\n    return hour > 6\n"
READ_A: Call = ("Read", {"file_path": "/repo/src/opening.py"}, A_TEXT)
PROMPT = "change /repo/src/opening.py and /repo/src/closing.py"


def _certain(*turns: list[Call]) -> dict[int, int]:
    t = trajectory(PROMPT, *turns)
    return joinable_turns(t, infer_edges(t))


@pytest.mark.parametrize("tool", ["submit", "mark_task_complete", "finish", "ExitPlanMode"])
def test_what_ends_the_work_rests_on_all_of_it(tool: str) -> None:
    assert _certain([READ_A], [(tool, {}, "ok")]) == {}
