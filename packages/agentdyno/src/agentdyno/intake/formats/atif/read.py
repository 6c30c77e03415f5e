"""Reads ATIF files: one trajectory each, with the sub-agents embedded in it beside it.

A run that was continued in another file is read as the pieces it was written in: steps that a
piece copies from the one before are context there, and only the last piece has the marks.
"""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Raw, Struct, structs

from agentdyno.intake.documents import open_document
from agentdyno.intake.formats.atif import one_per_line
from agentdyno.intake.formats.atif.convert import Run
from agentdyno.intake.formats.atif.trial import Trial, parent_of, trial_of
from agentdyno.intake.formats.atif.wire import AGENT, DOCUMENT, STEP, Agent
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Record, bad, decode, lines
from agentdyno.intake.texts import first, read_solved
from agentdyno.records import BadRecord, Trajectory, UnreadableError

FORMAT_NAME = "atif"
MAX_DEPTH = 16
"""Sub-agents within sub-agents, at most."""

Items = Iterator[Trajectory | BadRecord]


class Piece(Struct, frozen=True):
    """One trajectory's JSON, taken apart."""

    locator: str
    """Where it is in the file."""
    prefix: str
    """Prefix of locations inside it; empty for the file's own."""
    agent: bytes
    steps: Iterator[Record]
    subagents: Iterator[Record]
    """The trajectories embedded in this one."""
    is_continued: bool = False
    """True when another file continues this one."""
    session_id: str | None = None
    """The trajectory's own id, or its session's."""


def read(source: Source) -> Items:
    """Yields the trajectory, and those of its embedded sub-agents."""
    head, trial = Head(source.path), trial_of(source.path)
    if head.is_list or one_per_line(head):
        for record in open_document(source, None).records if head.is_list else lines(source):
            yield from _read_embedded(source, record, trial, None, 0)
    else:
        yield from _read_piece(source, _piece_of_file(source), trial, None, 0)


def _piece_of_file(source: Source) -> Piece:
    document = open_document(source, "steps")
    fields = document.fields
    subagents: Iterator[Record] = iter(())
    if "subagent_trajectories" in fields or source.path.stat().st_size > source.max_record_bytes:
        subagents = open_document(source, "subagent_trajectories").records
    goes_on = fields.get("continued_trajectory_ref", b"null").strip() not in (b"null", b'""')
    agent = fields.get("agent", b"{}")
    named = (_name(fields.get(name)) for name in ("trajectory_id", "session_id"))
    return Piece("0", "", agent, document.records, subagents, goes_on, first(named))


def _name(data: bytes | None) -> str | None:
    try:
        name = msgspec.json.decode(data or b"null")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return name if isinstance(name, str) else None


def _read_embedded(
    source: Source, record: Record, trial: Trial, parent: str | None, depth: int
) -> Items:
    try:
        if record.problem:
            raise record.problem
        if depth > MAX_DEPTH:
            raise UnreadableError(f"at most {MAX_DEPTH} levels of sub-agents", "more")
        piece = _piece_of_record(record)
    except UnreadableError as problem:
        yield bad(source, FORMAT_NAME, record.place, problem)
        return
    yield from _read_piece(source, piece, trial, parent, depth)


def _piece_of_record(record: Record) -> Piece:
    document = decode(record.data, DOCUMENT)
    prefix = f"{record.place}."
    inner = document.subagent_trajectories or ()
    return Piece(
        record.locator,
        prefix,
        bytes(document.agent),
        _number(f"{prefix}steps", record.locator, document.steps),
        _number(f"{prefix}subagent_trajectories", record.locator, inner),
        bool(document.continued_trajectory_ref),
        document.trajectory_id or document.session_id,
    )


def _number(name: str, locator: str, values: Iterable[Raw]) -> Iterator[Record]:
    for index, value in enumerate(values):
        yield Record(f"{name}[{index}]", f"{locator}/{index}", bytes(value))


def _read_piece(
    source: Source, piece: Piece, trial: Trial, parent: str | None, depth: int
) -> Items:
    """The trajectory, what of it could not be read, and its sub-agents."""
    run = Run(Agent())
    try:
        run = Run(decode(piece.agent, AGENT))
    except UnreadableError as problem:
        yield bad(source, FORMAT_NAME, f"{piece.prefix}agent", problem)
    for record in piece.steps:
        try:
            run.take(record.decode(STEP))
        except UnreadableError as problem:
            yield bad(source, FORMAT_NAME, record.place, problem)
    if depth == 0:
        parent = parent_of(source, run.agent)
    yield _build(source, run, piece, trial, parent)
    trajectory_id = source.id_of(piece.locator)
    for record in piece.subagents:
        # The file's own list numbers its elements from 0, as the file itself is.
        locator = record.locator if piece.prefix else f"{piece.locator}/{record.locator}"
        inner = Record(record.place, locator, record.data, record.problem)
        for item in _read_embedded(source, inner, trial, trajectory_id, depth + 1):
            yield _with_call(item, trajectory_id, run.started)


def _with_call(
    item: Trajectory | BadRecord, parent: str, started: dict[str, str]
) -> Trajectory | BadRecord:
    """A sub-agent knows the call that started it, where its parent's results name it."""
    if isinstance(item, BadRecord) or item.parent_id != parent:
        return item
    return structs.replace(item, parent_call_id=started.get(item.session_id or ""))


def _build(
    source: Source, run: Run, piece: Piece, trial: Trial, parent: str | None
) -> Trajectory | BadRecord:
    turns = run.builder.turns
    if not turns:
        problem = UnreadableError("at least one step in which a model answered", "none")
        return bad(source, FORMAT_NAME, piece.prefix.removesuffix(".") or "file", problem)
    # What is marked is the run: neither its sub-agents nor a piece that goes on elsewhere.
    score = trial.score if parent is None and not piece.is_continued else None
    return run.builder.build(
        source.id_of(piece.locator),
        source.name,
        FORMAT_NAME,
        model=run.agent.model_name or turns[0].model or trial.model,
        benchmark=trial.benchmark,
        task_id=trial.task_id,
        correct=read_solved(score),
        score=score,
        parent_id=parent,
        session_id=piece.session_id,
    )
