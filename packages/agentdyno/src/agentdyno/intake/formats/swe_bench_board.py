"""SWE-bench's leaderboard data: entries with the outcome, cost and calls of every task.

An entry may stand in several lists; its folder and the task say which run a row is, so that it
counts once. Entries without rows are sums of nothing that is shown, and are left out.
"""

import re
from collections.abc import Iterator

from agentdyno.intake.format import Format, Source
from agentdyno.intake.head import Head
from agentdyno.intake.run_totals import build_run, read_runs
from agentdyno.intake.session_totals import Totals
from agentdyno.intake.streams import Fields
from agentdyno.intake.texts import amount, dicts_of, fields_of, short_text, whole
from agentdyno.records import Trajectory

NAME = "swe_bench_board"
ROWS = "per_instance_details"
_MODEL = "Model: "
_HARNESS = re.compile(r"mini[-_]v[\d.]+|mini-swe-agent", re.IGNORECASE)


def detect(head: Head) -> float:
    """0.97 for lists of entries."""
    if "leaderboards" not in head.keys or head.is_list:
        return 0.0
    return 0.97 if b'"results"' in head.data and b'"resolved"' in head.data else 0.0


def _list_runs(source: Source, document: Fields) -> Iterator[Trajectory]:
    for at, board in enumerate(dicts_of(document.get("leaderboards"))):
        for place, entry in enumerate(dicts_of(board.get("results"))):
            for task, row in fields_of(entry.get(ROWS)).items():
                yield _run(source, f"{at}.{place}.{task}", entry, task, fields_of(row))


def _run(source: Source, locator: str, entry: Fields, task: str, row: Fields) -> Trajectory:
    folder = short_text(entry.get("folder")) or ""
    tags = [tag for tag in entry.get("tags") or () if isinstance(tag, str)]
    models = [tag.removeprefix(_MODEL) for tag in tags if tag.startswith(_MODEL)]
    return build_run(
        source,
        locator,
        NAME,
        Totals(usd=amount(row.get("cost"))),
        turns=whole(row.get("api_calls")),
        identity=f"swe-bench {folder} {task}" if folder else None,
        model=models[0] if len(models) == 1 else None,
        harness="mini-swe-agent" if _HARNESS.search(folder) else None,
        benchmark="swe-bench verified",
        variant=folder or None,
        task_id=task,
        correct=row.get("resolved"),
    )


FORMAT = Format(
    name=NAME,
    title="SWE-bench leaderboard data (leaderboards.json with rows of tasks)",
    detect=detect,
    read=read_runs(NAME, _list_runs),
    description=(
        "Read: outcome, cost and model calls of every task, the model by its tag; an entry that "
        "stands in several lists counts once. Missing: messages, tokens, dates of runs; entries "
        "that publish no rows."
    ),
)
