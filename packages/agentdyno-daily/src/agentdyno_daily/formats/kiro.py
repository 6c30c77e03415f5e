"""Kiro CLI: session logs with their metadata beside them, and what `/chat save` writes of both.

Every message of the assistant's is a model call, but for the notes that Kiro writes itself when a
user stops tools. The metadata has counts of tokens, which were 0 in every file seen, the share of
the context that was full after each user's turn, and credits, whose price depends on the plan.
"""

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from agentdyno.intake.documents import any_records
from agentdyno.intake.head import Head, keep_sound
from agentdyno.intake.shapes import Row, Session, Shape, Talk, agent_beside, name_models, pick
from agentdyno.intake.sidecars import read_sidecar
from agentdyno.intake.source import Source
from agentdyno.intake.streams import take_records
from agentdyno.intake.texts import (
    amount,
    compact_json,
    dicts_of,
    fields_of,
    project_folder,
    whole,
)
from agentdyno.records import BadRecord, TokenCount, Trajectory
from agentdyno.records.problems import printable_name

_NOTE = "Tool uses were interrupted"


def detect(head: Head) -> float:
    """0.97 for lines of a version, a kind and data, or an export of such."""
    if head.keys >= {"format", "metadata", "log_entries"}:
        return 0.97
    lines = [line for line in head.lines if isinstance(line, dict)]
    entries = keep_sound(lines, lambda line: line.keys() == {"version", "kind", "data"})
    return 0.97 if any(str(line["kind"]) in SHAPE.rows for line in entries) else 0.0


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the session."""
    session = Session(SHAPE, source)
    yield from take_records(source, SHAPE.name, any_records(source, "log_entries"), session.take)
    yield from session.results()


def _prepare(entry: dict[str, Any]) -> dict[str, Any]:
    data = fields_of(entry.get("data"))
    blocks = dicts_of(data.get("content"))
    if entry.get("kind") == "ToolResults":
        results = [_result(fields_of(block.get("data"))) for block in blocks]
        return {**entry, "data": {**data, "content": results}}
    texts = [block.get("data") for block in blocks]
    is_note = len(texts) == 1 and str(texts[0]).startswith(_NOTE)
    return {} if is_note and entry.get("kind") == "AssistantMessage" else entry


def _result(result: dict[str, Any]) -> dict[str, Any]:
    return {
        "kind": "result",
        "id": result.get("toolUseId"),
        "texts": [compact_json(part.get("data")) for part in dicts_of(result.get("content"))],
        "failed": True if result.get("status") == "error" else None,
    }


def _finish(source: Source, talk: Talk) -> dict[str, Any]:
    export = read_sidecar(source.path.with_suffix(".json"))  # Or the export that is being read.
    metadata = fields_of(export.get("metadata", export))
    session_id = metadata.get("session_id")
    session_id = printable_name(session_id if isinstance(session_id, str) else source.path.stem, 80)
    info = fields_of(pick(metadata, "session_state.rts_model_state.model_info"))
    name_models(talk, info.get("model_id"))
    user_turns = dicts_of(pick(metadata, "session_state.conversation_metadata.user_turn_metadatas"))
    ends = list(
        accumulate(whole(user_turn.get("total_request_count")) or 0 for user_turn in user_turns)
    )
    window = whole(info.get("context_window_tokens")) or 0
    for end, user_turn in zip(ends, user_turns, strict=True):
        full = whole(window * (amount(user_turn.get("context_usage_percentage")) or 0) / 100)
        if full and end and ends[-1] == len(talk.builder.turns):
            talk.builder.amend_turn(end - 1, prefill=TokenCount(full, "scaled"))
    title, parent = metadata.get("title"), metadata.get("parent_session_id")
    fields: dict[str, Any] = {
        "id": session_id,
        "title": title if isinstance(title, str) else None,
        "project": project_folder(metadata.get("cwd")),
    }
    return {
        **fields,
        **(agent_beside(source, parent, session_id) if isinstance(parent, str) else {}),
    }


_PARTS = {
    "thinking": Row("reasoning", "data.text", model="data.modelId"),
    "text": Row("text", "data"),
    "toolUse": Row("call", id="data.toolUseId", name="data.name", arguments="data.input"),
}
_RESULT = Row("result", "texts", id="id", error="failed")
SHAPE = Shape(
    "kiro",
    {
        "Prompt": Row("blocks", "data.content", inside={"text": Row("user", "data")}),
        "AssistantMessage": (
            Row("blocks", "data.content", inside=_PARTS),
            Row("nothing", closes=True),
        ),
        "ToolResults": Row("blocks", "data.content", inside={"result": _RESULT}),
        "Compaction": Row("compaction", "data.summary"),
        "Clear": Row("compaction"),
    },
    kind="kind",
    time="data.meta.timestamp",
    prepare=_prepare,
    finish=_finish,
)
FORMAT = SHAPE.format(
    "Kiro CLI sessions (~/.kiro/sessions/cli, /chat save), sub-agents included",
    detect,
    read=read,
    version=3,
    description=(
        "Read: messages, calls, results, errors, the model, compactions, how full the context was "
        "after each user's turn. Missing: other tokens (Kiro writes 0; counted from the texts), "
        "prices (credits), most times, which call started a sub-agent; what a compaction kept "
        "beside its summary. Chats of the editor and of the older database are not read. Of real "
        "files only what /chat save writes (kiro-session-export-v1) was to be had, not the logs."
    ),
)
