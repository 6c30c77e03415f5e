"""Load traces for serving engines: counts and block hashes of prompts, not a word of their text.

    AgentX    {"id": …, "requests": [{"t": 0.0, "type": "n", "model": …, "in": 71175, "out": 169,
              "hash_ids": […], "api_time": 7.3}, {"type": "subagent", "requests": […]}]}
    Mooncake  lines {"timestamp": 1200, "input_length": 6758, "output_length": 500, "hash_ids": […]}
    counts    lines {"turns": [{"context": 8120, "generated": 140, "pause_seconds": 2.5}]}

A request is a turn. When a session began is in none of them, so turns have no dates, and what the
provider's cache held is not either. `capacity` reads the same files as a load, hashes included.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.format import Format
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.intake.streams import (
    Fields,
    Record,
    lines,
    or_no_response,
    read_document,
    take_record,
)
from agentdyno.intake.texts import amount, dicts_of, short_text, whole
from agentdyno.records import BadRecord, TokenCount, Trajectory, read_reported

NAME = "load_trace"


def detect(head: Head) -> float:
    """0.97 for requests with hashes of their blocks, or turns of counts alone."""
    if head.keys >= {"requests", "block_size"} or head.keys >= {"input_length", "hash_ids"}:
        return 0.97
    turns = next((dicts_of(line.get("turns")) for line in head.lines if isinstance(line, dict)), [])
    return 0.97 if turns and turns[0].keys() >= {"context", "generated"} else 0.0


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the sessions; each request of a Mooncake file is one."""
    if not Head(source.path).is_lines:
        return read_document(source, NAME, _read_agentx)
    return or_no_response(source, NAME, _read_lines(source))


def _read_lines(source: Source) -> Iterator[Trajectory | BadRecord]:
    trajectories: list[Trajectory] = []

    def take(record: Record) -> None:
        line = record.decode()
        trajectories.extend(_build(source, record.locator, dicts_of(line.get("turns")) or [line]))

    for record in lines(source):
        yield from take_record(source, NAME, record, take)
        yield from trajectories
        trajectories.clear()


def _read_agentx(source: Source, document: Fields) -> Iterator[Trajectory]:
    """A session, then its sub-agents as trajectories of their own."""
    session = short_text(document.get("id")) or source.path.stem
    waiting: list[tuple[str, str | None, list[Fields]]]
    waiting = [("0", None, dicts_of(document.get("requests")))]
    for locator, parent, requests in waiting:
        agents = [r for r in requests if r.get("type") == "subagent"]
        for number, agent in enumerate(agents, 1):
            waiting.append((f"{locator}.{number}", locator, dicts_of(agent.get("requests"))))
        fields: dict[str, Any] = {"session_id": session}
        if parent is not None:
            fields |= {"agent_id": locator, "parent_id": source.id_of(parent)}
        own_requests = [r for r in requests if r.get("type") != "subagent"]
        yield from _build(source, locator, own_requests, **fields)


def _build(
    source: Source, locator: str, requests: Sequence[Fields], **fields: Any
) -> Iterator[Trajectory]:
    builder = TrajectoryBuilder()
    for request in requests:
        sent = _count(request, "in", "input_length", "context")
        if sent is not None:
            builder.turn(
                model=short_text(request.get("model")),
                prefill=TokenCount(sent, "reported"),
                decode=read_reported(_count(request, "out", "output_length", "generated")),
                latency_seconds=amount(request.get("api_time")),
            )
    if builder.turns:
        yield builder.build(source.id_of(locator), source.name, NAME, **fields)


def _count(request: Fields, *names: str) -> int | None:
    return next((whole(request[name]) for name in names if name in request), None)


FORMAT = Format(
    name=NAME,
    title="load traces of serving engines (AgentX, Mooncake, counts alone)",
    detect=detect,
    read=read,
    description=(
        "Read: tokens in and out of every request, models and times to answer where they stand, "
        "sub-agents. Missing: texts, dates, calls, what a provider's cache held. capacity reads "
        "the hashes of blocks too."
    ),
)
