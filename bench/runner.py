"""Load study of the runner: throughput, overhead, latency error and memory, as ratios.

The same work, two model calls and a tool for each sample, against a fake server with a set
latency, done by a bare aiohttp client, by plain Inspect with its defaults, and by our runner in
one process and in two. Each in a process of its own; throughput from the first request to the
last answer, so that starting Python does not count (it does in the CPU time of two processes).

    python bench/runner.py                    the study: 1, 64, 256 and 1,024 concurrent samples
    python bench/runner.py --concurrency 64   only these
    python bench/runner.py --json             one JSON object

Goals: never slower than plain Inspect; two processes at least 1.7 times one. Exit 1 when missed.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
ROOT = HERE.parents[1]
PLAN = {1: (4, 0.5), 64: (192, 0.5), 256: (384, 1.0), 1024: (1024, 2.0)}
"""Samples and latency in seconds by concurrency: enough to be busy, few enough for five minutes."""
SHARDED = (64, 1536, 0.1)
"""Concurrency, samples and latency where one process is saturated, so that two can show."""
NOT_SLOWER = 0.97
"""Throughput against plain Inspect; what is missing to 1 is noise."""
TWO_AGAINST_ONE = 1.7


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--concurrency", type=int, nargs="*", default=list(PLAN))
    parser.add_argument("--repeat", type=int, default=1, help="the best of so many counts")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--job", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        from runner_clients import do_job  # type: ignore[import-not-found]

        print(json.dumps(do_job(options.one, json.loads(options.job))))
        return 0
    study = _study(options.concurrency, options.repeat, quiet=options.json)
    if options.json:
        print(json.dumps(study))
    else:
        _print_goals(study["goals"])
    return 0 if all(goal["met"] for goal in study["goals"]) else 1


def _study(levels: list[int], repeat: int, quiet: bool) -> dict[str, Any]:
    rows = []
    busy = _other_load()
    if busy and not quiet:
        print(f"{busy}\n", flush=True)
    for level in levels:
        samples, latency = PLAN.get(level, (2 * level, 1.0))
        rows += _measured(["bare", "plain", "ours"], level, samples, latency, repeat, quiet)
    level, samples, latency = SHARDED
    shards = _measured(["ours", "two"], level, samples, latency, repeat, quiet)
    return {"busy": busy, "rows": rows, "shards": shards, "goals": _goals(rows, shards)}


def _other_load() -> str | None:
    """Throughput needs free cores, two of them for the clients and some of one for the server."""
    if not hasattr(os, "getloadavg"):
        return None
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load < 0.25 * cores:
        return None
    return (
        f"Other processes use this machine (load {load:.1f} on {cores} cores): throughputs and "
        "latencies below are not to be trusted, CPU per sample and memory are."
    )


def _measured(
    clients: list[str], level: int, samples: int, latency: float, repeat: int, quiet: bool
) -> list[dict[str, Any]]:
    tries: dict[str, list[dict[str, Any]]] = {client: [] for client in clients}
    for _ in range(repeat):
        for client in clients:  # In turn, so that a busy spell meets all of them.
            tries[client].append(_one(client, level, samples, latency))
    rows = [max(found, key=lambda row: row["samples_per_second"]) for found in tries.values()]
    for row in rows:
        # All tries are told, not only the best: how far apart they lie is how far to trust it.
        row["all_samples_per_second"] = [t["samples_per_second"] for t in tries[row["client"]]]
        if not quiet:
            _print_row(row, rows[0])
    return rows


def _one(client: str, level: int, samples: int, latency: float) -> dict[str, Any]:
    with _server(latency) as address, tempfile.TemporaryDirectory() as folder:
        job = {"address": address, "concurrency": level, "samples": samples, "out": folder}
        command = [sys.executable, str(HERE), "--one", client, "--job", json.dumps(job)]
        said = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        if said.returncode:
            raise SystemExit(f"{client} at {level} failed:\n{said.stderr[-2000:]}")
        found: dict[str, Any] = json.loads(said.stdout.splitlines()[-1])
        with urllib.request.urlopen(f"{address}/served", timeout=30) as answer:
            truth = json.load(answer)
    latencies = found.pop("latencies")
    assert len(truth) == len(latencies) == 2 * samples, (len(truth), len(latencies), samples)
    return {
        "client": client,
        "concurrency": level,
        "samples": samples,
        "latency_seconds": latency,
        "samples_per_second": samples / found["window_seconds"],
        "cpu_ms_per_sample": 1000 * found["cpu_seconds"] / samples,
        "latency_error_ms": 1000 * (_quantile(latencies, 0.5) - _quantile(truth, 0.5)),
        "latency_error_p95_ms": 1000 * (_quantile(latencies, 0.95) - _quantile(truth, 0.95)),
        **found,
    }


@contextmanager
def _server(latency: float) -> Iterator[str]:
    """A server for each client: its work does not warm up the next one's."""
    command = [sys.executable, str(HERE.parent / "fake_server.py"), "--latency", str(latency)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
    finally:
        server.kill()
        server.wait()


def _quantile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _goals(rows: list[dict[str, Any]], shards: list[dict[str, Any]]) -> list[dict[str, Any]]:
    speed = {(r["client"], r["concurrency"]): r["samples_per_second"] for r in rows}
    goals = [
        _goal(f"ours / plain Inspect at {level}", speed["ours", level] / found, NOT_SLOWER)
        for (client, level), found in speed.items()
        if client == "plain"
    ]
    one, two = (row["samples_per_second"] for row in shards)
    return [*goals, _goal("two processes / one", two / one, TWO_AGAINST_ONE)]


def _goal(name: str, ratio: float, at_least: float) -> dict[str, Any]:
    return {"name": name, "ratio": ratio, "at_least": at_least, "met": ratio >= at_least}


def _print_row(row: dict[str, Any], first: dict[str, Any]) -> None:
    ratio = row["cpu_ms_per_sample"] / first["cpu_ms_per_sample"]
    invalid = row.get("flagged_share")
    all_tries = row["all_samples_per_second"]
    tries = f" (of {', '.join(f'{t:.1f}' for t in all_tries)})" if len(all_tries) > 1 else ""
    flagged = "" if invalid is None else f"   {100 * invalid:3.0f} % of latencies flagged"
    print(
        f"{row['client']:>6} at {row['concurrency']:>5,}: {row['samples_per_second']:7.1f} "
        f"samples/s{tries}   CPU {row['cpu_ms_per_sample']:6.1f} ms a sample (x{ratio:5.1f})   "
        f"latency +{row['latency_error_ms']:6.1f} ms, p95 +{row['latency_error_p95_ms']:7.1f} ms   "
        f"memory {row['memory_mb']:5.0f} MB{flagged}",
        flush=True,
    )


def _print_goals(goals: list[dict[str, Any]]) -> None:
    for goal in goals:
        met = "met" if goal["met"] else "MISSED"
        print(f"{goal['name']}: {goal['ratio']:.2f}, goal {goal['at_least']:.2f}: {met}")


if __name__ == "__main__":
    began = time.monotonic()
    code = main()
    if "--one" not in sys.argv and "--json" not in sys.argv:
        print(f"{time.monotonic() - began:.0f} s")
    sys.exit(code)
