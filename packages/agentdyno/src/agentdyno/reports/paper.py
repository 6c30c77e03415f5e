"""A paper's tables and figures with the rows of a run beside its own: a page's topics.

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

State = Literal["made", "made otherwise", "waits for data", "cannot be made"]
APART = " | "
PAPER, HERE = "paper", "here"
UNKNOWN = ("", "-", "N/A")


class Exhibit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One table or figure of a paper."""

    name: str
    """As the paper numbers it: `Table 2`."""
    about: str
    """What it shows, in a sentence."""
    state: State = "made"
    """Whether a run makes it as the paper does, in another way, once somebody brings data, or, a
    drawing, not at all."""
    differs: str = ""
    """What is done otherwise and why, which data it waits for, or what is drawn."""
    says: str = ""
    """The sentence above its table in plain words; empty for one from its columns."""
    tests: str = ""
    """Tests that hold what it shows, as `path::name` with blanks between."""
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


def show_prompts(**prompts: str) -> "ExhibitResult":
    """Our own words where the paper prints a prompt of its: a row for each."""
    return ExhibitResult(rows=[[name.replace("_", " "), text] for name, text in prompts.items()])


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


def list_topics(
    title: str, exhibits: Sequence[Exhibit], run: PaperRun, command: str = ""
) -> list[Topic]:
    """The page: first what was run, then every exhibit in the paper's order, and the command."""
    notes = [*([run.stopped] if run.stopped else []), *run.notes]
    counted = {state: sum(e.state == state for e in exhibits) for state in _STATES}
    lead = (
        f"{title}. Of its {len(exhibits)} tables and figures are "
        + ", ".join(f"{many} {_STATES[state]}" for state, many in counted.items() if many)
        + ". Intervals are of 95 %. "
        + run.scope
    )
    first = Topic("run", "The run", lead, notes, [], [], figures=run.figures)
    return [
        first,
        *(_topic(exhibit, run.results.get(exhibit.name, ExhibitResult())) for exhibit in exhibits),
        *([_name_command(command)] if command else []),
    ]


def _name_command(command: str) -> Topic:
    """The foot of the page."""
    lead = f"This page was made by `{command}`."
    return Topic("command", "How to make this page", lead, [], [], [])


_STATES: dict[State, str] = {
    "made": "made as there",
    "made otherwise": "made otherwise",
    "waits for data": "waiting for data",
    "cannot be made": "drawn only",
}


def _topic(exhibit: Exhibit, result: ExhibitResult) -> Topic:
    tables = _tables(exhibit, result)
    differs = f"{exhibit.state.capitalize()}: {exhibit.differs}" if exhibit.differs else ""
    if tables and differs:
        tables[0] = structs.replace(tables[0], note=differs)
    return Topic(
        anchor=exhibit.name.lower().replace(" ", "-").replace(".", "-"),
        title=f"{exhibit.name}. {exhibit.about}",
        lead=_say_what_follows(exhibit, result),
        notes=[*([] if tables or not differs else [differs]), *result.notes],
        charts=result.charts,
        tables=[*tables, *result.tables],
    )


def _say_what_follows(exhibit: Exhibit, result: ExhibitResult) -> str:
    """The sentence above a table: what its rows and columns are, and where the paper's stand."""
    if exhibit.state == "cannot be made":
        return ""
    heads = [head.title for head in exhibit.heads]
    if not result.rows:
        seen = "Drawn from this run." if result.charts else "This run has nothing for it."
        return f"{seen} The paper's rows are folded below." if exhibit.rows else seen
    cells = ", ".join(heads[1:]) or "nothing else"
    if _matched(exhibit, result):
        return f"For each {heads[0]}, first the paper's and then ours: {cells}."
    below = " The paper's rows are folded below." if exhibit.rows else ""
    if exhibit.says:
        return f"{exhibit.says}{below}"
    return f"For each {heads[0]} of this run: {cells}.{below}"


def _matched(exhibit: Exhibit, result: ExhibitResult) -> list[str]:
    """Rows of the paper that the run has too, by their names."""
    ours = {row[0] for row in result.rows}
    return [row[0] for row in exhibit.rows if row[0] in ours]


def _tables(exhibit: Exhibit, result: ExhibitResult) -> list[TopicTable]:
    """Ours, beside the paper's where rows match; rows of the paper that do not, folded."""
    matched = _matched(exhibit, result)
    left = [row for row in exhibit.rows if row[0] not in matched]
    tables = []
    if matched:
        tables.append(_beside(exhibit, result))
    elif result.rows:
        tables.append(TopicTable("This run", exhibit.heads, result.rows, False, whole=True))
    if left:
        title = "The paper's other rows" if matched else "The paper's rows"
        rows = [[row[0], *map(_printed, row[1:], exhibit.heads[1:])] for row in left]
        tables.append(TopicTable(title, exhibit.heads, rows, whole=True))
    return tables


def _beside(exhibit: Exhibit, result: ExhibitResult) -> TopicTable:
    """A column of the paper and one of ours under each head where both know a value."""
    printed = {row[0]: row for row in exhibit.rows}
    named = {str(row[0]): row for row in result.rows}
    order = [*(name for name in printed if name in named), *(n for n in named if n not in printed)]
    columns: list[TopicColumn] = [exhibit.heads[0]]
    cells: list[list[Value]] = [[name] for name in order]
    for index, head in list(enumerate(exhibit.heads))[1:]:
        theirs = [_printed(printed[n][index], head) if n in printed else None for n in order]
        ours = [named[name][index] for name in order]
        if ours == theirs or all(value is None for value in ours):
            pairs = [(head.title, theirs)]
        elif all(value is None for value in theirs):
            pairs = [(head.title, ours)]
        else:
            pairs = [(f"{head.title}, {PAPER}", theirs), (f"{head.title}, {HERE}", ours)]
        for title, values in pairs:
            columns.append(structs.replace(head, title=title))
            for row, value in zip(cells, values, strict=True):
                row.append(value)
    return TopicTable("This run and the paper", columns, cells, False, whole=True)


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
