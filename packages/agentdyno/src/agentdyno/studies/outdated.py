"""Which tables hold rows that an older version made: what `report` could not make again.

Takes what the inquiry was told, returns it, or None where every table is up to date.
"""

from msgspec import Struct

from agentdyno.studies.inquiry import Inquiry


class OldTable(Struct, frozen=True):
    """A table with rows that an older version made and that cannot be made again now."""

    table: str
    """The table."""
    made: dict[str, int]
    """The rules that have changed since, with the lowest version that made such rows; 0 when the
    rows are older than versions."""
    now: dict[str, int]
    """The same rules with their versions now."""


def study_outdated(inquiry: Inquiry) -> list[OldTable] | None:
    """As whoever brought the tables up to date found them."""
    return list(inquiry.outdated) or None
