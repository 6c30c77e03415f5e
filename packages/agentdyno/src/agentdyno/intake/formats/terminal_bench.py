"""Terminal-Bench: results of runs, with a trial for every attempt at a task.

A run's `results.json` lists its trials; the file that a trial has of its own says nothing more and
is left out. Zero tokens in and out mean that the agent did not report them.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from agentdyno.intake.format import Format, Source
from agentdyno.intake.head import Head
from agentdyno.intake.run_totals import RunTotals, build_run
from agentdyno.intake.session_totals import Totals
from agentdyno.intake.streams import read_document
from agentdyno.intake.texts import dicts_of, fields_of, seconds, short_text, whole
from agentdyno.records import BadRecord, Trajectory

NAME = "terminal_bench"
RUN = "run_metadata.json"
Fields = dict[str, Any]
_DOCUMENT: "msgspec.json.Decoder[Fields]" = msgspec.json.Decoder(Fields)


def detect(head: Head) -> float:
    """0.97 for a list of trials."""
    known = (b'"trial_name"', b'"is_resolved"')
    return 0.97 if "results" in head.keys and all(key in head.data for key in known) else 0.0


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every trial."""
    yield from read_document(source, NAME, _DOCUMENT, _read)


def _read(source: Source, document: Fields) -> Iterator[Trajectory]:
    about = _read_run(source)
    for place, trial in enumerate(dicts_of(document["results"])):
        yield _trial(source, str(place), trial, about)


def _trial(source: Source, locator: str, trial: Fields, about: Fields) -> Trajectory:
    sent, received = (whole(trial.get(f"total_{way}_tokens")) for way in ("input", "output"))
    if not sent and not received:
        sent = received = None
    solved, name = trial.get("is_resolved"), short_text(trial.get("trial_name")) or ""
    attempt = name.partition(".")[2].rpartition("-of-")[0].rpartition(".")[2]
    attempt = attempt or name.rpartition("-of-")[0].rpartition(".")[2]
    known = short_text(trial.get("id")) or short_text(trial.get("uuid"))
    run = RunTotals(
        totals=Totals(prompt=sent, decoded=received),
        started_at=seconds(trial.get("agent_started_at")),
        ended_at=seconds(trial.get("agent_ended_at")),
        identity=f"terminal-bench {known}" if known else None,
    )
    return build_run(
        source,
        locator,
        NAME,
        run,
        model=short_text(about.get("model_name")),
        harness=short_text(about.get("agent_name")),
        benchmark="terminal-bench",
        task_id=short_text(trial.get("task_id")),
        attempt=int(attempt) if attempt.isdecimal() and len(attempt) < 10 else None,
        correct=solved if isinstance(solved, bool) else None,
    )


def _read_run(source: Source) -> Fields:
    try:
        return fields_of(msgspec.json.decode(source.path.with_name(RUN).read_bytes()))
    except (OSError, msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return {}


FORMAT = Format(
    name=NAME,
    title="Terminal-Bench results (results.json, with run_metadata.json beside it)",
    detect=detect,
    read=read,
    description=(
        "Read: outcome, tokens and times of every trial, agent and model where the run names "
        "them. Missing: messages, turns, cache reads, prices; the agent's own log beside the "
        "results is not read."
    ),
)
