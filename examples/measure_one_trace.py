"""Measures one trace and prints what each turn and each call cost.

    python examples/measure_one_trace.py [FILE]

The same path as `agentdyno measure`, step by step and without a ledger: a format reads the file
into trajectories, a meter turns them into cost.
"""

import sys
from pathlib import Path

import polars as pl

from agentdyno.cost.engines import MeterOptions
from agentdyno.cost.tables import measure_costs
from agentdyno.intake.format import choose_format, load_formats
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.pipelines.meter import build_meter
from agentdyno.pipelines.samples import sample_traces
from agentdyno.records import Trajectory


def main(path: Path) -> None:
    format = choose_format(Head(path), load_formats())
    if format is None:
        sys.exit(f"{path}: no format recognises it")
    items = format.read(Source(path, path.name))
    trajectory = next(item for item in items if isinstance(item, Trajectory))

    meter = build_meter(MeterOptions(hardware="h100-pcie", cache="evicted"))
    tables = measure_costs([trajectory], meter)

    print(f"{trajectory.trajectory_id} ({format.name}), model {trajectory.model}")
    print(tables["turns"].select("turn", "context_tokens", "decode_tokens", "token_source", "pte"))
    print(tables["calls"].select("turn", "call", "tool", "error", "result_tokens", "pte"))
    print(tables["parts"].group_by("kind").agg(pl.col("tokens", "pte").sum()).sort("pte"))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else sample_traces() / "word-problems.jsonl")
