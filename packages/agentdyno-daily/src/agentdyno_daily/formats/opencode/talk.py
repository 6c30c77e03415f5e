"""One session as a trajectory, whichever version wrote it.

How the numbers come about:
- `input` leaves cached tokens out. Reasoning is counted beside `output` from 1.3.15 on; before that
  it is in `output`, unless the provider, the total or a larger count shows otherwise.
- A message ends when its tools do, so generation ends with the last thing that was streamed: a
  text's end, or the moment a call was complete and its tool began.
- A fork copies messages under new ids, with their times: those make them known again.
- A model call that failed without usage or text is a retry, not a turn.
"""

import re
from typing import Any

from msgspec import Struct

from agentdyno.intake.anthropic_results import is_refusal
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.split_usage import split_usage
from agentdyno.intake.texts import (
    beyond,
    compact_json,
    first_line,
    flat_text,
    is_beside,
    seconds,
    whole,
)
from agentdyno.records.problems import printable_name
from agentdyno_daily.formats.opencode.wire import State, Time, Tokens

_APART_SINCE = (1, 3, 15)
"""The version from which on reasoning is not in the output count."""
_RAN_BY_SHELL = {"bash", "shell"}
_THOUGHTS_APART = ("google",)
"""Providers whose SDK never counted reasoning as output."""
_NUMBERS = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_STARTED = re.compile(r"\bses_\w+")


class Answer(Struct):
    model: str | None
    provider: str | None
    time: Time
    step: int = 0
    """Its place among the calls of the message."""


class Talk:
    def __init__(self, version: str | None) -> None:
        self.builder = TrajectoryBuilder()
        self.started: dict[str, str] = {}
        """Sessions of sub-agents, with the call that started each."""
        self._is_apart = _is_since(version, _APART_SINCE)

    def usage(self, tokens: Tokens | None, provider: str | None) -> dict[str, Any]:
        """Counts as fields of a turn."""
        if tokens is None:
            return {}
        cache = tokens.cache
        read, written = (cache.read, cache.write) if cache else (None, None)
        return split_usage(
            tokens.input, tokens.output, read, written, tokens.reasoning,
            self._is_thought_apart(tokens, provider),
        )  # fmt: skip

    def _is_thought_apart(self, tokens: Tokens, provider: str | None) -> bool:
        if self._is_apart or (provider or "").startswith(_THOUGHTS_APART):
            return True
        cache = tokens.cache
        into = [tokens.input, cache and cache.read, cache and cache.write]
        prompt = sum(whole(count) or 0 for count in into)
        thought, output = whole(tokens.reasoning) or 0, whole(tokens.output)
        return is_beside(thought, output, beyond(whole(tokens.total), prompt, output))

    def identity(self, answer: Answer, tokens: Tokens | None) -> str | None:
        """The answer's identity, equal in every copy; None when the moment is not known."""
        if answer.time.created is None:
            return None
        counts = (tokens.input, tokens.output) if tokens else ()
        return f"opencode {answer.time.created:.0f}/{answer.step} {answer.model} {counts}"

    # Tools --------------------------------------------------------------------------------------

    def tool(self, name: str, call_id: str | None, state: State, time: Time) -> int:
        """A call with its result, where it has one; returns the call's index."""
        error = None
        if name == "invalid" and isinstance(state.input, dict):
            # The model named no tool, or arguments that do not fit; OpenCode answers for it.
            name = str(state.input.get("tool") or name)
            error = first_line(str(state.input.get("error") or "invalid call"))
        arguments = compact_json(state.input if state.input is not None else {})
        call = self.builder.call(name, arguments, call_id, error)
        if isinstance(state.metadata, dict):
            child = state.metadata.get("sessionId") or state.metadata.get("sessionID")
            if isinstance(child, str) and call_id and _STARTED.match(child):
                self.started[child] = call_id
        if state.status in ("completed", "error"):
            self._answer(call, name, state, time)
        return call

    def _answer(self, call: int, name: str, state: State, time: Time) -> None:
        text = flat_text(state.content if state.output is None else state.output)
        failure = _message(state.error) if state.status == "error" else None
        text = text or failure or ""
        error = first_line(failure or "error") if state.status == "error" else _failure(name, state)
        begun, ended = seconds(time.start or time.ran), seconds(time.end or time.completed)
        duration = (
            ended - begun if begun is not None and ended is not None and ended >= begun else None
        )
        self.builder.answer(
            call,
            text,
            error=error,
            executed=not (failure and _is_refused(failure)),
            wait_seconds=duration,
            started_at=begun,
            ended_at=ended,
        )


def short_name(text: str) -> str:
    """An id fit for ours."""
    return printable_name(text, 80)


def model_of(model: Any) -> tuple[str | None, str | None]:
    """The model and its provider, where they stand together."""
    if not isinstance(model, dict):
        return None, None
    name, provider = model.get("id") or model.get("modelID"), model.get("providerID")
    return name if isinstance(name, str) else None, provider if isinstance(provider, str) else None


def error_text(error: Any) -> str | None:
    """The error of a model call, in one line."""
    return first_line(_message(error)) if error else None


def _message(error: Any) -> str:
    """The text of an error, however it is wrapped."""
    while isinstance(error, dict):
        inner = error.get("data") if isinstance(error.get("data"), dict) else None
        text = (inner or error).get("message") or error.get("name") or error.get("type")
        if text is None or text is error:
            return "error"
        error = text
    return error if isinstance(error, str) and error else "error"


def _failure(name: str, state: State) -> str | None:
    """The error of a finished tool: its exit code, or a mark."""
    noted = state.metadata if isinstance(state.metadata, dict) else {}
    exit_code = noted.get("exit")
    if name in _RAN_BY_SHELL and isinstance(exit_code, int) and exit_code:
        return f"exit code {exit_code}"
    if noted.get("error") is True:
        return first_line(flat_text(state.content or state.output)) or "error"
    return None


def _is_refused(error: str) -> bool:
    return is_refusal(error) or error.startswith("The user rejected permission")


def _is_since(version: str | None, since: tuple[int, int, int]) -> bool:
    match = _NUMBERS.match(version or "")
    return match is not None and tuple(map(int, match.groups())) >= since
