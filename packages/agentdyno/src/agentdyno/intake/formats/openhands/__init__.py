"""OpenHands: event lists and evaluation outputs (V0), conversation folders (V1)."""

from typing import Any

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head


def detect(head: Head) -> float:
    """0.95 for events of V0, evaluation outputs, and files of a conversation of V1."""
    if is_state(head) or is_event_file(head):
        return 0.95
    first = head.first if isinstance(head.first, list) else [head.first]
    records = [*head.lines[:5], *first[:5]]
    if any(map(is_output, records)):
        return 0.95
    return 0.95 if head.is_list and any(map(is_event, records)) else _score_of_cut(head)


def is_state(head: Head) -> bool:
    """True for the state of a conversation of V1."""
    return head.path.name == "base_state.json" and head.keys >= {"id", "agent"}


def is_event_file(head: Head) -> bool:
    """True for one event of a conversation of V1."""
    in_folder = head.path.parent.name == "events" and head.path.name.startswith("event-")
    return in_folder and head.keys >= {"kind", "id", "source"}


def is_output(record: Any) -> bool:
    """True for the outcome of one task of an evaluation."""
    return isinstance(record, dict) and record.keys() >= {"history", "instruction", "metrics"}


def is_event(record: Any) -> bool:
    """True for an event of V0."""
    return (
        isinstance(record, dict)
        and record.keys() >= {"id", "timestamp", "source"}
        and bool(record.keys() & {"action", "observation"})
    ) or is_new_event(record)


def is_new_event(record: Any) -> bool:
    """True for an event of V1, in a list of them."""
    kind = record.get("kind") if isinstance(record, dict) else None
    return kind in ("SystemPromptEvent", "MessageEvent", "ActionEvent") and "id" in record


def _score_of_cut(head: Head) -> float:
    """A list whose beginning does not decode: too large, or damaged."""
    is_large = head.is_list and head.keys >= {"id", "timestamp", "source", "message"}
    return 0.9 if is_large and b'"observation"' in head.data else 0.0


FORMAT = Format(
    name="openhands",
    title="OpenHands trajectories and evaluation outputs (V0), conversation folders (V1)",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.openhands.read"),
    description=(
        "Read: tokens per response with cache reads and writes, response ids, costs, latencies "
        "where metrics have them, calls, results, exit codes, tool times, system prompt and tool "
        "schemas where the first event has them, condensations; V1: the condenser's calls as a "
        "sub-agent without text. Outcome: the report of an evaluation, or of SWE-bench beside it. "
        "Missing: in files older than 0.20, tokens and ids of single responses (counted from the "
        "texts)."
    ),
)
