"""Reads tasks of Cline, Roo Code and Kilo Code, and sessions of Cline's CLI."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from agentdyno.intake.anthropic import Block, BlockWriter, as_blocks
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.documents import open_document
from agentdyno.intake.format import Reader
from agentdyno.intake.head import Head
from agentdyno.intake.sidecars import read_sidecar, read_sidecar_bytes
from agentdyno.intake.source import Source
from agentdyno.intake.split_usage import fresh_tokens, known_price, split_usage
from agentdyno.intake.streams import Record, bad, decode, or_no_response, take_records, too_deep
from agentdyno.intake.texts import first_line, project_folder, seconds, whole
from agentdyno.records import BadRecord, Trajectory, UnreadableError
from agentdyno.records.problems import printable_name
from agentdyno_daily.formats.cline import HISTORY as HISTORY_NAME
from agentdyno_daily.formats.cline import ROWS, is_history, is_session
from agentdyno_daily.formats.cline.task import ModelCall, Task, answered_calls, usage_of
from agentdyno_daily.formats.cline.wire import (
    HISTORY,
    MESSAGE,
    REQUEST,
    ROW,
    SENT,
    Message,
    Request,
    Row,
    Sent,
)

FORMAT_NAME = "cline"
_FOLDER = re.compile(r"^# Current (?:Working|Workspace) Directory \((.+)\)", re.MULTILINE)
_SUMS = ("deleted_api_reqs", "subagent_usage")
"""Rows that tell of several calls at once, which the task no longer shows or never did."""


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the task, and the calls beside it; the history is read with the task's rows."""
    head = Head(source.path)
    if is_history(head) and source.path.with_name(ROWS).is_file():
        return
    yield from or_no_response(source, FORMAT_NAME, _reader(head)(source))


def _reader(head: Head) -> Reader:
    if is_session(head):
        return _read_session
    return _read_history if is_history(head) else _read_task


# Tasks --------------------------------------------------------------------------------------------


def _read_task(source: Source) -> Iterator[Trajectory | BadRecord]:
    calls: list[ModelCall] = []
    sums: list[Row] = []
    retried, title, began = 0, None, None
    for record in open_document(source, None).records:
        try:
            row: Row = decode(_sound(record), ROW)
            if row.say == "api_req_started":
                calls.append(ModelCall(row, _request(row), []))
            elif calls:
                calls[-1].following.append(row)
            elif row.say in ("task", "text"):
                title = title or row.text
            retried += row.say == "api_req_retried"
            began = began or row.ts
            if row.say in _SUMS or row.say == "condense_context":
                sums.append(row)
        except UnreadableError as problem:
            yield bad(source, FORMAT_NAME, record.place, problem)
        except RecursionError:
            yield bad(source, FORMAT_NAME, record.place, too_deep())
    folder = source.path.parent
    task = Task(_history(folder / HISTORY_NAME), _models(folder / "task_metadata.json"))
    for call, is_answered in zip(calls, answered_calls(calls), strict=True):
        task.add(call, is_answered)
    task.builder.retries += retried
    task_id = printable_name(folder.name if folder.name[:1].isdigit() else f"{began or 0:.0f}", 80)
    yield from _build(source, task.builder, task_id, title=first_line(title) if title else None)
    main = source.id_of(task_id)
    yield from _build(source, _beside(sums), task_id, "upkeep", parent_id=main)


def _read_history(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Messages whose rows are gone: only what newer versions note of an answer is known."""
    history: list[Sent] = []

    def take(record: Record) -> None:
        history.append(decode(_sound(record), SENT))

    yield from take_records(source, FORMAT_NAME, open_document(source, None).records, take)
    task = Task(history, _models(source.path.with_name("task_metadata.json")))
    for index, message in enumerate(history):
        if message.role == "assistant":
            at = message.ts if isinstance(message.ts, int | float) else None
            row = Row(ts=at, conversationHistoryIndex=index - 2)
            task.add(ModelCall(row, _noted(message.metrics), []), is_answered=True)
    folder = source.path.parent.name
    task_id = printable_name(folder if folder[:1].isdigit() else "history", 80)
    yield from _build(source, task.builder, task_id)


def _noted(metrics: Any) -> Request:
    """Counts of an answer; `cached` is what the cache gave and what it took, together."""
    counts = metrics.get("tokens") if isinstance(metrics, dict) else None
    if not isinstance(counts, dict):
        return Request()
    prompt, cached = whole(counts.get("prompt")), whole(counts.get("cached"))
    total = None if prompt is None else prompt + (cached or 0)
    return Request(tokensIn=total, tokensOut=counts.get("completion"))


def _build(
    source: Source,
    builder: TrajectoryBuilder,
    session_id: str,
    beside: str | None = None,
    **facts: Any,
) -> Iterator[Trajectory]:
    if builder.turns:
        yield builder.build(
            source.id_of(f"{session_id}/{beside}" if beside else session_id),
            source.name,
            FORMAT_NAME,
            session_id=session_id,
            agent_id=beside,
            project=_project(builder),
            **facts,
        )


def _project(builder: TrajectoryBuilder) -> str | None:
    """The folder that the extension describes to the model behind the first message."""
    for part in builder.parts[:8]:
        if stated := _FOLDER.search(part.text):
            return project_folder(stated[1])
    return None


def _beside(rows: list[Row]) -> TrajectoryBuilder:
    """Calls that the task does not show: deleted ones, sub-agents', summaries."""
    builder = TrajectoryBuilder()
    for row in rows:
        request = _request(row)
        noted = row.contextCondense if isinstance(row.contextCondense, dict) else {}
        usage = usage_of(request)
        cost = known_price(noted.get("cost") if noted else request.cost)
        if usage or cost:
            identity = f"cline {row.say} {row.ts} {request.tokensIn} {cost}"
            at = seconds(row.ts)
            builder.turn(**usage, identity=identity, ended_at=at, reported_usd=cost)
    return builder


def _request(row: Row) -> Request:
    try:
        request: Request = REQUEST.decode(row.text or "{}")
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return Request()  # A row that is being written, or free text.
    return request


def _history(path: Path) -> list[Sent]:
    """The messages that were sent, where they are beside the rows and sound."""
    try:
        history: list[Sent] = HISTORY.decode(read_sidecar_bytes(path) or b"[]")
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return []
    return history


def _models(path: Path) -> list[tuple[float, str]]:
    """Models with the time since which each was in use, from the task's notes."""
    try:
        noted = read_sidecar(path)["model_usage"]
        return [(float(entry["ts"]), str(entry["model_id"])) for entry in noted]
    except (LookupError, TypeError, ValueError):
        return []


def _sound(record: Record) -> bytes:
    if record.problem:
        raise record.problem
    return record.data


# Sessions of the CLI ------------------------------------------------------------------------------


def _read_session(source: Source) -> Iterator[Trajectory | BadRecord]:
    document = open_document(source, "messages")
    builder = TrajectoryBuilder()
    writer = BlockWriter(builder)
    prompt = _text(document.fields.get("system_prompt"))
    if prompt:
        builder.system(prompt)

    def take(record: Record) -> None:
        _add(builder, writer, decode(_sound(record), MESSAGE))

    yield from take_records(source, FORMAT_NAME, document.records, take)
    session_id = printable_name(_text(document.fields.get("sessionId")) or "session", 80)
    yield from _build(source, builder, session_id)


def _add(builder: TrajectoryBuilder, writer: BlockWriter, message: Message) -> None:
    info = message.modelInfo if isinstance(message.modelInfo, dict) else {}
    model = info.get("id") if isinstance(info.get("id"), str) else None
    if message.role != "assistant":
        writer.ask([_readable(block) for block in as_blocks(message.content)], model)
        return
    at = seconds(message.ts)
    metrics = message.metrics
    usage: dict[str, Any] = {}
    if metrics is not None:
        read, written = metrics.cacheReadTokens, metrics.cacheWriteTokens
        fresh = fresh_tokens(metrics.inputTokens, read, written)
        usage = split_usage(fresh, metrics.outputTokens, read, written)
        usage["reported_usd"] = known_price(metrics.cost)
    counts = (metrics.inputTokens, metrics.outputTokens) if metrics else ()
    identity = f"cline {at:.3f} {model} {counts}" if at else None
    builder.turn(model, **usage, identity=identity, ended_at=at)
    writer.answer(as_blocks(message.content))


def _readable(block: Block) -> Block:
    """A file that was attached is a text as any other."""
    is_file = block.type == "file" and isinstance(block.content, str)
    return Block(text=block.content) if is_file else block


def _text(data: bytes | None) -> str | None:
    try:
        decoded = msgspec.json.decode(data or b"null")
    except (msgspec.DecodeError, RecursionError):
        return None
    return decoded if isinstance(decoded, str) else None
