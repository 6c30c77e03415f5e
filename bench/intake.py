"""Speed and memory of `measure`, each against something else measured in the same run.

    python bench/intake.py [--mb 200] [--big-mb 2048] [--samples 2000] [--quick]

1. OpenAI-chat JSONL with usage      against a bare msgspec.json.decode loop over the same lines;
                                     costs only, and with patterns and schedules
2. the same without usage            against a bare loop of the tokenizer over the same texts
3. an Inspect .eval log              against inspect_ai.log.read_eval_log, where that is installed
4. peak memory on a large file

Times are CPU seconds of one process for one worker, and wall seconds for two. Every time is the
best of several repeats, since other work on the machine only ever makes a run slower. A ratio to a
bare loop is the median of pairs that ran one after the other: the best of each may come from
moments in which the machine was not equally busy.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent))

from child_processes import as_installed, peak_mb
from inspect_log import write_log
from traces import write_chat_jsonl

FOLDER = Path(".bench")
REPEATS = 3
PAIRS = 5
Found = dict[str, float]
"""What a process took: seconds and memory, by name."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mb", type=int, default=200)
    parser.add_argument("--big-mb", type=int, default=2048)
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--quick", action="store_true", help="small files, to try the script")
    options = parser.parse_args()
    if options.quick:
        options.mb, options.big_mb, options.samples = 20, 60, 100
    FOLDER.mkdir(exist_ok=True)
    with_usage(options.mb)
    without_usage(max(options.mb // 2, 10))
    inspect_log(options.samples)
    memory(options.big_mb)


def with_usage(mb: int) -> None:
    path = _chat("chat", mb, usage=True)
    pairs = _pairs("bare_decode", path)
    size = path.stat().st_size / 2**20
    _title(f"OpenAI chat JSONL with usage, {size:.0f} MB")
    _line("bare msgspec.json.decode", [bare["cpu"] for bare, _ in pairs], size)
    _against("measure, one worker", pairs, size, goal="1/3")
    start = _best(lambda: _child("measure", _first(path)))["cpu"]
    _against(f"  without {start:.2f} s of start-up", pairs, size, start)
    whole = _child("measure_whole", path, workers=1)
    _line("with patterns and schedules", [whole["cpu"]], size)


def without_usage(mb: int) -> None:
    path = _chat("plain", mb, usage=False)
    pairs = _pairs("bare_tokens", path)
    size = path.stat().st_size / 2**20
    _title(f"the same without usage, {size:.0f} MB")
    _line("bare tokenizer loop", [bare["cpu"] for bare, _ in pairs], size)
    _against("measure, one worker", pairs, size, goal="0.7")


def inspect_log(samples: int) -> None:
    path = FOLDER / f"inspect-{samples}.eval"
    if not path.exists():
        write_log(path, samples, 10, 11)
    ours = _best(lambda: _child("measure", path, workers=1))
    read = _best(lambda: _child("read", path))
    _title(f"Inspect .eval, {samples} samples of 10 turns")
    theirs = _child("read_eval_log", path) if find_spec("inspect_ai") else None
    if theirs is None:
        print("  inspect_ai is not installed: no comparison")
    else:
        print(f"  read_eval_log        {theirs['cpu']:7.2f} s {theirs['rss_mb']:7.0f} MB")
    for name, found in (("our reader", read), ("measure, whole", ours)):
        faster = f"{theirs['cpu'] / found['cpu']:.1f} times faster" if theirs else ""
        print(f"  {name:20} {found['cpu']:7.2f} s {found['rss_mb']:7.0f} MB   {faster}")
    print("  goals: 10 times faster, under 150 MB")


def memory(mb: int) -> None:
    path = _chat("big", mb, usage=True)
    found = _child("measure", path, workers=1)
    _title(f"peak memory on {path.stat().st_size / 2**20:.0f} MB of JSONL")
    print(f"  measure, one worker: {found['rss_mb']:.0f} MB (goal: under 400 MB)")
    two = _child("measure", path, workers=2)
    faster = found["wall"] / two["wall"]
    print(f"  two workers: {faster:.2f} times one by the clock (goal: 1.7, on an idle machine)")


# What is measured, each in a process of its own ---------------------------------------------------


def run_bare_decode(path: Path) -> None:
    import msgspec

    with path.open("rb") as file:
        for line in file:
            msgspec.json.decode(line)


def run_bare_tokens(path: Path) -> None:
    """Every text once, as `measure` needs it; system prompt and schemas repeat and are skipped."""
    import msgspec
    from splintr import Tokenizer

    encode = Tokenizer.from_pretrained("o200k_base").encode_ordinary
    with path.open("rb") as file:
        for line in file:
            for message in msgspec.json.decode(line)["messages"][1:]:
                if text := message.get("content"):
                    encode(text)
                for call in message.get("tool_calls") or ():
                    encode(call["function"]["arguments"])


def run_read(path: Path) -> None:
    from agentdyno.intake.format import load_formats
    from agentdyno.intake.source import Source

    for _ in load_formats()["inspect_ai"].read(Source(path, path.name)):
        pass


def run_read_eval_log(path: Path) -> None:
    from inspect_ai.log import read_eval_log

    read_eval_log(str(path))


def run_measure_whole(path: Path, workers: int) -> None:
    run_measure(path, workers, costs_only=False)


def run_measure(path: Path, workers: int, costs_only: bool = True) -> None:
    from agentdyno.pipelines.measure import MeasureOptions, measure

    ledger = FOLDER / f"ledger-{os.getppid()}"  # Another bench may run beside this one.
    shutil.rmtree(ledger, ignore_errors=True)
    measure([path], ledger, MeasureOptions(workers=workers, costs_only=costs_only))


# Helpers ------------------------------------------------------------------------------------------


def _chat(name: str, mb: int, *, usage: bool) -> Path:
    path = FOLDER / f"{name}-{mb}.jsonl"
    if not path.exists():
        # Repeating trajectories costs a decoder the same; a tokenizer's cache would notice.
        write_chat_jsonl(path, mb * 2**20, usage=usage, repeat_texts=usage)
    return path


def _first(path: Path) -> Path:
    """A file of the first trajectory alone: what it takes is start-up."""
    one = path.with_name(f"one-of-{path.name}")
    with path.open("rb") as file:
        one.write_bytes(file.readline())
    return one


def _pairs(bare: str, path: Path) -> list[tuple[Found, Found]]:
    """The bare loop and `measure` in turn."""
    return [(_child(bare, path), _child("measure", path, workers=1)) for _ in range(PAIRS)]


def _best(run: Callable[[], Found]) -> Found:
    found = [run() for _ in range(REPEATS)]
    return {key: min(each[key] for each in found) for key in found[0]}


def _child(task: str, path: Path, workers: int = 1) -> Found:
    """Runs one task in a fresh process, so that memory and caches are its own."""
    command = [sys.executable, __file__, "--child", task, str(path), str(workers)]
    done = subprocess.run(command, check=True, env=as_installed(FOLDER), stdout=subprocess.PIPE)
    shutil.rmtree(FOLDER / f"ledger-{os.getpid()}", ignore_errors=True)
    found: Found = json.loads(done.stdout.splitlines()[-1])
    return found


def _run_child(task: str, path: Path, workers: int) -> None:
    start = time.perf_counter()
    function = globals()[f"run_{task}"]
    function(path, workers) if task.startswith("measure") else function(path)
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        json.dumps(
            {
                "cpu": own.ru_utime + own.ru_stime,
                "wall": time.perf_counter() - start,
                "rss_mb": peak_mb() if workers == 1 else max(peak_mb(), children.ru_maxrss / 1024),
            }
        )
    )


def _title(text: str) -> None:
    print(f"\n{text} ({os.cpu_count()} processors)")


def _against(
    name: str, pairs: list[tuple[Found, Found]], mb: float, start: float = 0.0, goal: str = ""
) -> None:
    seconds = [one["cpu"] - start for _, one in pairs]
    ratios = sorted(bare["cpu"] / took for (bare, _), took in zip(pairs, seconds, strict=True))
    note = f"{median(ratios):.2f} of bare ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    _line(name, seconds, mb, f"{note}  goal {goal}" if goal else note)


def _line(name: str, seconds: list[float], mb: float, note: str = "") -> None:
    best = min(seconds)
    print(f"  {name:28} {best:7.2f} s {mb / best:7.0f} MB/s  {note}".rstrip(), flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--child":
        _run_child(sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]))
    else:
        main()
