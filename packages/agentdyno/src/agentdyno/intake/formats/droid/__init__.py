"""Droid (Factory): session files, with the totals in the settings beside them."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head


def detect(head: Head) -> float:
    """0.95 for a file that begins with a session of Droid's."""
    lines = [line for line in head.lines if isinstance(line, dict)]
    if not lines or lines[0].get("type") != "session_start":
        return 0.0
    begun = lines[0]
    inner = begun.get("session")
    session = inner if isinstance(inner, dict) else begun
    if not isinstance(session.get("id"), str) or not all("type" in line for line in lines):
        return 0.0
    messages = [line.get("message") for line in lines if line["type"] == "message"]
    is_sound = all(isinstance(each, dict) and "role" in each for each in messages)
    is_known = bool(begun.keys() & {"title", "sessionTitle", "owner", "session"})
    return 0.95 if is_sound and (messages or is_known) else 0.0


FORMAT = Format(
    name="droid",
    title="Droid sessions (JSONL, with the totals of <id>.settings.json)",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.droid.read"),
    description=(
        "Missing: "
        "tokens of single responses: the session's totals are shared out over them by length "
        "(scaled), and counted from the texts where there are none; prices; when tools began"
    ),
)
