"""Writes what a ledger's trajectories and calls are worth, as JSON lines for training.

Attempts at our own planning tasks are laid on their graphs first, where nobody has done that yet.
"""

from pathlib import Path

from agentdyno.ledger.reader import Ledger
from agentdyno.matching.logical_tools import LogicalTools
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.pipelines.up_to_date import ensure_schedules
from agentdyno.records.escaped_json import encode_json
from agentdyno.studies.views import View, apply_view
from agentdyno_bench.findings.rewards import Weights
from agentdyno_bench.studies.rewards import reward_lines


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
    staging = file.with_name(f".{file.name}.aside")
    with staging.open("wb") as stream:
        tables = apply_view(ReadableLedger(folder), view)
        for line in reward_lines(tables, rules or LogicalTools(), weights):
            counts[line["kind"]] += 1
            stream.write(encode_json(line) + b"\n")
    staging.replace(file)
    return counts


def _lay_on_graphs(folder: Path) -> None:
    known = Ledger(folder).read("trajectories")["benchmark"].drop_nulls().unique()
    if any(str(name).startswith("tps") for name in known):
        ensure_schedules(folder)
