"""A rollout file as one trajectory.

How the numbers come about:
- What the model wrote between two inputs is one response. Until version 0.63 or so `token_count`
  stands before what the response wrote, later behind it. The order decides, response by response (a
  session may be resumed with another version): a count that nothing precedes is that of what
  follows before the next input. With neither it is a response too (the call that wrote a summary).
- A review is a session of its own, with its own file; its counts stand here too, between two
  events, and its last message behind them. They are known again by the reviewer's total.
- A response starts with the last input line before it and ends with its count. That span holds
  network and hooks but no tool. It is unknown where the times may be those of a copy.
- A tool's time is what its output or its end event states. The time between call and output is
  not used: people are asked for approval in between.
- Reasoning is encrypted; its summary stands for it, with the size that the provider counted where
  a response has one such item. It goes back with the next requests until the next prompt.
"""

import re
from typing import Any

import msgspec

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.identity import telemetry_key
from agentdyno.intake.source import Source
from agentdyno.intake.streams import decode
from agentdyno.intake.texts import (
    compact_json,
    flat_text,
    function_schemas,
    project_folder,
    seconds,
    whole,
)
from agentdyno.records import ContextEvent, PartKind, Trajectory, printable
from agentdyno.records.problems import printable_name
from agentdyno_daily.formats.codex.lineage import Lineage
from agentdyno_daily.formats.codex.outcomes import read_event, read_output
from agentdyno_daily.formats.codex.usage import Counts, RunningTotal, read_counts
from agentdyno_daily.formats.codex.wire import (
    COMPACTED,
    CONTEXT,
    EVENT,
    ITEM,
    MESSAGE,
    META,
    USAGE_RECORD,
    Compacted,
    Context,
    Event,
    EventHead,
    Item,
    Line,
    Message,
    Meta,
    UsageRecord,
)

FORMAT_NAME = "codex"
TITLE_CHARACTERS = 80
_CALLS = {
    "function_call", "custom_tool_call", "local_shell_call", "tool_search_call",
    "web_search_call", "image_generation_call",
}  # fmt: skip
RESULTS = {"function_call_output", "custom_tool_call_output", "tool_search_output"}
_SERVER_TOOLS = {"web_search_call", "image_generation_call"}
_INSTRUCTIONS = "# AGENTS.md instructions"
_FOLDER = re.compile(r"\A<environment_context>\s*(?:<cwd>|Current working directory: )([^<\n]+)")
"""Versions before September 2025 say where they work only to the model."""
_OBJECT = msgspec.json.Decoder(dict[str, Any])


class Rollout:
    """A session that is being read."""

    def __init__(self) -> None:
        self.builder = TrajectoryBuilder()
        self._lineage = Lineage()
        self._total = RunningTotal()
        self._total_before_review: RunningTotal | None = None
        self._awaits_review = False
        """Whether what the reviewer wrote last comes next, as a message."""
        self._model: str | None = None
        self._turn: int | None = None
        """The response that is being written; None once its count stands behind it."""
        self._ahead: Counts | None = None
        """The count of that response, where it stands before what the response wrote."""
        self._counts_first = False
        """Whether the last response had its count before it."""
        self._recorded: int | None = None
        """The response whose record came last; the total is about to grow by it."""
        self._has_input = False
        self._has_signs = False
        """Whether an event reported output of the model since the last count."""
        self._given_at: float | None = None
        self._fixed_parts = 0
        """The system prompt and schemas: parts that no compaction removes."""
        self._title: str | None = None
        self._folder: str | None = None
        """Where the agent works, by the first line that says it."""
        self._prompts: list[int] = []
        self._reasoning: list[int] = []
        self._ended: dict[str, tuple[str | None, float | None]] = {}
        self._happened: ContextEvent | None = None
        """What was done to the context since the last response."""

    def take(self, line: Line, data: bytes, number: int | None) -> None:
        """Adds a line; kinds that say nothing about the conversation are skipped."""
        self.builder.line = number
        raw, at = bytes(line.payload), seconds(line.timestamp)
        self._lineage.note_ordinal(line.ordinal)
        if line.type == "session_meta":
            self._note_meta(decode(raw, META), at)
        elif line.type == "response_item":
            self._take_item(decode(raw, ITEM), at)
        elif line.type == "event_msg":
            self._take_event(decode(raw, EVENT), raw, at)
        elif line.type == "turn_context":
            self._note_context(decode(raw, CONTEXT), at)
        elif line.type == "compacted":
            self._compact(decode(raw, COMPACTED))
        elif line.type == "token_usage_record":
            self._note_record(decode(raw, USAGE_RECORD), at)
        elif line.type == "inter_agent_communication":
            message: Message = decode(raw, MESSAGE)
            self._take_item(Item("agent_message", content=message.content), at)
        elif line.type is None and line.id is not None:
            self._note_meta(decode(data, META), at)
        elif raw == b"null":
            self._take_item(decode(data, ITEM), at)

    # The session ----------------------------------------------------------------------------------

    def _note_meta(self, meta: Meta, at: float | None) -> None:
        if not self._lineage.note_meta(meta, at) or self.builder.parts:
            return
        if prompt := flat_text(meta.base_instructions):
            self.builder.system(prompt)
        if schemas := function_schemas(meta.dynamic_tools):
            self.builder.offer(schemas)
        self._fixed_parts = len(self.builder.parts)

    def _note_context(self, context: Context, at: float | None) -> None:
        self._model = context.model or self._model
        if not self._lineage.is_copied:
            self._folder = self._folder or project_folder(context.cwd)
        if context.turn_id is not None:
            self._lineage.note_turn(context.turn_id, None)
        if self._ahead is not None:
            self._forget_turn()  # The next request is prepared.
        self._given_at = at

    def _compact(self, compacted: Compacted) -> None:
        """The context is replaced by what the line holds."""
        self._forget_turn()
        self._happened = "compacted"
        self.builder.retire_from(self._fixed_parts)
        self._reasoning.clear()
        for item in compacted.replacement_history or ():
            self._give(item)
        if not compacted.replacement_history and compacted.message:
            self.builder.user(compacted.message)

    def _roll_back(self, turns: int) -> None:
        """The last prompts, and all that followed them, are taken out of the context."""
        if 0 < turns <= len(self._prompts):
            first = self._prompts[-turns]
            del self._prompts[-turns:]
            self.builder.retire_from(first)

    # Messages, calls, results ---------------------------------------------------------------------

    def _take_item(self, item: Item, at: float | None) -> None:
        is_output = is_written(item.type, item.role)
        if self._lineage.is_copied:
            self._give(item)
        elif item.type in RESULTS and item.call_id is not None:
            self._answer(item, at)
        elif is_output and self._awaits_review:
            self._awaits_review = False
            self._give(item)
        elif is_output:
            self._write(item, at)
        else:
            if item.role == "user":
                self._drop_reasoning()
            self._give(item)
            self._note_input(at)
            self._note_title(item)

    def _note_title(self, item: Item) -> None:
        """The first prompt of a fork or a sub-agent; its copied prompts are the parent's."""
        text = " ".join(flat_text(item.content).split())
        if self._title is None and self._lineage.is_child and _kind(item, text) == "user":
            self._title = printable(text, TITLE_CHARACTERS) if text[:1] not in ("", "<") else None

    def _give(self, item: Item) -> None:
        """An item as part of the context, whoever wrote it."""
        name, text = _tool(item), flat_text(item.content)
        if item.type in _CALLS:
            self.builder.given("request", f"{name} {_arguments(item)}", name)
        elif item.type in RESULTS:
            self.builder.given("result", _output_text(item))
        elif item.type == "reasoning":
            if readable := flat_text(item.content) or flat_text(item.summary):
                self.builder.given("reasoning", readable)
        elif text:
            if self._folder is None and (stated := _FOLDER.search(text)):
                self._folder = project_folder(stated[1])
            self.builder.given(_kind(item, text), text)

    def _note_input(self, at: float | None) -> None:
        self._has_input = True
        if at is not None:
            self._given_at = at

    def _write(self, item: Item, at: float | None) -> None:
        turn = self._open_turn()
        if item.type == "reasoning":
            readable = flat_text(item.content) or flat_text(item.summary)
            self._reasoning.append(self.builder.reasoning(readable))
            if self._ahead is not None:
                self._size_reasoning(turn, self._ahead)
        elif item.type in _CALLS:
            index = self.builder.call(_tool(item), _arguments(item), item.call_id)
            if item.type in _SERVER_TOOLS:
                error = "failed" if item.status == "failed" else None
                self.builder.answer(index, "", error=error)
        elif text := flat_text(item.content):
            self.builder.text(text)
        self._set_times(turn, at)

    def _open_turn(self) -> int:
        """The response that is being written; what follows an input is another one."""
        if self._turn is None or self._has_input:
            self._forget_turn()
            self._turn = self._begin_turn()
            self._has_input = False
        self._counts_first = self._ahead is not None
        return self._turn

    def _begin_turn(self) -> int:
        turn = self.builder.turn(self._model, started_at=self._start())
        if self._happened is not None:
            self.builder.amend_turn(turn, context_event=self._happened)
            self._happened = None
        return turn

    def _forget_turn(self) -> None:
        self._turn = self._ahead = None

    def _start(self) -> float | None:
        is_certain = self._lineage.is_settled or not self._lineage.is_child
        return self._given_at if is_certain else None

    def _set_times(self, turn: int, at: float | None) -> None:
        started = self.builder.turns[turn].started_at
        if started is not None and at is not None and at >= started:
            self.builder.amend_turn(turn, ended_at=at, latency_seconds=at - started)

    def _answer(self, item: Item, at: float | None) -> None:
        outcome = read_output(item.output if item.type != "tool_search_output" else item.tools)
        error, duration = self._ended.pop(item.call_id or "", (None, None))
        duration = duration if duration is not None else outcome.seconds
        self.builder.result(
            outcome.text,
            item.call_id,
            error=error or outcome.error,
            executed=not outcome.is_refused,
            wait_seconds=duration,
            started_at=at - duration if at is not None and duration is not None else None,
            ended_at=at,
        )
        self._note_input(at)

    # Events ---------------------------------------------------------------------------------------

    def _take_event(self, event: Event, raw: bytes, at: float | None) -> None:
        if event.type == "item_completed":
            self._note_end(event.item)
        elif event.call_id is not None and (event.type or "").endswith("_end"):
            self._note_end(decode(raw, _OBJECT), event.call_id)
        else:
            self._take_head(event, at)

    def _take_head(self, event: EventHead, at: float | None) -> None:
        if event.type == "token_count":
            self._count(event, at)
        elif event.type in ("agent_message", "agent_reasoning"):
            self._has_signs = True
        elif event.type in ("task_started", "turn_started"):
            self._lineage.note_turn(event.turn_id, event.started_at)
            self._begin_prompt(at)
        elif event.type == "entered_review_mode":
            self._total_before_review, self._total = self._total, RunningTotal()
            self._forget_turn()
        elif event.type == "exited_review_mode" and self._total_before_review is not None:
            self._total, self._total_before_review = self._total_before_review, None
            self._awaits_review = True
            self._forget_turn()
        elif event.type == "thread_rolled_back":
            self._roll_back(whole(event.num_turns) or 0)
        elif event.type == "thread_settings_applied":
            settings = event.thread_settings
            model = settings.get("model") if isinstance(settings, dict) else None
            self._model = model if isinstance(model, str) else self._model

    def _begin_prompt(self, at: float | None) -> None:
        self._prompts.append(len(self.builder.parts))
        self._drop_reasoning()
        self._forget_turn()
        self._note_input(at)

    def _drop_reasoning(self) -> None:
        """Reasoning is kept until the next message of the user, be it in the middle of a task."""
        self.builder.retire(self._reasoning)
        self._reasoning.clear()

    def _note_end(self, event: Any, call_id: str | None = None) -> None:
        """Error and time of a call: its output may come before or after."""
        key = call_id or (event.get("id") if isinstance(event, dict) else None)
        if not isinstance(key, str):
            return
        error, duration = read_event(event)
        if (index := self.builder.call_index(key)) is None:
            return
        if self.builder.is_answered(index):
            self.builder.annotate(index, error=error, wait_seconds=duration)
        else:
            self._ended[key] = error, duration

    def _count(self, event: EventHead, at: float | None) -> None:
        """A count closes the response before it, opens the one behind it, or is one of its own."""
        has_output = self._turn is not None or self._has_signs
        self._has_signs = False
        counts = self._total.add(event.info, has_output, self._lineage.is_child)
        if counts is None or self._lineage.is_copied:
            return
        if self._recorded is not None:
            self.builder.amend_turn(self._recorded, **self._stands_for())
            self._recorded = None
            return
        turn = self._close(counts, at)
        self.builder.amend_turn(turn, **self._identity(), **self._stands_for())

    def _note_record(self, record: UsageRecord, at: float | None) -> None:
        """The count of a response by its id; a copied one names the session that it is of."""
        meta, counts = self._lineage.meta, read_counts(record.usage)
        is_other = meta is not None and meta.id and record.thread_id not in (None, meta.id)
        if counts is None or is_other or self._lineage.is_copied:
            return
        self._recorded = self._close(counts, at)
        self.builder.amend_turn(self._recorded, response_id=record.response_id)

    def _close(self, counts: Counts, at: float | None) -> int:
        """The response that is being written has used this much, or one that is about to be."""
        turn, is_over = self._turn, self._has_input and self._counts_first
        if turn is None or self._ahead is not None or is_over:
            turn = self._begin_turn()
            self._turn, self._ahead = turn, counts
        else:
            self._forget_turn()
            self._counts_first = False
        self.builder.amend_turn(turn, **counts.fields(), request_id=self._request(counts))
        self._size_reasoning(turn, counts)
        self._set_times(turn, at)
        self._has_input = False
        return turn

    def _request(self, counts: Counts) -> str | None:
        """By what telemetry's count of the response is known again, which has no id either."""
        meta = self._lineage.meta
        return telemetry_key(meta.id, *counts[:2], counts.output) if meta and meta.id else None

    def _identity(self) -> dict[str, str]:
        total, anchor = self._total.total, self._lineage.anchor
        if self._total_before_review is not None or self._lineage.is_review:
            anchor = "review"
        return (
            {} if total is None or anchor is None else {"identity": f"codex {anchor} {total.key}"}
        )

    def _stands_for(self) -> dict[str, str]:
        """By what the total is known again that an exec stream ends with."""
        total, meta = self._total.total, self._lineage.meta
        if total is None or meta is None or not meta.id:
            return {}
        return {"stands_for": f"codex exec {meta.id} {total.key}"}

    def _size_reasoning(self, turn: int, counts: Counts) -> None:
        of_turn = [index for index in self._reasoning if self.builder.parts[index].made == turn]
        for index in of_turn:
            size = counts.reasoning if len(of_turn) == 1 else None
            self.builder.parts.amend(index, tokens=size or None)

    # The end --------------------------------------------------------------------------------------

    def build(self, source: Source) -> Trajectory | None:
        """The trajectory; None when no model answered."""
        if not self.builder.turns:
            return None
        meta, parent = self._lineage.meta or Meta(), self._lineage.parent
        thread_id = printable_name(meta.id, 80) if meta.id else None
        return self.builder.build(
            source.id_of(thread_id or "session"),
            source.name,
            FORMAT_NAME,
            session_id=self._lineage.session_id,
            agent_id=thread_id if parent else None,
            parent_id=f"codex#{printable_name(parent, 80)}" if parent else None,
            title=self._title,
            project=project_folder(meta.cwd) or self._folder,
            begins_midway=meta.history_base is not None,
            line=1,
        )


def is_written(kind: str | None, role: str | None) -> bool:
    """True when the model wrote an item."""
    return kind in _CALLS or kind == "reasoning" or role == "assistant"


def _kind(item: Item, text: str) -> PartKind:
    if item.role == "assistant":
        return "text"
    is_setting = item.role in ("developer", "system") or text.startswith(_INSTRUCTIONS)
    return "system" if is_setting else "user"


def _tool(item: Item) -> str:
    name = item.name or (item.type or "").removesuffix("_call")
    return f"{item.namespace}__{name}" if item.namespace else name


def _arguments(item: Item) -> str:
    for value in (item.arguments, item.input, item.action):
        if value is not None:
            return compact_json(value)
    return ""


def _output_text(item: Item) -> str:
    return read_output(item.output if item.type != "tool_search_output" else item.tools).text
