"""What one waits for on the page of `agentdyno view`, in a real Chromium, and its server's memory.

    python bench/view.py [LEDGER …] [--trajectories 100000] [--repeats 5]

Without a ledger: as many generated trajectories and one session of 500 turns, measured first. Each
row is the time from a press to the frame in which its answer is painted, in milliseconds: the
median and the largest of the repeats. The first of its kind in a generation, which works out what
the later ones share, has a row of its own. Memory is what the server's process holds (RSS) after.

    first paint    from the start of the navigation to the first painted row of the list
    list           sorted, filtered, grouped and searched (goal: 200 ms)
    session        the longest session opened (goal: 500 ms), and one of its turns
    others         files and commands, findings, the difference of two sessions
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import polars as pl
from tests.browser import open_browser, resize
from traces import write_short_chats

import agentdyno
from agentdyno.pipelines.measure_options import MeasureOptions

FOLDER = Path(".bench") / "view"
START = "from agentdyno.cli import main; main()"
PAINTED = """
new MutationObserver((_, seen) => {
  if (!document.querySelector('.sessions tbody tr')) return;
  seen.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.__painted = performance.now(); }));
}).observe(document, {childList: true, subtree: true});
"""
TIMED = """
const [address, selector, done] = arguments;
for (const old of document.querySelectorAll(selector)) old.dataset.old = 1;
const start = performance.now();
location.hash = address;
const look = () => {
  if (document.querySelector(`${selector}:not([data-old])`) && !document.querySelector(`${selector}[data-old]`))
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
  else setTimeout(look, 2);
};
look();
"""  # noqa: E501


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ledgers", type=Path, nargs="*")
    parser.add_argument("--trajectories", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    for ledger in options.ledgers or [generate(options.trajectories)]:
        measure_page(ledger, options.repeats)


def generate(count: int) -> Path:
    """A ledger of so many short trajectories and a long one."""
    traces, ledger = FOLDER / f"traces-{count}", FOLDER / f"ledger-{count}"
    if not (ledger / "manifest.json").exists():
        write_short_chats(traces / "short.jsonl", count)
        write_short_chats(traces / "long.jsonl", 1, turns=500, seed=8)
        agentdyno.measure(traces, ledger, MeasureOptions(costs_only=True))
    return ledger


def measure_page(ledger: Path, repeats: int) -> None:
    """Serves a ledger and prints a row for each thing that is waited for."""
    rows = agentdyno.open(ledger).table("trajectories")
    command = [sys.executable, "-c", START, "view", str(ledger), "--no-browser"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server,
        tempfile.TemporaryDirectory() as profile,
        open_browser(Path(profile)) as driver,
    ):
        try:
            assert server.stdout
            address = re.search(r"http\S+", server.stdout.readline())
            assert address
            print(f"\n{ledger}: {len(rows):,} trajectories, {rows['turns'].sum():,} turns")
            measure_views(driver, address[0], rows, repeats)
            print(f"  {'memory of the server':32} {_memory_mb(server.pid):6.0f} MB")
        finally:
            server.terminate()


def measure_views(driver: Any, address: str, rows: pl.DataFrame, repeats: int) -> None:
    """First paint, then every interaction."""
    driver.set_script_timeout(600)
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": PAINTED})
    resize(driver)
    _print("first paint, first", [_paint(driver, lambda: driver.get(address))])
    _print("first paint", [_paint(driver, driver.refresh) for _ in range(repeats)])
    model = rows["model"].drop_nulls().mode()[0]
    for name, asked in (
        ("sorted by cost", {"sort": "cost"}), ("sorted by turns", {"sort": "turns"}),
        ("filtered by model", {"model": model}), ("grouped by day", {"group": "day"}),
        ("grouped by model", {"group": "model", "sort": "cost"}), ("searched", {"q": "1"}),
    ):  # fmt: skip
        _visit(driver, f"list {name}", "sessions", ".sessions tbody tr", asked, repeats)
    longest = rows.sort("turns", descending=True)["trajectory_id"].to_list()
    turns, drawn, first = rows["turns"].max(), "#river", {"id": longest[0]}
    _visit(driver, f"session of {turns} turns", "session", drawn, first, repeats, "list")
    _visit(driver, "another session", "session", drawn, {"id": longest[1]}, repeats, "list")
    _visit(driver, "files and commands", "spent", "#main > h1", {}, repeats, "list")
    _visit(driver, "findings", "findings", "#main > h1", {}, repeats, "list")
    both = {"one": longest[0], "other": longest[1]}
    _visit(driver, "difference", "difference", ".pairs", both, repeats, "list")


def _visit(
    driver: Any, name: str, view: str, selector: str, asked: dict[str, str], repeats: int,
    between: str = "",
) -> None:  # fmt: skip
    """Opens a view again and again, from the list in its first order each time."""
    times = []
    for _ in range(repeats + 1):
        if between or times:
            _time(driver, "sessions", {"sort": "started_at"}, ".sessions tbody tr")
        times.append(_time(driver, view, asked, selector))
    _print(f"{name}, first", times[:1])
    _print(name, times[1:])


def _time(driver: Any, view: str, asked: dict[str, str], selector: str) -> float:
    words = "return '#/' + arguments[0] + '?' + new URLSearchParams(arguments[1])"
    address = driver.execute_script(words, view, asked)
    return float(driver.execute_async_script(TIMED, address, selector))


def _paint(driver: Any, go: Callable[[], None]) -> float:
    go()
    script = (
        "const done = arguments[0], look = () => window.__painted ? done(window.__painted) "
        ": setTimeout(look, 5); look()"
    )
    return float(driver.execute_async_script(script))


def _print(name: str, times: list[float]) -> None:
    print(f"  {name:32} {median(times):6.0f} ms, at most {max(times):.0f}", flush=True)


def _memory_mb(process: int) -> float:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


if __name__ == "__main__":
    main()
