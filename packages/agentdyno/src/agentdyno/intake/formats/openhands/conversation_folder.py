"""Conversations of OpenHands V1: a state with the counts, and a file for each event."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.exchanges import usage_attributes
from agentdyno.intake.formats.openhands.events import Fields
from agentdyno.intake.source import Source
from agentdyno.intake.streams import bad
from agentdyno.intake.texts import (
    compact_json,
    dicts_of,
    fields_of,
    first_line,
    flat_text,
    function_schemas,
    seconds,
)
from agentdyno.intake.transcripts import turn_fields
from agentdyno.records import BadRecord, Trajectory, UnreadableError
from agentdyno.regular_files import read_regular

MAX_EVENT_BYTES = 64 * 2**20


def read_conversation(
    source: Source, state: Fields, format: str
) -> Iterator[Trajectory | BadRecord]:
    """Yields the conversation, and the calls of its condenser."""
    metrics = _metrics(state)
    conversation_id = str(state.get("id") or "conversation")
    model = fields_of(fields_of(state.get("agent")).get("llm")).get("model")
    writer = ConversationWriter(metrics, model if isinstance(model, str) else None)
    for path in sorted((source.path.parent / "events").glob("event-*.json")):
        try:
            writer.take(_load(path))
        except UnreadableError as problem:
            yield bad(source, format, path.name, problem)
    if writer.builder.turns:
        yield writer.builder.build(
            source.id_of(conversation_id),
            source.name,
            format,
            session_id=conversation_id,
            project=_folder(state),
        )
    for name, entry in metrics.items():
        if name not in ("agent", "default") and (beside := _bare(entry)).turns:
            parent = source.id_of(conversation_id) if writer.builder.turns else None
            locator = f"{conversation_id}/{name}"
            yield beside.build(
                source.id_of(locator),
                source.name,
                format,
                session_id=conversation_id,
                parent_id=parent,
            )


def _load(path: Path) -> Fields:
    try:
        event = msgspec.json.decode(read_regular(path, MAX_EVENT_BYTES))
    except OSError as error:
        raise UnreadableError("an event of at most 64 MB", str(error.strerror)) from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise UnreadableError("an event in JSON", "none") from None
    if not isinstance(event, dict):
        raise UnreadableError("an event, an object in JSON", type(event).__name__)
    return event


def _metrics(state: Fields) -> dict[str, Fields]:
    stats = fields_of(state.get("stats"))
    by_usage = stats.get("usage_to_metrics", stats.get("service_to_metrics"))
    return {str(name): fields_of(entry) for name, entry in fields_of(by_usage).items()}


def _folder(state: Fields) -> str | None:
    folder = fields_of(state.get("workspace")).get("working_dir")
    return folder if isinstance(folder, str) else None


def _counts(usage: Fields) -> Fields:
    """One entry of `token_usages`: cached tokens are inside the prompt."""
    named = {
        "prompt_tokens": usage.get("prompt_tokens"),
        "completion_tokens": usage.get("completion_tokens"),
        "cache_read_input_tokens": usage.get("cache_read_tokens"),
        "cache_creation_input_tokens": usage.get("cache_write_tokens"),
        "completion_tokens_details": {"reasoning_tokens": usage.get("reasoning_tokens")},
    }
    counts = {k: v for k, v in usage_attributes(named).items() if v is not None}
    return {
        **counts,
        "gen_ai.response.model": usage.get("model"),
        "gen_ai.response.id": usage.get("response_id") or None,
    }


def _bare(metrics: Fields) -> TrajectoryBuilder:
    """Calls of which only counts are known."""
    builder = TrajectoryBuilder()
    costs = _costs(metrics)
    for usage in dicts_of(metrics.get("token_usages")):
        fields = turn_fields(_counts(usage))
        builder.turn(**fields | {"reported_usd": costs.get(str(usage.get("response_id")))})
    return builder


class ConversationWriter:
    def __init__(self, metrics: dict[str, Fields], model: str | None) -> None:
        self.builder = TrajectoryBuilder()
        agent_metrics = metrics.get("agent") or metrics.get("default") or {}
        self._usages = {
            str(u.get("response_id")): u for u in dicts_of(agent_metrics.get("token_usages"))
        }
        self._costs = _costs(agent_metrics)
        self._waits = {
            str(latency.get("response_id")): latency.get("latency")
            for latency in dicts_of(agent_metrics.get("response_latencies"))
        }
        self._model = model
        self._response: str | None = None
        self._parts: dict[str, range] = {}
        self._began: dict[str, float] = {}
        self._calls: dict[str, int] = {}
        """Calls by the id of the action that they are."""

    def take(self, event: Fields) -> None:
        kind, before = event.get("kind"), len(self.builder.parts)
        if kind == "SystemPromptEvent":
            self.builder.system(flat_text(event.get("system_prompt")))
            self.builder.offer(function_schemas(event.get("tools")))
        elif kind == "MessageEvent":
            self._message(event)
        elif kind == "ActionEvent":
            self._act(event)
        elif kind in ("ObservationEvent", "AgentErrorEvent", "UserRejectObservation"):
            self._observe(event)
        elif kind == "Condensation":
            self._condense(event)
        self._parts[str(event.get("id"))] = range(before, len(self.builder.parts))

    def _message(self, event: Fields) -> None:
        message = fields_of(event.get("llm_message"))
        text = flat_text(message.get("content"))
        if event.get("source") == "agent":
            self._begin(event)
            if isinstance(thought := message.get("reasoning_content"), str) and thought:
                self.builder.reasoning(thought, resent=False)
            self.builder.text(text)
        else:
            self.builder.user(text)

    def _begin(self, event: Fields) -> None:
        """A response; parallel calls of one come as events of their own."""
        response_id = str(event.get("llm_response_id") or event.get("id"))
        if response_id == self._response:
            return
        self._response = response_id
        usage, at = self._usages.get(response_id, {}), seconds(event.get("timestamp"))
        fields = turn_fields(_counts(usage))
        wait = self._waits.get(response_id)
        latency = float(wait) if isinstance(wait, int | float) and wait >= 0 else None
        start = at - latency if at is not None and latency is not None else None
        named = event.get("llm_response_id")
        fields |= {"ended_at": at, "started_at": start, "latency_seconds": latency}
        fields |= {"response_id": named if isinstance(named, str) else None}
        fields |= {
            "model": fields["model"] or self._model,
            "reported_usd": self._costs.get(response_id),
        }
        self.builder.turn(**fields)

    def _act(self, event: Fields) -> None:
        self._begin(event)
        if isinstance(thought := event.get("reasoning_content"), str) and thought:
            self.builder.reasoning(thought, resent=False)
        for block in dicts_of(event.get("thinking_blocks")):
            self.builder.reasoning(str(block.get("thinking") or ""))
        if text := flat_text(event.get("thought")):
            self.builder.text(text)
        call = fields_of(event.get("tool_call"))
        function = fields_of(call.get("function")) or call
        arguments = function.get("arguments", event.get("action"))
        tool_call_id = event.get("tool_call_id")
        at = seconds(event.get("timestamp"))
        name = str(event.get("tool_name") or "")
        call_id = tool_call_id if isinstance(tool_call_id, str) else None
        index = self.builder.call(name, compact_json(arguments), call_id)
        self._calls[str(event.get("id"))] = index
        if isinstance(tool_call_id, str) and at is not None:
            self._began[tool_call_id] = at

    def _observe(self, event: Fields) -> None:
        observation = fields_of(event.get("observation"))
        content = observation.get("content", observation.get("output"))
        text = flat_text(content) if content is not None else compact_json(observation or "")
        problem = event.get("error") or event.get("rejection_reason")
        if problem:
            text = str(problem)
        failed = bool(problem) or observation.get("is_error") is True or observation.get("error")
        code = observation.get("exit_code")
        error = (first_line(text) or "error") if failed else None
        if isinstance(code, int) and code not in (0, -1):
            error = error or f"exit code {code}"
        tool_call_id, at = event.get("tool_call_id"), seconds(event.get("timestamp"))
        began = self._began.get(str(tool_call_id))
        duration = at - began if at is not None and began is not None and at >= began else None
        ran, call = not event.get("rejection_reason"), self._calls.get(str(event.get("action_id")))
        if call is not None and not self.builder.is_answered(call):
            self.builder.answer(call, text, error=error, executed=ran, wait_seconds=duration)
        else:
            named = tool_call_id if isinstance(tool_call_id, str) else None
            self.builder.result(text, named, error=error, executed=ran, wait_seconds=duration)

    def _condense(self, event: Fields) -> None:
        forgotten = event.get("forgotten_event_ids")
        for event_id in forgotten if isinstance(forgotten, list) else ():
            self.builder.retire(self._parts.get(str(event_id), range(0)))
        if isinstance(summary := event.get("summary"), str) and summary:
            self.builder.user(summary)


def _costs(metrics: Fields) -> dict[str, float]:
    """Costs of the responses; costs have no ids, but as many entries as counts."""
    usages, costs = dicts_of(metrics.get("token_usages")), dicts_of(metrics.get("costs"))
    if len(usages) != len(costs):
        return {}
    pairs = zip(usages, costs, strict=True)
    cost_of = {str(usage.get("response_id")): cost.get("cost") for usage, cost in pairs}
    return {k: float(v) for k, v in cost_of.items() if isinstance(v, int | float) and v >= 0}
