"""Reads runs of Toolathlon: messages in OpenAI's shape, with totals and tools beside them."""

from collections.abc import Iterator
from pathlib import Path

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.session_totals import share_totals, stated_totals
from agentdyno.intake.sidecars import read_sidecar
from agentdyno.intake.source import Source
from agentdyno.intake.spans.messages import parse_json
from agentdyno.intake.streams import Fields, read_document
from agentdyno.intake.texts import fields_of, function_schemas, read_solved
from agentdyno.intake.transcripts import write_transcript
from agentdyno.records import BadRecord, Trajectory

FORMAT_NAME = "toolathlon"


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the run of the file."""
    return read_document(source, FORMAT_NAME, _read)


def _read(source: Source, run: Fields) -> Iterator[Trajectory]:
    builder = TrajectoryBuilder()
    config = fields_of(parse_json(run.get("config")))
    offered = fields_of(parse_json(run.get("tool_calls")))
    builder.offer(function_schemas(offered.get("tools")))
    messages = parse_json(run.get("messages"))
    listed = messages if isinstance(messages, list) else []
    system = fields_of(config.get("system_prompts")).get("agent")
    if isinstance(system, str) and not any(
        fields_of(m).get("role") == "system" for m in listed[:1]
    ):
        builder.system(system)
    write_transcript(builder, listed)
    if not builder.turns:
        return
    stats = fields_of(parse_json(run.get("key_stats")))
    cost = fields_of(parse_json(run.get("agent_cost"))).get("total_cost")
    sums = stated_totals(stats.get("input_tokens"), stats.get("output_tokens"), cost)
    share_totals(builder, sums)
    # What the website publishes has no config: the file is named MODEL_TASK.
    named, _, task_name = source.path.stem.partition("_")
    is_published = "pass" in run and not config and bool(task_name)
    task = task_name if is_published else config.get("id") or source.path.parent.name
    model = fields_of(fields_of(config.get("agent")).get("model")).get("short_name")
    model = named if is_published else model
    yield builder.build(
        source.id_of(str(run.get("request_id") or "run")),
        source.name,
        FORMAT_NAME,
        model=model if isinstance(model, str) else None,
        benchmark="toolathlon",
        task_id=str(task),
        correct=_passed(source.path, run),
    )


def _passed(path: Path, run: Fields) -> bool | None:
    """The run's own verdict, or that of the evaluation beside it."""
    if (passed := read_solved(run.get("pass"))) is not None:
        return passed
    return read_solved(read_sidecar(path.with_name("eval_res.json")).get("pass"))
