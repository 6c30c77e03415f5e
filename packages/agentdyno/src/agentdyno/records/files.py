"""The outcome of each input file, as a value, and the ledger table that keeps it."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal, get_args

from msgspec import Struct

from agentdyno.records.columns import Column

REPEATED = "every response in it counts in another file"
"""Why a file that was read adds nothing."""
FileState = Literal["read", "empty", "skipped", "bad"]


class FileOutcome(Struct, frozen=True):
    """A file, or a folder of files that were skipped together."""

    source: str
    """Its name, as in the other tables; a file in an archive has the archive's name before it."""
    state: FileState
    """`read`: at least one trajectory came of it. `empty`: a sound session in which no model
    answered. `skipped`: it is not a trace. `bad`: it should have been read, and nothing of it could
    be."""
    reason: str | None = None
    """Why it was skipped, is empty or bad, or was read only in part; None when it was read."""
    files: int = 1
    """How many files it stands for: more than one only for a folder that was skipped."""
    format: str | None = None
    """The format it was read as; None when none recognised it."""
    trajectories: int = 0
    """How many were read from it, those included that count elsewhere."""
    bad_records: int = 0
    """Records of it that could not be read."""


FILES: tuple[Column, ...] = (
    Column("source", "text", "The file, or a folder that was skipped as a whole."),
    Column("state", "text", "`read`, `empty` (no model answered), `skipped` or `bad`."),
    Column("reason", "text", "Why it was skipped, is empty or bad, or was read only in part."),
    Column("files", "whole", "How many files the row stands for; the sum is all that were given."),
    Column("format", "text", "The format it was read as."),
    Column("trajectories", "whole", "Trajectories read from it, repeated ones included."),
    Column("bad_records", "whole", "Records of it that could not be read."),
)


def count_files(outcomes: Iterable[FileOutcome]) -> dict[FileState, int]:
    """Count the files that were read, empty, skipped and bad; together, all inputs."""
    counts: Counter[FileState] = Counter()
    for outcome in outcomes:
        counts[outcome.state] += outcome.files
    return {state: counts[state] for state in get_args(FileState)}
