"""A file and what its reader makes of it, a row of `tests/data/readings/FORMAT.jsonl` each.

A row says `why` it is there, which file is read (a `sample` of `tests/data/FORMAT`, `files` with
their content, of which the first is read, a `database` of rows under `tests/data`, or the `log` of
an Inspect sample, its events spelled as calls of `inspect_logs`) and what is expected at which path
of the reading.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.format import load_formats
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.records import BadRecord, Trajectory
from tests.intake.formats.inspect_logs import sample, spelled, write_eval, write_json
from tests.intake.formats.sqlite_files import rows_in, written_database
from tests.intake.mutations import assert_sound
from tests.labelled import DATA, read_set
from tests.rows import agrees, differences

FORMATS = load_formats()
ROWS = [
    pytest.param(path.stem, row, id=f"{path.stem}: {row['why']}")
    for path in sorted((DATA / "readings").glob("*.jsonl"))
    for row in read_set(f"readings/{path.stem}")
]
assert ROWS, "expected rows in tests/data/readings"


class Reading:
    """The items of a file: `runs` and `bad` records, and their `items` by type, in order."""

    def __init__(self, items: Sequence[Trajectory | BadRecord]) -> None:
        self.items = [type(item).__name__ for item in items]
        self.runs = [item for item in items if isinstance(item, Trajectory)]
        self.bad = [item for item in items if isinstance(item, BadRecord)]


def given(row: dict[str, Any], folder: Path) -> Path:
    """The file that the row is about; `lines` and `json` are written as such, a
    `copy` is a file of `tests/data` `until` somewhere and `then` more."""
    if "sample" in row:
        return DATA / row["sample"]
    if "database" in row:
        with written_database(
            folder / "a.db", [each for name in row["database"] for each in rows_in(DATA / name)]
        ):
            return folder / "a.db"
    if "log" in row:
        write = write_eval if row.get("archive") else write_json
        return write(folder, sample(*spelled(row["log"]), **spelled(row.get("fields", {}))))
    for name, content in row["files"].items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(_written(content), "utf-8")
    return folder / next(iter(row["files"]))


def _written(content: Any) -> str:
    match content:
        case {"copy": name}:
            return (DATA / name).read_text("utf-8")[: content.get("until")] + content.get(
                "then", ""
            )
        case {"lines": lines}:
            return "".join(json.dumps(line) + "\n" for line in lines)
        case {"json": document}:
            return json.dumps(document)
    return str(content)


@pytest.mark.parametrize(("format", "row"), ROWS)
def test_a_file_is_read_as_its_writer_meant_it(
    tmp_path: Path, format: str, row: dict[str, Any]
) -> None:
    path, reader = given(row, tmp_path), FORMATS[format]
    expected = dict(row["expect"])
    for name, look in (("detect", reader.detect), ("by_line", reader.by_line)):
        if name in expected:
            assert agrees(look(Head(path)), expected.pop(name)), name
    if expected:
        source = Source(path, row.get("name", path.name), **row.get("options", {}))
        reading = Reading(list(reader.read(source)))
        for run in reading.runs:
            assert_sound(run)
        assert differences(reading, expected) == {}
