"""Droid (Factory): session files, and the settings beside them.

Lines of an answer that follow each other are one response: reasoning and calls of some providers
are written apart. The totals in `<id>.settings.json` are running sums of the session; `inputTokens`
leaves cached tokens out. They are shared out over its turns. A compaction's summary takes the place
of everything before it.
"""

from typing import Any

from agentdyno.intake.format import Source
from agentdyno.intake.head import Head, keep_sound
from agentdyno.intake.session_totals import Totals, share_totals
from agentdyno.intake.shapes import Row, Shape, Talk, agent_beside, name_models
from agentdyno.intake.sidecars import read_sidecar
from agentdyno.intake.texts import fields_of, whole


def detect(head: Head) -> float:
    """0.95 for a file that begins with a session of Droid's."""
    lines = [line for line in head.lines if isinstance(line, dict)]
    if not lines or lines[0].get("type") != "session_start":
        return 0.0
    begun = lines[0]
    inner = begun.get("session")
    session = inner if isinstance(inner, dict) else begun
    sound = keep_sound(lines, _is_line)
    if not isinstance(session.get("id"), str) or not sound:
        return 0.0
    is_known = bool(begun.keys() & {"title", "sessionTitle", "owner", "session"})
    return 0.95 if is_known or any(line["type"] == "message" for line in sound) else 0.0


def _is_line(line: dict[str, Any]) -> bool:
    message = line.get("message")
    has_role = isinstance(message, dict) and "role" in message
    return "type" in line and (has_role or line["type"] != "message")


def _finish(source: Source, talk: Talk) -> dict[str, Any]:
    settings = read_sidecar(source.path.with_suffix(".settings.json"))
    share_totals(talk.builder, _totals(settings.get("tokenUsage")))
    name_models(talk, settings.get("model"))
    caller = talk.facts.get("callingSessionId")
    call = talk.facts.get("callingToolUseId")
    return agent_beside(source, caller, talk.id or "session", call) if caller else {}


def _totals(usage: Any) -> Totals:
    names = ("inputTokens", "cacheReadTokens", "cacheCreationTokens", "outputTokens")
    fresh, read, written, output = (whole(fields_of(usage).get(name)) for name in names)
    if not any((fresh, read, written, output)):
        return Totals()
    prompt = (fresh or 0) + (read or 0) + (written or 0)
    return Totals(prompt, read, written, output, whole(usage.get("thinkingTokens")))


SHAPE = Shape(
    "droid",
    {
        "session_start": (
            Row("session", id="id", name="sessionTitle title"),
            Row("session", id="session.id", facts=("callingSessionId", "callingToolUseId")),
        ),
        "compaction_state": (
            Row("compaction", "summaryText summary.title summary"),
            Row("user", "summary.body", closes=False),
        ),
        "user": Row("ask", "message.content"),
        "assistant": Row("answer", "message.content", id="id", model="message.model"),
    },
    kind="message.role type",
    finish=_finish,
)
FORMAT = SHAPE.format(
    "Droid sessions (JSONL, with the totals of <id>.settings.json)",
    detect,
    has_real_file=False,
    description=(
        "Missing: tokens of single responses: the session's totals are shared out over them by "
        "length (scaled), and counted from the texts where there are none; prices; when tools began"
    ),
)
