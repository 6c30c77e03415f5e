"""OpenHands Index: `instance_results/BENCHMARK.json`, a run's outcome and cost by task.

The model and the program that ran it stand in `metadata.json`, a folder above.
"""

from collections.abc import Iterator

from agentdyno.intake.beside import read_beside
from agentdyno.intake.format import Format, Source
from agentdyno.intake.head import Head
from agentdyno.intake.run_totals import build_run, read_runs
from agentdyno.intake.session_totals import Totals
from agentdyno.intake.streams import Fields
from agentdyno.intake.texts import amount, short_text
from agentdyno.records import BadRecord, Trajectory

NAME = "openhands_index"
FOLDER = "instance_results"


def detect(head: Head) -> float:
    """0.97 for rows of an outcome and a cost in a folder of that name."""
    if head.path.parent.name != FOLDER or head.is_list:
        return 0.0
    return 0.97 if b'"resolved"' in head.data and b'"cost"' in head.data else 0.0


def _list_runs(source: Source, rows: Fields) -> Iterator[Trajectory | BadRecord]:
    about = read_beside(source.path.parent.parent / "metadata.json")
    for place, (task, row) in enumerate(rows.items()):
        if not isinstance(row, dict):
            yield BadRecord(source.name, short_text(task) or "", "an outcome and a cost", "", NAME)
            continue
        yield build_run(
            source,
            str(place),
            NAME,
            Totals(usd=amount(row.get("cost"))),
            model=about.get("model"),
            harness=about.get("agent_name"),
            benchmark=source.path.stem,
            task_id=task,
            correct=row.get("resolved"),
        )


FORMAT = Format(
    name=NAME,
    title="OpenHands Index results (instance_results/BENCHMARK.json, with metadata.json)",
    detect=detect,
    read=read_runs(NAME, _list_runs),
    description=(
        "Read: outcome and cost of every task, model and program. Missing: messages, tokens, "
        "turns and times; a run without an outcome or a cost keeps it unknown."
    ),
)
