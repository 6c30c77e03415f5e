"""Runs the slow tests for as long as there is time, from another file on every day.

    python tools/slow_part.py --minutes 25
    python tools/slow_part.py --minutes 25 --date 2026-11-20    that day's part again

Every file runs in a pytest of its own, two at a time. What the time limit ends has not failed; a
test that failed before has. Exits with 1 if a test failed.
"""

import argparse
import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# A week sees every file first, second, … about once: the shift is a seventh of the files.
DAYS = 7
NO_TESTS = 5
SECONDS_TO_STOP = 30

_MARKED = re.compile(r"mark\.slow\b|mostly_slow\(")
_RESULT = re.compile(r"^(tests/.+?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL)\b", re.MULTILINE)


@dataclass(frozen=True)
class FileRun:
    """What became of one file's slow tests."""

    file: str
    outcome: str
    """passed, failed, cut off (by the time limit) or not started."""
    counts: Counter[str]
    """Tests by their result."""
    seconds: float
    output: str


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--date", type=date.fromisoformat, default=datetime.now(UTC).date())
    parser.add_argument("--tests", type=Path, default=ROOT / "tests")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(arguments)
    files = order_of_day(find_slow_files(options.tests), options.date)
    deadline = time.monotonic() + 60 * options.minutes
    folder = options.tests.parent
    with ThreadPoolExecutor(options.workers) as pool:
        runs = list(pool.map(lambda file: run_file(folder, file, deadline), files))
    print(render(runs, options.date))
    return 1 if any(run.outcome == "failed" for run in runs) else 0


def find_slow_files(tests: Path) -> list[str]:
    """Test files in which something is marked slow, from the folder above."""
    files = sorted(tests.rglob("test_*.py"))
    return [
        file.relative_to(tests.parent).as_posix()
        for file in files
        if _MARKED.search(file.read_text("utf-8"))
    ]


def order_of_day(files: list[str], day: date) -> list[str]:
    """All files; each day begins a seventh further, and a week later one file further than then."""
    if not files:
        return []
    weeks, days = divmod(day.toordinal(), DAYS)
    start = (days * len(files) // DAYS + weeks) % len(files)
    return files[start:] + files[:start]


def run_file(folder: Path, file: str, deadline: float) -> FileRun:
    """The slow tests of a file, ended at the deadline."""
    began = time.monotonic()
    if began >= deadline:
        return FileRun(file, "not started", Counter(), 0, "")
    command = [sys.executable, "-m", "pytest", "-m", "slow", "-v", "--tb=short", file]
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            command, cwd=folder, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            code: int | None = process.wait(deadline - began)
        except subprocess.TimeoutExpired:
            code = None
        # Before it is stopped: a test that is interrupted may well fail.
        output.seek(0)
        text = output.read()
        if code is None:
            _stop(process)
    run = FileRun(file, judge(code, text), count_results(text), time.monotonic() - began, text)
    print(_line(run), flush=True)
    return run


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Interrupted, pytest ends what its tests started; what is left then is killed."""
    process.send_signal(signal.SIGINT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(SECONDS_TO_STOP)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def judge(code: int | None, output: str) -> str:
    """A run's outcome by its exit code, None if it was still running, and what it printed."""
    counts = count_results(output)
    if code is None:
        return "failed" if counts["FAILED"] + counts["ERROR"] else "cut off"
    return "passed" if code in (0, NO_TESTS) else "failed"


def count_results(output: str) -> Counter[str]:
    """Tests by their result, from the output of `pytest -v`."""
    return Counter(result for _, result in _RESULT.findall(output))


def render(runs: list[FileRun], day: date) -> str:
    """What failed in full, then how much of the slow suite ran."""
    failed = [run for run in runs if run.outcome == "failed"]
    lines = [run.output for run in failed]
    for outcome in ("cut off", "not started"):
        files = [run.file for run in runs if run.outcome == outcome]
        lines += [f"{outcome}: {', '.join(files)}"] if files else []
    tests = sum(sum(run.counts.values()) for run in runs)
    by_outcome = Counter(run.outcome for run in runs)
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in by_outcome.items())
    lines.append(f"slow suite of {day}: {tests} tests ran; of {len(runs)} files {outcomes}")
    return "\n".join(lines)


def _line(run: FileRun) -> str:
    results = ", ".join(f"{count} {name.lower()}" for name, count in sorted(run.counts.items()))
    return f"{run.outcome:11} {run.seconds:6.0f} s  {run.file}  ({results or 'no test ended'})"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
