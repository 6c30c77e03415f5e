"""What `import agentdyno` offers: four functions and an opened ledger.

Takes paths and the options that the verbs of the same names take, returns the same typed results
that their `--json` prints. Raises `InputError` where a verb would exit with 2. Prints nothing.
"""

import warnings
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path

import polars as pl

from agentdyno.pipelines import compare as _compare
from agentdyno.pipelines import measure as _measure
from agentdyno.pipelines.deduplicate import finish_deduplication
from agentdyno.pipelines.report import Report, build_report
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError, Trajectory, printable
from agentdyno.records.escaped_json import encode_json
from agentdyno.records.ledger import DERIVED, HELD, TABLES
from agentdyno.reports.html import render_page
from agentdyno.reports.json import report_fields
from agentdyno.reports.markdown import render_markdown
from agentdyno.reports.suffixes import Form, form_of
from agentdyno.studies.comparison.results import Comparison

PathLikeText = str | PathLike[str]


class Ledger:
    """A ledger on disk, as it was when it was opened."""

    def __init__(self, path: PathLikeText) -> None:
        """Raises `InputError` when there is none."""
        if not finish_deduplication(Path(path)):
            warnings.warn(
                f"{path} is being measured; a response that stands in several files may count "
                "twice.",
                stacklevel=3,
            )
        self._opened = ReadableLedger(Path(path))

    @property
    def path(self) -> Path:
        """Its folder."""
        return self._opened.folder

    @property
    def tables(self) -> list[str]:
        """The tables that it has: what `measure` writes, and what was added since. What their
        columns say: `agentdyno.records.ledger`."""
        measured = [table for table in TABLES if not table.startswith(HELD)]
        return [*measured, *(table for table in DERIVED if self._opened.has(table))]

    def table(self, name: str) -> pl.DataFrame:
        """A table, whole; without rows when nobody has added it. Null means unknown."""
        if name not in TABLES | DERIVED:
            known = ", ".join(TABLES | DERIVED)
            raise InputError(f"No table {printable(name, 60)!r}. Known: {known}.")
        return self._opened.read(name)

    def trajectory(self, trajectory_id: str) -> Trajectory:
        """One trajectory with its texts, read again from the file that it was measured from.

        Raises `InputError` when the ledger does not have it, or the file is gone or has changed.
        """
        return self._opened.trajectory(trajectory_id)

    def trajectories(self) -> Iterator[Trajectory]:
        """Every trajectory whose file still stands, one at a time."""
        return self._opened.trajectories()

    def __repr__(self) -> str:
        return f"Ledger({str(self.path)!r})"


AnyLedger = Ledger | PathLikeText


def measure(
    paths: PathLikeText | Sequence[PathLikeText],
    out: PathLikeText,
    options: _measure.MeasureOptions | None = None,
) -> Ledger:
    """Reads the traces under the paths into the ledger at `out`, and opens it.

    What the ledger holds already is not read again. Large amounts are read by several processes, so
    a script that calls this keeps it behind `if __name__ == "__main__":`.
    """
    several = [paths] if isinstance(paths, str | PathLike) else paths
    _measure.measure([Path(path) for path in several], Path(out), options)
    return Ledger(out)


def open(path: PathLikeText) -> Ledger:
    """Opens a ledger that is there."""
    return Ledger(path)


def compare(
    a: AnyLedger, b: AnyLedger, options: _compare.CompareOptions | None = None
) -> Comparison:
    """Is B cheaper than A, and as good? Paired where both attempted the same tasks."""
    return _compare.compare(_folder(a), _folder(b), options)


def report(
    ledger: AnyLedger,
    out: PathLikeText | None = None,
    form: Form | None = None,
) -> str:
    """The report of a ledger as a text, written to `out` as well where that is given.

    Without a `form` the suffix of `out` says it, and without either it is HTML: one file that works
    offline. Looks for patterns and schedules where nobody has.
    """
    if form is None:
        form = "html" if out is None else form_of(Path(out))
    text = _render(build_report(_folder(ledger), excerpts=form == "html"), form)
    if out is not None:
        Path(out).write_text(text, encoding="utf-8")
    return text


def _render(found: Report, form: Form) -> str:
    if form == "html":
        return render_page(found.title, found.topics)
    if form == "md":
        return render_markdown(found.topics, found.title)
    return encode_json(report_fields(found.ledger, found.results)).decode()


def _folder(ledger: AnyLedger) -> Path:
    return ledger.path if isinstance(ledger, Ledger) else Path(ledger)


__all__ = ["Ledger", "compare", "measure", "open", "report"]
