"""Continue: a document for each session, with a history of messages.

Every answer has a record of its prompt beside it, which names the model; counts stand there in
newer versions, if at all. Results of tools are states of the call, and messages of the role `tool`.
"""

from collections.abc import Iterator

from agentdyno.intake.documents import open_document
from agentdyno.intake.head import Head
from agentdyno.intake.shapes import Row, Session, Shape, text_at
from agentdyno.intake.source import Source
from agentdyno.intake.streams import take_records
from agentdyno.intake.texts import project_folder
from agentdyno.records import BadRecord, Trajectory

_CALL = Row("call", id="id", name="function.name", arguments="function.arguments")
_COUNTS = {
    "prompt": "message.usage.promptTokens",
    "output": "message.usage.completionTokens",
    "read": "message.usage.promptTokensDetails.cachedTokens",
}
SHAPE = Shape(
    "continue",
    {
        "system": Row("system", "message.content"),
        "user": Row("user", "message.content"),
        "thinking": Row("reasoning", "message.content"),
        "assistant": (
            Row("text", "message.content", model="promptLogs.0.completionOptions.model"),
            Row("blocks", "message.toolCalls", inside={"function": _CALL}),
            Row("turn", usage=_COUNTS),
            Row("nothing", closes=True),
        ),
        "tool": Row("result", "message.content", id="message.toolCallId"),
    },
    kind="message.role type",
)


def detect(head: Head) -> float:
    """0.96 for a document with a session and a history of messages."""
    has_names = head.keys >= {"sessionId", "history", "workspaceDirectory"}
    return 0.96 if has_names and not head.is_list else 0.0


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the session of the document."""
    document = open_document(source, "history")
    session = Session(SHAPE, source)
    facts, unreadable = document.decode_fields(source, SHAPE.name)
    yield from unreadable
    session.talk.id, session.talk.title = (text_at(facts, name) for name in ("sessionId", "title"))
    yield from take_records(source, SHAPE.name, document.records, session.take)
    yield from session.results(project=project_folder(facts.get("workspaceDirectory")))


FORMAT = SHAPE.format(
    "Continue sessions (~/.continue/sessions)",
    detect,
    read=read,
    version=2,
    description=(
        "Read: messages, calls and results, tokens where a message states them. Missing: times, "
        "prices, mostly tokens (counted from the texts). Calls and tokens are read as Continue's "
        "source writes them; no real file with them was to be had."
    ),
)
