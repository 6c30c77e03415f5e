"""Checks that need no truth: a trajectory in, rows of the table `failures` out.

Every trajectory gets a row per check: `doubtful`, `clear`, or no label where there was nothing to
look at. A call whose return nobody used has a row of its own.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from agentdyno.records import Trajectory, printable
from agentdyno.records.failures import CHECKS, CLEAR, DOUBTFUL
from agentdyno_bench.toolfail.findings.unlabelled import Doubt, find_doubts, possible_checks

LONGEST = 300
"""Characters of evidence."""


def check_rows(trajectory: Trajectory, unproven: bool = False) -> Iterator[dict[str, Any]]:
    """Rows of the table `failures`, without `pte`, which the ledger joins; checks that were mostly
    wrong on real traces look at nothing unless they are asked to."""
    possible = possible_checks(trajectory, unproven)
    by_check: dict[str, list[Doubt]] = defaultdict(list)
    for doubt in find_doubts(trajectory, unproven):
        by_check[doubt.kind].append(doubt)
    for check in CHECKS:
        doubts = by_check[check]
        label = (DOUBTFUL if doubts else CLEAR) if check in possible else None
        displayed = printable("; ".join(doubt.evidence for doubt in doubts), LONGEST)
        about = {
            "trajectory_id": trajectory.trajectory_id,
            "task_id": trajectory.task_id,
            "domain": None,
            "kind": None,
            "trap": None,
            "label": label,
            "rule": check,
            "phantom": any(doubt.kind == "phantom_call" for doubt in doubts),
            "broken": None,
            "unclear": None,
        }
        yield {**about, "turn": None, "call": None, "evidence": displayed}
        for doubt in doubts:
            if doubt.call is not None:
                location = {"turn": doubt.turn, "call": doubt.call}
                yield {**about, **location, "evidence": printable(doubt.evidence, LONGEST)}
