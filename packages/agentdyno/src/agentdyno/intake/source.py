"""A file to read, or a piece of one: what every reader takes."""

from pathlib import Path

from msgspec import Struct


class Source(Struct, frozen=True):
    """A file to read, or a piece of one."""

    path: Path
    name: str
    """Its name in ids and messages; unique within a ledger."""
    start: int = 0
    """The piece begins with the first line that starts at or after this byte."""
    stop: int | None = None
    """The piece ends with the last line that starts before this byte; None for the file's end."""
    format: str = ""
    """The name of the format that reads it."""
    first_line: int | None = None
    """The number of the piece's first line in the file; None where `lines` is to find it."""
    max_record_bytes: int = 64 * 2**20
    """A single record larger than this is reported as bad and not loaded."""
    stated: tuple[tuple[str, str], ...] = ()
    """Fields stated by the user for trajectories that lack them (`intake.stated_fields`)."""

    def id_of(self, locator: str) -> str:
        """The id of the trajectory at that place."""
        return f"{self.name}#{locator}"
