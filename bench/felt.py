"""What a user waits for: the command itself on real Claude Code sessions.

    python bench/felt.py SESSIONS [--copies 1] [--runs 3] [--quick]

SESSIONS is a folder of Claude Code sessions. `--copies` lays it out so many times, each copy with
ids of its own, so that nothing counts as a duplicate. Every row is the command in a new process:

    totals only    what was used, by agent, model, project and day, and nothing written
    costs only     a first run with --costs-only
    first run      a first run with patterns and schedules
    unchanged      the same again
    one turn       after the last lines of one session were appended to it
    one file       after a new session came
    statusline     Claude Code's status hook
    bare decode    msgspec over the same lines, in a process that does nothing else
    ccusage        on the same folder, where `ccusage` or `npx ccusage` is installed

CPU seconds and the clock are medians of the runs; the first byte is when something came out of the
pipe; memory is the largest of any of its processes.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

FOLDER = Path(".bench") / "felt"
_ID = re.compile(
    rb"(?:msg|req|toolu)_[A-Za-z0-9]+|\b[0-9a-f]{4}(?=[0-9a-f]{4}(?:-[0-9a-f]{4}){3}-)"
    rb"|\ba[0-9a-f]{6}\b"  # An agent's.
)
BARE = """
import sys, msgspec
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        for line in file:
            msgspec.json.decode(line)
print("done")
"""


class Took(NamedTuple):
    """One run of a command."""

    cpu: float
    wall: float
    first: float
    peak_mb: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sessions", type=Path)
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="no run with patterns and schedules")
    options = parser.parse_args()
    shutil.rmtree(FOLDER, ignore_errors=True)
    files = lay_out(options.sessions, options.copies)
    size = sum(path.stat().st_size for path in files) / 2**20
    print(f"{len(files)} sessions, {size:.0f} MB; {options.runs} runs")
    print(f"{'':14} {'CPU s':>7} {'clock s':>8} {'first s':>8} {'MB':>6}")
    bare = ["-c", BARE, *map(str, files)]
    tell("bare decode", [run([sys.executable, *bare]) for _ in range(options.runs)])
    if ccusage := find_ccusage():
        words = [*ccusage, "daily", "--offline", "--json"]
        tell("ccusage", [run(words) for _ in range(options.runs)])
    measure_all(options.runs, options.quick, max(files, key=lambda path: path.stat().st_size))


def lay_out(sessions: Path, copies: int) -> list[Path]:
    """The sessions as an agent keeps them, each copy with ids of its own."""
    made = []
    for path in sorted(sessions.rglob("*.jsonl")):
        data = path.read_bytes()
        for copy in range(copies):
            target = FOLDER / "projects" / f"p{copy}" / path.relative_to(sessions)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(with_own_ids(data, copy) if copy else data)
            made.append(target)
    return made


def with_own_ids(data: bytes, copy: int) -> bytes:
    def rename(found: re.Match[bytes]) -> bytes:
        known = found[0]
        return b"%04x" % copy if len(known) == 4 else known + b"c%d" % copy

    return _ID.sub(rename, data)


def find_ccusage() -> list[str] | None:
    if own := os.environ.get("CCUSAGE") or shutil.which("ccusage"):
        return own.split()
    return None


def measure_all(runs: int, quick: bool, grown: Path) -> None:
    traces, ledger = str(FOLDER / "projects"), str(FOLDER / "ledger")
    again = [agentdyno(), "measure", traces, "--out", ledger]
    costs = [*again[:-1], str(FOLDER / "costs"), "--costs-only"]
    totals = [*again[:3], "--totals-only"]
    tell("totals only", [run(totals) for _ in range(runs)])
    tell("costs only", [run(costs, lambda: remove("costs")) for _ in range(runs)])
    tell("unchanged", [run(costs) for _ in range(runs)])
    if not quick:
        tell("first run", [run(again, lambda: remove("ledger")) for _ in range(runs)])
        tell("unchanged", [run(again) for _ in range(runs)])
    latest = again if not quick else costs
    numbers = iter(range(1, 10_000))
    tell("one turn", [run(latest, lambda: append_turn(grown, next(numbers))) for _ in range(runs)])
    tell("one file", [run(latest, lambda: add_file(grown, next(numbers))) for _ in range(runs)])
    hook = json.dumps({"transcript_path": str(grown.resolve()), "model": {"display_name": "m"}})
    words = [agentdyno(), "statusline", "--ledger", latest[latest.index("--out") + 1]]
    tell("statusline", [run(words, given=hook.encode()) for _ in range(runs)])


def agentdyno() -> str:
    return str(Path(sys.executable).with_name("agentdyno"))


def remove(name: str) -> None:
    shutil.rmtree(FOLDER / name, ignore_errors=True)


def append_turn(path: Path, number: int) -> None:
    """The last response of the session once more, as another response of the same session."""
    data = path.read_bytes()
    lines = (json.loads(one) for one in reversed(data.splitlines()) if b'"assistant"' in one)
    line = next(one for one in lines if one.get("type") == "assistant")
    line["parentUuid"], line["uuid"] = line["uuid"], f"{number:08x}{line['uuid'][8:]}"
    line["message"]["id"] = f"msg_appended{number}"
    line["requestId"] = f"req_appended{number}"
    with path.open("ab") as file:
        file.write(b"" if data.endswith(b"\n") else b"\n")
        file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")


def add_file(path: Path, number: int) -> None:
    target = path.with_name(f"added-{number}.jsonl")
    target.write_bytes(with_own_ids(path.read_bytes(), 0x2000 + number))


def run(words: list[str], before: Callable[[], object] | None = None, given: bytes = b"") -> Took:
    if before:
        before()
    # As installed: modules are compiled once, not in every process.
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    env["CLAUDE_CONFIG_DIR"] = str(FOLDER.resolve())
    began = time.monotonic()
    process = subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=env,
        bufsize=0,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(given)
    process.stdin.close()
    process.stdout.read(1)
    first = time.monotonic() - began
    while process.stdout.read(1 << 16):
        pass
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(words)[:300]} failed with {process.returncode}")
    wall = time.monotonic() - began
    return Took(used.ru_utime + used.ru_stime, wall, first, used.ru_maxrss / 1024)


def tell(name: str, runs: list[Took]) -> None:
    cpu, wall, first, peak = (median(values) for values in zip(*runs, strict=True))
    print(f"{name:14} {cpu:7.2f} {wall:8.2f} {first:8.2f} {peak:6.0f}", flush=True)


if __name__ == "__main__":
    main()
