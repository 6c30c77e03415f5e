"""How far into a result the agent quotes later, and which lines it had read before."""

from agentdyno.findings.quotes import measure_quotes
from tests.findings.scheduling.trajectories import trajectory

LINES = [f"line {number} of the harbour ledger, quay_{number:03d}" for number in range(40)]
TEXT = "\n".join(LINES)
READ = ["Read", {"file_path": "/repo/a.py"}, TEXT]


def _edit(number: int) -> list[object]:
    return ["Edit", {"file_path": "/repo/a.py", "old_string": LINES[number], "new_string": "x"},
            "updated"]  # fmt: skip


def _rows(*turns: list[object]) -> list[tuple[float, int | None, float]]:
    found = measure_quotes([trajectory("look", *([turn] for turn in turns))])  # type: ignore[arg-type]
    return [(round(q, 2), last, r) for q, last, r in
            found.select("quoted", "last_turn", "repeated").iter_rows()]  # fmt: skip


def test_a_result_is_quoted_up_to_the_last_place_that_recurs() -> None:
    end = TEXT.index(LINES[9]) + len(LINES[9])
    assert _rows(READ, _edit(9)) == [(round(end / len(TEXT), 2), 1, 0.0)]


def test_a_result_of_which_nothing_recurs_is_not_quoted() -> None:
    assert _rows(READ, ["Bash", {"command": "ls"}, "ok"]) == [(0.0, None, 0.0)]


def test_reading_again_repeats_what_is_in_context_and_unchanged() -> None:
    assert [row[2] for row in _rows(READ, READ)] == [0.0, 1.0]


def test_a_file_that_was_edited_is_not_read_in_vain() -> None:
    assert [row[2] for row in _rows(READ, _edit(9), READ)] == [0.0, 0.0]


def test_another_file_with_the_same_text_is_no_repetition() -> None:
    assert [row[2] for row in _rows(READ, ["Read", {"file_path": "/repo/b.py"}, TEXT])] == [0, 0]
