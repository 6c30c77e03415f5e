"""MCPMark's published runs: a file for each model and task, with the sums of every attempt."""

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

NAME = "mcpmark_runs"
Fields = dict[str, Any]
_DOCUMENT: "msgspec.json.Decoder[Fields]" = msgspec.json.Decoder(Fields)


def detect(head: Head) -> float:
    """0.97 for a model, a service, a task and its runs."""
    return 0.97 if head.keys >= {"model", "service", "task", "runs"} else 0.0


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every attempt."""
    yield from read_document(source, NAME, _DOCUMENT, _read)


def _read(source: Source, document: Fields) -> Iterator[Trajectory]:
    for place, (name, given) in enumerate(fields_of(document.get("runs")).items()):
        run, attempt = fields_of(given), name.rpartition("-")[2]
        usage = fields_of(run.get("token_usage"))
        names = ("input_tokens", "output_tokens", "reasoning_tokens")
        sent, received, thought = (whole(usage.get(each)) for each in names)
        solved = run.get("success")
        totals = Totals(prompt=sent, decoded=received, reasoning=thought)
        yield build_run(
            source,
            str(place),
            NAME,
            RunTotals(totals=totals, turns=whole(run.get("turn_count"))),
            model=short_text(document.get("model")),
            benchmark="mcpmark",
            variant=short_text(document.get("service")),
            task_id=short_text(document.get("task")),
            attempt=int(attempt) if attempt.isdecimal() and len(attempt) < 10 else None,
            correct=solved if isinstance(solved, bool) else None,
        )


FORMAT = Format(
    name=NAME,
    title="MCPMark experiments (a file for each model and task)",
    detect=detect,
    read=read,
    description=(
        "Read: outcome, tokens in and out, reasoning and turns of every attempt. "
        "Missing: messages, cache reads, dates, prices."
    ),
)
