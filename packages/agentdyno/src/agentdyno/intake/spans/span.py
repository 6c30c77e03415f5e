"""One span of any exporter as one value, with what it is to an agent: model call, tool, agent."""

from typing import Any, Literal

from msgspec import Struct

Kind = Literal["model", "tool", "agent", "user", "guard", "evaluator", "step"]
"""The role of a span for an agent; `user` is a prompt that was given at that moment, `step` a model
call and the run of the code that the model wrote."""


class Event(Struct, gc=False):
    name: str
    body: dict[str, Any]


class Span(Struct, gc=False):
    """A span; attributes are kept only where it has a kind."""

    trace: str
    id: str
    parent: str | None
    name: str
    kind: Kind | None
    start: float | None = None
    end: float | None = None
    attributes: dict[str, Any] = {}
    events: list[Event] = []
    error: str | None = None
    conversation: str | None = None
    task: str | None = None
    genai: bool = True
    """True when anything about it is of the GenAI conventions."""
