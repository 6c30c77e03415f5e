"""A table of runs: CSV, or objects by line, with columns that the command line names.

`measure runs.csv --columns model=llm,task=case,solved=ok,usd=price` says which column holds what;
without it, columns are found under these names themselves.
"""

import csv
from collections.abc import Iterator, Mapping
from typing import Any

from agentdyno.intake.format import Format, Source
from agentdyno.intake.head import Head
from agentdyno.intake.run_totals import build_run
from agentdyno.intake.session_totals import Totals
from agentdyno.intake.streams import lines
from agentdyno.intake.texts import amount, seconds, short_text, whole
from agentdyno.records import BadRecord, InputError, Trajectory, UnreadableError, printable

NAME = "runs_table"
COLUMNS = (
    "model", "harness", "benchmark", "variant", "task", "attempt", "level", "solved", "score",
    "usd", "input", "cached", "written", "output", "reasoning", "turns", "calls", "started",
    "ended", "id",
)  # fmt: skip
"""What a column may hold. `input` has cached tokens in it, `output` reasoning."""
_TRUE, _FALSE = (
    {"true", "yes", "1", "1.0", "pass", "passed"},
    {"false", "no", "0", "0.0", "fail", "failed"},
)
LONGEST_LINE = 1 << 20
"""Characters of a line of CSV."""


def parse_columns(text: str) -> dict[str, str]:
    """The value of `--columns`: what each column holds, with its name in the file."""
    columns = {}
    for each in text.split(","):
        name, mark, column = (piece.strip() for piece in each.partition("="))
        if name not in COLUMNS or not mark or not column:
            raise InputError(
                f"--columns {printable(each, 80)}: expected NAME=COLUMN with a name of "
                f"{', '.join(COLUMNS)}."
            )
        columns[name] = column
    return columns


def detect(head: Head) -> float:
    """0.9 for a table with a task and an outcome or a cost under these very names."""
    names = set(head.keys)
    if not names and not head.data.lstrip().startswith((b"{", b"[")):
        names = set(head.data.partition(b"\n")[0].decode("utf-8", "replace").strip().split(","))
    known = {"task", "model"} <= names and bool({"solved", "usd"} & names)
    return 0.9 if known and not head.is_list else 0.0


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every row."""
    columns = dict(source.columns) or {name: name for name in COLUMNS}
    rows = _objects(source) if _holds_objects(source) else _cells(source)
    for locator, line, row in rows:
        if isinstance(row, UnreadableError):
            yield BadRecord(source.name, f"line {line}", row.expected, row.found, NAME)
            continue
        missing = [name for name in columns.values() if name not in row] if source.columns else []
        if missing:
            names = printable(", ".join(map(str, row)), 120)
            yield BadRecord(source.name, f"line {line}", f"a column {missing[0]}", names, NAME)
            continue
        yield _run(source, locator, line, {name: row.get(at) for name, at in columns.items()})


def _run(source: Source, locator: str, line: int, row: Mapping[str, Any]) -> Trajectory:
    names = ("input", "cached", "written", "output", "reasoning", "turns", "calls", "attempt")
    count = {name: whole(amount(row.get(name))) for name in names}
    sums = Totals(
        prompt=count["input"],
        cached=count["cached"],
        written=count["written"],
        decoded=count["output"],
        reasoning=count["reasoning"],
        usd=amount(row.get("usd")),
    )
    own = short_text(row.get("id"))
    return build_run(
        source,
        locator,
        NAME,
        sums,
        turns=count["turns"],
        calls=count["calls"],
        started_at=seconds(row.get("started") or None),
        ended_at=seconds(row.get("ended") or None),
        identity=f"run {own}" if own else None,
        task_id=row.get("task"),
        attempt=count["attempt"],
        correct=_read_outcome(row.get("solved")),
        score=amount(row.get("score")),
        line=line,
        **{name: row.get(name) for name in ("model", "harness", "benchmark", "variant", "level")},
    )


def _read_outcome(value: Any) -> bool | None:
    text = str(value).strip().lower()
    return True if text in _TRUE else False if text in _FALSE else None


_Row = tuple[str, int, "Mapping[str, Any] | UnreadableError"]


def _holds_objects(source: Source) -> bool:
    with source.path.open("rb") as file:
        return file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"


def _objects(source: Source) -> Iterator[_Row]:
    for record in lines(source):
        try:
            yield record.locator, record.line or 0, record.decode()
        except UnreadableError as problem:
            yield record.locator, record.line or 0, problem


def _cells(source: Source) -> Iterator[_Row]:
    with source.path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        reader = csv.reader(iter(lambda: file.readline(LONGEST_LINE), ""))
        names: list[str] | None = None
        try:
            for cells in reader:
                if names is None:
                    names = [name.strip() for name in cells]
                elif cells:
                    line = reader.line_num
                    yield str(line), line, dict(zip(names, cells, strict=False))
        except csv.Error as error:
            problem = UnreadableError("a line of CSV", printable(str(error), 80))
            yield "end", reader.line_num, problem


FORMAT = Format(
    name=NAME,
    title="A table of runs (CSV or JSON lines; --columns names its columns)",
    detect=detect,
    read=read,
    description=(
        "Read: model, task, outcome, tokens and money of every run, under the names that --columns "
        "gives; numbers that cannot be read are unknown. Missing: messages and calls."
    ),
)
