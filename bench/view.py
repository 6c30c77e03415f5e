"""What one waits for on the page of `agentdyno view`, in a real Chromium, and its server's memory.

    python bench/view.py [LEDGER …] [--trajectories 100000] [--repeats 5]
    python bench/view.py --home FOLDER

Without a ledger: as many generated trajectories and one session of 500 turns, measured first. Each
row is the time from a press to the frame in which its answer is painted, in milliseconds: the
median and the largest of the repeats, then the median processor time of the server and of the
page's main thread. Beside others' work only the latter say something. The first of its kind in a
generation, which works out what the later ones share, has a row of its own. Memory is what the
server's process holds (RSS) in the end, before and after the search, which reads the traces.

    first paint    from the start of the navigation to the first painted row of the list
    list           sorted, filtered, grouped and searched (goal: 200 ms)
    session        the longest session opened (goal: 500 ms), and one of its turns
    others         files and commands, findings, the difference of two sessions

With --home: the seconds from the command to the name of the most expensive file, in a home folder
(`FOLDER/.claude/projects/…`) that nobody measured; `felt.py --copies` lays such sessions out.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
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
    parser.add_argument("--home", type=Path)
    options = parser.parse_args()
    if options.home:
        time_first_answer(options.home)
        return
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
            measure_views(Page(driver, server.pid, repeats), address[0], rows)
        finally:
            server.terminate()


def time_first_answer(home: Path) -> None:
    """From the command to the most expensive file, with sessions that were never measured; the
    browser is started when the page is there, as the command does."""
    with tempfile.TemporaryDirectory() as data:
        surroundings = os.environ | {"HOME": str(home.resolve()), "XDG_DATA_HOME": data}
        command = [sys.executable, "-c", START, "view", "--no-browser"]
        start = time.perf_counter()
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=surroundings
        ) as server:
            try:
                assert server.stdout
                address = re.search(r"http\S+", server.stdout.readline())
                assert address
                served = time.perf_counter() - start
                with open_browser(Path(data) / "profile") as driver:
                    opened = time.perf_counter() - start
                    driver.get(address[0])
                    Page(driver, server.pid, 1).open("spent", {}, "#main tbody tr")
                    name = driver.find_element("css selector", "#main tbody tr a").text
                    took = time.perf_counter() - start
            finally:
                server.terminate()
    print(f"{took:.1f} s to {name!r}: the page after {served:.1f} s, the browser at {opened:.1f} s")


def measure_views(page: "Page", address: str, rows: pl.DataFrame) -> None:
    """First paint, then every interaction."""
    page.paint(address)
    model = rows["model"].drop_nulls().mode()[0]
    for name, asked in (
        ("sorted by cost", {"sort": "cost"}), ("sorted by turns", {"sort": "turns"}),
        ("filtered by model", {"model": model}), ("grouped by day", {"group": "day"}),
        ("grouped by model", {"group": "model", "sort": "cost"}),
    ):  # fmt: skip
        page.visit(f"list {name}", "sessions", ".sessions tbody tr", asked)
    longest = rows.sort("turns", descending=True)["trajectory_id"].to_list()
    page.visit(f"session of {rows['turns'].max()} turns", "session", "#river", {"id": longest[0]})
    page.visit("another session", "session", "#river", {"id": longest[1]})
    page.visit("files and commands", "spent", "#main > h1", {})
    page.visit("findings", "findings", "#main > h1", {})
    page.visit("difference", "difference", ".pairs", {"one": longest[0], "other": longest[1]})
    page.print_memory()
    # Last: the traces are read in the background from the first search on.
    page.visit("list searched", "sessions", ".sessions tbody tr", {"q": str(rows["model"][0])})
    page.print_memory()


class Page:
    """The page in its browser, and the process that serves it."""

    def __init__(self, driver: Any, server: int, repeats: int) -> None:
        self._driver, self._server, self._repeats = driver, server, repeats
        driver.set_script_timeout(600)
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": PAINTED})
        driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        resize(driver)

    def paint(self, address: str) -> None:
        """The first row of the list, the first time and again."""
        first = self._measure(lambda: self._paint(lambda: self._driver.get(address)))
        again = [
            self._measure(lambda: self._paint(self._driver.refresh)) for _ in range(self._repeats)
        ]
        _print("first paint, first", [first])
        _print("first paint", again)

    def visit(self, name: str, view: str, selector: str, asked: dict[str, str]) -> None:
        """Opens a view again and again, from the list in its first order each time."""
        took = []
        for _ in range(self._repeats + 1):
            self.open("sessions", {"sort": "started_at"}, ".sessions tbody tr")
            took.append(self._measure(lambda: self.open(view, asked, selector)))
        _print(f"{name}, first", took[:1])
        _print(name, took[1:])

    def print_memory(self) -> None:
        """What the server holds now."""
        print(f"  {'memory of the server':30} {_memory_mb(self._server):6.0f} MB")

    def _measure(self, act: Callable[[], float]) -> tuple[float, float, float]:
        """Milliseconds by the clock, of the server and of the page."""
        server, page = self._server_ms(), self._page_ms()
        waited = act()
        # A new document counts from 0 again.
        spent = self._page_ms()
        return waited, self._server_ms() - server, spent - page if spent >= page else spent

    def open(self, view: str, asked: dict[str, str], selector: str) -> float:
        """Milliseconds until a view is painted."""
        words = "return '#/' + arguments[0] + '?' + new URLSearchParams(arguments[1])"
        address = self._driver.execute_script(words, view, asked)
        return float(self._driver.execute_async_script(TIMED, address, selector))

    def _paint(self, go: Callable[[], None]) -> float:
        go()
        script = (
            "const done = arguments[0], look = () => window.__painted ? done(window.__painted) "
            ": setTimeout(look, 5); look()"
        )
        return float(self._driver.execute_async_script(script))

    def _server_ms(self) -> float:
        fields = Path(f"/proc/{self._server}/stat").read_text().rpartition(")")[2].split()
        return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _page_ms(self) -> float:
        found = self._driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return 1000 * next(each["value"] for each in found if each["name"] == "TaskDuration")


def _print(name: str, took: list[tuple[float, float, float]]) -> None:
    waited, server, page = zip(*took, strict=True)
    print(
        f"  {name:30} {median(waited):6.0f} ms, at most {max(waited):5.0f}; "
        f"server {median(server):5.0f}, page {median(page):5.0f}",
        flush=True,
    )


def _memory_mb(process: int) -> float:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


if __name__ == "__main__":
    main()
