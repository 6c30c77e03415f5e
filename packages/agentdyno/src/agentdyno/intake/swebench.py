"""The outcome of a SWE-bench task, by a report near the trajectory.

Takes the path of a trajectory and the task's id; looks at JSON files in its folder, in the two
above it, and in folders of reports in each. Reports name the solved tasks (`resolved_ids`, earlier
`resolved`), or hold one task each.
"""

from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from agentdyno.intake.sidecars import read_sidecar_bytes

LEVELS = 3
"""The trajectory's own folder, and those above it that are looked at."""
RESULTS = ("results", "sb-cli-reports")
"""Folders of reports."""
MAX_FILES = 64
MAX_BYTES = 8 * 2**20
_MARKS = (b'"resolved_ids"', b'"resolved"')


def find_outcome(path: Path, task: str | None) -> bool | None:
    """True when the task was solved; None where no report names it."""
    if not task:
        return None
    for folder in [path.parent, *path.parent.parents][:LEVELS]:
        for reports in (folder, *(folder / name for name in RESULTS)):
            if (solved := _outcomes(reports).get(task)) is not None:
                return solved
    return None


@lru_cache(maxsize=256)
def _outcomes(folder: Path) -> dict[str, bool]:
    """Tasks that reports in this folder name."""
    outcomes: dict[str, bool] = {}
    try:
        files = sorted(file for file in folder.glob("*.json") if _may_be_report(file))
    except OSError:
        return outcomes
    for file in files[:MAX_FILES]:
        outcomes |= _read(file)
    return outcomes


def _may_be_report(file: Path) -> bool:
    return not file.name.endswith(".traj.json") and file.is_file()


def _read(file: Path) -> dict[str, bool]:
    data = read_sidecar_bytes(file, MAX_BYTES) or b""
    try:
        report = msgspec.json.decode(data) if any(m in data for m in _MARKS) else None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return {}
    if not isinstance(report, dict):
        return {}
    solved = report.get("resolved_ids", report.get("resolved"))
    if isinstance(solved, list):
        tried = (report.get(name) for name in ("submitted_ids", "completed_ids", "generated"))
        failed = {str(task): False for tasks in tried if isinstance(tasks, list) for task in tasks}
        return failed | {str(task): True for task in solved}
    return {task: mark for task, entry in report.items() if (mark := _mark(entry)) is not None}


def _mark(value: Any) -> bool | None:
    mark = value.get("resolved") if isinstance(value, dict) else None
    return mark if isinstance(mark, bool) else None
