"""SWE-Effi: `combined_stats.json` of a scaffold and a model, with a row for every task."""

from collections.abc import Iterator

from agentdyno.intake.format import Format, Source
from agentdyno.intake.head import Head
from agentdyno.intake.run_totals import build_run, read_runs
from agentdyno.intake.session_totals import Totals
from agentdyno.intake.streams import Fields
from agentdyno.intake.texts import fields_of, whole
from agentdyno.records import Trajectory

NAME = "swe_effi"


def detect(head: Head) -> float:
    """0.97 for rows of calls, tokens and measured times."""
    if head.path.name != "combined_stats.json":
        return 0.0
    known = (b'"llm_calls"', b'"input_tokens"', b'"resolved"')
    return 0.97 if all(key in head.data for key in known) else 0.0


def _list_runs(source: Source, rows: Fields) -> Iterator[Trajectory]:
    folder = source.path.parent
    for place, (task, given) in enumerate(rows.items()):
        row = fields_of(given)
        sent, received = (whole(row.get(f"{way}_tokens")) for way in ("input", "output"))
        yield build_run(
            source,
            str(place),
            NAME,
            Totals(prompt=sent, decoded=received),
            turns=whole(row.get("llm_calls")),
            model=folder.name,
            harness=folder.parent.name,
            benchmark="swe-effi",
            task_id=task,
            correct=row.get("resolved"),
        )


FORMAT = Format(
    name=NAME,
    title="SWE-Effi statistics (combined_stats.json of a scaffold and a model)",
    detect=detect,
    read=read_runs(NAME, _list_runs),
    description=(
        "Read: outcome, tokens and model calls of every task; model and scaffold are its folders. "
        "Missing: messages, cache reads, prices; its measured GPU seconds are not read."
    ),
)
