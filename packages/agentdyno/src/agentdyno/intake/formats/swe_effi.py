"""SWE-Effi: `combined_stats.json` of a scaffold and a model, with a row for every task."""

from collections.abc import Iterator
from typing import Any

import msgspec

from agentdyno.intake.format import Format, Source
from agentdyno.intake.head import Head
from agentdyno.intake.run_totals import RunTotals, build_run
from agentdyno.intake.session_totals import Totals
from agentdyno.intake.streams import read_document
from agentdyno.intake.texts import fields_of, short_text, whole
from agentdyno.records import BadRecord, Trajectory

NAME = "swe_effi"
Fields = dict[str, Any]
_ROWS: "msgspec.json.Decoder[Fields]" = msgspec.json.Decoder(Fields)


def detect(head: Head) -> float:
    """0.97 for rows of calls, tokens and measured times."""
    if head.path.name != "combined_stats.json":
        return 0.0
    known = (b'"llm_calls"', b'"input_tokens"', b'"resolved"')
    return 0.97 if all(key in head.data for key in known) else 0.0


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every task."""
    yield from read_document(source, NAME, _ROWS, _read)


def _read(source: Source, rows: Fields) -> Iterator[Trajectory]:
    folder = source.path.parent
    for place, (task, given) in enumerate(rows.items()):
        row = fields_of(given)
        sent, received = (whole(row.get(f"{way}_tokens")) for way in ("input", "output"))
        solved = row.get("resolved")
        yield build_run(
            source,
            str(place),
            NAME,
            RunTotals(
                totals=Totals(prompt=sent, decoded=received), turns=whole(row.get("llm_calls"))
            ),
            model=short_text(folder.name),
            harness=short_text(folder.parent.name),
            benchmark="swe-effi",
            task_id=short_text(task),
            correct=solved if isinstance(solved, bool) else None,
        )


FORMAT = Format(
    name=NAME,
    title="SWE-Effi statistics (combined_stats.json of a scaffold and a model)",
    detect=detect,
    read=read,
    description=(
        "Read: outcome, tokens and model calls of every task; model and scaffold are its folders. "
        "Missing: messages, cache reads, prices; its measured GPU seconds are not read."
    ),
)
