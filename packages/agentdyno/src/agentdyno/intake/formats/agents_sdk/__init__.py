"""OpenAI Agents SDK: traces as its processors export them."""

from typing import Any

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head


def detect(head: Head) -> float:
    """0.95 for traces and their spans."""
    first = head.first if isinstance(head.first, list) else [head.first]
    records = [*head.lines[:20], *first[:20]]
    return 0.95 if any(map(_is_span, records)) else 0.0


def _is_span(record: Any) -> bool:
    if not isinstance(record, dict):
        return False
    if record.get("object") == "trace.span":
        return isinstance(record.get("span_data"), dict)
    listed = record.get("data")
    return isinstance(listed, list) and any(
        isinstance(item, dict) and item.get("object") == "trace.span" for item in listed
    )


FORMAT = Format(
    name="agents_sdk",
    title="OpenAI Agents SDK traces (JSON, JSON lines of spans)",
    detect=detect,
    has_real_file=False,
    read=reader_in("agentdyno.intake.formats.agents_sdk.read"),
    description=(
        "Read: generation spans with tokens, cache reads and reasoning; response spans where the "
        "processor adds the response; functions with arguments, results, errors and times; agents "
        "and handoffs as sub-agents. Missing: by default a response span holds only the id of its "
        "response: such a turn has times and no counts. Prices."
    ),
)
