"""Reads trajectories of mini-SWE-agent: messages, each answer with the whole response beside it.

In version 1 the command stands in a code block of the answer and its output is the next message of
the user; in version 2 they are calls and results with ids.
"""

import re
from collections.abc import Iterator

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.exchanges import exchange_attributes
from agentdyno.intake.source import Source
from agentdyno.intake.spans.messages import parse_message
from agentdyno.intake.streams import Fields, read_document
from agentdyno.intake.swebench import find_outcome
from agentdyno.intake.texts import error_in, fields_of, flat_text, seconds
from agentdyno.intake.transcripts import turn_fields, write_answer
from agentdyno.records import BadRecord, Trajectory
from agentdyno.records.secrets.excerpts import cut_text

FORMAT_NAME = "mini_swe_agent"
_COMMAND = re.compile(r"```(?:mswea_)?bash(?:_action)?\s*\n(.*?)\n?```", re.DOTALL)


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the trajectory of the file."""
    return read_document(source, FORMAT_NAME, _read)


def _read(source: Source, document: Fields) -> Iterator[Trajectory]:
    info = fields_of(document.get("info"))
    model = fields_of(fields_of(info.get("config")).get("model")).get("model_name")
    run = _Run(model if isinstance(model, str) else None)
    messages = document.get("messages")
    for message in messages if isinstance(messages, list) else ():
        if isinstance(message, dict):
            run.take(message)
    if not run.builder.turns:
        return
    named = document.get("instance_id")
    task = str(named) if named else source.path.name.removesuffix(".json").removesuffix(".traj")
    yield run.builder.build(
        source.id_of(task),
        source.name,
        FORMAT_NAME,
        task_id=task,
        correct=find_outcome(source.path, task),
    )


class _Run:
    def __init__(self, model: str | None) -> None:
        self.builder = TrajectoryBuilder()
        self.model = model
        self._at: float | None = None
        """When the last message came."""
        self._waits = False
        """Whether a command in a code block waits for its output."""

    def take(self, message: Fields) -> None:
        role, text = message.get("role"), flat_text(message.get("content"))
        extra = fields_of(message.get("extra"))
        at = seconds(extra.get("timestamp"))
        if role == "assistant":
            self._answer(message, extra, at)
        elif role == "tool" or (role == "user" and self._waits):
            self._result(message, text, extra, at)
        elif role == "system":
            self.builder.system(text)
        elif role == "user":
            self.builder.user(text)
        self._at = at if at is not None else self._at

    def _answer(self, message: Fields, extra: Fields, at: float | None) -> None:
        response = fields_of(extra.get("response"))
        fields = turn_fields(exchange_attributes({}, response))
        created = seconds(response.get("created"))
        start = self._at if self._at is not None else created
        is_timed = at is not None and start is not None and at >= start
        cost = extra.get("cost")
        fields |= {"model": fields["model"] or self.model, "ended_at": at, "started_at": start}
        fields["latency_seconds"] = at - start if is_timed else None  # type: ignore[operator]
        if isinstance(cost, int | float) and cost >= 0:
            fields["reported_usd"] = float(cost)
        self.builder.turn(**fields)
        record = parse_message(message)
        if any(piece.kind == "call" for piece in record.pieces):
            write_answer(self.builder, record)
            self._waits = False
        else:
            self._command(flat_text(message.get("content")))

    def _command(self, text: str) -> None:
        commands = _COMMAND.findall(text)
        self._waits = len(commands) == 1  # More or fewer are refused, and nothing is run.
        if not self._waits:
            self.builder.text(text)
            return
        before = _COMMAND.sub("", text).strip()
        if before:
            self.builder.text(before)
        self.builder.call("bash", commands[0])

    def _result(self, message: Fields, text: str, extra: Fields, at: float | None) -> None:
        self._waits = False
        code, call_id = extra.get("returncode"), message.get("tool_call_id")
        failed = f"exit code {code}" if isinstance(code, int) and code else None
        problem = extra.get("exception_info")
        duration = at - self._at if at is not None and self._at is not None else None
        self.builder.result(
            text,
            call_id if isinstance(call_id, str) else None,
            error=cut_text(str(problem), 200) if problem else failed or error_in(text),
            wait_seconds=duration if duration is not None and duration >= 0 else None,
        )
