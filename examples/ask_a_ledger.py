"""Measures traces and asks the ledger where the cost went.

    python examples/ask_a_ledger.py [TRACES]

Tables are polars frames; a trajectory comes with its texts.
"""

import sys
import tempfile
from pathlib import Path

import polars as pl

import agentdyno

SAMPLES = Path(agentdyno.__file__).parent / "samples"


def main(traces: Path, out: Path) -> None:
    ledger = agentdyno.measure(traces, out)

    calls = ledger.table("calls")
    print(calls.group_by("tool").agg(pl.len(), pl.col("pte").sum()).sort("pte", descending=True))

    dearest = ledger.table("trajectories").sort("pte", descending=True, nulls_last=True)
    trajectory = ledger.trajectory(dearest["trajectory_id"][0])
    print(f"{trajectory.trajectory_id}: {len(trajectory.turns)} turns, {trajectory.model}")
    for call in trajectory.calls[:5]:
        print(f"  turn {call.turn}: {call.tool} {call.arguments[:60]}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLES, Path(folder) / "ledger")
