"""Where `measure --costs-only` spends its time on OpenAI chat with usage, stage by stage.

    python bench/budget.py [--mb 40] [--rounds 11]

Each stage is run with all stages before it, in one process, and is told as what it adds. Times are
CPU seconds in units of a bare msgspec.json.decode loop over the same lines, run before and after
each, since the speed of a shared machine differs from second to second: medians of the rounds. What
a process takes before it reads anything is not in here; `bench/intake.py` says that.
"""

import argparse
import gc
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent))

import msgspec
from traces import write_chat_jsonl

from agentdyno.cost.engines import MeterOptions
from agentdyno.cost.metering import Batch
from agentdyno.intake.format import Source
from agentdyno.intake.formats.openai_chat.read import read
from agentdyno.intake.formats.openai_chat.wire import CHAT
from agentdyno.intake.streams import decode, lines
from agentdyno.pipelines import jobs
from agentdyno.pipelines.meter import build_meter

FOLDER = Path(".bench")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mb", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=11)
    options = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"chat-{options.mb}.jsonl"
    if not path.exists():
        write_chat_jsonl(path, options.mb * 2**20, usage=True, repeat_texts=True)
    gc.disable()
    some = path.read_bytes().splitlines(keepends=True)
    found: dict[str, list[float]] = {}
    for _ in range(options.rounds):
        for name, run in stages(path).items():
            found.setdefault(name, []).append(share(run, some))
    tell({name: median(shares) for name, shares in found.items()})


def stages(path: Path) -> dict[str, Callable[[], object]]:
    """Each with all before it."""
    source = Source(path, path.name, stop=path.stat().st_size)
    pieces, meter = [(source, "openai_chat")], build_meter(MeterOptions())
    aside = FOLDER / "budget" / "aside"
    job = jobs.Job(pieces, aside, MeterOptions(), 1)

    def batches(work: Callable[[jobs.Joined], object]) -> None:
        for batch, _ in jobs._batches(jobs._read(pieces), False):
            work(batch)

    def write() -> None:
        jobs.do_job(job)
        shutil.rmtree(aside.parent)

    return {
        "lines": lambda: [None for _ in lines(source)],
        "decoding": lambda: [None for record in lines(source) if decode(record.data, CHAT) is None],
        "messages into the builder": lambda: [None for item in read(source) if item is None],
        "identity and title": lambda: [None for item in jobs._read(pieces) if item is None],
        "joining a batch": lambda: batches(lambda batch: None),
        "split and cost": lambda: batches(lambda batch: Batch(batch, meter)),
        "tables": lambda: batches(lambda batch: jobs._measure(batch, meter)),
        "secrets, Parquet, seals": write,
    }


def share(run: Callable[[], object], some: list[bytes]) -> float:
    """CPU time in units of a bare loop over all lines; the loop is over a quarter of them."""
    few = some[: max(len(some) // 4, 1)]
    before, took, after = seconds(lambda: bare(few)), seconds(run), seconds(lambda: bare(few))
    return took / ((before + after) / 2 * len(some) / len(few))


def bare(some: list[bytes]) -> None:
    for line in some:
        msgspec.json.decode(line)


def seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def tell(found: dict[str, float]) -> None:
    so_far = 0.0
    for name, took in found.items():
        print(f"{name:28} {took - so_far:+6.2f} {took:8.2f}")
        so_far = took


if __name__ == "__main__":
    main()
