"""Speed and memory of what reads a ledger, each against a measurement made in the same run.

    python bench/reports.py [--trajectories 10000] [--large 100000] [--only NAME,…] [--quick]

    report     the first report of a ledger against the `measure` that made it, and against one of
               costs only, whose first report has to read the traces
    compare    two ledgers of as many tasks, against the same
    cache      a report under --cache reported against one as measured
    files      as many small files against the same trajectories in one
    long       one trajectory of 10,000 turns against as many turns in trajectories of four
    tools      2,000 tools in a tenth of the trajectories, against eight in all of them
    large      a report of ten times as many trajectories against ten times that `measure`

Seconds are those of a process of its own from its first import to its end, by the clock and of the
processor with all that it starts, best of three (of one for `large`); memory is that process's
peak. Beside others' work only the ratio of processor seconds says something.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from child_processes import as_installed, peak_mb
from traces import write_short_chats

FOLDER = Path(".bench")
REPEATS = 3
CASES = ("report", "compare", "cache", "files", "long", "tools", "large")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--trajectories", type=int, default=10_000)
    parser.add_argument("--large", type=int, default=100_000)
    parser.add_argument("--only", default=",".join(CASES))
    parser.add_argument("--quick", action="store_true", help="small ledgers, to try the script")
    options = parser.parse_args()
    many, large = (500, 2_000) if options.quick else (options.trajectories, options.large)
    FOLDER.mkdir(exist_ok=True)
    bench = Bench(many)
    print(f"{os.cpu_count()} processors, {many:,} trajectories; measure {bench.told(bench.unit)}")
    for name in options.only.split(","):
        getattr(bench, name)(*([large] if name == "large" else []))


class Bench:
    """Ledgers that several cases share."""

    def __init__(self, many: int) -> None:
        self.many = many
        self.traces = _traces(f"short-{many}.jsonl", count=many)
        self.ledger = FOLDER / f"ledger-{many}"
        self.unit = best("measure", self.traces, self.ledger)

    def report(self) -> None:
        self._line("report, the first", best("report", self.ledger), goal="under 1")
        bare = FOLDER / f"ledger-{self.many}-costs"
        self._line("measure --costs-only", best("measure_costs", self.traces, bare))
        self._line("  and its first report", best("report", bare, once=True))

    def compare(self) -> None:
        other = FOLDER / "ledger-other"
        best(
            "measure",
            _traces(f"other-{self.many}.jsonl", count=self.many, seed=8),
            other,
            once=True,
        )
        self._line("compare", best("compare", self.ledger, other))

    def cache(self) -> None:
        self._line("report --cache reported", best("report_reported", self.ledger))

    def files(self) -> None:
        folder = _traces(f"files-{self.many}", count=self.many, many_files=True)
        self._line("measure, a file each", best("measure", folder, FOLDER / "ledger-files"))

    def long(self) -> None:
        turns = 10_000 if self.many >= 5_000 else self.many
        short = _traces(f"short-of-{turns}.jsonl", count=turns // 5)
        one = _traces(f"long-{turns}.jsonl", count=1, turns=turns)
        for path, name in ((short, "short"), (one, "long")):
            best("measure", path, FOLDER / f"ledger-{name}")
        print(f"  one trajectory of {turns:,} turns against as many turns in short ones")
        for task in ("measure", "report"):
            given = [[FOLDER / f"ledger-{n}"] for n in ("short", "long")]
            if task == "measure":
                given = [[short, *given[0]], [one, *given[1]]]
            base, found = (best(task, *each) for each in given)
            print(f"    {task:26} {self.told(found)}  {ratios(found, base)} of short", flush=True)

    def tools(self) -> None:
        some = max(self.many // 10, 50)
        traces = _traces(f"tools-{some}.jsonl", count=some, tools=2_000)
        ledger = FOLDER / "ledger-tools"
        measured = best("measure", traces, ledger)
        self._line(f"measure, 2,000 tools in {some:,}", measured)
        found = best("report", ledger)
        self._line("report, the same", found)
        print(f"    its report takes {ratios(found, measured)} of its measure")

    def large(self, large: int) -> None:
        traces = _traces(f"short-{large}.jsonl", count=large)
        ledger = FOLDER / f"ledger-{large}"
        self._line(f"measure, {large:,}", best("measure", traces, ledger, once=True))
        found = best("report", ledger, once=True)
        self._line(f"report, {large:,}", found, goal="under 10, 1,000 MB")

    def _line(self, name: str, found: dict[str, float], goal: str = "") -> None:
        ratio = ratios(found, self.unit)
        print(f"  {name:32} {self.told(found)}  {ratio} of measure  {goal}", flush=True)

    def told(self, found: dict[str, float]) -> str:
        wall, cpu, memory = found["wall"], found["cpu"], found["rss_mb"]
        return f"{wall:7.2f} s {cpu:7.2f} s CPU {memory:6.0f} MB"


def ratios(found: dict[str, float], base: dict[str, float]) -> str:
    """By the clock, and by the processor."""
    wall, cpu = (found[key] / base[key] for key in ("wall", "cpu"))
    return f"{wall:5.2f} (CPU {cpu:.2f})"


# What is measured, each in a process of its own ---------------------------------------------------


def run_measure(traces: Path, ledger: Path) -> None:
    from agentdyno.pipelines.measure import MeasureOptions, measure

    shutil.rmtree(ledger, ignore_errors=True)
    measure([traces], ledger, MeasureOptions(workers=1))


def run_measure_costs(traces: Path, ledger: Path) -> None:
    from agentdyno.pipelines.measure import MeasureOptions, measure

    shutil.rmtree(ledger, ignore_errors=True)
    measure([traces], ledger, MeasureOptions(workers=1, costs_only=True))


def run_report(ledger: Path, cache: str | None = None) -> None:
    from agentdyno.pipelines.report import build_report
    from agentdyno.reports.html import render_page
    from agentdyno.studies.views import View

    view = View(cache=cache) if cache else None  # type: ignore[arg-type]
    found = build_report(ledger, view=view)
    (FOLDER / "report.html").write_text(render_page(found.title, found.topics))


def run_report_reported(ledger: Path) -> None:
    run_report(ledger, "reported")


def run_compare(ledger: Path, other: Path) -> None:
    from agentdyno.pipelines.compare import compare

    compare(ledger, other, None)


# Helpers ------------------------------------------------------------------------------------------


def _traces(name: str, **options: object) -> Path:
    path = FOLDER / name
    if not path.exists():
        write_short_chats(path, **options)  # type: ignore[arg-type]
    return path


def best(task: str, *paths: Path, once: bool = False) -> dict[str, float]:
    """The best of several runs; a report is the first one of its ledger each time."""
    found = []
    for _ in range(1 if once else REPEATS):
        if task == "report":
            _forget_derived(paths[0])
        found.append(_child(task, *paths))
    return {key: min(each[key] for each in found) for key in found[0]}


def _forget_derived(ledger: Path) -> None:
    """What a report has added goes; what `measure` itself derived stays."""
    kept = ledger.with_name(f"{ledger.name}-measured")
    if not kept.exists():
        shutil.copytree(ledger, kept)
    shutil.rmtree(ledger)
    shutil.copytree(kept, ledger)


def _child(task: str, *paths: Path) -> dict[str, float]:
    if task.startswith("measure"):
        shutil.rmtree(paths[1].with_name(f"{paths[1].name}-measured"), ignore_errors=True)
    command = [sys.executable, __file__, "--child", task, *map(str, paths)]
    started = time.perf_counter()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=as_installed(FOLDER))
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found | {"wall": time.perf_counter() - started}


def _run_child(task: str, *paths: Path) -> None:
    globals()[f"run_{task}"](*paths)
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = sum(each.ru_utime + each.ru_stime for each in (own, children))
    print(json.dumps({"cpu": cpu, "rss_mb": peak_mb()}))


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--child":
        _run_child(sys.argv[2], *map(Path, sys.argv[3:]))
    else:
        main()
