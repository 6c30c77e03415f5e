"""A file's name says what is in it: in neighbouring folders the same name is the same idea.

Folders are neighbours when they lie in the same folder, or one in the other. `SHARED` is the list
of names that mean the same thing in each room of a kind; everything else has a name of its own.
"""

from collections import defaultdict
from itertools import combinations
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted(ROOT.glob("packages/*/src"))
SUBJECTS = {
    "benchmarks", "cache", "capacity", "cost", "depth",
    "failures", "gamma", "ledger", "origins", "patterns", "pte", "rewards",
    "scheduling", "thinking", "utility", "verdicts",
}  # fmt: skip
"""What is measured: each has a file or a folder on every floor that deals with it."""
FORMATS = {
    "chain", "convert", "log", "read", "session", "threads", "totals", "usage", "wire",
}  # fmt: skip
"""The parts that a format may have."""
BENCHMARKS = {"marking", "plans", "problems", "prompts", "task", "tool", "world"}
"""The parts that a benchmark or one of its tools may have."""
PAPERS = {
    "doubts", "findings", "judge", "judging", "page", "records", "rollouts", "run", "studies",
    "tasks",
}  # fmt: skip
"""The parts that a paper's room of bench may have."""
STUDIES = {"current", "frames", "options", "report", "results", "settings", "summary", "table"}
"""The parts that a study or a metric may have."""
REPORTS = {"charts", "tables", "topic"}
"""The parts that a topic may have."""
MECHANICS = {"cleaning", "loading", "locking"}
"""Secrets out, a model in, one writer at a time: the same service to another room."""
COST = {"columns", "views"}
"""Of the ledger's tables and of the arithmetic over them, since costs have a floor of their own."""
SHARED = COST | SUBJECTS | FORMATS | BENCHMARKS | PAPERS | STUDIES | REPORTS | MECHANICS
NOBODYS = {
    "adding", "helpers", "known", "looking", "marks", "misc", "rated", "reaching", "shown",
    "thought", "told", "utils", "wanted", "whole",
}  # fmt: skip
"""Names that no reader could guess the contents of."""


def folders_by_name() -> dict[str, list[Path]]:
    """Where files and packages of each name lie; a verb's file in `cli` is the verb's."""
    found: dict[str, list[Path]] = defaultdict(list)
    for file in (file for source in SOURCES for file in source.rglob("*.py")):
        inside = Path(*file.parts[file.parts.index("packages") + 3 :])
        named = inside.parent if file.name == "__init__.py" else inside.with_suffix("")
        if len(named.parts) > 1 and named.parent.name != "cli":
            found[named.name].append(named.parent)
    return found


def are_neighbours(name: str, one: Path, other: Path) -> bool:
    """Rooms of one floor, or a room within the other; a room may hold the file it is named for."""
    if len(one.parts) < 2 or len(other.parts) < 2 or name in (one.name, other.name):
        return False
    return other.parent == one.parent or other.parent == one or one.parent == other


def test_neighbouring_rooms_use_a_name_for_one_idea() -> None:
    clashes = {
        name: near
        for name, folders in folders_by_name().items()
        if name not in SHARED
        and (near := [pair for pair in combinations(folders, 2) if are_neighbours(name, *pair)])
    }
    assert clashes == {}


def test_every_shared_name_is_still_shared() -> None:
    folders = folders_by_name()
    alone = {name for name in SHARED if len(folders.get(name, [])) < 2}
    assert alone == set()


def test_no_file_is_called_what_nobody_could_guess() -> None:
    assert NOBODYS.isdisjoint(folders_by_name())
