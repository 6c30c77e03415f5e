"""Reads session files of Pi, OpenClaw and OMP, line by line."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.format import Source
from agentdyno.intake.formats.pi.answers import talk_of_child
from agentdyno.intake.formats.pi.branches import Session, short_title
from agentdyno.intake.streams import bad, lines, no_response, too_deep
from agentdyno.records import BadRecord, Trajectory, UnreadableError, printable
from agentdyno.records.problems import printable_name

_INSIDE = re.compile(r"(?P<starter>.*_(?P<id>[0-9A-Za-z-]+))[/\\][^/\\]+\.jsonl")
"""Where OMP puts a sub-agent's file: in a folder that is called like its starter's."""


def read(source: Source, format: str) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for the session, and one for each sub-agent that its results hold."""
    session = Session()
    for record in lines(source):
        try:
            if record.problem:
                raise record.problem
            session.take(record.data, record.line)
        except UnreadableError as problem:
            yield bad(source, format, record.place, problem)
        except msgspec.MsgspecError as error:
            mismatch = UnreadableError("a message", printable(str(error)))
            yield bad(source, format, record.place, mismatch)
        except (RecursionError, UnicodeDecodeError):
            yield bad(source, format, record.place, too_deep())
    found = list(_trajectories(source, format, session))
    yield from found
    if not found:
        yield no_response(source, format)


def _trajectories(source: Source, format: str, session: Session) -> Iterator[Trajectory]:
    own = printable_name(session.id or "session", 80)
    starter = _INSIDE.fullmatch(source.name) if session.task is not None else None
    root = printable_name(starter["id"], 80) if starter else own

    def built(builder: TrajectoryBuilder, locator: str, **facts: Any) -> Iterator[Trajectory]:
        if builder.turns:
            name = source.id_of(locator)
            yield builder.build(name, source.name, format, session_id=root, **facts)

    yield from built(
        session.talk.builder,
        own,
        title=short_title(session.title),
        begins_midway=session.is_midway,
        agent_id=own if starter else None,
        parent_id=f"{starter['starter']}.jsonl#{root}" if starter else None,
    )
    main = source.id_of(own)
    yield from built(session.beside.builder, f"{own}/upkeep", agent_id="upkeep", parent_id=main)
    for number, (call, messages) in enumerate(session.talk.children):
        child = talk_of_child(messages).builder
        locator = f"{own}/{number}"
        yield from built(child, locator, agent_id=locator, parent_id=main, parent_call_id=call)
