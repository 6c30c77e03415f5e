"""Terminal-Bench: results of runs, with a trial for every attempt at a task.

A run's `results.json` lists its trials; the file that a trial has of its own says nothing more and
is left out. Zero tokens in and out mean that the agent did not report them.
"""

from collections.abc import Iterator

from agentdyno.intake.beside import read_beside
from agentdyno.intake.format import Format, Source
from agentdyno.intake.head import Head
from agentdyno.intake.run_totals import build_run, read_attempt, read_runs
from agentdyno.intake.session_totals import Totals
from agentdyno.intake.streams import Fields
from agentdyno.intake.texts import dicts_of, seconds, short_text, whole
from agentdyno.records import Trajectory

NAME = "terminal_bench"


def detect(head: Head) -> float:
    """0.97 for a list of trials."""
    known = (b'"trial_name"', b'"is_resolved"')
    return 0.97 if "results" in head.keys and all(key in head.data for key in known) else 0.0


def _list_runs(source: Source, document: Fields) -> Iterator[Trajectory]:
    about = read_beside(source.path.with_name("run_metadata.json"))
    for place, trial in enumerate(dicts_of(document["results"])):
        yield _trial(source, str(place), trial, about)


def _trial(source: Source, locator: str, trial: Fields, about: Fields) -> Trajectory:
    sent, received = (whole(trial.get(f"total_{way}_tokens")) for way in ("input", "output"))
    if not sent and not received:
        sent = received = None
    name = short_text(trial.get("trial_name")) or ""
    attempt = name.partition(".")[2].rpartition("-of-")[0].rpartition(".")[2]
    attempt = attempt or name.rpartition("-of-")[0].rpartition(".")[2]
    known = short_text(trial.get("id")) or short_text(trial.get("uuid"))
    return build_run(
        source,
        locator,
        NAME,
        Totals(prompt=sent, decoded=received),
        started_at=seconds(trial.get("agent_started_at")),
        ended_at=seconds(trial.get("agent_ended_at")),
        identity=f"terminal-bench {known}" if known else None,
        model=about.get("model_name"),
        harness=about.get("agent_name"),
        benchmark="terminal-bench",
        task_id=trial.get("task_id"),
        attempt=read_attempt(attempt),
        correct=trial.get("is_resolved"),
    )


FORMAT = Format(
    name=NAME,
    title="Terminal-Bench results (results.json, with run_metadata.json beside it)",
    detect=detect,
    read=read_runs(NAME, _list_runs),
    description=(
        "Read: outcome, tokens and times of every trial, agent and model where the run names "
        "them. Missing: messages, turns, cache reads, prices; the agent's own log beside the "
        "results is not read."
    ),
)
