"""Reads chat sessions of VS Code: requests of a user, each with rounds of responses and tools.

A journal writes a session down as changes: kind 0 sets it, 1 writes a value at a path, 2 appends to
a list at a path.
"""

from collections.abc import Iterator
from typing import Any

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.head import Head
from agentdyno.intake.sidecars import read_sidecar
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Fields, bad, lines, or_no_response, too_deep, whole_file
from agentdyno.intake.texts import (
    compact_json,
    dicts_of,
    error_in,
    fields_of,
    flat_text,
    project_folder,
    seconds,
    whole,
)
from agentdyno.records import BadRecord, Trajectory, UnreadableError, read_reported
from agentdyno.records.problems import printable_name
from agentdyno_daily.formats.copilot_vscode import is_session

FORMAT_NAME = "copilot_vscode"
LONGEST_LIST = 100_000
"""An index beyond this is no place in a session."""


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the session of the file."""
    return or_no_response(source, FORMAT_NAME, _read(source))


def _read(source: Source) -> Iterator[Trajectory | BadRecord]:
    session: Fields = {}
    if is_session(Head(source.path)):
        record = whole_file(source)
        session = record.decode()
    else:
        for record in lines(source):
            try:
                session = _apply(session, record.decode())
            except UnreadableError as problem:
                yield bad(source, FORMAT_NAME, record.place, problem)
    try:
        yield from _session(source, session)
    except RecursionError:
        yield bad(source, FORMAT_NAME, "file", too_deep())


def _apply(session: Fields, change: Fields) -> Fields:
    """The session after one line of its journal."""
    value, path = change.get("v"), change.get("k")
    if change.get("kind") == 0:
        return fields_of(value)
    if not isinstance(path, list) or not path:
        raise UnreadableError("a change with a path", "none")
    target: Any = session
    for step in path[:-1]:
        target = _step(target, step)
    if change.get("kind") == 1:
        _write(target, path[-1], value)
    elif change.get("kind") == 2:
        listed = _step(target, path[-1], [])
        if not isinstance(listed, list):
            raise UnreadableError("a list to append to", type(listed).__name__)
        if isinstance(at := change.get("i"), int) and 0 <= at <= len(listed):
            del listed[at:]
        listed += value if isinstance(value, list) else [value]
    return session


def _step(target: Any, step: Any, default: Any = None) -> Any:
    if isinstance(target, dict) and isinstance(step, str):
        return target.setdefault(step, {} if default is None else default)
    if isinstance(target, list) and isinstance(step, int) and 0 <= step < len(target):
        return target[step]
    raise UnreadableError("a path within the session", "one that leads out of it")


def _write(target: Any, step: Any, value: Any) -> None:
    if isinstance(target, list) and isinstance(step, int) and 0 <= step < LONGEST_LIST:
        target += [None] * (step + 1 - len(target))
        target[step] = value
    elif isinstance(target, dict) and isinstance(step, str):
        target[step] = value
    else:
        raise UnreadableError("a path within the session", "one that leads out of it")


def _session(source: Source, session: Fields) -> Iterator[Trajectory]:
    builder = TrajectoryBuilder()
    for request in dicts_of(session.get("requests")):
        _take(builder, request)
    if not builder.turns:
        return
    beside = read_sidecar(source.path.parents[1] / "workspace.json")
    own = printable_name(str(session.get("sessionId") or "session"), 80)
    title = session.get("customTitle")
    yield builder.build(
        source.id_of(own),
        source.name,
        FORMAT_NAME,
        session_id=own,
        title=title if isinstance(title, str) and title else None,
        project=project_folder(beside.get("folder") or beside.get("workspace")),
    )


def _take(builder: TrajectoryBuilder, request: Fields) -> None:
    """What a user asked, and the rounds that answered it."""
    builder.user(flat_text(fields_of(request.get("message")).get("text")))
    result = fields_of(request.get("result"))
    metadata = fields_of(result.get("metadata"))
    rounds = dicts_of(metadata.get("toolCallRounds"))
    results = fields_of(metadata.get("toolCallResults"))
    known = _facts(request, result, metadata, single=len(rounds) < 2)
    if not rounds and not request.get("response"):
        builder.retries += 1
        return
    for number, each in enumerate(rounds or [_only_round(request)]):
        builder.turn(**(known if not number else {"model": known["model"]}))
        _answer(builder, each)
        for call in dicts_of(each.get("toolCalls")):
            if (found := results.get(str(call.get("id")))) is not None:
                text = _result_text(found)
                builder.result(text, str(call.get("id")), error=error_in(text))


def _facts(request: Fields, result: Fields, metadata: Fields, single: bool) -> Fields:
    model = request.get("modelId")
    timings = fields_of(result.get("timings"))
    first, total = timings.get("firstProgress"), timings.get("totalElapsed")
    at = request.get("timestamp")
    usage = fields_of(result.get("usage")) or metadata
    sent, written = (whole(usage.get(n)) for n in ("promptTokens", "completionTokens"))
    written = whole(usage.get("outputTokens")) if written is None else written
    took = total / 1000 if single and isinstance(total, int | float) and total > 0 else None
    return {
        "model": str(model).rpartition("/")[2] if isinstance(model, str) else None,
        "started_at": seconds(at),
        "first_token_seconds": first / 1000 if isinstance(first, int | float) else None,
        "latency_seconds": took,
        "prefill": read_reported(sent or None) if single else None,
        "decode": read_reported(written or None) if single else None,
    }


def _only_round(request: Fields) -> Fields:
    """A response without a record of its rounds: what the editor shows of it."""
    parts = dicts_of(request.get("response"))
    texts = (part.get("value") for part in parts if part.get("kind") in (None, "markdownContent"))
    calls = [
        {"name": part.get("toolId"), "id": part.get("toolCallId"), "arguments": ""}
        for part in parts
        if part.get("kind") == "toolInvocationSerialized"
    ]
    response = "".join(flat_text(fields_of(t).get("value", t)) for t in texts if t is not None)
    return {"response": response, "toolCalls": calls}


def _answer(builder: TrajectoryBuilder, each: Fields) -> None:
    thought = each.get("thinking")
    text = fields_of(thought).get("text", thought)
    if text:
        builder.reasoning(flat_text(text), resent=False)
    if spoken := flat_text(each.get("response")):
        builder.text(spoken)
    for call in dicts_of(each.get("toolCalls")):
        arguments = compact_json(call.get("arguments") or "")
        builder.call(str(call.get("name") or ""), arguments, str(call.get("id") or "") or None)


def _result_text(found: Any) -> str:
    content = fields_of(found).get("content")
    values = (each.get("value", each) for each in dicts_of(content))
    texts = [value if isinstance(value, str) else _leaves(value) for value in values]
    return "\n".join(text for text in texts if text)


def _leaves(value: Any, depth: int = 0) -> str:
    """The words of a result that the editor keeps as a tree."""
    if depth > 40:
        return ""
    if isinstance(value, dict):
        own = value.get("text")
        inner = [_leaves(v, depth + 1) for v in value.values() if isinstance(v, dict | list)]
        return "".join([own if isinstance(own, str) else "", *inner])
    return "".join(_leaves(v, depth + 1) for v in value) if isinstance(value, list) else ""
