"""What a user says of findings: a line for each mark, in the ledger's folder.

Takes the id of a finding and whether it is right; the latest mark of an id counts. A line that is
no mark costs only itself.
"""

from pathlib import Path

import msgspec
from msgspec import Struct

from agentdyno.ledger.file_names import MARKS, refuse_link
from agentdyno.ledger.locking import lock


class Mark(Struct, frozen=True):
    """What somebody said of one finding."""

    finding: str
    kind: str
    """The pattern or the check that found it."""
    right: bool
    """Whether it shows what it says."""


def add_mark(folder: Path, mark: Mark) -> None:
    """Notes a mark behind those that are there."""
    with lock(folder), refuse_link(folder / MARKS).open("ab") as file:
        file.write(msgspec.json.encode(mark) + b"\n")


def read_marks(folder: Path) -> dict[str, Mark]:
    """The latest mark of each finding."""
    path = refuse_link(folder / MARKS)
    marks: dict[str, Mark] = {}
    for line in path.read_bytes().splitlines() if path.is_file() else ():
        try:
            mark = msgspec.json.decode(line, type=Mark)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            continue
        marks[mark.finding] = mark
    return marks


def count_marks(folder: Path) -> dict[str, tuple[int, int]]:
    """Kind -> findings that were marked right, and wrong."""
    counts: dict[str, tuple[int, int]] = {}
    for mark in read_marks(folder).values():
        right, wrong = counts.get(mark.kind, (0, 0))
        counts[mark.kind] = (right + mark.right, wrong + (not mark.right))
    return counts
