"""One million turns, in processes of this machine against a Ray cluster on it: the same ledger?

    python bench/scale.py [--turns 1000000] [--workers 2] [--quick]

Traces are generated into several files. Each engine runs in a process of its own; seconds are by
the clock from its first import to its end, memory is the largest peak of a single process (its own,
or one of its workers) and the sum of all that were alive at once. CPU seconds are of all processes,
as they were last seen, four times a second; beside others' work only they say something. At the
end both ledgers are compared, every row of every table.
"""

import argparse
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from traces import write_short_chats

FOLDER = Path(".bench")
FILES = 8
CALLS = 24
"""Calls of a trajectory, which then has one turn more."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--quick", action="store_true", help="20,000 turns, to try the script")
    options = parser.parse_args()
    turns = 20_000 if options.quick else options.turns
    traces = FOLDER / f"scale-{turns}"
    size = _generate(traces, turns)
    print(f"{turns:,} turns in {FILES} files, {size / 2**20:,.0f} MB; {options.workers} workers")
    found = {engine: _run(engine, traces, options.workers) for engine in ("local", "ray")}
    base = found["local"]
    for engine, one in found.items():
        wall, cpu = one["wall"], one["cpu"]
        print(
            f"  {engine:6} {wall:7.1f} s {turns / wall:9,.0f} turns/s, "
            f"{base['wall'] / wall:.2f} of local; {cpu:.1f} s CPU, {base['cpu'] / cpu:.2f} of "
            f"local; largest process {one['largest_mb']:,.0f} MB, all {one['all_mb']:,.0f} MB"
        )
    differ = _differences(_ledger("local"), _ledger("ray"))
    rows = sum(differ["rows"].values())
    told = "equal" if not differ["tables"] else f"DIFFERENT in {differ['tables']}"
    print(f"  ledgers: {told}, {rows:,} rows in {len(differ['rows'])} tables")
    sys.exit(1 if differ["tables"] else 0)


def _generate(folder: Path, turns: int) -> int:
    each = turns // FILES // (CALLS + 1)
    for number in range(FILES):
        path = folder / f"{number}.jsonl"
        if not path.exists():
            write_short_chats(path, each, turns=CALLS, seed=number, characters=40)
    return sum(path.stat().st_size for path in folder.iterdir())


def _ledger(engine: str) -> Path:
    return FOLDER / f"scale-ledger-{engine}"


def _run(engine: str, traces: Path, workers: int) -> dict[str, float]:
    shutil.rmtree(_ledger(engine), ignore_errors=True)
    command = [sys.executable, __file__, "--child", engine, str(traces), str(workers)]
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    peaks = {"largest_mb": 0.0, "all_mb": 0.0, "cpu": 0.0}
    watching = threading.Thread(target=_watch, args=(process, peaks), daemon=True)
    watching.start()
    if process.wait():
        sys.exit(f"{engine}: the run failed")
    wall = time.perf_counter() - started
    watching.join()
    return {"wall": wall, **peaks}


def _watch(process: "subprocess.Popen[bytes]", peaks: dict[str, float]) -> None:
    """The memory that is a process's own, of it and all it started, four times a second; and how
    long they had a processor in all."""
    seconds: dict[int, float] = {}
    while process.poll() is None:
        family = _family(process.pid)
        seconds |= family
        sizes = [_own_mb(pid) for pid in family]
        if sizes:
            peaks["largest_mb"] = max(peaks["largest_mb"], *sizes)
            peaks["all_mb"] = max(peaks["all_mb"], sum(sizes))
        time.sleep(0.25)
    peaks["cpu"] = sum(seconds.values())


def _family(leader: int) -> dict[int, float]:
    """Processes of the session that was started, Ray's own included, and their CPU seconds."""
    found, ticks = {}, os.sysconf("SC_CLK_TCK")
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == leader:
            found[int(stat.parent.name)] = (int(fields[11]) + int(fields[12])) / ticks
    return found


def _own_mb(pid: int) -> float:
    """Resident, without what is shared with others: Ray's workers share the object store."""
    try:
        _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text().split()
    except (OSError, ValueError):
        return 0.0
    return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE") / 2**20


def _differences(one: Path, other: Path) -> dict[str, dict[str, object]]:
    from agentdyno.ledger.reader import Ledger
    from agentdyno.records.ledger import TABLES

    tables, rows = {}, {}
    for table in TABLES:
        left, right = (Ledger(folder).read(table) for folder in (one, other))
        keys = [c for c in ("trajectory_id", "source", "turn", "call", "part") if c in left.columns]
        left, right = left.sort(keys), right.sort(keys)
        rows[table] = len(left)
        if not left.equals(right):
            tables[table] = (left.shape, right.shape)
    return {"tables": tables, "rows": rows}


def _run_child(engine: str, traces: str, workers: str) -> None:
    from agentdyno.pipelines.measure import MeasureOptions, measure

    options = MeasureOptions(costs_only=True, workers=int(workers), engine=engine)  # type: ignore[arg-type]
    measure([Path(traces)], _ledger(engine), options)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--child":
        _run_child(*sys.argv[2:])
    else:
        main()
