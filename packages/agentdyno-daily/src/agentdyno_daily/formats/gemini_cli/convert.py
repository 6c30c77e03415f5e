"""A session of Gemini CLI as one trajectory.

How the numbers come about:
- A message of type `gemini` is a response. Calls that come after a notice of the client are written
  as a message without text, thoughts and counts: they belong to the response before.
- Output and thoughts are counted apart, and so is the prompt of the server's own tools.
- What a rewind or a compression removes leaves the context, but was paid for.
"""

from pathlib import PurePosixPath
from typing import Any

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.identity import is_random
from agentdyno.intake.sidecars import read_sidecar_bytes
from agentdyno.intake.source import Source
from agentdyno.intake.texts import error_in, first_line, project_folder, seconds, whole
from agentdyno.records import Trajectory, printable
from agentdyno.records.problems import printable_name
from agentdyno_daily.formats.gemini_cli.fold import (
    Add,
    Checkpoint,
    Conversation,
    Rewind,
    Seen,
    result_text,
)
from agentdyno_daily.formats.gemini_cli.wire import Message, Tokens, ToolCall
from agentdyno_daily.intake.gemini_parts import (
    Usage,
    arguments_text,
    iterate_calls,
    iterate_responses,
    thought_text,
    usage_fields,
    visible_text,
)

FORMAT_NAME = "gemini_cli"
TITLE_CHARACTERS = 80
_DONE = {"success", "error", "cancelled"}
_SHELLS = {"run_shell_command", "shell"}


class Writer:
    """Writes a folded conversation into a trajectory."""

    def __init__(self, conversation: Conversation) -> None:
        self.builder = TrajectoryBuilder()
        self._conversation = conversation
        self._parts: dict[str, list[int]] = {}
        """Parts by message, of those that stand in the context, in order."""
        self._results: dict[str, tuple[int, str]] = {}
        """Where the result of a call stands, and its text."""
        self._has_calls = False
        for step in conversation.steps:
            self._take(step)

    def _take(self, step: Add | Rewind | Checkpoint) -> None:
        if isinstance(step, Add):
            self.builder.line = self._conversation.lines[step.id]
            before = len(self.builder.parts)
            self._add(step.id, self._conversation.messages[step.id])
            self._parts[step.id] = list(range(before, len(self.builder.parts)))
        elif isinstance(step, Rewind):
            self._rewind(step.id)
        else:
            self._replace(step)

    def _rewind(self, message_id: str) -> None:
        order = list(self._parts)
        first = order.index(message_id) if message_id in self._parts else 0
        for gone in order[first:]:
            self.builder.retire(self._parts.pop(gone))

    def _replace(self, checkpoint: Checkpoint) -> None:
        listed = {seen.id for seen in checkpoint.messages}
        for gone in [key for key in self._parts if key not in listed]:
            self.builder.retire(self._parts.pop(gone))
        for seen in checkpoint.messages:
            self._show(seen)

    def _show(self, seen: Seen) -> None:
        """A message as a checkpoint has it: the same as before, changed, or one of its own."""
        kind = "user" if seen.type == "user" else "text"
        parts = self._parts.setdefault(seen.id, [])
        texts = [i for i in parts if self.builder.parts[i].kind in ("user", "text")]
        if seen.text and seen.text != "\n".join(self.builder.parts[i].text for i in texts):
            self.builder.retire(texts)
            parts.append(self.builder.given("user" if kind == "user" else "text", seen.text))
        for call_id, text in seen.results.items():
            part, earlier = self._results.get(call_id, (None, text))
            if part is not None and earlier != text:
                self.builder.retire([part])
                parts.append(self.builder.given("result", text))
                self._results[call_id] = parts[-1], text

    # Messages -------------------------------------------------------------------------------------

    def _add(self, key: str, message: Message) -> None:
        if message.type == "user":
            self._prompt(message)
        elif message.type == "gemini":
            self._answer(key, message)
        elif message.type == "error" and "API Error" in visible_text(message.content):
            self.builder.retries += 1

    def _prompt(self, message: Message) -> None:
        if text := visible_text(message.content):
            self.builder.user(text)
        for response in iterate_responses(message.content):
            index = self.builder.call_index(response.id or "")
            if index is None or not self.builder.is_answered(index):
                self.builder.result(response.text, response.id, error=response.error)

    def _answer(self, key: str, message: Message) -> None:
        fields = usage_fields(_usage(message.tokens))
        text = visible_text(message.content)
        thoughts = _thoughts(message)
        goes_on = not (fields or text or thoughts) and message.toolCalls and self.builder.turns
        if not goes_on or self._has_calls:
            identity = f"gemini {key}" if is_random(key) else None
            at = seconds(message.timestamp)
            self.builder.turn(message.model, ended_at=at, identity=identity, **fields)
        if thoughts:
            size = whole(message.tokens.thoughts) if message.tokens is not None else None
            self.builder.reasoning(thoughts, resent=False, tokens=size or None)
        if text:
            self.builder.text(text)
        self._call_all(message)

    def _call_all(self, message: Message) -> None:
        calls = message.toolCalls or []
        self._has_calls = bool(calls)
        indices = [
            self.builder.call(call.name or "", arguments_text({"args": call.args}), call.id)
            for call in calls
        ]
        for call_part in iterate_calls(message.content):
            if call_part.id is None or self.builder.call_index(call_part.id) is None:
                self.builder.call(call_part.name, call_part.arguments, call_part.id)
        for index, call in zip(indices, calls, strict=True):
            if call.status in _DONE or call.result is not None:
                self._result(index, call)

    def _result(self, index: int, call: ToolCall) -> None:
        text = result_text(call)
        part = len(self.builder.parts)
        self.builder.answer(
            index,
            text,
            error=_error(call, text),
            executed=call.status != "cancelled",
            ended_at=seconds(call.timestamp),
        )
        if call.id:
            self._results[call.id] = part, text

    # The end --------------------------------------------------------------------------------------

    def build(self, source: Source) -> Trajectory | None:
        """The trajectory; None when no model answered."""
        if not self.builder.turns:
            return None
        reported = self._conversation
        session_id = printable_name(reported.session_id or "session", 80)
        parent = printable_name(_folder(source), 80) if reported.is_agent else None
        return self.builder.build(
            source.id_of(session_id),
            source.name,
            FORMAT_NAME,
            session_id=parent or (session_id if reported.session_id else None),
            agent_id=session_id if parent else None,
            parent_id=f"{FORMAT_NAME}#{parent}" if parent else None,
            title=printable(reported.summary.strip(), TITLE_CHARACTERS)
            if reported.summary
            else None,
            project=_project(source),
        )


def _project(source: Source) -> str | None:
    """The folder that is named beside the chats; older versions name its hash alone."""
    for folder in source.path.parents[:4]:
        if folder.name == "chats":
            named = read_sidecar_bytes(folder.parent / ".project_root") or b""
            return project_folder(named.decode("utf-8", "replace"))
    return None


def _folder(source: Source) -> str:
    """A sub-agent's file lies in a folder that has its parent's session as a name."""
    return PurePosixPath(source.name.replace("\\", "/")).parent.name or source.path.parent.name


def _usage(tokens: Tokens | None) -> Usage | None:
    if tokens is None:
        return None
    return Usage(
        tokens.input, tokens.output, tokens.cached, tokens.thoughts, tokens.tool, tokens.total
    )


def _thoughts(message: Message) -> str:
    listed = message.thoughts if isinstance(message.thoughts, list) else []
    texts = [_thought(thought) for thought in listed]
    return "\n".join(filter(None, texts)) or thought_text(message.content)


def _thought(value: Any) -> str:
    if not isinstance(value, dict):
        return value if isinstance(value, str) else ""
    pieces = [value.get("subject"), value.get("description")]
    return ": ".join(piece for piece in pieces if isinstance(piece, str) and piece)


def _error(call: ToolCall, text: str) -> str | None:
    reported = next(
        (response.error for response in iterate_responses(call.result) if response.error), None
    )
    if call.status == "error":
        return reported or first_line(text) or "error"
    if call.status == "cancelled":
        return "cancelled"
    return reported or (error_in(text) if call.name in _SHELLS else None)
