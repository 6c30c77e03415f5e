"""Reads chat files of Qwen Code, line by line.

Records form a tree: one whose parent is not the record before begins another branch, and what came
in between is not in the context any more. It was paid for all the same. A branch that is saved as
a session of its own repeats records with their ids.
"""

from collections.abc import Iterator

from agentdyno.intake.source import Source
from agentdyno.intake.streams import Record, decode, lines, or_no_response, take_records
from agentdyno.intake.texts import project_folder, seconds
from agentdyno.records import BadRecord, Trajectory, printable
from agentdyno.records.problems import printable_name
from agentdyno_daily.formats.qwen_code.chain import Chain
from agentdyno_daily.formats.qwen_code.wire import LINE, PAYLOAD, Line, Payload

FORMAT_NAME = "qwen_code"
TITLE_CHARACTERS = 80


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the conversations of the file, and a bad record for each line that is none."""
    return or_no_response(source, FORMAT_NAME, _read(source))


def _read(source: Source) -> Iterator[Trajectory | BadRecord]:
    chats = Chats(source)

    def take(record: Record) -> None:
        chats.take(decode(record.data, LINE), record.line)

    yield from take_records(source, FORMAT_NAME, lines(source), take)
    yield from chats.build()


class Chats:
    """The conversations of a file: mostly one."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._session: str | None = None
        self._parent: str | None = None
        self._title: str | None = None
        self._folder: str | None = None
        self._chains: dict[str, Chain] = {}
        self._first_lines: dict[str, int | None] = {}
        self._places: dict[str, tuple[str, int]] = {}
        self._last: str | None = None

    def take(self, line: Line, number: int | None) -> None:
        """Adds a record to its conversation."""
        if line.uuid is not None and line.uuid in self._places:
            return
        self._session = self._session or line.sessionId
        self._folder = self._folder or project_folder(line.cwd)
        key = (line.agentId or "agent") if line.isSidechain else ""
        if key not in self._chains:
            self._chains[key] = Chain()
            self._first_lines[key] = number
        chain = self._chains[key]
        chain.builder.line = number
        copied = line.forkedFrom.sessionId if line.forkedFrom is not None else None
        chain.session = copied or line.sessionId
        self._branch(line, key, chain)
        self._write(line, chain)
        if line.uuid is not None:
            self._places[line.uuid] = key, len(chain.builder.parts)
            self._last = line.uuid

    def _branch(self, line: Line, key: str, chain: Chain) -> None:
        is_turning = line.type == "user" or line.subtype == "rewind"
        if not is_turning or self._last is None or line.parentUuid == self._last:
            return
        if line.parentUuid is None:
            chain.go_back(0)
        elif (position := self._places.get(line.parentUuid)) is not None and position[0] == key:
            chain.go_back(position[1])

    def _write(self, line: Line, chain: Chain) -> None:
        at = seconds(line.timestamp)
        if line.type == "user":
            chain.prompt(line)
        elif line.type == "assistant":
            chain.answer(line, at)
        elif line.type == "tool_result":
            chain.finish(line, at)
        elif line.type == "system":
            self._note(line, chain, at)

    def _note(self, line: Line, chain: Chain, at: float | None) -> None:
        payload: Payload = decode(bytes(line.systemPayload), PAYLOAD)
        event = payload.uiEvent
        if event is not None and event.name is not None:
            if event.name.endswith("api_response"):
                chain.measure(event, at)
            elif event.name.endswith("tool_call"):
                chain.note_run(event)
            elif event.name.endswith("api_error"):
                chain.builder.retries += 1
        elif line.subtype == "chat_compression":
            chain.flush()
            chain.compress(payload)
        elif line.subtype == "agent_bootstrap":
            chain.bootstrap(payload)
        elif line.subtype == "custom_title" and isinstance(payload.customTitle, str):
            self._title = printable(payload.customTitle.strip(), TITLE_CHARACTERS) or None
        elif line.subtype == "parent_session":
            self._parent = payload.parentSessionId
        elif line.subtype == "session_model":
            chain.model = payload.modelId or chain.model

    def build(self) -> Iterator[Trajectory]:
        """The conversations in which a model answered."""
        session_id = printable_name(self._session or "session", 80)
        for key, chain in self._chains.items():
            chain.flush()
            if not chain.builder.turns:
                continue
            agent = printable_name(key, 80) if key else None
            parent = session_id if agent else self._parent and printable_name(self._parent, 80)
            yield chain.builder.build(
                self._source.id_of(f"{session_id}/{agent}" if agent else session_id),
                self._source.name,
                FORMAT_NAME,
                session_id=parent or (session_id if self._session else None),
                agent_id=agent or (session_id if parent else None),
                parent_id=f"{FORMAT_NAME}#{parent}" if parent else None,
                title=None if agent else self._title,
                line=self._first_lines[key],
                project=self._folder,
            )
