"""Inspect AI logs: `.eval` archives and `.json` documents, of every age."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.formats.inspect_ai.detect import detect

FORMAT = Format(
    name="inspect_ai",
    title="Inspect AI evaluation logs (.eval, .json)",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.inspect_ai.read"),
)
