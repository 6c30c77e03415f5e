"""Edits, notes and checks that could have been made together, and those that have to wait."""

import pytest

from agentdyno.findings.scheduling.inference import infer_edges
from agentdyno.findings.scheduling.joining import joinable_turns
from tests.metrics.scheduling.trajectories import Call, trajectory

A_TEXT = "def opens_the_harbour_gate(hour):\n    return hour > 6\n"
B_TEXT = "def closes_the_harbour_gate(hour):\n    return hour > 22\n"
READ_A: Call = ("Read", {"file_path": "/repo/src/opening.py"}, A_TEXT)
READ_B: Call = ("Read", {"file_path": "/repo/src/closing.py"}, B_TEXT)
EDIT_A: Call = ("Edit", {"file_path": "/repo/src/opening.py",
                         "old_string": A_TEXT, "new_string": "x = 1"}, "updated")  # fmt: skip
EDIT_B: Call = ("Edit", {"file_path": "/repo/src/closing.py",
                         "old_string": B_TEXT, "new_string": "y = 1"}, "updated")  # fmt: skip
LINT: Call = ("Bash", {"command": "mise run lint 2>&1 | tail -50"}, "0 issues.")
TEST: Call = ("Bash", {"command": "pytest -q tests"}, "3 passed")
PROMPT = "change /repo/src/opening.py and /repo/src/closing.py"


def _certain(*turns: list[Call]) -> dict[int, int]:
    t = trajectory(PROMPT, *turns)
    return joinable_turns(t, infer_edges(t))


def test_edits_of_two_files_whose_texts_were_seen_join_for_certain() -> None:
    assert _certain([READ_A, READ_B], [EDIT_A], [EDIT_B]) == {2: 1}


def test_an_edit_waits_for_the_reading_of_its_file() -> None:
    assert _certain([READ_A], [EDIT_A]) == {}


def test_two_edits_of_one_file_keep_their_order() -> None:
    again: Call = ("Edit", {**EDIT_A[1], "old_string": "    return hour > 6\n"}, "updated")
    assert _certain([READ_A], [EDIT_A], [again]) == {}


def test_checks_stand_side_by_side_and_not_beside_an_edit() -> None:
    assert _certain([TEST], [LINT]) == {1: 0}
    assert _certain([READ_A], [EDIT_A], [TEST], [LINT]) == {3: 2}


def test_a_check_that_failed_is_answered_and_joins_nothing() -> None:
    broken: Call = ("Bash", {"command": "pytest -q tests"}, "Error: 2 failed\nexit code 1")
    assert _certain([broken], [LINT]) == {}


def test_new_entries_of_a_task_list_join_and_reports_do_not() -> None:
    one: Call = ("TaskCreate", {"subject": "open the gate"}, "Task #1 created")
    two: Call = ("TaskCreate", {"subject": "close the gate"}, "Task #2 created")
    done: Call = ("TaskUpdate", {"taskId": "1", "status": "completed"}, "ok")
    assert _certain([one], [two]) == {1: 0}
    assert _certain([one], [done]) == {}
    assert _certain([READ_A], [EDIT_A], [done]) == {}


@pytest.mark.parametrize("tool", ["submit", "mark_task_complete", "finish", "ExitPlanMode"])
def test_what_ends_the_work_rests_on_all_of_it(tool: str) -> None:
    assert _certain([READ_A], [(tool, {}, "ok")]) == {}
