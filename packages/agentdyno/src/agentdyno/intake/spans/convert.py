"""One attempt as a trajectory: model calls and tool runs in the order in which they began.

Where requests are recorded, the context is what they say. Where they are not (content capture is
off by default), turns still have their usage, and tool spans are the calls that were made.
"""

import re
from typing import Any

from msgspec import Struct

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.conversation import Conversation
from agentdyno.intake.source import Source
from agentdyno.intake.spans.content import Content, content_of, schemas_of
from agentdyno.intake.spans.evaluations import Mark, mark_of
from agentdyno.intake.spans.messages import ChatRecord, Piece, parse_json
from agentdyno.intake.spans.span import Span
from agentdyno.intake.spans.tools import ToolRun, tool_run
from agentdyno.intake.spans.tree import Attempt, ModelCall
from agentdyno.intake.spans.usage import read_reported_usd, usage_fields
from agentdyno.intake.texts import first
from agentdyno.records import Trajectory, UnreadableError

CODE_TOOL = "python_interpreter"
"""Smolagents' name for the tool that runs its model's code."""
_CODE = re.compile(
    r"```(?:py|python)?\n(?P<code>.*?)\n?```|<code>(?P<tagged>.*?)</code>", re.DOTALL
)


class Labels(Struct, frozen=True, gc=False):
    """Facts about an attempt from outside it."""

    trajectory_id: str
    parent_id: str | None
    task_id: str | None
    marks: list[Mark]
    session_id: str | None = None
    """The conversation, which may go on in other traces; the trace where none is named."""
    parent_call_id: str | None = None
    """The call of the parent whose tool it ran inside of."""
    variant: str | None = None
    """The tool suite that the agent ran with."""


def trajectory_of(attempt: Attempt, source: Source, labels: Labels, format: str) -> Trajectory:
    informative = _Attempt(attempt)
    for begins, item in _in_order(attempt):
        if isinstance(item, ToolRun):
            informative.tool(item)
        elif isinstance(item, str):
            informative.prompt(item)
        else:
            informative.model_call(item, begins)
    informative.hand_over()
    if not informative.builder.turns:
        raise UnreadableError("a model call that was answered", "only failed ones")
    mark = mark_of(labels.marks)
    return informative.builder.build(
        labels.trajectory_id,
        source.name,
        format,
        model=first(turn.model for turn in reversed(informative.builder.turns)),
        task_id=labels.task_id,
        variant=labels.variant,
        parent_id=labels.parent_id,
        parent_call_id=labels.parent_call_id,
        session_id=labels.session_id,
        score=mark.score if mark else None,
        correct=mark.correct if mark else None,
    )


def _in_order(attempt: Attempt) -> list[tuple[int, ModelCall | ToolRun | str]]:
    """Calls carry their number; a tool that began with a model call was run by it."""
    timed: list[tuple[float, int, int, ModelCall | ToolRun | str]] = []
    for number, span in enumerate(attempt.prompts):
        timed.append((span.start or 0.0, -1, number, str(span.attributes.get("prompt"))))
    for number, call in enumerate(attempt.calls):
        timed.append((call.leaf.start or 0.0, 0, number, call))
    for number, span in enumerate(attempt.tools):
        run = tool_run(span)
        if run is not None:
            timed.append((span.start or float("inf"), 1, number, run))
    timed.sort(key=lambda entry: entry[:3])
    return [(number, item) for _, _, number, item in timed]


class _Attempt:
    """An attempt on its way into the builder."""

    def __init__(self, attempt: Attempt) -> None:
        self.attempt = attempt
        self.talk: Conversation[ChatRecord] = Conversation(recall=True)
        self.builder: TrajectoryBuilder = self.talk.builder
        self.offered = schemas_of(attempt.owner) if attempt.owner is not None else None
        self.next: tuple[int, Content] | None = None
        self.recorded = False
        """Whether the last turn's answer is recorded."""
        self.made: list[tuple[int, str, str | None]] = []
        """The last turn's calls that no tool span has claimed: index, tool, id."""
        self.calls_recorded = False
        """Whether the last turn's answer names calls."""
        self.runs: dict[int, ToolRun] = {}
        """Runs whose call has no result yet."""

    def prompt(self, text: str) -> None:
        """Add a user's prompt, where no request repeats it."""
        if self._content(0).sent is None:
            self.hand_over()
            self.builder.user(text)

    # Model calls --------------------------------------------------------------------------------

    def model_call(self, call: ModelCall, number: int) -> None:
        content = self._content(number)
        attributes = [span.attributes for span in call.spans]
        usage = usage_fields(attributes)
        if call.leaf.error and content.answer is None and "decode" not in usage:
            self.builder.retries += 1
            return
        schemas = content.schemas or self.offered
        if schemas is not None:
            self.builder.offer(schemas)
        if content.sent is not None:
            self.talk.align(content.sent, lambda m: m.key, lambda m: m.is_answer, give)
            self._close()
        else:
            self.hand_over()
        before = len(self.builder.parts)
        self.builder.turn(
            _model(call),
            **usage,
            **_read_timing(call, self.attempt.tools),
            finish=_finish(call, content),
            error=call.leaf.error,
            reported_usd=read_reported_usd(attributes),
            service_tier=_word(call, *_SERVICE_TIER),
            **_ids(call),
        )
        answer = content.answer or self._echo(content, number)
        self._answer(answer, usage.get("reasoning_tokens"), number)
        if not self.calls_recorded and (step := self.attempt.steps.get(call.leaf.parent or "")):
            self._run_code(step, call.leaf.end)
        self.talk.answered(before)

    def _content(self, number: int) -> Content:
        if self.next is not None and self.next[0] == number:
            return self.next[1]
        call = self.attempt.calls[number]
        return call.content or content_of(call.spans)

    def _ahead(self, number: int) -> Content:
        """The content of the call after this one; empty after the last."""
        if number + 1 >= len(self.attempt.calls):
            return Content()
        self.next = (number + 1, self._content(number + 1))
        return self.next[1]

    def _echo(self, content: Content, number: int) -> ChatRecord | None:
        """An answer that was not recorded, as the next request repeats it."""
        sent, after = content.sent or [], self._ahead(number).sent or []
        goes_on = sent and [statement.key for statement in sent] == [
            statement.key for statement in after[: len(sent)]
        ]
        return after[len(sent)] if goes_on and _is_answer_at(after, len(sent)) else None

    def _answer(self, answer: ChatRecord | None, thought: object, number: int) -> None:
        self.made.clear()
        self.recorded = answer is not None
        pieces = answer.pieces if answer is not None else []
        self.calls_recorded = any(piece.kind == "call" for piece in pieces)
        tokens = thought if isinstance(thought, int) else None
        reported = [piece for piece in pieces if piece.kind == "reasoning"]
        resent = bool(reported) and self._comes_back(number)
        for piece in reported:
            size = tokens if len(reported) == 1 else None
            self.builder.reasoning(piece.text, resent=resent, tokens=size)
        if not reported and tokens:
            self.builder.reasoning("", resent=False, tokens=tokens)
        for piece in pieces:
            if piece.kind == "text":
                self.builder.text(piece.text)
            elif piece.kind == "call":
                self._call(piece.name or "", piece.text, piece.call_id)
            elif piece.kind == "result":  # A tool that the provider ran within the call.
                give(self.builder, ChatRecord("tool", [piece]))
                self.builder.given_within(len(self.builder.parts) - 1)

    def _run_code(self, step: Span, written_at: float | None) -> None:
        """The code in the answer is a call: its agent runs it, and nobody recorded that."""
        last = len(self.builder.parts) - 1
        answer = self.builder.parts[last]
        is_text = answer.kind == "text" and answer.made == len(self.builder.turns) - 1
        code_blocks = list(_CODE.finditer(answer.text)) if is_text else []
        if not code_blocks:
            return
        self.builder.parts.amend(last, text=answer.text[: code_blocks[-1].start()].rstrip())
        self._call(
            CODE_TOOL, (code_blocks[-1]["code"] or code_blocks[-1]["tagged"] or "").strip(), None
        )
        output, error = step.attributes.get("output.value"), step.error
        text = output if isinstance(output, str) else error
        self.tool(ToolRun(CODE_TOOL, None, "", text, error, written_at, step.end))
        self.calls_recorded = True

    def _comes_back(self, number: int) -> bool:
        """True when the next request holds reasoning again: some providers want it back."""
        sent = self._ahead(number).sent or ()
        return any(piece.kind == "reasoning" for statement in sent for piece in statement.pieces)

    def _call(self, tool: str, arguments: str, call_id: str | None) -> int:
        index = self.builder.call(tool, arguments, call_id)
        self.made.append((index, tool, call_id))
        return index

    # Tools --------------------------------------------------------------------------------------

    def tool(self, run: ToolRun) -> None:
        index = self._claim(run)
        if index is None and self._is_a_call(run):
            before = len(self.builder.parts)
            index = self.builder.call(run.name, run.arguments, run.call_id)
            self.talk.answered_also(before)
        if index is None:
            return
        self.builder.annotate(index, **run.timing)
        self.runs[index] = run

    def _claim(self, run: ToolRun) -> int | None:
        """The call that was run: by id, or by name in order where one side has no id."""
        if run.call_id is not None:
            for entry in self.made:
                if entry[2] == run.call_id:
                    self.made.remove(entry)
                    return entry[0]
            index = self.builder.call_index(run.call_id)
            if index is not None:
                return index
        for entry in self.made:
            if entry[1] == run.name and (run.call_id is None or entry[2] is None):
                self.made.remove(entry)
                return entry[0]
        return None

    def _is_a_call(self, run: ToolRun) -> bool:
        """Nobody recorded a call: with an id the model made it; else only if nothing is recorded.

        Code that a model wrote may run tools too; that text is the answer, and no call.
        """
        if not self.builder.turns or self.calls_recorded:
            return False
        return not self.recorded or run.call_id is not None

    def _close(self) -> None:
        """Tells the calls whose results the request showed what their tools' spans know."""
        for index in [i for i in self.runs if self.builder.is_answered(i)]:
            self.builder.annotate(index, error=self.runs.pop(index).error)

    def hand_over(self) -> None:
        """Results that no request shows, taken from the tools' own spans."""
        self._close()
        before = len(self.builder.parts)
        for index in sorted(self.runs):
            run = self.runs[index]
            self.builder.answer(index, run.result or "", error=run.error)
        self.runs.clear()
        if len(self.builder.parts) > before:
            self.talk.answered(before)


def _is_answer_at(messages: list[ChatRecord], index: int) -> bool:
    return index < len(messages) and messages[index].is_answer


def give(builder: TrajectoryBuilder, record: ChatRecord) -> None:
    """A message that the model did not write in this attempt."""
    for piece in record.pieces:
        if piece.kind == "result":
            builder.result(piece.text, piece.call_id, name=piece.name, error=piece.error)
        elif record.is_answer:
            _give_history(builder, piece)
        else:
            builder.given("system" if record.role == "system" else "user", piece.text)


def _give_history(builder: TrajectoryBuilder, piece: Piece) -> None:
    if piece.kind == "call":
        builder.given("request", f"{piece.name or ''} {piece.text}", piece.name)
    else:
        builder.given("reasoning" if piece.kind == "reasoning" else "text", piece.text)


def _ids(call: ModelCall) -> dict[str, Any]:
    """Claude Code gives the id of the request for that of the response."""
    response = _word(call, "gen_ai.response.id", "ai.response.id", "llm.response.id")
    request = _word(call, "request_id")
    is_request = response is not None and response.startswith("req_")
    return {
        "response_id": None if is_request else response,
        "request_id": response if is_request else request,
    }


_SERVICE_TIER = ("openai.response.service_tier", "gen_ai.openai.response.service_tier")


def _model(call: ModelCall) -> str | None:
    names = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "ai.model.id")
    return _word(call, *names)


def _word(call: ModelCall, *names: str) -> str | None:
    for span in call.spans:
        for name in names:
            if isinstance(word := span.attributes.get(name), str) and word:
                return word
    return None


def _finish(call: ModelCall, content: Content) -> str | None:
    if content.answer is not None and content.answer.finish:
        return content.answer.finish
    for span in call.spans:
        reasons = parse_json(span.attributes.get("gen_ai.response.finish_reasons"))
        if isinstance(reasons, list) and reasons and isinstance(reasons[0], str):
            return reasons[0]
        if isinstance(reasons, str) and reasons:
            return reasons
    return None


def _read_timing(call: ModelCall, tools: list[Span]) -> dict[str, Any]:
    """A span that also holds the tools the answer asked for ends, as a call, where they begin."""
    leaf = call.leaf
    began = [t.start for t in tools if t.parent == leaf.id and t.start is not None]
    end = min([leaf.end, *began]) if leaf.end is not None else None
    is_timed = leaf.start is not None and end is not None and end >= leaf.start
    waits = [_first_token(span) for span in call.spans]
    return {
        "started_at": leaf.start,
        "ended_at": end if is_timed else None,
        "latency_seconds": end - leaf.start if is_timed else None,  # type: ignore[operator]
        "first_token_seconds": first(waits),
    }


def _first_token(span: Span) -> float | None:
    for name, scale in (
        ("gen_ai.response.time_to_first_chunk", 1.0),
        ("gen_ai.server.time_to_first_token", 1.0),
        ("ai.response.msToFirstChunk", 1000.0),
        ("ai.stream.msToFirstChunk", 1000.0),
    ):
        value = span.attributes.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
            return value / scale
    return None
