"""Sorts a sample's events by who made them: the agent, its sub-agents, or a scorer.

Spans nest events (in older logs: steps, and events inside of tool and subtask events). What runs
inside a tool, a subtask or a branch, and an agent started by another, has a conversation of its
own. Scorers, graders and simulated users are no agents: their model calls are left out.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from agentdyno.intake.formats.inspect_ai.convert import Thread
from agentdyno.intake.formats.inspect_ai.texts import SampleTexts
from agentdyno.intake.formats.inspect_ai.wire import EVENTS, NO_LIST, NULL, Event
from agentdyno.intake.streams import decode

SCORER_TYPES = ("scorer", "scorers")
NOT_AGENTS = ("grader", "summarizer", "judge", "scorer", "user", "user_simulator")
"""Roles that Inspect's users give to models which are not the agent."""
OWN_CONVERSATION = ("tool", "subtask", "branch", "task")


class _Span(Struct, gc=False):
    thread: Thread
    scoring: bool = False
    in_agent: bool = False
    may_continue: bool = False


class Threads:
    """The conversations of one sample, in the order in which they began to call a model."""

    def __init__(self, texts: SampleTexts) -> None:
        self._texts = texts
        self._root = _Span(Thread(texts))
        self._spans: dict[str | int | None, _Span] = {}
        self._started_by: dict[Any, Any] = {}
        self._scoring_steps = 0
        self.found: list[Thread] = []
        self._failed: Thread | None = None

    @property
    def main(self) -> Thread:
        """The agent's own conversation."""
        return self._root.thread

    def see_all(self, events: Iterable[Event]) -> None:
        """Takes the events in the order of the log."""
        self._see_all(events, self._root)
        if not self.found and self._failed is not None:
            self._failed.take_failed()
            self.found.append(self._failed)

    def _see_all(self, events: Iterable[Event], outside: _Span) -> None:
        for event in events:
            kind = event.event
            if kind == "model":
                self._model(event, self._spans.get(event.span_id, outside))
            elif kind == "tool":
                span = self._spans.get(event.span_id, outside)
                span.thread.tool_call(event)
                if isinstance(event.agent_span_id, str):
                    # Written before the span of the agent that the tool runs.
                    self._started_by[event.agent_span_id] = event.id
                self._inside(event, span)
            elif kind == "span_begin":
                self._begin(event, outside)
            elif kind == "step" and event.type in SCORER_TYPES:
                self._scoring_steps += 1 if event.action == "begin" else -1
            elif kind == "subtask":
                self._inside(event, self._spans.get(event.span_id, outside))

    def _begin(self, event: Event, outside: _Span) -> None:
        above = self._spans.get(event.parent_id, outside)
        kind = event.type if isinstance(event.type, str) else ""
        span = _Span(above.thread, above.scoring or kind in SCORER_TYPES, above.in_agent)
        if kind in OWN_CONVERSATION:
            # An agent run by a tool shares the tool's conversation.
            span.thread, span.in_agent = Thread(self._texts, above.thread), False
        elif kind == "agent":
            if above.in_agent:
                span.thread, span.may_continue = Thread(self._texts, above.thread), True
            span.in_agent = True
        call_id = self._started_by.get(event.id)
        if isinstance(call_id, str):
            span.thread.started_by = call_id
        self._spans[event.id] = span

    def _model(self, event: Event, span: _Span) -> None:
        if span.scoring or self._scoring_steps > 0 or event.role in NOT_AGENTS:
            return
        sent = self._texts.sent(event)
        thread = span.thread
        if span.may_continue and not thread.builder.turns and thread.parent is not None:
            # An agent that is handed the whole conversation goes on with it.
            if thread.parent.continues(sent):
                span.thread = thread = thread.parent
            span.may_continue = False
        thread.model_call(event, sent)
        if thread.builder.turns and thread not in self.found:
            self.found.append(thread)
        elif thread.failed is not None and self._failed is None:
            self._failed = thread

    def _inside(self, event: Event, span: _Span) -> None:
        """Events of older logs that stand inside of a tool or subtask event."""
        if event.events not in (NULL, NO_LIST):
            nested = decode(bytes(event.events), EVENTS) or ()
            inner = Thread(self._texts, span.thread)
            inner.started_by = event.id if isinstance(event.id, str) else None
            self._see_all(nested, _Span(inner, span.scoring))
