"""Inspect AI logs: `.eval` archives and `.json` documents, of every age."""

import re

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head

_MEMBER = re.compile(
    rb"PK\x03\x04.{26}(?:_journal/start\.json|header\.json|samples/[^\x00]{1,200}?\.json)",
    re.DOTALL,
)


def detect(head: Head) -> float:
    """Near 1 for either shape; an archive or a document of anything else is 0."""
    if head.is_zip:
        return _archive(head)
    if "eval" in head.keys and head.keys & {"samples", "plan", "status", "stats"}:
        return 0.97 if b'"task"' in head.data and b'"model"' in head.data else 0.0
    return 0.0


def _archive(head: Head) -> float:
    """By the names of its first members; a large first one leaves only the file's own name."""
    if _MEMBER.search(head.data):
        return 0.98
    return 0.5 if head.path.suffix == ".eval" else 0.0


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
