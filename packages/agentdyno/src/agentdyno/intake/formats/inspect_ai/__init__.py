"""Inspect AI logs: `.eval` archives and `.json` documents, of every age."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.formats.inspect_ai.detect import detect

FORMAT = Format(
    name="inspect_ai",
    title="Inspect AI evaluation logs (.eval, .json)",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.inspect_ai.read"),
    description=(
        "Read: every model call with tokens, cache reads and writes, reasoning, costs and times, "
        "tools with times and errors, schemas, sub-agents, limits, scores. A scorer's own calls "
        "are left out. Missing: response ids of some providers; what a log was told not to keep."
    ),
)
