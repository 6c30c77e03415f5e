"""The formats that trajectories are exported to, by the name that is typed."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from agentdyno.pipelines.exports.atif import write_atif
from agentdyno.pipelines.exports.openai_messages import write_openai_messages
from agentdyno.pipelines.exports.otel_spans import write_otel_spans
from agentdyno.pipelines.exports.scout import write_scout
from agentdyno.pipelines.exports.source import ExportSource
from agentdyno.records import InputError, Trajectory, printable, shortened
from agentdyno.records.escaped_json import encode_json
from agentdyno.studies.selection import Selection


# A session is a process, a trajectory one or more of its threads: events of a thread may not
# overlap unless one holds the other, so calls at the same time are on threads beside each other.
# What has no times is left out.
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


class ExportFormat(Struct, frozen=True):
    """A format of another tool."""

    write: Callable[[ExportSource, Path], None]
    """Writes the trajectories to a path."""
    suffix: str | None
    """How its file must end; None where it is a folder."""


FORMATS = {
    "atif": ExportFormat(write_atif, None),
    "otel": ExportFormat(write_otel_spans, ".jsonl"),
    "openai": ExportFormat(write_openai_messages, ".jsonl"),
    "scout": ExportFormat(write_scout, None),
    "chrome": ExportFormat(write_chrome_trace, ".json"),
}


class Exported(Struct, frozen=True):
    """What an export wrote."""

    path: str
    trajectories: int
    missing: dict[str, str]
    """Traces that could not be read again, with the reason; their trajectories are not in it."""


def export_trajectories(
    folder: Path, name: str, to: Path, selection: Selection | None = None
) -> Exported:
    """Writes all trajectories of a ledger, or those of which any turn is in the selection, whole;
    the path appears when it is complete."""
    if name not in FORMATS:
        raise InputError(f"No format {printable(name, 40)!r}. Known: {', '.join(FORMATS)}.")
    chosen = FORMATS[name]
    if chosen.suffix is not None and to.suffix != chosen.suffix:
        raise InputError(
            f"{shortened(to, 200)}: expected a file called {chosen.suffix} for {name}, found "
            f"{printable(to.suffix) or 'no ending'}."
        )
    if chosen.suffix is None and to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise InputError(f"{shortened(to, 200)}: expected a new or empty folder for {name}.")
    source = ExportSource(folder, selection)
    staging = to.with_name(f".{to.name}.new")
    shutil.rmtree(staging, ignore_errors=True)
    chosen.write(source, staging)
    if to.is_dir():
        to.rmdir()
    staging.replace(to)
    return Exported(str(to), source.read, source.missing())
