"""Cline, Roo Code and Kilo Code: task folders of the extensions, session files of Cline's CLI."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.formats.cline.detect import detect

FORMAT = Format(
    name="cline",
    title="Cline, Roo Code and Kilo Code tasks (ui_messages.json with the history beside it)",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.cline.read"),
    description=(
        "Missing: "
        "system prompt and tool schemas (hidden prompt, by the reported input); when answers and "
        "tools ended; without api_conversation_history.json, arguments as the editor shows them; "
        "without ui_messages.json, cache hits and what left the context"
    ),
)
