"""Inspect AI logs: `.eval` archives and `.json` documents, of every age."""

from agentdyno.intake.format import Format
from agentdyno.intake.formats.inspect_ai.detect import detect
from agentdyno.intake.formats.inspect_ai.read import read

FORMAT = Format(
    name="inspect_ai",
    title="Inspect AI evaluation logs (.eval, .json)",
    detect=detect,
    read=read,
)
