"""How long 1,000 tasks take with a scripted model, what of it is overhead, and what marking costs.

The scripted model answers at once, so all the time is ours and Inspect's. The same conversations
are also played in a bare loop, without Inspect, and labelled; the ratio of the two is printed.
Marking alone is timed for all six scripted models.

    python bench/toolfail.py [--script faithful] [--tasks 1000] [--processes 1] [--marking]
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.scripted.failures import BEHAVIOURS, Behaviour, answer_as

from agentdyno.estimates.estimate import Estimate
from agentdyno_bench.shared.running.options import ModelSpec, RunOptions, TaskRecipe
from agentdyno_bench.shared.running.task_runs import run_task
from agentdyno_bench.toolfail.findings import classify
from agentdyno_bench.toolfail.findings.rates import failure_rates
from agentdyno_bench.toolfail.label_files import label_logs
from agentdyno_bench.toolfail.records import OfferedTool, ToolTask
from agentdyno_bench.toolfail.studies.labels import build_label
from agentdyno_bench.toolfail.tasks.factories import SCORED as FACTORY
from agentdyno_bench.toolfail.tasks.suite import load_suite

SCRIPTS = "bench.scripted.failures:"


def main() -> None:
    """Prints wall time, time per sample and the rates."""
    asked = _arguments()
    suite = load_suite()
    tasks = suite.tasks[: asked.tasks]
    for behaviour in BEHAVIOURS:
        mean, worst = _marking(behaviour, tasks, suite.tools)
        print(f"marking {behaviour:14} {mean:8.3f} ms/sample, {worst:.3f} at worst")
    if asked.marking:
        return
    bare, rates = _timed_bare(asked.script, tasks, suite.tools)
    with tempfile.TemporaryDirectory() as folder:
        import inspect_ai  # noqa: F401  Its import is no part of the run.

        options = RunOptions(
            out=Path(folder),
            limit=asked.tasks,
            processes=asked.processes,
            max_tokens=1024,
            temperature=0.0,
            seed=42,
        )
        model = ModelSpec("agentdyno/scripted", None, {"script": SCRIPTS + asked.script})
        began, cpu = time.perf_counter(), time.process_time()
        run = run_task(TaskRecipe(FACTORY, {}), model, options)
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
        began = time.perf_counter()
        found = label_logs(Path(folder) / "logs", suite)
        label_seconds = time.perf_counter() - began
    through = failure_rates([each.row("own") for each in found]).rates
    count = len(tasks)
    print(f"script {asked.script}, {run.samples} tasks, {asked.processes} process(es)")
    print(f"run through Inspect   {wall:8.2f} s  {1000 * wall / count:8.2f} ms/sample")
    print(f"  of it CPU here      {cpu:8.2f} s  {1000 * cpu / count:8.2f} ms/sample")
    print(f"read and label logs   {label_seconds:8.2f} s  {1000 * label_seconds / count:8.2f} ms")
    print(f"bare loop and labels  {bare:8.2f} s  {1000 * bare / count:8.2f} ms/sample")
    print(f"ratio Inspect / bare  {wall / bare:8.1f}")
    for name, rate in through.items():
        assert rate.value == rates[name].value, name
        print(f"{name:9} {'-' if rate.value is None else format(rate.value, '.4f')}")


def _marking(
    script: Behaviour, tasks: Sequence[ToolTask], tools: dict[str, tuple[OfferedTool, ...]]
) -> tuple[float, float]:
    """Mean and worst milliseconds of processor time to label one answer, best of three."""
    took = []
    for task in tasks:
        offered = tools[task.domain]
        answer, tries = answer_as(script, task, offered[0].name), []
        for _ in range(3):
            began = time.process_time()
            classify("own", task, answer, offered)
            tries.append(time.process_time() - began)
        took.append(min(tries))
    return 1e3 * sum(took) / len(took), 1e3 * max(took)


def _timed_bare(
    script: Behaviour, tasks: Sequence[ToolTask], tools: dict[str, tuple[OfferedTool, ...]]
) -> tuple[float, dict[str, Estimate]]:
    began = time.perf_counter()
    rows = []
    for task in tasks:
        answer = answer_as(script, task, tools[task.domain][0].name)
        label = classify("own", task, answer, tools[task.domain])
        rows.append(build_label(task, answer, label))
    return time.perf_counter() - began, failure_rates(rows).rates


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--script", default="faithful")
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--marking", action="store_true", help="only what marking costs")
    return parser.parse_args()


if __name__ == "__main__":
    main()
