"""Reads runs of Toolathlon: messages in OpenAI's shape, with totals and tools beside them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.format import Source
from agentdyno.intake.session_totals import Totals, share_totals
from agentdyno.intake.spans.messages import parse_json
from agentdyno.intake.streams import bad, decode, or_no_response, too_deep, whole_file
from agentdyno.intake.texts import function_schemas, whole
from agentdyno.intake.transcripts import write_transcript
from agentdyno.records import BadRecord, Trajectory, UnreadableError

FORMAT_NAME = "toolathlon"
Fields = dict[str, Any]
_RUN: "msgspec.json.Decoder[Fields]" = msgspec.json.Decoder(Fields)


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the run of the file."""
    record = whole_file(source)
    try:
        if record.problem:
            raise record.problem
        yield from or_no_response(source, FORMAT_NAME, _read(source, decode(record.data, _RUN)))
    except UnreadableError as problem:
        yield bad(source, FORMAT_NAME, "file", problem)
    except RecursionError:
        yield bad(source, FORMAT_NAME, "file", too_deep())


def _read(source: Source, run: Fields) -> Iterator[Trajectory]:
    builder = TrajectoryBuilder()
    config = _fields(parse_json(run.get("config")))
    offered = _fields(parse_json(run.get("tool_calls")))
    builder.offer(function_schemas(offered.get("tools")))
    messages = parse_json(run.get("messages"))
    listed = messages if isinstance(messages, list) else []
    system = _fields(config.get("system_prompts")).get("agent")
    if isinstance(system, str) and not any(_fields(m).get("role") == "system" for m in listed[:1]):
        builder.system(system)
    write_transcript(builder, listed)
    if not builder.turns:
        return
    share_totals(builder, _totals(run))
    task = config.get("id") or source.path.parent.name
    model = _fields(_fields(config.get("agent")).get("model")).get("short_name")
    yield builder.build(
        source.id_of(str(run.get("request_id") or "run")),
        source.name,
        FORMAT_NAME,
        model=model if isinstance(model, str) else None,
        benchmark="toolathlon",
        task_id=str(task),
        correct=_passed(source.path, run),
    )


def _totals(run: Fields) -> Totals:
    stats = _fields(parse_json(run.get("key_stats")))
    sent, received = whole(stats.get("input_tokens")), whole(stats.get("output_tokens"))
    if not sent and not received:
        return Totals()  # Nobody counted.
    cost = _fields(parse_json(run.get("agent_cost"))).get("total_cost")
    paid = float(cost) if isinstance(cost, int | float) and cost > 0 else None
    return Totals(prompt=sent, decoded=received, usd=paid)


def _passed(path: Path, run: Fields) -> bool | None:
    """What the run itself says, or the evaluation beside it."""
    if isinstance(run.get("pass"), bool):
        return bool(run["pass"])
    try:
        found = msgspec.json.decode(path.with_name("eval_res.json").read_bytes())
    except (OSError, msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    passed = _fields(found).get("pass")
    return passed if isinstance(passed, bool) else None


def _fields(value: Any) -> Fields:
    return value if isinstance(value, dict) else {}
