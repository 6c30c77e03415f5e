"""Speed and memory of `measure`, each against something else measured in the same run.

    python bench/intake.py [--mb 200] [--big-mb 2048] [--samples 2000] [--quick]

1. OpenAI-chat JSONL with usage      against a bare msgspec.json.decode loop over the same lines;
                                     costs only, and with patterns and schedules
2. the same without usage            against a bare loop of the tokenizer over the same texts
3. an Inspect .eval log              against inspect_ai.log.read_eval_log, where that is installed
4. peak memory on a large file

Times are CPU seconds of one process for one worker, and wall seconds for two. Every figure is the
best of several repeats, since other work on the machine only ever makes a run slower.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from inspect_log import write_log
from traces import write_chat_jsonl

FOLDER = Path(".bench")
REPEATS = 3


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
    bare = _best(lambda: _child("bare_decode", path))
    one = _best(lambda: _child("measure", path, workers=1))
    size = path.stat().st_size / 2**20
    _title(f"OpenAI chat JSONL with usage, {size:.0f} MB")
    _line("bare msgspec.json.decode", bare["cpu"], size, bare["cpu"])
    _line("measure, one worker", one["cpu"], size, bare["cpu"], goal="1/3")
    _line("  the same without start-up", one["work_cpu"], size, bare["cpu"])
    whole = _child("measure_whole", path, workers=1)
    _line("with patterns and schedules", whole["cpu"], size, bare["cpu"])


def without_usage(mb: int) -> None:
    path = _chat("plain", mb, usage=False)
    bare = _best(lambda: _child("bare_tokens", path))
    one = _best(lambda: _child("measure", path, workers=1))
    size = path.stat().st_size / 2**20
    _title(f"the same without usage, {size:.0f} MB")
    _line("bare tokenizer loop", bare["cpu"], size, bare["cpu"])
    _line("measure, one worker", one["cpu"], size, bare["cpu"], goal="0.7")


def inspect_log(samples: int) -> None:
    path = FOLDER / f"inspect-{samples}.eval"
    if not path.exists():
        write_log(path, samples, 10, 11)
    ours = _best(lambda: _child("measure", path, workers=1))
    read = _best(lambda: _child("read", path))
    _title(f"Inspect .eval, {samples} samples of 10 turns")
    try:
        theirs = _child("read_eval_log", path)
    except subprocess.CalledProcessError:
        print("  inspect_ai is not installed: no comparison")
        theirs = None
    if theirs:
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
    from agentdyno.intake.format import Source, load_formats

    for _ in load_formats()["inspect_ai"].read(Source(path, path.name)):
        pass


def run_read_eval_log(path: Path) -> None:
    from inspect_ai.log import read_eval_log

    read_eval_log(str(path))


def run_measure_whole(path: Path, workers: int) -> None:
    run_measure(path, workers, costs_only=False)


def run_measure(path: Path, workers: int, costs_only: bool = True) -> None:
    import shutil

    from agentdyno.pipelines.measure import MeasureOptions, measure

    ledger = FOLDER / "ledger"
    shutil.rmtree(ledger, ignore_errors=True)
    measure([path], ledger, MeasureOptions(workers=workers, costs_only=costs_only))


# Helpers ------------------------------------------------------------------------------------------


def _chat(name: str, mb: int, *, usage: bool) -> Path:
    path = FOLDER / f"{name}-{mb}.jsonl"
    if not path.exists():
        # Repeating trajectories costs a decoder the same; a tokenizer's cache would notice.
        write_chat_jsonl(path, mb * 2**20, usage=usage, repeat_texts=usage)
    return path


def _best(run: Callable[[], dict[str, float]]) -> dict[str, float]:
    found = [run() for _ in range(REPEATS)]
    return {key: min(each[key] for each in found) for key in found[0]}


def _child(task: str, path: Path, workers: int = 1) -> dict[str, float]:
    """Runs one task in a fresh process, so that memory and caches are its own.

    With compiled modules, as an installed package has them: a shell may forbid to write any. With
    the threads of numpy that the verb `measure` asks for.
    """
    command = [sys.executable, __file__, "--child", task, str(path), str(workers)]
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPYCACHEPREFIX"] = str(FOLDER.resolve() / "compiled")
    env.setdefault("OPENBLAS_NUM_THREADS", "1")
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    done = subprocess.run(command, check=True, env=env, **pipes)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _run_child(task: str, path: Path, workers: int) -> None:
    start_cpu, start = time.process_time(), time.perf_counter()
    function = globals()[f"run_{task}"]
    function(path, workers) if task.startswith("measure") else function(path)
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        json.dumps(
            {
                "cpu": own.ru_utime + own.ru_stime,
                "work_cpu": time.process_time() - start_cpu,
                "wall": time.perf_counter() - start,
                "rss_mb": max(own.ru_maxrss, children.ru_maxrss) / 1024,
            }
        )
    )


def _title(text: str) -> None:
    print(f"\n{text} ({os.cpu_count()} processors)")


def _line(name: str, seconds: float, mb: float, bare: float, goal: str = "") -> None:
    note = f"  goal {goal}" if goal else ""
    speed = f"{seconds:7.2f} s {mb / seconds:7.0f} MB/s"
    print(f"  {name:28} {speed}  {bare / seconds:5.2f} of bare{note}")


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--child":
        _run_child(sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]))
    else:
        main()
