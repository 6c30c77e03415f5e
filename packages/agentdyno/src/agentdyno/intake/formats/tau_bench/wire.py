"""The shapes of tau-bench results on disk, as loose as real files are."""

from typing import Any

import msgspec
from msgspec import Struct


class Function(Struct, gc=False):
    """What a call names; `arguments` is JSON text."""

    name: str | None = None
    arguments: Any = None


class Call(Struct, gc=False):
    """An entry of `tool_calls`."""

    id: str | None = None
    function: Function | None = None


class Message(Struct, gc=False):
    """A message of `traj`, as the chat API shapes it."""

    role: str
    content: str | list[Any] | dict[str, Any] | None = None
    tool_calls: list[Call] | None = None
    function_call: Function | None = None
    tool_call_id: str | None = None
    name: str | None = None
    reasoning_content: str | None = None


class Result(Struct, gc=False):
    """One attempt at one task."""

    traj: list[Message]
    task_id: str | int | None = None
    reward: bool | float | None = None
    trial: int | None = None
    info: Any = None


RESULT = msgspec.json.Decoder(Result)
