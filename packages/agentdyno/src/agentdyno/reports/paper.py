"""A paper's tables and figures with the rows of a run below its own: a page's topics.

The exhibits of a paper are data, a TOML file of `[[exhibit]]` tables; cells of `printed` stand
apart by ` | `, in the paper's own digits. Knows nothing of how rows are made.
"""

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct, structs

from agentdyno.estimates.estimate import Estimate
from agentdyno.records import InputError
from agentdyno.reports.topic import (
    Figure,
    Topic,
    TopicChart,
    TopicColumn,
    TopicTable,
    Value,
    columns,
)

State = Literal["made", "made otherwise", "cannot be made"]
APART = " | "
PAPER, HERE = "paper", "this run"
UNKNOWN = ("", "-", "N/A")


class Exhibit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One table or figure of a paper."""

    name: str
    """As the paper numbers it: `Table 2`."""
    about: str
    """What it shows, in a sentence."""
    state: State = "made"
    """Whether a run makes it as the paper does, in another way, or not at all."""
    differs: str = ""
    """What is done otherwise and why, or why it cannot be made."""
    columns: str = ""
    """Heads of its columns as `title:kind`, the first naming the row; empty without a table."""
    printed: str = ""
    """The paper's rows, one a line; empty where it prints no numbers."""

    @property
    def heads(self) -> list[TopicColumn]:
        return columns(*self.columns.split(APART)) if self.columns else []

    @property
    def rows(self) -> list[list[str]]:
        """The paper's rows as it prints them."""
        return [
            [cell.strip() for cell in line.split("|")] for line in self.printed.strip().splitlines()
        ]

    def numbers(self, title: str) -> dict[str, float]:
        """A column of the paper's numbers by row; rows without one are left out."""
        index = [head.title for head in self.heads].index(title)
        cells = {row[0]: row[index] for row in self.rows}
        return {
            name: float(cell.replace(",", ""))
            for name, cell in cells.items()
            if cell not in UNKNOWN
        }


class ExhibitResult(Struct, frozen=True, kw_only=True):
    """What a run has for one exhibit."""

    rows: list[list[Value]] = []
    """Its rows, with as many values as the exhibit has columns."""
    charts: list[TopicChart] = []
    """Its pictures, which may show the paper's numbers too."""
    tables: list[TopicTable] = []
    """Further numbers that the paper does not print."""
    notes: list[str] = []
    """What to know about this run's numbers; why there are none."""


class PaperRun(Struct, frozen=True, kw_only=True):
    """What a run of a paper's experiment came to."""

    results: dict[str, ExhibitResult]
    figures: list[Figure] = []
    """What was run, in numbers."""
    scope: str = ""
    """How much was run, and how much larger sizes have."""
    notes: list[str] = []
    """What to know about the whole run."""
    stopped: str | None = None
    """Why not all tasks are finished; None where they are."""
    attempts: int = 0
    """Finished attempts that a number can come from; none is a failed run."""


def read_exhibits(package: str, file: str) -> list[Exhibit]:
    """The exhibits of a paper, from the package that brings it."""
    written = tomllib.loads(files(package).joinpath(file).read_text(encoding="utf-8"))
    exhibits = msgspec.convert(written["exhibit"], list[Exhibit])
    for exhibit in exhibits:
        wrong = [row for row in exhibit.rows if len(row) != len(exhibit.heads)]
        if exhibit.printed and wrong:
            raise InputError(
                f"{file}: {exhibit.name}: expected {len(exhibit.heads)} cells in a row, "
                f"found {wrong[0]}."
            )
    return exhibits


def list_topics(title: str, exhibits: Sequence[Exhibit], run: PaperRun) -> list[Topic]:
    """The page: first what was run, then every exhibit in the paper's order."""
    notes = [*([run.stopped] if run.stopped else []), *run.notes]
    counted = {state: sum(e.state == state for e in exhibits) for state in _STATES}
    lead = (
        f"{title}. Of its {len(exhibits)} tables and figures "
        + ", ".join(f"{many} {_STATES[state]}" for state, many in counted.items() if many)
        + '. Rows of the paper are marked "paper", ours "this run"; intervals are of 95 %. '
        + run.scope
    )
    first = Topic("run", "The run", lead, notes, [], [], figures=run.figures)
    return [
        first,
        *(_topic(exhibit, run.results.get(exhibit.name, ExhibitResult())) for exhibit in exhibits),
    ]


_STATES: dict[State, str] = {
    "made": "are made as there",
    "made otherwise": "are made otherwise",
    "cannot be made": "cannot be made",
}


def _topic(exhibit: Exhibit, result: ExhibitResult) -> Topic:
    table = _table(exhibit, result)
    differs = f"{exhibit.state.capitalize()}: {exhibit.differs}" if exhibit.differs else ""
    return Topic(
        anchor=exhibit.name.lower().replace(" ", "-").replace(".", "-"),
        title=f"{exhibit.name}. {exhibit.about}",
        lead="",
        notes=[*([] if table or not differs else [differs]), *result.notes],
        charts=result.charts,
        tables=[
            *([structs.replace(table, note=differs)] if table else []),
            *result.tables,
        ],
    )


def _table(exhibit: Exhibit, result: ExhibitResult) -> TopicTable | None:
    heads = exhibit.heads
    rows: list[list[Value]] = [
        [row[0], PAPER, *map(_printed, row[1:], heads[1:])] for row in exhibit.rows
    ]
    rows += [[row[0], HERE, *row[1:]] for row in result.rows]
    if not rows:
        return None
    marked = [heads[0], TopicColumn("by"), *heads[1:]]
    folded = exhibit.state == "cannot be made"
    return TopicTable(exhibit.name, marked, rows, folded, whole=True)


def _printed(cell: str, head: TopicColumn) -> Value:
    """A number in the paper's digits; shares are printed as percentages."""
    if cell in UNKNOWN:
        return None
    return f"{cell} %" if head.kind == "share" else cell


def run_fields(exhibits: Sequence[Exhibit], run: PaperRun) -> dict[str, object]:
    """The same for programs: values are numbers, with intervals where there are any."""
    return {
        "stopped": run.stopped,
        "attempts": run.attempts,
        "scope": run.scope,
        "notes": run.notes,
        "exhibits": [
            _fields(exhibit, run.results.get(exhibit.name, ExhibitResult())) for exhibit in exhibits
        ],
    }


def _fields(exhibit: Exhibit, result: ExhibitResult) -> Mapping[str, object]:
    return {
        **{name: getattr(exhibit, name) for name in ("name", "about", "state", "differs")},
        "columns": [head.title for head in exhibit.heads],
        "printed": exhibit.rows,
        "rows": [[_plain(value) for value in row] for row in result.rows],
        "notes": result.notes,
        "tables": [
            {
                "title": table.title,
                "columns": [head.title for head in table.columns],
                "rows": [[_plain(value) for value in row] for row in table.rows],
            }
            for table in result.tables
        ],
    }


def _plain(value: Value) -> object:
    return msgspec.to_builtins(value) if isinstance(value, Struct | Estimate) else value
