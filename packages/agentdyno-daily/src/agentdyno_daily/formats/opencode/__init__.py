"""OpenCode: its database, versions 1 and 2, the files before it, and exported sessions."""

from agentdyno.intake.format import Format, reader_in
from agentdyno_daily.formats.opencode.detect import detect

FORMAT = Format(
    name="opencode",
    title="OpenCode sessions (SQLite of versions 1 and 2, storage files, exports), sub-agents too",
    detect=detect,
    read=reader_in("agentdyno_daily.formats.opencode.read"),
    description=(
        "Missing: "
        "system prompt and tool schemas (hidden prompt, by the reported input); in version 1, "
        "calls that write titles, and messages that were undone"
    ),
    version=3,
)
