"""Which rows of a ledger an older version made.

*Derived*
tables are brought up to date by `report` itself where the traces are still there; *measured* rows
are read again when their traces are measured again, and named as old until then.
"""

from msgspec import Struct

MEASURED = "trajectories, turns, calls, parts"
"""What `measure` writes, as one table among the old ones."""


class OldTable(Struct, frozen=True):
    """A table with rows that an older version made and that cannot be made again now."""

    table: str
    made: dict[str, int]
    """The rules that have changed since, with the lowest version that made such rows; 0 when the
    rows are older than versions."""
    now: dict[str, int]
    """The same rules with their versions now."""


class OldRows(Struct, frozen=True):
    """Measured rows that an older version made."""

    files: int
    of: int
    made: dict[str, int]
    """The stages that have changed since, with the lowest version that made such rows; 0 when the
    rows are older than versions."""
    now: dict[str, int]
    """The same stages with their versions now."""


def describe_old(old: OldRows, ledger: str) -> str:
    """In one sentence: how much is old, what changed, what to do."""
    first = [f"{stage} {old.made[stage]} -> {old.now[stage]}" for stage in old.now]
    changed = "before stages had versions" if not any(old.made.values()) else ", ".join(first)
    return (
        f"{old.files:,} of {old.of:,} files were measured by an older version ({changed}), so "
        "figures may differ from a fresh reading; measure the traces again: "
        f"agentdyno measure TRACES --out {ledger}"
    )
