"""Reads transcripts of Cursor's agent, line by line.

Every line of the assistant's is one response: results are mostly not written, so that nothing else
tells them apart. A transcript in a folder `subagents` belongs to the one that the folder above is
named for. The session is known by the file's name.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

import msgspec
from msgspec import Struct

from agentdyno.intake.anthropic import BlockWriter, Content, as_blocks
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.format import Source
from agentdyno.intake.streams import bad, lines, no_response, too_deep
from agentdyno.intake.texts import first_line, seconds
from agentdyno.records import BadRecord, Trajectory, UnreadableError
from agentdyno.records.problems import printable_name

FORMAT_NAME = "cursor"
_ASKED = re.compile(r"<user_query>\s*(.+?)\s*</user_query>", re.DOTALL)


class Message(Struct, gc=False):
    """What somebody said."""

    content: Content = None
    model: str | None = None


class Line(Struct, gc=False):
    """A line of a transcript."""

    role: str | None = None
    message: Message | None = None
    timestamp: str | float | None = None


_LINE = msgspec.json.Decoder(Line)


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the transcript as one trajectory."""
    builder = TrajectoryBuilder()
    writer = BlockWriter(builder)
    for record in lines(source):
        try:
            builder.line = record.line
            _add(builder, writer, record.decode(_LINE))
        except UnreadableError as problem:
            yield bad(source, FORMAT_NAME, record.place, problem)
        except RecursionError:
            yield bad(source, FORMAT_NAME, record.place, too_deep())
    if builder.turns:
        yield _build(source, builder)
    else:
        yield no_response(source, FORMAT_NAME)


def _add(builder: TrajectoryBuilder, writer: BlockWriter, line: Line) -> None:
    if line.message is None:
        return
    blocks = as_blocks(line.message.content)
    if line.role == "user":
        writer.ask(blocks, builder.turns[-1].model if builder.turns else None)
    elif line.role == "assistant":
        builder.turn(line.message.model, ended_at=seconds(line.timestamp))
        writer.answer(blocks)


def _build(source: Source, builder: TrajectoryBuilder) -> Trajectory:
    path = PurePosixPath(source.name)
    own = printable_name(path.stem, 80)
    is_side = path.parent.name == "subagents"
    folder = path.parent.parent if is_side else None
    starter = printable_name(folder.name, 80) if folder else None
    first = next((part.text for part in builder.parts if part.kind == "user"), "")
    asked = _ASKED.search(first)
    return builder.build(
        source.id_of(own),
        source.name,
        FORMAT_NAME,
        session_id=starter or own,
        agent_id=own if starter else None,
        parent_id=f"{folder}/{starter}.jsonl#{starter}" if starter else None,
        title=first_line(asked[1]) if asked else None,
    )
