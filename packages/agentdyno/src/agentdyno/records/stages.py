"""Versions of what decides the measured rows of a ledger: one number for each stage.

A ledger notes these numbers with every volume. Rows of a lower number than today's are old: they
are read again from their source, or named as old wherever their figures are shown. Raise a number
by one when the stage gives other rows than before; `tests/ledger/test_stages.py` fails until you
do. A format's reader has its number in its `Format`, a detector in its `Detector`, schedules in
`findings.scheduling.table.VERSIONS`.
"""

from collections.abc import Iterable, Mapping

Versions = Mapping[str, int]
"""Stages by name, each with its version."""

STAGES: dict[str, int] = {
    "identity": 4,  # Which response a turn is, and the title of a trajectory.
    "tokens": 4,  # Counts, estimates with their calibration, how totals are split, prefilled ones.
    "cost": 9,  # Architectures, gamma, PTE under each cache, prices, money of every part.
    "duplicates": 2,  # Which occurrence of a response counts, and who started whom.
    "secrets": 2,  # What is replaced by a mark.
}
"""Stages that every file goes through."""
_READER = "reader "


def reader_stage(format: str) -> str:
    """The stage that reads a format."""
    return f"{_READER}{format}"


def stages_of(versions: Versions, formats: Iterable[str]) -> dict[str, int]:
    """The versions that decide rows of these formats."""
    readers = {reader_stage(format) for format in formats}
    return {s: v for s, v in versions.items() if not s.startswith(_READER) or s in readers}


def older_stages(produced: Versions, now: Versions) -> list[str]:
    """Stages that have changed since; what a newer version made is not old."""
    return [stage for stage, version in now.items() if produced.get(stage, 0) < version]
