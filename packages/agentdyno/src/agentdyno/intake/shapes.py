"""A trace format as a value: where messages, calls, results, counts, the model and times stand.

A file is read record by record: its lines, or what the format hands over. `Shape.kind` is where a
record says what it is, `Shape.rows` what to make of each kind. A path is names with dots between.
Agents of third parties are read the same way (`docs/guides/add-a-format.md`).

A text, a list or an object that is something else makes the record a bad one, which says where and
costs nothing but itself. Counts and times that are none are unknown.

How turns come about: what the model wrote opens a turn, the next input closes it. It began with the
last input before it, or where a row says that it `opens`, and ended with what it wrote last.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from agentdyno.intake.anthropic import BlockWriter, Content, as_blocks
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.format import Format
from agentdyno.intake.growing import read_lines
from agentdyno.intake.head import Head
from agentdyno.intake.identity import is_random
from agentdyno.intake.source import Source
from agentdyno.intake.split_usage import fresh_tokens, known_price, split_usage
from agentdyno.intake.streams import Record, or_no_response
from agentdyno.intake.texts import compact_json, error_in, first_line, flat_text, seconds
from agentdyno.records import BadRecord, Trajectory, UnreadableError
from agentdyno.records.problems import printable_name

Act = Literal[
    "user", "system", "text", "reasoning", "call", "arguments", "result", "turn", "blocks",
    "ask", "answer", "session", "compaction", "agent", "nothing",
]  # fmt: skip
"""The meaning of a record.

- `user`, `system`, `text`, `reasoning`: a text of that kind. `call`, `result`: as they say.
- `turn`: facts of the model call, such as its counts. `arguments`: more of those of the last call.
- `blocks`: each element of the list at `text` is a record, by the row's own `inside`.
- `ask`, `answer`: a user's message and an answer in the blocks of Anthropic's API.
- `session`: its id and title. `compaction`: the text takes the place of all that came before.
- `agent`: the record at `text` is one of the sub-agent that the call at `id` started.
- `nothing`: only that the turn before is over."""
Rows = Mapping[str, "Row | tuple[Row, ...]"]
"""The rows for each kind of record; some kinds have several."""


class Row(Struct, frozen=True):
    """The meaning of records of a kind; paths are below the record."""

    act: Act
    text: str = ""
    """Path of the text written or returned, or of the inner records."""
    id: str = ""
    """The id of the call, the session or the response; of an `answer`, the agent's own."""
    name: str = ""
    """A call's tool; a session's title."""
    arguments: str = ""
    """A call's arguments, as text or as an object."""
    error: str = ""
    """Where a result says that it failed: a text, or true."""
    model: str = ""
    """The model that answers from here on."""
    finish: str = ""
    time: str = ""
    """When, where a block or a record of this kind has a time of its own."""
    usage: Mapping[str, str] = {}
    """Counts of the turn: `prompt` (cached tokens in it) or `fresh` (without), `output`, `read`,
    `written`, `reasoning` and `usd`, each with its path."""
    facts: tuple[str, ...] = ()
    """Paths of texts that `Shape.finish` needs, which finds them in `Talk.facts`."""
    inside: "Rows" = {}
    """Rows for blocks, by their kind."""
    opens: bool = False
    """True when the next model call is sent now; its output is a new turn."""
    closes: bool | None = None
    """True when the turn before is over; by default, with every user's message and result."""


class Shape(Struct, frozen=True):
    """Paths of everything in the records of a format."""

    name: str
    """The format's name, as in `Format`."""
    rows: "Rows"
    """Rows for each kind of record; other kinds are left out."""
    kind: str = "type"
    """Where a record or a block says what it is; of several paths with spaces between, the first
    at which anything stands."""
    body: str = ""
    """Where what the rows speak of stands in a record; the record itself unless said."""
    time: str = "timestamp"
    """Where a record says when: a date, or a number of seconds or smaller units since 1970."""
    prepare: "Callable[[dict[str, Any]], dict[str, Any]] | None" = None
    """Changes a record before the rows see it, where no path can express it: a status that is a
    word and not a flag, a record without a kind. Empty for one to be left out."""
    finish: "Callable[[Source, Talk], dict[str, Any]] | None" = None
    """The last word on a session: totals that stand beside the file, fields of the trajectory that
    only its name tells."""

    def format(self, title: str, detect: Callable[[Head], float], **fields: Any) -> Format:
        """The format for an entry point, of files of lines unless a `read` is given."""
        reader = fields.pop("read", None)
        follow = fields.pop("follow", None if reader else lambda source: Session(self, source))

        def read(source: Source) -> Iterator[Trajectory | BadRecord]:
            if reader:
                return or_no_response(source, self.name, reader(source))
            return read_lines(source, self.name, follow(source))

        return Format(self.name, title, detect, read, follow=follow, **fields)


class Session:
    """A session that is being read, record by record."""

    def __init__(self, shape: Shape, source: Source) -> None:
        self._source = source
        self.talk = Talk(shape)

    def take(self, record: Record) -> None:
        self.add(record.decode(), record.line)

    def add(self, fields: dict[str, Any], line: int | None = None) -> None:
        """Adds a record that is decoded already."""
        shape = self.talk.shape
        fields = shape.prepare(fields) if shape.prepare else fields
        body = pick(fields, shape.body)
        self.talk.builder.line = line
        _check(shape, shape.rows, body)
        self.talk.take(shape.rows, body, seconds(pick(fields, shape.time)))

    def finished(self) -> Iterator[Trajectory]:
        """None: any line may be the session's."""
        return iter(())

    def results(self, **facts: Any) -> Iterator[Trajectory]:
        """The conversations in which a model answered, as they are now; `facts` are fields of the
        session's trajectory."""
        main, source, shape = self.talk, self._source, self.talk.shape
        for talk in (main, *main.children.values()):
            talk.write_call()
        if main.builder.turns:
            fields = {**(shape.finish(source, main) if shape.finish else {}), **facts}
            session_id = printable_name(fields.pop("id", None) or main.id or source.path.stem, 80)
            labels = {"session_id": session_id, "title": main.title, **fields}
            yield main.builder.build(source.id_of(session_id), source.name, shape.name, **labels)
            for call, child in main.children.items():
                if child.builder.turns:
                    yield child.builder.build(
                        source.id_of(f"{session_id}/{printable_name(call, 80)}"),
                        source.name,
                        shape.name,
                        session_id=labels["session_id"],
                        agent_id=printable_name(call, 80),
                        parent_id=source.id_of(session_id),
                        parent_call_id=call,
                        project=labels.get("project"),
                    )


class Talk:
    """One conversation under construction: the session's, or a sub-agent's."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.builder = TrajectoryBuilder()
        self.model: str | None = None
        self.id: str | None = None
        self.title: str | None = None
        self.facts: dict[str, str] = {}
        self.children: dict[str, Talk] = {}
        self._writer = BlockWriter(self.builder)
        self._is_open = False
        self._began: float | None = None
        self._at: float | None = None
        self._call_written: list[str | None] = []
        """The call whose arguments may go on: its tool, what is known of them, its id."""

    def take(
        self, rows: Mapping[str, Row | tuple[Row, ...]], record: Any, at: float | None
    ) -> None:
        """The next record, if it is of a kind that the rows know."""
        for row in _rows_for(self.shape, rows, record):
            self._at = seconds(pick(record, row.time)) if row.time else at
            if row.act not in ("arguments", "result", "agent"):
                self.write_call()  # Its arguments go on past what other calls and agents return.
            if row.model:
                self.model = text_at(record, row.model) or self.model
            is_input = row.act in ("user", "ask", "result")
            if row.opens or (is_input if row.closes is None else row.closes):
                self._is_open = False
                self._began = at if row.opens or is_input else None
            _ACTS[row.act](self, row, record)

    # What the model is given ----------------------------------------------------------------------

    def _user(self, row: Row, record: Any) -> None:
        if text := text_at(record, row.text):
            self.builder.user(text)

    def _system(self, row: Row, record: Any) -> None:
        if text := text_at(record, row.text):
            self.builder.system(text)

    def _ask(self, row: Row, record: Any) -> None:
        last = self.builder.turns[-1].model if self.builder.turns else None
        self._writer.ask(_blocks_at(record, row.text), last)

    def _result(self, row: Row, record: Any) -> None:
        text, failed = text_at(record, row.text) or "", pick(record, row.error or "-")
        error = failed if isinstance(failed, str) and failed else error_in(text)
        if failed is True:
            error = first_line(text) or "error"
        error = None if failed is False else error
        call_id, name = text_at(record, row.id), text_at(record, row.name)
        if self._call_written and (call_id is None or self._call_written[2] in (None, call_id)):
            self.write_call()
        self.builder.result(text, call_id, name=name, error=error, ended_at=self._at)

    def _compaction(self, row: Row, record: Any) -> None:
        self.builder.retire_from(0)
        self._writer.thinking.clear()
        self._user(row, record)

    # What the model does --------------------------------------------------------------------------

    def _open(self) -> int:
        if not self._is_open:
            self.builder.turn(self.model, started_at=self._began)
        self._is_open, turn = True, len(self.builder.turns) - 1
        began, ended = self.builder.turns[turn].started_at, self._at
        latency = ended - began if began is not None and ended is not None else -1.0
        self.builder.amend_turn(
            turn, ended_at=ended, latency_seconds=latency if latency > 0 else None
        )
        return turn

    def _text(self, row: Row, record: Any) -> None:
        if text := text_at(record, row.text):
            self._open()
            self.builder.text(text)

    def _reasoning(self, row: Row, record: Any) -> None:
        if text := text_at(record, row.text):
            self._open()
            self.builder.reasoning(text)

    def _answer(self, row: Row, record: Any) -> None:
        answer_id = None if self._is_open else text_at(record, row.id)
        turn = self._open()
        if answer_id and is_random(answer_id):
            self.builder.amend_turn(turn, identity=f"{self.shape.name} {answer_id}")
        self._writer.answer(_blocks_at(record, row.text))

    def _call(self, row: Row, record: Any) -> None:
        self._open()
        decoded = pick(record, row.arguments)
        text = compact_json({} if decoded is None else decoded)
        self._call_written = [text_at(record, row.name) or "", text, text_at(record, row.id)]

    def _arguments(self, row: Row, record: Any) -> None:
        if self._call_written:
            self._call_written[1] = f"{self._call_written[1]}{text_at(record, row.text) or ''}"

    def write_call(self) -> None:
        """A call is known when nothing more of its arguments can follow."""
        if self._call_written:
            tool, arguments, call_id = self._call_written
            self.builder.call(tool or "", arguments or "", call_id)
            self._call_written = []

    def _turn(self, row: Row, record: Any) -> None:
        response_id = text_at(record, row.id)
        values = {name: pick(record, path) for name, path in row.usage.items()}
        fresh, read, written = (values.get(name) for name in ("fresh", "read", "written"))
        if "prompt" in values:
            fresh = fresh_tokens(values["prompt"], read, written)
        counts = split_usage(fresh, values.get("output"), read, written, values.get("reasoning"))
        facts = {
            "response_id": response_id if response_id and is_random(response_id) else None,
            "identity": response_id
            if response_id and len(set(response_id)) > 16
            else None,  # Random, if without a digit.
            "finish": text_at(record, row.finish),
            "reported_usd": known_price(values.get("usd")),
            "model": self.model,
        }
        fields = {name: value for name, value in facts.items() if value is not None}
        if counts or self._is_open:  # What has neither text nor counts is no response.
            self.builder.amend_turn(self._open(), **counts, **fields)

    # What holds other records ---------------------------------------------------------------------

    def _blocks(self, row: Row, record: Any) -> None:
        for block in _records_in(record, row.text):
            self.take(row.inside, block, self._at)

    def _agent(self, row: Row, record: Any) -> None:
        child = self.children.setdefault(text_at(record, row.id) or "agent", Talk(self.shape))
        child.builder.line = self.builder.line
        child.take(self.shape.rows, pick(record, row.text), self._at)

    def _session(self, row: Row, record: Any) -> None:
        self.id = self.id or text_at(record, row.id)
        self.title = text_at(record, row.name) or self.title
        texts = {path: text_at(record, path) for path in row.facts}
        self.facts |= {path: text for path, text in texts.items() if text}

    def _nothing(self, row: Row, record: Any) -> None:
        """The turn before is over; no more."""


_ACTS: dict[str, Callable[[Talk, Row, Any], None]] = {
    "user": Talk._user, "system": Talk._system, "ask": Talk._ask, "result": Talk._result,
    "compaction": Talk._compaction, "text": Talk._text, "reasoning": Talk._reasoning,
    "answer": Talk._answer, "call": Talk._call, "arguments": Talk._arguments, "turn": Talk._turn,
    "blocks": Talk._blocks, "agent": Talk._agent, "session": Talk._session,
    "nothing": Talk._nothing,
}  # fmt: skip


def name_models(talk: Talk, model: Any) -> None:
    """The model of turns that name none, where the session names one."""
    if isinstance(model, str):
        for turn, named in enumerate(talk.builder.turns.column("model")):
            talk.builder.amend_turn(turn, model=named or model)


def agent_beside(
    source: Source, parent: str, agent: str, call: str | None = None
) -> dict[str, Any]:
    """Fields of a sub-agent whose file lies beside that of the session that started it."""
    agent, parent = printable_name(agent, 80), printable_name(parent, 80)
    folder, slash, _ = source.name.rpartition("/")
    parent_id = f"{folder}{slash}{parent}.jsonl#{parent}"
    starter = {"parent_id": parent_id, "parent_call_id": call}
    return {"session_id": parent, "agent_id": agent, **starter}


def _rows_for(shape: Shape, rows: Rows, record: Any) -> tuple[Row, ...]:
    kinds = (pick(record, path) for path in shape.kind.split(" "))
    matching = rows.get(str(next((kind for kind in kinds if kind is not None), None)), ())
    return (matching,) if isinstance(matching, Row) else matching


def _records_in(record: Any, path: str) -> list[Any]:
    content = pick(record, path)
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if isinstance(content, dict):
        return [content]
    if content is not None and not isinstance(content, list):
        raise UnreadableError(f"a list at {path}", compact_json(content)[:60])
    return content or []


def _check(shape: Shape, rows: Rows, record: Any) -> None:
    """All of a record is looked at before any of it counts: raises what is of the wrong type."""
    for row in _rows_for(shape, rows, record):
        for path in (row.id, row.name, row.model, row.finish, *row.facts):
            text_at(record, path)
        if row.act == "blocks":
            for block in _records_in(record, row.text):
                _check(shape, row.inside, block)
        elif row.act == "agent":
            _check(shape, shape.rows, pick(record, row.text))
        elif row.act in ("ask", "answer"):
            _blocks_at(record, row.text)
        else:
            text_at(record, row.text)


def pick(record: Any, path: str) -> Any:
    """The value at a path; None where there is none, and the record itself for no path."""
    for name in path.split(".") if path else ():
        if isinstance(record, list) and name.isdecimal():
            record = record[int(name)] if int(name) < len(record) else None
        else:
            record = record.get(name) if isinstance(record, dict) else None
    return record


def text_at(record: Any, path: str) -> str | None:
    """The text at a path, or the texts of the blocks there; a number is none. Of several paths with
    spaces between, at the first where anything stands."""
    for step in path.split():
        if isinstance(value := pick(record, step), bool | int | float):
            raise UnreadableError(f"text at {step}", compact_json(value))
        if value not in (None, ""):
            return flat_text(value)
    return None


def _blocks_at(record: Any, path: str) -> Any:
    try:
        return as_blocks(msgspec.convert(pick(record, path), Content))
    except msgspec.ValidationError as error:
        raise UnreadableError(f"a message at {path}", str(error)[:100]) from None
