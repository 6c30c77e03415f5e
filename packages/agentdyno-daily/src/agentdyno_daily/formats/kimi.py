"""Kimi CLI: what its sessions' `wire.jsonl` says, sub-agents included.

A step is a model call. Its counts come with the status that follows what it wrote, and after the
results of tools that ran meanwhile, so that only the next step closes it. A session is named by its
folder; since protocol 1.6 a sub-agent has a folder in `subagents`, and its events twice.

Before, a sub-agent that went on after its turn was stopped did so in `context_sub_1.jsonl` alone.
There stand all its answers, each between the size of the context before it and after; those that
`wire.jsonl` has too, with their times and their cache, count there.
"""

from hashlib import blake2b, md5
from pathlib import Path
from typing import Any

from agentdyno.intake.head import Head, keep_sound
from agentdyno.intake.identity import is_random
from agentdyno.intake.shapes import Row, Session, Shape, Talk
from agentdyno.intake.sidecars import read_sidecar
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Record
from agentdyno.intake.texts import dicts_of, flat_text, project_folder, whole
from agentdyno.records import TokenCount

_PARTS = {
    "text": Row("text", "text"),
    "think": Row("reasoning", "think"),
}
_COUNTS = {
    "fresh": "payload.token_usage.input_other",
    "output": "payload.token_usage.output",
    "read": "payload.token_usage.input_cache_read",
    "written": "payload.token_usage.input_cache_creation",
}


def _name(source: Source, talk: Talk) -> dict[str, Any]:
    folder, name = source.path.parent, source.path.stem
    if folder.parent.name == "subagents":
        session, agent, levels = folder.parents[1].name, folder.name, 3
    elif name.startswith(_ALONE):
        session, agent, levels = folder.name, name, 1
    else:
        for child in talk.children.values():
            _mark(folder.name, child)
        project = _project(folder.parent)
        return {"id": folder.name if name == "wire" else None, "project": project}
    _mark(session, talk, are_bare=name.startswith(_ALONE))
    parent = f"{source.name.rsplit('/', levels)[0]}/wire.jsonl#{session}"
    place = {"session_id": session, "agent_id": agent, "parent_id": parent}
    return {"id": agent, "project": _project(folder.parents[levels - 1]), **place}


def _project(folder: Path) -> str | None:
    """The folder that a folder of sessions is named for, by its hash."""
    listed = dicts_of(read_sidecar(folder.parents[1] / "kimi.json").get("work_dirs"))
    paths = [path for each in listed if isinstance(path := each.get("path"), str)]
    hashes = {md5(path.encode(), usedforsecurity=False).hexdigest(): path for path in paths}
    return project_folder(hashes.get(folder.name))


def _mark(session: str, talk: Talk, are_bare: bool = False) -> None:
    """By what a sub-agent's responses are known in both files: what each wrote first, and the call
    before it. Those that `are_bare`, or that nobody counted, count only where nothing better is."""
    builder, before, seen = talk.builder, talk.facts.get("before", ""), set[int]()
    for part in builder.parts:
        if part.made is None:
            continue
        called = "" if part.call is None else builder.calls[part.call].call_id or ""
        content = called if is_random(called) else part.text
        if part.made not in seen:
            seen.add(part.made)
            text = f"{session} {before} {content}".encode("utf-8", "backslashreplace")
            mark = f"kimi {blake2b(text, digest_size=12).hexdigest()}"
            turn = builder.turns[part.made]
            builder.amend_turn(part.made, stands_for=mark)
            if are_bare:  # Counted by the size of the context, before it and after.
                counts = {"prefill": _as_scaled(turn.prefill), "decode": _as_scaled(turn.decode)}
                builder.amend_turn(part.made, **counts)
            if are_bare or turn.decode is None:
                builder.amend_turn(part.made, identity=mark, ended_at=None, latency_seconds=None)
            elif turn.identity == mark:
                builder.amend_turn(part.made, identity=None)  # It was not counted yet.
        before = before if part.call is None else content


def _as_scaled(count: TokenCount | None) -> TokenCount | None:
    return count and TokenCount(count.tokens, "scaled")


class _Alone(Session):
    """A sub-agent's context: counts stand before and after answers, but for those kept."""

    def __init__(self, source: Source) -> None:
        super().__init__(_CONTEXT, source)
        self._before: int | None = None
        self._sent: int | None = None

    def take(self, record: Record) -> None:
        fields = record.decode()
        role, size = fields.get("role"), whole(fields.get("token_count"))
        before, sent = self._before, self._sent
        self._before = size if role == "_usage" else None
        self._sent = before if role == "assistant" else None
        if role == "assistant" and before is None:
            for call in dicts_of(fields.get("tool_calls")):
                self.talk.facts["before"] = str(call.get("id"))
            fields = {**fields, "role": "user"}
        if size is not None and sent is not None:
            fields = {**fields, "sent": sent, "received": size - sent}
        failed = flat_text(fields.get("content")).startswith("<system>ERROR: ")
        self.add({**fields, "failed": failed}, record.line)


_ALONE = "context_sub"
SHAPE = Shape(
    "kimi",
    {
        "TurnBegin": Row("user", "payload.user_input"),
        "SteerInput": Row("user", "payload.user_input"),
        "StepBegin": Row("nothing", opens=True),
        "ContentPart": Row("blocks", "payload", inside=_PARTS),
        "ToolCall": Row(
            "call", id="payload.id", name="payload.function.name",
            arguments="payload.function.arguments",
        ),
        "ToolCallPart": Row("arguments", "payload.arguments_part"),
        "ToolResult": Row(
            "result", "payload.return_value.output payload.return_value.message",
            id="payload.tool_call_id", error="payload.return_value.is_error", closes=False,
        ),
        "StatusUpdate": Row("turn", id="payload.message_id", usage=_COUNTS),
        "SubagentEvent": Row(
            "agent", "payload.event", id="payload.parent_tool_call_id payload.task_tool_call_id"
        ),
    },
    body="message",
    finish=_name,
)  # fmt: skip
_CALL = Row("call", id="id", name="function.name", arguments="function.arguments")
_CONTEXT = Shape(
    "kimi",
    {
        "_system_prompt": Row("system", "content"),
        "user": Row("user", "content"),
        "assistant": (
            Row("blocks", "content", inside=_PARTS, opens=True),
            Row("blocks", "tool_calls", inside={"function": _CALL}),
        ),
        "_usage": Row("turn", usage={"prompt": "sent", "output": "received"}),
        "tool": Row("result", "content", id="tool_call_id", error="failed"),
    },
    kind="role type",
    finish=_name,
)


def detect(head: Head) -> float:
    """0.97 for lines of a time and a message with a payload, or a sub-agent's context."""
    lines = [line for line in head.lines if isinstance(line, dict)]
    if head.path.name.startswith(_ALONE):
        return 0.97 if any(line.get("role") == "_checkpoint" for line in lines) else 0.0
    messages = [body for line in lines if isinstance(body := line.get("message"), dict)]
    sound = keep_sound(messages, lambda body: body.keys() == {"type", "payload"})
    return 0.97 if {str(body["type"]) for body in sound} & SHAPE.rows.keys() else 0.0


def _follow(source: Source) -> Session:
    is_alone = source.path.name.startswith(_ALONE)
    return _Alone(source) if is_alone else Session(SHAPE, source)


FORMAT = SHAPE.format(
    "Kimi CLI sessions (wire.jsonl, context_sub_*.jsonl), sub-agents included",
    detect,
    follow=_follow,
    version=5,
    description=(
        "Read: tokens per step with cache reads and writes, calls, results, errors, times of "
        "steps; of sub-agents that went on after their turn was stopped (context_sub_*.jsonl), "
        "tokens sent and received. Missing: their times and cache; the model's name, prices, "
        "system prompt and tool schemas (hidden prompt), when tools began; what a compaction "
        "removed stays in the context. Real files of protocol 1.3 were read; 1.6 and later follow "
        "the program's source."
    ),
)
