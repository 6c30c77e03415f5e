"""How fast the world is: start-up of fifteen servers, overhead of a call, 200 tasks by the best,
and what marking a sample costs.

Each figure is printed with what it is to be compared with, measured in the same run: a bare Python
that imports the SDK for start-up, the same call without MCP for the overhead, the bare calls of a
sample for its marking.

    python bench/tps.py                start-up, overhead and 200 tasks in this process and over MCP
    python bench/tps.py --marking      only what marking costs
    python bench/tps.py --inspect      200 tasks through Inspect as well
    python bench/tps.py --purposes     only 120 tasks with a purpose through Inspect, with faults
"""

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.bench.tps.inprocess import run_agent

from agentdyno_bench.shared.running.options import ModelSpec, RunOptions
from agentdyno_bench.tps.outcomes import RequestedCall, mark
from agentdyno_bench.tps.pool import Pool, PoolSpec
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.execution import run_plan
from agentdyno_bench.tps.tasks.validation import validate_live
from agentdyno_bench.tps.tasks.values import Level, TaskSet
from agentdyno_bench.tps.world import World

CALLS = 300
TOOL, ARGUMENTS = "notes_list_notes", {}


def main() -> None:
    """Prints one JSON object."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--inspect", action="store_true")
    parser.add_argument("--marking", action="store_true")
    parser.add_argument("--purposes", action="store_true")
    given = parser.parse_args()
    if given.purposes:
        print(json.dumps(through_inspect(["purpose"], {"latency": "virtual"}), indent=1))
        return
    found: dict[str, object] = {"load_average": psutil.getloadavg()[0]}
    found |= marking()
    if given.marking:
        print(json.dumps(found, indent=1))
        return
    found["bare_sdk_import_seconds"] = round(bare_start(), 2)
    for transport in ("memory", "stdio"):
        began = time.perf_counter()
        pool = Pool(PoolSpec(transport=transport))
        found[f"{transport}_start_seconds"] = round(time.perf_counter() - began, 2)
        found |= overhead(pool, transport)
        found |= validated(pool, transport)
        if transport == "stdio":
            found["server_memory_mb"] = round(children_mb())
        pool.close()
    found |= in_process()
    if given.inspect:
        found |= through_inspect()
    found["peak_memory_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    print(json.dumps(found, indent=1))


def marking() -> dict[str, object]:
    """Milliseconds of processor time to mark an attempt, best plan and cheats' longest answers."""
    tasks = [(found.world_seed, task) for found in _read_sets() for task in found.tasks]
    found: dict[str, object] = {}
    for name, longer in (("", False), ("_reciting", True)):
        took, bare = [], []
        for seed, task in tasks:
            run = run_plan(task, World(seed), by_levels=True)
            answer = json.dumps([c.result for c in run.calls]) if longer else run.answers
            calls = [RequestedCall(call.tool, call.arguments) for call in run.calls]
            took.append(_best_of_three(lambda c=calls, a=answer, t=task, s=seed: mark(t, c, a, s)))
            bare.append(_best_of_three(lambda c=calls, s=seed: _made(c, s)))
        found |= {
            f"marking{name}_ms_mean": round(1e3 * sum(took) / len(took), 3),
            f"marking{name}_ms_worst": round(1e3 * max(took), 3),
            f"marking{name}_over_bare_calls": round(sum(took) / sum(bare), 2),
        }
    return found


def _read_sets() -> list[TaskSet]:
    return [load_bundled("easy"), load_bundled("hard")]


def _made(calls: list[RequestedCall], seed: int) -> None:
    world = World(seed)
    for call in calls:
        world.call(call.tool, call.arguments)


def _best_of_three(work: Callable[[], object]) -> float:
    """Processor time: others share the machine."""
    found = []
    for _ in range(3):
        began = time.process_time()
        work()
        found.append(time.process_time() - began)
    return min(found)


def bare_start() -> float:
    """One Python that imports the SDK and ends."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import mcp.server.lowlevel.server"], check=True)
    return time.perf_counter() - began


def overhead(pool: Pool, transport: str) -> dict[str, float]:
    """Milliseconds that MCP adds to a call, one after the other and ten at a time."""
    world = World()
    began = time.perf_counter()
    for _ in range(CALLS):
        _ = world.call(TOOL, ARGUMENTS).text
    plain = (time.perf_counter() - began) / CALLS

    async def serial() -> None:
        for _ in range(CALLS):
            await pool.call(TOOL, ARGUMENTS)

    async def by_ten() -> None:
        for _ in range(CALLS // 10):
            await asyncio.gather(*(pool.call(TOOL, ARGUMENTS) for _ in range(10)))

    found = {"plain_call_ms": round(plain * 1e3, 4)}
    for name, work in (("one_by_one", serial), ("ten_at_once", by_ten)):
        began = time.perf_counter()
        asyncio.run(work())
        each = (time.perf_counter() - began) / CALLS
        found[f"{transport}_{name}_ms"] = round((each - plain) * 1e3, 2)
    return found


def validated(pool: Pool, transport: str) -> dict[str, float]:
    """The best agent's calls on 100 easy tasks over MCP, eight tasks at once."""
    tasks = load_bundled("easy").tasks
    began = time.perf_counter()
    assert asyncio.run(validate_live(tasks, pool)) == []
    took = time.perf_counter() - began
    calls = sum(len(task.subtasks) for task in tasks)
    return {f"{transport}_100_tasks_seconds": round(took, 2), "calls_of_100_tasks": calls}


def in_process() -> dict[str, float]:
    """The best agent on all 200 tasks without MCP."""
    began = time.perf_counter()
    for found in _read_sets():
        for task in found.tasks:
            run = run_agent("optimal", task, found.world_seed)
            assert run.completion(task) == 1
    return {"in_process_200_tasks_seconds": round(time.perf_counter() - began, 2)}


def through_inspect(
    levels: Sequence[Level] = ("easy", "hard"), pool: dict[str, object] | None = None
) -> dict[str, object]:
    """The best agent as a scripted model on all tasks of some levels, through Inspect."""
    from agentdyno_bench.shared.bench_run import run_bench
    from agentdyno_bench.tps.measured_run import (
        TpsPlanOptions,
        compare_settings,
        measure_samples,
        tps_plans,
    )

    script = {"script": "bench.scripted.planning:patient"}
    model = ModelSpec("agentdyno/scripted", None, script)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        asked = TpsPlanOptions([model], levels, selections=["none"], turns=60, pool=pool or {})
        began = time.perf_counter()
        run_bench(tps_plans(asked, RunOptions(out=out, concurrency=8)), out)
        took = time.perf_counter() - began
        attempts = measure_samples(out)
        rows = compare_settings(attempts)
    return {
        "inspect_tasks": len(attempts),
        "inspect_seconds": round(took, 1),
        "inspect_completion": [row.completion.value for row in rows],
        "inspect_solved": int(attempts["correct"].sum()),
    }


def children_mb() -> float:
    """Resident memory of all server processes."""
    return float(sum(c.memory_info().rss for c in psutil.Process().children()) / 2**20)


if __name__ == "__main__":
    main()
