"""Sorts the events of a file into conversations and shares out the totals of old versions."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from agentdyno.intake.shapes import pick
from agentdyno.intake.source import Source
from agentdyno.intake.streams import decode
from agentdyno.intake.texts import flat_text, project_folder, seconds, whole
from agentdyno.records import Trajectory, printable
from agentdyno.records.problems import printable_name
from agentdyno_daily.formats.copilot_cli.chain import Began, Chain, Written, known_counts
from agentdyno_daily.formats.copilot_cli.usage import Counts, read_counts, share_out
from agentdyno_daily.formats.copilot_cli.wire import (
    AGENT,
    COMPACTION,
    EXECUTION,
    MESSAGE,
    OBJECT,
    SHUTDOWN,
    USAGE,
    USAGE_RECORD,
    Agent,
    Compaction,
    Event,
    Execution,
    Message,
    Metrics,
    Shutdown,
    Usage,
)

FORMAT_NAME = "copilot_cli"
TITLE_CHARACTERS = 80


class Session:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._chains: dict[str, Chain] = {}
        self._agents: dict[str, str] = {}
        """Sub-agents by the call that started each."""
        self._session: str | None = None
        self._title: str | None = None
        self._folder: str | None = None
        self._model: str | None = None
        self._hooked: str | None = None
        self._has_records = False
        self._places: dict[str, tuple[str, int]] = {}
        self._asked: dict[str, tuple[str, Chain, float]] = {}
        self._totals: dict[str, Counts] = {}
        self._turns = self._written = 0
        """Model calls before the last total, and the tokens that they wrote."""

    def take(self, event: Event, number: int | None) -> None:
        """Adds an event; kinds that say nothing about the conversation are skipped."""
        data, at = bytes(event.data), seconds(event.timestamp)
        handler = _HANDLERS.get(event.type)
        if handler is not None:
            handler(self, event, data, at, number)
        if event.id is not None:
            chain = self._chains.get(event.agentId or "")
            self._places[event.id] = event.agentId or "", len(chain.builder.parts) if chain else 0

    # Which conversation ---------------------------------------------------------------------------

    def _chain(self, event: Event, call_id: str | None, number: int | None) -> Chain:
        """The conversation of an agent: by its id, or in older files by the call that began it."""
        key = event.agentId or self._agents.get(call_id or "") or call_id or ""
        if key not in self._chains:
            self._chains[key] = Chain(self._begin(key, call_id, number), self._model)
        chain = self._chains[key]
        chain.builder.line = number
        return chain

    def _begin(self, key: str, call_id: str | None, number: int | None) -> Began:
        main = self._name()
        if not key:
            return Began(main, line=number)
        starts = {agent: call for call, agent in self._agents.items()}
        agent = printable_name(key, 80)
        return Began(f"{main}/{agent}", agent, starts.get(key) or call_id, number)

    def _name(self) -> str:
        """The session's id; a log without its first event lies in a folder of that name."""
        folder = PurePosixPath(self._source.name.replace("\\", "/")).parent.name
        return printable_name(self._session or folder or "session", 80)

    # Events ---------------------------------------------------------------------------------------

    def _start(self, event: Event, data: bytes, at: float | None, number: int | None) -> None:
        fields = decode(data, OBJECT)
        for name in ("sessionId", "session_id"):
            if self._session is None and isinstance(fields.get(name), str):
                self._session = fields[name]
        self._folder = self._folder or project_folder(pick(fields, "context.cwd"))
        self._set_model(fields.get("selectedModel"))

    def _change_model(
        self, event: Event, data: bytes, at: float | None, number: int | None
    ) -> None:
        model = decode(data, OBJECT).get("newModel")
        if event.agentId is None:
            self._set_model(model)
        elif isinstance(model, str):
            self._chain(event, None, number).model = model

    def _set_model(self, model: Any) -> None:
        if isinstance(model, str):
            self._model = model
            if main := self._chains.get(""):
                main.model = model

    def _rename(self, event: Event, data: bytes, at: float | None, number: int | None) -> None:
        title = decode(data, OBJECT).get("title")
        if isinstance(title, str) and title.strip():
            self._title = printable(title.strip(), TITLE_CHARACTERS)

    def _hook(self, event: Event, data: bytes, at: float | None, number: int | None) -> None:
        """A prompt that a hook saw: used where no event of the user's repeats it."""
        fields = decode(data, OBJECT)
        hook_input = fields.get("input")
        if fields.get("hookType") == "userPromptSubmitted" and isinstance(hook_input, dict):
            self._hooked = flat_text(hook_input.get("prompt")) or None

    def _prompt(self, event: Event, data: bytes, at: float | None, number: int | None) -> None:
        message: Message = decode(data, MESSAGE)
        self._hooked = None
        typed = flat_text(message.content)
        chain = self._chain(event, message.parentToolCallId, number)
        chain.title = chain.title or printable(" ".join(typed.split()), TITLE_CHARACTERS) or None
        chain.prompt(message.transformedContent or typed, at)

    def _instruct(self, event: Event, data: bytes, at: float | None, number: int | None) -> None:
        message: Message = decode(data, MESSAGE)
        if text := flat_text(message.content):
            self._chain(event, message.parentToolCallId, number).instruct(text)

    def _answer(self, event: Event, data: bytes, at: float | None, number: int | None) -> None:
        message: Message = decode(data, MESSAGE)
        chain = self._chain(event, message.parentToolCallId, number)
        if self._hooked is not None:
            chain.prompt(self._hooked)
            self._hooked = None
        chain.answer(message, event.id, at)

    def _count(self, event: Event, data: bytes, at: float | None, number: int | None) -> None:
        if event.type == "session.usage_record":
            usage: Usage | None = decode(data, USAGE_RECORD).usage
        else:
            usage = decode(data, USAGE)
        if usage is not None:
            self._has_records = True
            self._chain(event, usage.parentToolCallId, number).count(usage, at)

    def _fail(self, event: Event, data: bytes, at: float | None, number: int | None) -> None:
        self._chain(event, None, number).builder.retries += 1

    def _run(self, event: Event, data: bytes, at: float | None, number: int | None) -> None:
        run: Execution = decode(data, EXECUTION)
        chain = self._chain(event, run.parentToolCallId, number)
        if event.type == "tool.execution_complete":
            chain.finish(run, at)
        elif run.toolCallId:
            chain.start(run.toolCallId, at)

    def _ask(self, event: Event, data: bytes, at: float | None, number: int | None) -> None:
        """Somebody is asked for permission, or has answered."""
        fields = decode(data, OBJECT)
        key, inner = fields.get("requestId"), fields.get("permissionRequest")
        call_id = inner.get("toolCallId") if isinstance(inner, dict) else fields.get("toolCallId")
        if not isinstance(key, str) or at is None:
            return
        if event.type == "permission.completed":
            if (request := self._asked.pop(key, None)) is not None:
                request[1].hold(request[0], at - request[2])
        elif isinstance(call_id, str):
            self._asked[key] = call_id, self._chain(event, None, number), at

    def _note_agent(self, event: Event, data: bytes, at: float | None, number: int | None) -> None:
        agent: Agent = decode(data, AGENT)
        if agent.toolCallId is None:
            return
        if event.type == "subagent.started":
            self._agents[agent.toolCallId] = event.agentId or agent.toolCallId
        chain = self._chains.get(self._agents.get(agent.toolCallId, ""))
        if event.type == "subagent.started" and chain is None and agent.model:
            self._chain(event, agent.toolCallId, number).model = agent.model
        elif chain is not None and event.type != "subagent.started":
            chain.reported_calls = whole(agent.totalToolCalls)

    def _compact(self, event: Event, data: bytes, at: float | None, number: int | None) -> None:
        compaction: Compaction = decode(data, COMPACTION)
        self._chain(event, None, number).compact(compaction, self._has_records, at)

    def _rewind(self, event: Event, data: bytes, at: float | None, number: int | None) -> None:
        location = self._places.get(str(decode(data, OBJECT).get("upToEventId")))
        if location is not None and (chain := self._chains.get(location[0])) is not None:
            chain.rewind(location[1])

    # Totals of versions without usage records -----------------------------------------------------

    def _shut_down(self, event: Event, data: bytes, at: float | None, number: int | None) -> None:
        shutdown: Shutdown = decode(data, SHUTDOWN)
        metrics = {m: v for m, v in (shutdown.modelMetrics or {}).items() if v.usage is not None}
        fresh = [(c, w) for c in self._chains.values() for w in c.written]
        written = sum(known_counts(c, w.turn).output for c, w in fresh)
        goes_on = self._goes_on(metrics, len(fresh), written)
        for model, metric in metrics.items():
            total = read_counts(metric.usage or Usage())
            before = self._totals.get(model, Counts()) if goes_on else Counts()
            self._totals[model] = total
            self._spread(model, total.minus(before), fresh, number, at)
        self._turns += len(fresh)
        self._written += written
        for chain in self._chains.values():
            chain.written = []

    def _goes_on(self, metrics: dict[str, Metrics], fresh: int, written: int) -> bool:
        """True when a total includes the one before: by the tokens that messages report, by its
        number of requests, else by its never being less."""
        if not self._totals:
            return False
        totals = {model: read_counts(metric.usage or Usage()) for model, metric in metrics.items()}
        output = sum(total.output for total in totals.values())
        if written and self._written:
            return _is_nearer(output, written + self._written, written)
        requests = [m.requests.count for m in metrics.values() if m.requests is not None]
        counted = sum(whole(count) or 0 for count in requests)
        if counted and fresh and self._turns:
            return _is_nearer(counted, fresh + self._turns, fresh)
        return all(
            min(now - before for now, before in zip(totals.get(model, ()), old, strict=False)) >= 0
            for model, old in self._totals.items()
            if model in totals
        )

    def _spread(
        self,
        model: str,
        total: Counts,
        fresh: list[tuple[Chain, Written]],
        number: int | None,
        at: float | None,
    ) -> None:
        """Share a model's total, beyond what its turns reported, among the turns."""
        of_model = [(c, w) for c, w in fresh if c.builder.turns[w.turn].model in (model, None)]
        for chain, turn_written in of_model:
            if turn_written.has_usage or chain.builder.turns[turn_written.turn].prefill is not None:
                total = total.minus(known_counts(chain, turn_written.turn))
        open_turns = [
            (c, w) for c, w in of_model if not w.has_usage and not c.builder.turns[w.turn].prefill
        ]
        if not open_turns:
            # With a record for each call nothing is left; else some calls are in no event.
            if total.input and not self._has_records:
                self._add_bare(model, total, number, at)
            return
        reported = Counts(output=sum(known_counts(c, w.turn).output for c, w in open_turns))
        shares = share_out(
            total.minus(reported),
            [w.context for _, w in open_turns],
            [w.text for _, w in open_turns],
        )
        for (chain, turn_written), fields in zip(open_turns, shares, strict=True):
            if chain.builder.turns[turn_written.turn].decode is not None:
                fields.pop("decode", None)
            chain.builder.amend_turn(turn_written.turn, model=model, **fields)

    def _add_bare(self, model: str, total: Counts, number: int | None, at: float | None) -> None:
        main = self._chains.setdefault("", Chain(self._begin("", None, number), model))
        turn = main.builder.turn(model, ended_at=at)
        main.builder.amend_turn(turn, **share_out(total, [1.0], [0])[0])

    # The end --------------------------------------------------------------------------------------

    def build(self) -> Iterator[Trajectory]:
        """The conversations in which a model answered."""
        main = self._name()
        for key, chain in self._chains.items():
            if not chain.builder.turns:
                continue
            began = chain.began
            yield chain.builder.build(
                self._source.id_of(began.locator),
                self._source.name,
                FORMAT_NAME,
                session_id=main,
                agent_id=began.agent_id,
                parent_id=self._source.id_of(main) if key else None,
                parent_call_id=began.parent_call_id,
                reported_calls=chain.reported_calls,
                title=chain.title if key else self._title or chain.title,
                line=began.line,
                project=self._folder,
            )


def _is_nearer(value: int, nearer: int, other: int) -> bool:
    return abs(value - nearer) < abs(value - other)


_HANDLERS = {
    "session.start": Session._start,
    "session.resume": Session._start,
    "session.model_change": Session._change_model,
    "session.title_changed": Session._rename,
    "session.usage_record": Session._count,
    "assistant.usage": Session._count,
    "session.compaction_complete": Session._compact,
    "session.snapshot_rewind": Session._rewind,
    "session.shutdown": Session._shut_down,
    "hook.start": Session._hook,
    "user.message": Session._prompt,
    "system.message": Session._instruct,
    "assistant.message": Session._answer,
    "model.call_failure": Session._fail,
    "tool.execution_start": Session._run,
    "tool.execution_complete": Session._run,
    "permission.requested": Session._ask,
    "permission.completed": Session._ask,
    "subagent.started": Session._note_agent,
    "subagent.completed": Session._note_agent,
    "subagent.failed": Session._note_agent,
}
