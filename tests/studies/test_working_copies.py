"""One repository in several worktrees is one project, and a file in it one file."""

from pathlib import Path

import polars as pl
import pytest

from agentdyno.pipelines.report import build_overview
from agentdyno.studies.working_copies import in_main_copy
from tests.pipelines.ledger_builder import LedgerRows
from tests.studies.test_cache import Talk


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/home/ann/shop/.worktrees/2/a.py", "/home/ann/shop/a.py"),
        ("/home/ann/shop/.claude/worktrees/till/src/a.py", "/home/ann/shop/src/a.py"),
        (r"C:\shop\.worktrees\2\a.py", r"C:\shop\a.py"),
        (r"c:\shop\a.py", r"C:\shop\a.py"),
        ("c:a", "c:a"),
        ("/home/ann/shop/.worktrees/2", "/home/ann/shop"),
        ("/home/ann/worktrees/2/a.py", "/home/ann/worktrees/2/a.py"),
        (None, None),
    ],
)
def test_the_folder_of_a_nested_worktree_is_taken_out(
    path: str | None, expected: str | None
) -> None:
    rows = pl.DataFrame({"path": [path]}, {"path": pl.String})
    assert rows.select(in_main_copy(pl.col("path"))).item() == expected


@pytest.mark.daily
def test_reads_of_a_file_in_several_copies_are_of_one_file(tmp_path: Path) -> None:
    talk = Talk()
    for number, copy in enumerate(("", "/.worktrees/2", "/.claude/worktrees/till")):
        call = {"type": "tool_use", "id": f"t{number}", "name": "Read",
                "input": {"file_path": f"/home/ann/shop{copy}/a.py"}}  # fmt: skip
        talk.turn(60, 30_000 if number else 0, 1_000, answer={"content": [call]})
    spent = build_overview(talk.measure(tmp_path), only=("spending",)).results["spending"]
    assert [(each.name, each.calls) for each in spent.kinds["file"]] == [("/home/ann/shop/a.py", 3)]


@pytest.mark.daily
def test_a_clone_in_another_home_holds_the_same_files(tmp_path: Path) -> None:
    talk = Talk()
    for number, home in enumerate(("/home/ann", "/Users/bob", r"C:\Users\cy")):
        call = {"type": "tool_use", "id": f"t{number}", "name": "Read",
                "input": {"file_path": rf"{home}\shop\a.py" if "C:" in home
                          else f"{home}/shop/a.py"}}  # fmt: skip
        own = call | {"id": f"own{number}", "input": {"file_path": f"{home}/.claude/CLAUDE.md"}}
        talk.turn(60, 30_000 if number else 0, 1_000, answer={"content": [call, own]})
    kinds = build_overview(talk.measure(tmp_path), only=("spending",)).results["spending"].kinds
    assert [each.calls for each in kinds["file"]] == [3]
    assert [each.calls for each in kinds["instruction file"]] == [1, 1, 1]


@pytest.mark.parametrize(("shared", "rows"), [(3, 3), (2, 4)])
def test_checkouts_of_one_name_and_the_same_files_are_one_repository(
    tmp_path: Path, shared: int, rows: int
) -> None:
    ledger = LedgerRows()
    names = ["cmd/main.go", "cmd/hooks.go", "redact/redact.go"][:shared]
    for folder in ("/home/ann/work/cli", "/home/ann/review-2/cli"):
        ledger.trajectory(folder, 10.0, usd=1.0, calls=3, project=folder)
        ledger.turn(folder, 0, 10.0, usd=1.0, calls=3)
        for number, name in enumerate(names):
            ledger.call(folder, 0, "Read", call=number, pte=1.0, usd=0.1,
                        subject=f"{folder}/{name}", subject_kind="file")  # fmt: skip
    found = build_overview(ledger.write(tmp_path / "l"), only=("spending",)).results["spending"]
    assert len(found.kinds["file"]) == rows
    assert {each.calls for each in found.kinds["file"]} == ({2} if rows == shared else {1})
