"""Recognises Inspect AI logs, as archives and as documents."""

import re

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
