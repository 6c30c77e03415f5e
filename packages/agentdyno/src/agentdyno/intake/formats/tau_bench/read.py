"""Reads files of tau-bench results, record by record.

Every assistant message is a turn. The users are played by a model; what they say is `user` text
and what they cost is not the agent's. Usage, timings and tool schemas are not in these files.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.chats import ChatMessage
from agentdyno.intake.documents import open_document
from agentdyno.intake.formats.tau_bench import domain_in, model_in, one_per_line
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Record, bad, lines, whole_file
from agentdyno.intake.texts import compact_json, first_line, flat_text, read_solved, whole
from agentdyno.records import BadRecord, Trajectory, UnreadableError, printable


class Result(Struct, gc=False):
    """One attempt at one task."""

    traj: list[ChatMessage]
    task_id: str | int | None = None
    reward: bool | float | None = None
    trial: int | None = None
    info: Any = None


RESULT = msgspec.json.Decoder(Result)


FORMAT_NAME = "tau_bench"


def trajectory_of(result: Result, trajectory_id: str, source: str) -> Trajectory:
    file_name = source.rsplit("/", 1)[-1]
    builder = TrajectoryBuilder()
    model = model_in(file_name)
    for message in result.traj:
        if message.role == "assistant":
            _take_turn(builder, message, model)
        else:
            _give(builder, message)
    if not builder.turns:
        raise UnreadableError("at least one assistant message in traj", _why_none(result.info))
    return builder.build(
        trajectory_id,
        source,
        FORMAT_NAME,
        model=model,
        benchmark=_benchmark(result, file_name),
        task_id=None if result.task_id is None else str(result.task_id),
        attempt=whole(result.trial),
        correct=read_solved(result.reward),
        score=None if result.reward is None else float(result.reward),
        expected=_read_expected(result.info),
    )


def _take_turn(builder: TrajectoryBuilder, message: ChatMessage, model: str | None) -> None:
    builder.turn(model)
    if message.reasoning_content:
        # Chat completions do not take reasoning back.
        builder.reasoning(message.reasoning_content, resent=False)
    if text := flat_text(message.content):
        builder.text(text)
    for call in message.tool_calls or ():
        if call.function is not None:
            builder.call(call.function.name or "", _write(call.function.arguments), call.id)
    if message.function_call is not None:
        builder.call(message.function_call.name or "", _write(message.function_call.arguments))


def _write(arguments: Any) -> str:
    return "" if arguments is None else compact_json(arguments)


def _give(builder: TrajectoryBuilder, message: ChatMessage) -> None:
    text = flat_text(message.content)
    if message.role == "user":
        builder.user(text)
    elif message.role in ("tool", "function"):
        # The environment answers a tool it does not have with these words.
        refused = text.startswith("Unknown action")
        failed = refused or text.startswith("Error")
        error = first_line(text) if failed else None
        builder.result(
            text, message.tool_call_id, name=message.name, error=error, executed=not refused
        )
    elif message.role in ("system", "developer"):
        builder.system(text)
    else:
        raise UnreadableError("a role of the chat API", repr(printable(message.role, 40)))


def _benchmark(result: Result, file_name: str) -> str:
    """The domain stands in the policy's title, or else in the file's name."""
    first = result.traj[0]
    title = first_line(flat_text(first.content)) if first.role == "system" else ""
    domain = domain_in(title) or domain_in(file_name)
    return f"tau-bench/{domain}" if domain else "tau-bench"


def _read_expected(info: Any) -> str | None:
    """Answers that the agent has to give the user, where the task asks for any."""
    task = info.get("task") if isinstance(info, dict) else None
    outputs = task.get("outputs") if isinstance(task, dict) else None
    return compact_json(outputs) if outputs else None


def _why_none(info: Any) -> str:
    """A run that broke leaves an empty `traj` and its error in `info`."""
    error = info.get("error") if isinstance(info, dict) else None
    return f"none; the run ended with {printable(first_line(str(error)))}" if error else "none"


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    for record in _records(source):
        try:
            result = record.decode(RESULT)
            yield trajectory_of(result, source.id_of(record.locator), source.name)
        except UnreadableError as problem:
            yield bad(source, FORMAT_NAME, record.place, problem)


def _records(source: Source) -> Iterator[Record]:
    """A list, JSON lines, or one attempt alone (perhaps indented over many lines)."""
    head = Head(source.path)
    if head.is_list and not source.start:
        return open_document(source, None).records
    if source.start or one_per_line(head) or b"\n" not in head.data.strip():
        return lines(source)
    return iter([whole_file(source)])
