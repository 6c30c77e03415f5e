"""MCPMark's published runs: a file for each model and task, with the sums of every attempt."""

from collections.abc import Iterator

from agentdyno.intake.format import Format, Source
from agentdyno.intake.head import Head
from agentdyno.intake.run_totals import build_run, read_attempt, read_runs
from agentdyno.intake.session_totals import Totals
from agentdyno.intake.streams import Fields
from agentdyno.intake.texts import fields_of, whole
from agentdyno.records import Trajectory

NAME = "mcpmark_runs"


def detect(head: Head) -> float:
    """0.97 for a model, a service, a task and its runs."""
    return 0.97 if head.keys >= {"model", "service", "task", "runs"} else 0.0


def _list_runs(source: Source, document: Fields) -> Iterator[Trajectory]:
    for place, (name, given) in enumerate(fields_of(document.get("runs")).items()):
        run = fields_of(given)
        usage = fields_of(run.get("token_usage"))
        names = ("input_tokens", "output_tokens", "reasoning_tokens")
        sent, received, thought = (whole(usage.get(each)) for each in names)
        yield build_run(
            source,
            str(place),
            NAME,
            Totals(prompt=sent, decoded=received, reasoning=thought),
            turns=whole(run.get("turn_count")),
            model=document.get("model"),
            benchmark="mcpmark",
            variant=document.get("service"),
            task_id=document.get("task"),
            attempt=read_attempt(name.rpartition("-")[2]),
            correct=run.get("success"),
        )


FORMAT = Format(
    name=NAME,
    title="MCPMark experiments (a file for each model and task)",
    detect=detect,
    read=read_runs(NAME, _list_runs),
    description=(
        "Read: outcome, tokens in and out, reasoning and turns of every attempt. "
        "Missing: messages, cache reads, dates, prices."
    ),
)
