"""The report inside the view: made in the background, sent at once.

A report of a hundred sessions takes ten seconds and more, and whoever presses its link wants to
read. So it is made when the server starts, for each generation that somebody asks for.
"""

from pathlib import Path
from threading import Lock, Thread

from agentdyno.pipelines.report import build_report
from agentdyno.records import InputError, printable
from agentdyno.reports.html import render_page
from agentdyno.view.explorer import Explorer

MOST_PREPARED = 5_000
"""Sessions of a ledger whose report is made before anybody asks for it."""
SECONDS = 2.0
"""How long a newer report is waited for, where there is an older one."""


class ReportPages:
    """The report as a page, made once for a generation and beforehand; while that of a newer one is
    made, the last is sent."""

    def __init__(self, explorer: Explorer, ledger: Path) -> None:
        self._explorer, self._ledger = explorer, ledger
        self._page: tuple[int, str] | None = None
        self._making: Thread | None = None
        self._problem = ""
        self._lock = Lock()

    def prepare(self) -> None:
        """Makes it in the background, where that takes seconds and not minutes."""
        if self._explorer.count_sessions() <= MOST_PREPARED:
            self._start()

    def read(self) -> str:
        """The page; waits only where there is none yet."""
        number = self._explorer.open({}).generation
        if self._page is None or self._page[0] != number:
            self._start().join(SECONDS if self._page else None)
        if self._page is None:
            raise InputError(f"the report could not be made: {self._problem}")
        return self._page[1]

    def _start(self) -> Thread:
        with self._lock:
            if self._making is None or not self._making.is_alive():
                self._making = Thread(target=self._make, daemon=True)
                self._making.start()
            return self._making

    def _make(self) -> None:
        # A generation by its number is reported as it is: nothing is derived and written.
        try:
            number = self._explorer.open({}).generation
            report = build_report(self._ledger, excerpts=True, as_of=str(number))
            self._page = number, render_page(report.title, report.topics)
        except Exception as error:  # Whoever asks for the page is told.
            self._problem = printable(str(error), 300)
