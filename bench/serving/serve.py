"""Runs one shape of the serving study on the machine at hand, and writes what it took.

    python bench/serving/serve.py --shape qwen2.5-7b --shapes bench/serving/shapes --plan
    bench/serving/plan.csv --out DIR

Needs vLLM and a GPU (`--fake` needs neither: it checks the driver). Files: `calibration_SHAPE.csv`,
`makespans_SHAPE.csv`, `turns_SHAPE.csv`, `nvml_SHAPE.json` (watts as `calibrate` reads them). Rows
are written as each workload ends, so a run that is cut off keeps its start.
"""

import argparse
import asyncio
import csv
import random
import sys
import time
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
from workloads import Workload, beginnings, pauses, read_plan, trajectories

from agentdyno_depth.probes.calibration.engine import Engine
from agentdyno_depth.probes.calibration.measuring import SERVER, Row, measure, prompt
from agentdyno_depth.probes.calibration.power_meter import start_meter


class FakeEngine(Engine):
    """Answers at once: to try the driver without a GPU."""

    vocabulary = 32000
    keeps_prefixes = True

    async def generate(self, prompt: list[int], tokens: int) -> list[int]:
        await asyncio.sleep(1e-5 * tokens + 1e-7 * len(prompt))
        return [7] * tokens

    def close(self) -> None:
        pass


async def run(
    engine: Engine, shape: str, plan: list[Workload], out: Path, limit: float, calibrated: bool
) -> None:
    """Calibrate, then every workload of the shape in the plan's order, then calibrate a little."""
    started = time.perf_counter()
    if calibrated:
        meter = start_meter(say)
        if meter:
            meter.read_idle()
            rows = await meter.read_busy(measure(engine, SERVER, report=say))
            (out / f"nvml_{shape}.json").write_bytes(msgspec.json.encode(meter.close()))
        else:
            rows = await measure(engine, SERVER, report=say)
        write(out / f"calibration_{shape}.csv", Row._fields, rows)
        say(f"calibrated in {time.perf_counter() - started:.1f} s")
    spans: list[tuple[object, ...]] = []
    turns: list[tuple[object, ...]] = []
    for workload in plan:
        if time.perf_counter() - started > limit:
            say("out of time")
            break
        seconds, new = await run_workload(engine, workload)
        spans.append((workload.name, round(seconds, 5)))
        turns += new
        say(f"{workload.name}: {seconds:.2f} s")
        write(out / f"makespans_{shape}.csv", ("name", "seconds"), spans)
        write(out / f"turns_{shape}.csv", ("name", "trajectory", "turn", "start", "end"), turns)
    say(f"done in {time.perf_counter() - started:.1f} s")


async def run_workload(
    engine: Engine, workload: Workload
) -> tuple[float, list[tuple[object, ...]]]:
    """The makespan, and when each turn was sent and answered."""
    items = trajectories(workload)
    chance = random.Random(workload.seed + 1)
    # Prompts are drawn before the clock starts; what a turn generates replaces its placeholder.
    texts = [[prompt(chance, engine, request.context) for request in item] for item in items]
    common = prompt(random.Random(workload.seed + 3), engine, workload.prefix)
    tools, begins = pauses(workload), beginnings(workload)
    turns: list[tuple[object, ...]] = []
    queue = iter(range(len(items)))
    zero = time.perf_counter()

    async def play(index: int) -> None:
        said: list[int] = []
        for place, request in enumerate(items[index]):
            ids = common + texts[index][place][len(common) :]
            if workload.cache == "kept" and place:
                ids = said + ids[len(said) :]
            await asyncio.sleep(tools[index][place])
            start = time.perf_counter()
            made = await engine.generate(ids, request.decode)
            end = time.perf_counter()
            turns.append(
                (workload.name, index, place, round(start - zero, 4), round(end - zero, 4))
            )
            said = [*ids, *made]

    async def worker() -> None:
        for index in queue:
            await play(index)

    async def begin(index: int, when: float) -> None:
        await asyncio.sleep(when - (time.perf_counter() - zero))
        await play(index)

    if begins is None:
        await asyncio.gather(*(worker() for _ in range(workload.concurrency)))
    else:
        await asyncio.gather(*(begin(index, when) for index, when in enumerate(begins)))
    return time.perf_counter() - zero, turns


def write(path: Path, header: tuple[str, ...], rows: list) -> None:  # type: ignore[type-arg]
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shape", required=True)
    parser.add_argument("--shapes", type=Path, required=True)
    parser.add_argument("--plan", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=float, default=400.0)
    parser.add_argument("--fake", action="store_true")
    parser.add_argument("--no-calibration", action="store_true")
    given = parser.parse_args()
    plan = [w for w in read_plan(given.plan) if w.shape == given.shape]
    given.out.mkdir(parents=True, exist_ok=True)
    say(f"{given.shape}: {len(plan)} workloads")
    engine: Engine
    if given.fake:
        engine = FakeEngine()
    else:
        from agentdyno_depth.probes.calibration.vllm_engine import start_vllm

        engine, _ = start_vllm(str(given.shapes / given.shape), dummy=True)
    say("engine started")
    try:
        await run(engine, given.shape, plan, given.out, given.limit, not given.no_calibration)
    finally:
        engine.close()


if __name__ == "__main__":
    asyncio.run(main())
