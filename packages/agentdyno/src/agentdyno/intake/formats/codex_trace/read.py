"""Reads bundles of Codex's rollout tracing: events in order, bodies in files beside them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import structs

from agentdyno.intake.exchange_log import Exchange, read_exchanges
from agentdyno.intake.format import Source
from agentdyno.intake.sidecars import decode_sidecar
from agentdyno.intake.spans.span import Span
from agentdyno.intake.streams import Fields, bad, lines, or_no_response
from agentdyno.intake.texts import fields_of, seconds
from agentdyno.records import BadRecord, Trajectory, UnreadableError
from agentdyno.records.secrets.excerpts import cut_text

FORMAT_NAME = "codex_trace"
_STARTED = ("inference_started", "compaction_request_started")
_ENDED = (
    "inference_completed", "inference_failed", "inference_cancelled",
    "compaction_request_completed", "compaction_request_failed",
)  # fmt: skip


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the threads of a bundle; those that another started are its sub-agents."""
    bundle = _Bundle(source)
    calls = read_exchanges(source, FORMAT_NAME, bundle.exchanges(), bundle.tools)
    items = list(or_no_response(source, FORMAT_NAME, calls))
    runs = [item for item in items if isinstance(item, Trajectory)]
    main = next((run.trajectory_id for run in runs if run.session_id == bundle.root), None)
    for item in items:
        yield bundle.label(item, main) if isinstance(item, Trajectory) else item


class _Bundle:
    """The calls of a bundle, as its events tell of them."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.root: str | None = None
        self.tools: dict[str | None, list[Span]] = {}
        self._begun: dict[str, tuple[float | None, Fields, str | None]] = {}
        self._running: dict[str, Span] = {}

    def label(self, run: Trajectory, main: str | None) -> Trajectory:
        """With its session, which is the root thread's, and its parent."""
        if run.session_id == self.root or main is None:
            return run
        return structs.replace(run, parent_id=main, agent_id=run.session_id, session_id=self.root)

    def exchanges(self) -> Iterator[Exchange | BadRecord]:
        """The model calls, as they ended."""
        for record in lines(self.source):
            try:
                event = record.decode()
                if (found := self._take(event, record.locator)) is not None:
                    yield found
            except UnreadableError as problem:
                yield bad(self.source, FORMAT_NAME, record.place, problem)

    def _take(self, event: Fields, locator: str) -> Exchange | None:
        payload = fields_of(event.get("payload"))
        kind, at = payload.get("type"), seconds(event.get("wall_time_unix_ms"))
        thread = payload.get("thread_id") or event.get("thread_id")
        named = thread if isinstance(thread, str) else None
        if kind == "rollout_started":
            root = payload.get("root_thread_id")
            self.root = root if isinstance(root, str) else None
        elif kind in _STARTED:
            self._begun[_call_id(payload)] = (at, payload, named)
        elif kind in _ENDED:
            return self._end(payload, at, locator)
        elif kind == "tool_call_started":
            self._start_tool(payload, at, named)
        elif kind == "tool_call_ended":
            self._end_tool(payload, at)
        return None

    def _end(self, payload: Fields, at: float | None, locator: str) -> Exchange | None:
        found = self._begun.pop(_call_id(payload), None)
        if found is None:
            return None
        start, begun, thread = found
        answer = payload.get("response_payload") or payload.get("partial_response_payload")
        failed = payload.get("error") or payload.get("reason")
        return Exchange(
            locator=locator,
            request=self._request(begun),
            response=_response(self._load(answer)) if answer else None,
            attributes={
                "gen_ai.request.model": begun.get("model"),
                "request_id": payload.get("upstream_request_id"),
            },
            start=start,
            end=at,
            session=thread,
            error=cut_text(str(failed), 200) if failed else None,
        )

    def _request(self, begun: Fields) -> Fields:
        """The body; what a response that was not traced had before it is put in front."""
        body = self._load(begun.get("request_payload"))
        mode = fields_of(begun.get("request_input_mode"))
        if mode.get("type") != "incremental_with_untraced_prefix":
            return body
        before, own = self._load(mode.get("prefix_payload")).get("input"), body.get("input")
        both = [*(before if isinstance(before, list) else []),
                *(own if isinstance(own, list) else [])]  # fmt: skip
        return {**body, "input": both, "previous_response_id": None}

    def _load(self, reference: Any) -> Fields:
        """A body that an event refers to; only files of the bundle are opened."""
        name = fields_of(reference).get("path")
        path = self.source.path.parent / "payloads" / Path(str(name)).name
        found = decode_sidecar(path, self.source.max_record_bytes)
        if found is None:
            raise UnreadableError(f"the payload {path.name[:80]!r} in JSON", "none")
        return fields_of(found)

    def _start_tool(self, payload: Fields, at: float | None, thread: str | None) -> None:
        call = payload.get("model_visible_call_id")
        if not isinstance(call, str):
            return  # A tool that the agent's own code ran.
        name = fields_of(payload.get("kind")).get("type") or payload.get("kind")
        span = Span("", call, None, str(name), "tool", at, None, {"gen_ai.tool.call.id": call})
        self._running[str(payload.get("tool_call_id"))] = span
        self.tools.setdefault(thread, []).append(span)

    def _end_tool(self, payload: Fields, at: float | None) -> None:
        span = self._running.pop(str(payload.get("tool_call_id")), None)
        if span is not None:
            span.end = at
            status = payload.get("status")
            span.error = "failed" if status == "failed" else None


def _response(payload: Fields) -> Fields:
    """What Codex kept of a response, as the API has it."""
    usage = fields_of(payload.get("token_usage"))
    items = payload.get("output_items", payload.get("output"))
    counted = {
        "input_tokens": usage.get("input_tokens"),
        "input_tokens_details": {
            "cached_tokens": usage.get("cached_input_tokens"),
            "cache_write_tokens": usage.get("cache_write_input_tokens"),
        },
        "output_tokens": usage.get("output_tokens"),
        "output_tokens_details": {"reasoning_tokens": usage.get("reasoning_output_tokens")},
    }
    return {
        "id": payload.get("response_id"),
        "output": items if isinstance(items, list) else [],
        "usage": counted if usage else None,
    }


def _call_id(payload: Fields) -> str:
    return str(payload.get("inference_call_id") or payload.get("compaction_request_id"))
