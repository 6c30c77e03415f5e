"""Writes what a ledger knows to a file for training, one JSON line per trajectory and per call.

Attempts at our own planning tasks are laid on their graphs first, where nobody has done that yet.
"""

from pathlib import Path

import msgspec

from agentdyno.ledger.reader import Ledger
from agentdyno.metrics.rewards import Weights
from agentdyno.metrics.utility.logical import LogicalTools
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.pipelines.up_to_date import ensure_schedules
from agentdyno.studies.rewards import reward_lines
from agentdyno.studies.views import View, viewed_texts


def export_rewards(
    folder: Path,
    file: Path,
    rules: LogicalTools | None = None,
    view: View | None = None,
    weights: Weights | None = None,
) -> dict[str, int]:
    """Writes the lines; how many of each kind."""
    counts = {"trajectory": 0, "call": 0}
    _lay_on_graphs(folder)
    aside = file.with_name(f".{file.name}.aside")
    with aside.open("wb") as stream:
        tables = viewed_texts(ReadableLedger(folder), view)
        for line in reward_lines(tables, rules or LogicalTools(), weights):
            counts[line["kind"]] += 1
            stream.write(msgspec.json.encode(line) + b"\n")
    aside.replace(file)
    return counts


def _lay_on_graphs(folder: Path) -> None:
    known = Ledger(folder).read("trajectories")["benchmark"].drop_nulls().unique()
    if any(str(name).startswith("tps") for name in known):
        ensure_schedules(folder)
