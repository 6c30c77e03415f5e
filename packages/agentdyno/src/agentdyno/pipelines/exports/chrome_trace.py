"""Writes trace events as Perfetto and chrome://tracing read them: when each call ran.

A session is a process, a trajectory one or more of its threads: events of a thread may not overlap
unless one holds the other, so calls at the same time are on threads beside each other. What has no
times is left out.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agentdyno.pipelines.exports.source import ExportSource
from agentdyno.records import Trajectory
from agentdyno.records.escaped_json import encode_json


def write_chrome_trace(source: ExportSource, file: Path) -> None:
    """Writes the events."""
    processes: dict[str, int] = {}
    threads: dict[int, int] = {}
    with file.open("wb") as stream:
        stream.write(b'{"displayTimeUnit":"ms","traceEvents":[')
        separator = b"\n"
        for trajectory in source.trajectories():
            session = trajectory.session_id or source.root(trajectory.trajectory_id)
            process = processes.setdefault(session, len(processes) + 1)
            first = threads.get(process, 1)
            events = list(list_events(trajectory, source, process, first))
            threads[process] = max((event["tid"] for event in events), default=first) + 1
            for event in events:
                stream.write(separator + encode_json(event))
                separator = b",\n"
        stream.write(b"\n]}\n")


def list_events(
    trajectory: Trajectory, source: ExportSource, process: int, first: int
) -> Iterator[dict[str, Any]]:
    """Names of process and threads, then an event for each turn and call that has times."""
    spans = sorted(_list_spans(trajectory, source), key=lambda span: (span["ts"], -span["dur"]))
    if trajectory.parent_id is None:
        yield _name("process_name", process, first, source.title(trajectory))
    lanes: list[float] = []
    for span in spans:
        lane = next((at for at, end in enumerate(lanes) if end <= span["ts"]), len(lanes))
        if lane == len(lanes):
            lanes.append(0.0)
            label = trajectory.agent_id or ("agent" if trajectory.parent_id is None else "subagent")
            yield _name("thread_name", process, first + lane, f"{label} {lane + 1}")
        lanes[lane] = span["ts"] + span["dur"]
        yield span | {"pid": process, "tid": first + lane}


def _list_spans(trajectory: Trajectory, source: ExportSource) -> Iterator[dict[str, Any]]:
    money = source.money(trajectory)
    for number, turn in enumerate(trajectory.turns):
        if turn.started_at is None or turn.ended_at is None or turn.ended_at < turn.started_at:
            continue
        details: dict[str, Any] = {
            "turn": number,
            "input_tokens": turn.prefill.tokens if turn.prefill else None,
            "cached_tokens": turn.cached_tokens,
            "output_tokens": turn.decode.tokens if turn.decode else None,
            "usd": money[number].usd,
        }
        yield _span(turn.model or "model", "model", turn.started_at, turn.ended_at, details)
    for call in trajectory.calls:
        if call.started_at is None or call.ended_at is None or call.ended_at < call.started_at:
            continue
        details = {"turn": call.turn, "arguments": call.arguments[:200], "error": call.error}
        yield _span(call.tool or "tool", "tool", call.started_at, call.ended_at, details)


def _span(
    name: str, category: str, start: float, end: float, details: dict[str, Any]
) -> dict[str, Any]:
    known = {key: held for key, held in details.items() if held is not None}
    begin = round(start * 1e6)
    length = round(end * 1e6) - begin
    return {"name": name, "cat": category, "ph": "X", "ts": begin, "dur": length, "args": known}


def _name(kind: str, process: int, thread: int, name: str) -> dict[str, Any]:
    return {"name": kind, "ph": "M", "pid": process, "tid": thread, "args": {"name": name}}
