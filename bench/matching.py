"""How the cost of matching grows: ratios within one run, never seconds to be compared elsewhere.

python bench/matching.py [DATA]     growth to 5,000 turns and 2,000 tools; with DATA (a folder of
                                    real traces) patterns and schedules against `measure` itself
"""

import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import agentdyno
from agentdyno.findings.patterns import find_patterns
from agentdyno.findings.scheduling.table import measure_scheduling
from agentdyno.pipelines.measure import MeasureOptions
from agentdyno.records import Part, ToolCall, Trajectory, Turn
from agentdyno_bench.pipelines.classify.traces import read_trajectories

BATCH = 16
"""Trajectories that a report looks at together."""


def main() -> None:
    """Prints the ratios."""
    for turns in (1_250, 2_500, 5_000):
        seconds = _seconds(lambda n=turns: _look([session(n, 2_000)]))
        print(
            f"{turns:,} turns, 2,000 tools: {seconds:.2f} s, {1e3 * seconds / turns:.2f} ms a turn"
        )
    if len(sys.argv) > 1:
        _real(Path(sys.argv[1]))


def _real(data: Path) -> None:
    """Processor time, because the machine may be busy; in one process, so that all of it counts."""
    costs = MeasureOptions(costs_only=True, workers=1)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "ledger"
        measuring = _seconds(lambda: agentdyno.measure(data, out=out, options=costs))
    trajectories = list(read_trajectories([data]))
    looking = _seconds(lambda: _look(trajectories))
    print(f"real traces: measure --costs-only {measuring:.2f} s, patterns and schedules "
          f"{looking:.2f} s ({looking / measuring:.2f} of it)")  # fmt: skip


def _look(trajectories: list[Trajectory]) -> None:
    """As `measure` does it: a few at a time, so that both ask one index, and cycles are looked for
    when a job is done."""
    gc.disable()
    for first in range(0, len(trajectories), BATCH):
        batch = trajectories[first : first + BATCH]
        measure_scheduling(batch)
        for trajectory in batch:
            find_patterns(trajectory)
    gc.enable()
    gc.collect()


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def session(turns: int, tools: int) -> Trajectory:
    """A session of one call a turn, each using an id that an earlier result showed."""
    parts = [Part("user", "Work through the orders.", enters=0)]
    calls: list[ToolCall] = []
    for turn in range(turns):
        tool = f"get_order_{turn % tools}"
        arguments = json.dumps({"id": f"OR-{max(turn - 3, 0):06}", "page": turn % 7})
        result = json.dumps(
            {"next": f"OR-{turn:06}", "rows": [f"row {turn} of {n}" for n in range(20)]}
        )
        parts.append(Part("request", arguments, tool, turn, turn, turn + 1))
        parts.append(Part("result", result, tool, turn, None, turn + 1))
        calls.append(ToolCall(turn, 0, tool, arguments, None, 1 + 2 * turn, 2 + 2 * turn, True))
    parts.append(Part("text", "Done.", made=turns))
    many = tuple(Turn() for _ in range(turns + 1))
    return Trajectory("bench#0", "bench", "bench", tuple(parts), many, tuple(calls))


if __name__ == "__main__":
    main()
