"""Reads trajectories of SWE-agent: its history, with the times of each step.

Where the model calls functions, calls and results have ids. In the older shape the command stands
in the answer's text and its output is the next user's message: that is a call too, named by the
command's first word.
"""

from collections.abc import Iterator
from typing import Any

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.session_totals import share_totals, stated_totals
from agentdyno.intake.source import Source
from agentdyno.intake.spans.messages import parse_json, parse_message
from agentdyno.intake.streams import Fields, read_document
from agentdyno.intake.swebench import find_outcome
from agentdyno.intake.texts import dicts_of, error_in, fields_of, flat_text
from agentdyno.intake.transcripts import write_answer
from agentdyno.records import BadRecord, Trajectory

FORMAT_NAME = "swe_agent"


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the trajectory of the file."""
    return read_document(source, FORMAT_NAME, _read)


def _read(source: Source, document: Fields) -> Iterator[Trajectory]:
    run = _Run(dicts_of(document.get("trajectory")))
    for message in dicts_of(document.get("history")):
        run.take(message)
    builder = run.builder
    # The history may end before the last answer, or be missing.
    for message in _from_steps(run.steps[len(builder.turns) :]):
        run.take(message)
    if not builder.turns:
        return
    info = fields_of(document.get("info"))
    stats = fields_of(info.get("model_stats"))
    counts = (stats.get(name) for name in ("tokens_sent", "tokens_received", "instance_cost"))
    share_totals(builder, stated_totals(*counts))
    task = source.path.name.removesuffix(".traj")
    yield builder.build(
        source.id_of(task),
        source.name,
        FORMAT_NAME,
        model=_model(document.get("replay_config")),
        task_id=task,
        correct=find_outcome(source.path, task),
    )


class _Run:
    def __init__(self, steps: list[Fields]) -> None:
        self.builder = TrajectoryBuilder()
        self.steps = steps
        self._open: int | None = None
        """A command without an id that waits for its output."""

    def take(self, message: Fields) -> None:
        role, content = message.get("role"), message.get("content")
        if role == "assistant" and not message.get("is_demo"):
            self._answer(message)
        elif role == "assistant":
            self.builder.given("text", flat_text(content))
        elif role == "tool":
            ids = message.get("tool_call_ids")
            call_id = ids[0] if isinstance(ids, list) and ids else message.get("tool_call_id")
            self._result(flat_text(content), call_id if isinstance(call_id, str) else None)
        elif role == "system":
            self.builder.system(flat_text(content))
        elif self._open is not None:
            self._result(flat_text(content), None)
        else:
            self.builder.user(flat_text(content))

    def _answer(self, message: Fields) -> None:
        turn, self._open = self.builder.turn(), None
        duration = self.steps[turn].get("execution_time") if turn < len(self.steps) else None
        before = len(self.builder.parts)
        if message.get("tool_calls"):
            write_answer(self.builder, parse_message(message))
        else:
            self._command(message)
        calls = [part.call for part in self.builder.parts[before:] if part.call is not None]
        if calls and isinstance(duration, int | float) and duration >= 0:
            self.builder.annotate(calls[0], wait_seconds=float(duration))

    def _command(self, message: Fields) -> None:
        action = message.get("action")
        text, command = flat_text(message.get("content")), str(action or "").strip()
        thought = message.get("thought")
        spoken = thought if isinstance(thought, str) and command else text
        if spoken:
            self.builder.text(spoken)
        if command:
            name, _, arguments = command.partition(" ")
            self._open = self.builder.call(name.split("\n")[0], arguments)

    def _result(self, text: str, call_id: str | None) -> None:
        self._open = None
        self.builder.result(text, call_id, error=error_in(text))


def _from_steps(steps: list[Fields]) -> Iterator[Fields]:
    """Some files have steps alone."""
    for step in steps:
        answer = {"content": step.get("response"), "thought": step.get("thought")}
        yield {"role": "assistant", **answer, "action": step.get("action")}
        yield {"role": "user", "content": step.get("observation")}


def _model(config: Any) -> str | None:
    agent = fields_of(fields_of(parse_json(config)).get("agent"))
    name = fields_of(agent.get("model")).get("name")
    return name if isinstance(name, str) else None
