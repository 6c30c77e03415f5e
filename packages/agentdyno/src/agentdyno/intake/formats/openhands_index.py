"""OpenHands Index: `instance_results/BENCHMARK.json`, a run's outcome and cost by task.

The model and the program that ran it stand in `metadata.json`, a folder above.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from agentdyno.intake.format import Format, Source
from agentdyno.intake.head import Head
from agentdyno.intake.run_totals import RunTotals, build_run
from agentdyno.intake.session_totals import Totals
from agentdyno.intake.streams import read_document
from agentdyno.intake.texts import amount, fields_of, short_text
from agentdyno.records import BadRecord, Trajectory

NAME = "openhands_index"
FOLDER = "instance_results"
Fields = dict[str, Any]
_ROWS: "msgspec.json.Decoder[Fields]" = msgspec.json.Decoder(Fields)


def detect(head: Head) -> float:
    """0.97 for rows of an outcome and a cost in a folder of that name."""
    if head.path.parent.name != FOLDER or head.is_list:
        return 0.0
    return 0.97 if b'"resolved"' in head.data and b'"cost"' in head.data else 0.0


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every task."""
    yield from read_document(source, NAME, _ROWS, _read)


def _read(source: Source, rows: Fields) -> Iterator[Trajectory | BadRecord]:
    about = _read_metadata(source)
    for place, (task, row) in enumerate(rows.items()):
        if not isinstance(row, dict):
            yield BadRecord(source.name, short_text(task) or "", "an outcome and a cost", "", NAME)
            continue
        solved = row.get("resolved")
        yield build_run(
            source,
            str(place),
            NAME,
            RunTotals(totals=Totals(usd=amount(row.get("cost")))),
            model=short_text(about.get("model")),
            harness=short_text(about.get("agent_name")),
            benchmark=source.path.stem,
            task_id=short_text(task),
            correct=solved if isinstance(solved, bool) else None,
        )


def _read_metadata(source: Source) -> Fields:
    try:
        data = (source.path.parent.parent / "metadata.json").read_bytes()
        return fields_of(msgspec.json.decode(data))
    except (OSError, msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return {}


FORMAT = Format(
    name=NAME,
    title="OpenHands Index results (instance_results/BENCHMARK.json, with metadata.json)",
    detect=detect,
    read=read,
    description=(
        "Read: outcome and cost of every task, model and program. Missing: messages, tokens, "
        "turns and times; a run without an outcome or a cost keeps it unknown."
    ),
)
