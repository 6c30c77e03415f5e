"""One chain of lines as one trajectory: the main talk of a session, or one sub-agent's.

How the numbers come about:
- A response is written line by line, each with the response's `usage`. Lines with the same
  message id are one turn, whether or not each names the request; the last usage counts, with the
  largest output count.
- The output count is often a placeholder; `response` says when it is believed.
- A turn starts when the last line before it was given and ends with the response's last line.
  That span holds network and hooks but no tool; it is None where a failed request lies between.
  Lines of old versions say `durationMs` themselves.
- A tool's time is what its own result reports, or what `progress` lines do: an MCP server's time,
  or when a command had begun. The time between call and result is not taken for it: people are
  asked for leave in between.
- A sub-agent's last answer may stand nowhere but in the result of the call that started it, with
  its usage: it is a turn of the sub-agent's, known again by that usage where a file has it whole.
  `totalTokens` there is the sum of that one usage, so where nothing else is written of the agent,
  its totals are a lower bound; how many calls it made is known (`totalToolUseCount`).
- Whether a request asked for thinking is said by its prompt (`requests`).
"""

import msgspec
from msgspec import Struct

from agentdyno.intake.anthropic import (
    Block,
    BlockWriter,
    as_blocks,
    is_result,
    usage_fields,
)
from agentdyno.intake.anthropic_results import first_line, is_refusal, references, result_text
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.streams import decode
from agentdyno.intake.texts import error_in, seconds, whole
from agentdyno.records import ContextEvent, UnreadableError
from agentdyno_daily.formats.claude_code.requests import Requests
from agentdyno_daily.formats.claude_code.response import (
    Response,
    ResponseKeys,
    last_answer,
    leave_out_plan,
    read_answer,
    read_bill,
)
from agentdyno_daily.formats.claude_code.wire import (
    MESSAGE,
    OUTCOME,
    Line,
    Message,
    Outcome,
    Progress,
)

SYNTHETIC = "<synthetic>"


class Began(Struct, frozen=True):
    """Identity of a chain, from its first line on."""

    key: str
    """Its session, and the sub-agent's id."""
    locator: str
    """Its place in the file, unique there."""
    session_id: str
    agent_id: str | None = None
    """The sub-agent's id; None for a main talk, and in older files."""
    parent_id: str | None = None
    """The trajectory of the talk that started it; None for a main talk."""
    parent_call_id: str | None = None
    """The call that started it, where a line says so."""
    midway: bool = False
    """True when its first line continues one that the file does not have."""
    line: int | None = None
    """The line it begins in."""
    project: str | None = None
    branch: str | None = None
    """The branch that was checked out there."""


_FEWEST = 10
"""No text has more characters to a token than this."""


class Chain:
    def __init__(self, number: int, began: Began) -> None:
        self.number = number
        self.began = began
        self.builder = TrajectoryBuilder()
        self._writer = BlockWriter(self.builder)
        self._response: Response | None = None
        self._seen: set[str | None] = set()
        self._keys = ResponseKeys(began.session_id)
        self._times: dict[str, tuple[float | None, float | None]] = {}
        self.reported_calls: int | None = None
        """Tool calls that the agent made by the result of the call that started it."""
        self._given_at: float | None = None
        self._failed = False
        self._requests = Requests(self.builder)

    @property
    def is_side(self) -> bool:
        return self.began.parent_id is not None

    # Lines --------------------------------------------------------------------------------------

    def user(self, line: Line, branched_at: int | None) -> None:
        """A prompt, results of tools, or a summary; `branched_at`: parts from there on are left."""
        message: Message = decode(bytes(line.message), MESSAGE)
        blocks = as_blocks(message.content)
        if line.isCompactSummary:
            self.compact()
        elif line.isVisibleInTranscriptOnly:
            return
        if branched_at is not None:
            self._retire_from(branched_at)
            self._requests.happened("rewound")
        if any(not is_result(block) for block in blocks):
            self._requests.prompted(line)
            self._writer.prompted(self.builder.turns[-1].model if self.builder.turns else None)
        outcome = outcome_of(line, blocks)
        at = seconds(line.timestamp)
        for block in blocks:
            if is_result(block):
                self._result(block, outcome, at)
            elif block.text:
                source = line.sourceToolUseID
                self.builder.user(block.text, self.builder.call_index(source) if source else None)
        self._given_at = at
        self._requests.stood_in(line.cwd)

    def _result(self, block: Block, outcome: Outcome, at: float | None) -> None:
        duration, started = self._time(block, outcome, at)
        text = result_text(block.content)
        if any(references(block.content)):
            self._requests.happened("tools loaded")
        index = self.builder.result(
            text,
            block.tool_use_id,
            executed=not (block.is_error and is_refusal(text)),
            wait_seconds=duration,
            started_at=started,
            ended_at=at,
        )
        if index is not None:
            tool = self.builder.parts[-1].name or ""
            error = _error(block, text, outcome, tool)
            stopped = "interrupted" if outcome.interrupted else None
            self.builder.annotate(index, error=error, harness=stopped)
            if searches := whole(outcome.searchCount):
                self._charge_searches(self.builder.turn_of(index), searches)

    def _charge_searches(self, turn: int, searches: int) -> None:
        """Charge the provider's searches to the turn that called the tool: the
        client asks in a request of its own, whose tokens it does not write down."""
        if self._response is not None and self._response.turn == turn:
            self._response.searches += searches
        else:
            earlier = self.builder.turns[turn].web_searches
            self.builder.amend_turn(turn, web_searches=(earlier or 0) + searches)

    def _time(
        self, block: Block, outcome: Outcome, at: float | None
    ) -> tuple[float | None, float | None]:
        """Duration and start of the tool's run: by its result, or by its progress."""
        begun, duration = self._times.pop(block.tool_use_id or "", (None, None))
        if (reported := _duration(outcome)) is not None or duration is not None:
            duration = reported if reported is not None else duration
            return duration, at - duration if at is not None and duration is not None else None
        if begun is None or at is None or at < begun:
            return None, None
        return at - begun, begun

    def progress(self, line: Line, progress: Progress) -> None:
        """A sign of life of a running tool, with the time that it has taken so far."""
        call, at = line.parentToolUseID, seconds(line.timestamp)
        if call is None:
            return
        begun, duration = self._times.get(call, (None, None))
        if progress.elapsedTimeMs is not None and progress.status != "started":
            duration = progress.elapsedTimeMs / 1000
        elif progress.elapsedTimeSeconds is not None and at is not None:
            # Whole seconds, cut off: the line that tells of the earliest beginning is the nearest.
            since = at - progress.elapsedTimeSeconds
            begun = since if begun is None else min(begun, since)
        self._times[call] = (begun, duration)

    def assistant(self, line: Line) -> None:
        """One line of a response; the client's own words are none of the model's. A response is
        paid for even where what it wrote cannot be read."""
        problem: UnreadableError | None = None
        try:
            message = read_answer(bytes(line.message))
        except UnreadableError as error:
            problem, message = error, read_bill(bytes(line.message))
            if message.usage is None:
                raise
        if message.model == SYNTHETIC:
            self.failed(bool(line.isApiErrorMessage))
            return
        key = self._keys.find(message.id, line)
        response = self._response
        if response is None or response.key != key:
            if key in self._seen:
                return  # A copy of what was already read, not another call.
            response = self._begin(key, message.model)
            self._requests.sent(line, message.id)
        blocks = as_blocks(message.content)
        leave_out_plan(blocks, line)
        self._writer.answer(blocks)
        self._requests.answered(blocks)
        response.note(line, message, blocks)
        self._requests.stood_in(line.cwd)
        if problem is not None:
            raise problem

    def finish_response(self) -> None:
        """Writes down what the lines so far say of the last response."""
        if self._response is not None:
            fields = self._response.fields(self.began.agent_id)
            self.builder.amend_turn(self._response.turn, **fields)

    def _begin(self, key: str | None, model: str | None) -> Response:
        self.finish_response()
        self._seen.add(key)
        started = None if self._failed else self._given_at
        self._failed = False
        self._response = Response(key, self.builder.turn(model), started)
        return self._response

    def concluded(self, outcome: Outcome, at: float | None) -> None:
        """The sub-agent's last answer as the call that started it returned it.

        The usage there is that of this answer alone; the calls are those of all its answers.
        """
        calls = whole(outcome.totalToolUseCount)
        if calls is not None:
            self.reported_calls = max(calls, self.reported_calls or 0)
        self.finish_response()
        returned = last_answer(outcome.agentId, outcome.usage)
        recorded = last_answer(self.began.agent_id, outcome.usage)
        if returned is None or recorded in self.builder.turns.column("stands_for"):
            return
        if not self.builder.parts and outcome.prompt:
            self.builder.user(outcome.prompt)
        model = self.builder.turns[-1].model if self.builder.turns else None
        add_conclusion(self.builder, self._writer, model, outcome, at)

    def failed(self, counts: bool = True) -> None:
        """A request that brought no answer."""
        if counts:
            self.builder.retries += 1
            self._failed = True

    def compact(self) -> None:
        """The context is replaced by what follows."""
        self._retire_from(0)
        self._requests.happened("compacted")

    def happened(self, event: ContextEvent) -> None:
        """Something came before the next request."""
        self._requests.happened(event)

    def _retire_from(self, part: int) -> None:
        self.builder.retire_from(part)
        self._writer.thinking = [index for index in self._writer.thinking if index < part]


def add_conclusion(
    builder: TrajectoryBuilder,
    writer: BlockWriter,
    model: str | None,
    outcome: Outcome,
    at: float | None,
) -> None:
    """The sub-agent's last answer as one more turn."""
    fields, blocks = usage_fields(outcome.usage), as_blocks(outcome.content)
    seen, decode = sum(len(block.text or "") for block in blocks), fields["decode"]
    if decode is not None and decode.tokens * _FEWEST < seen:
        fields["decode"] = None  # A placeholder, as in any other line.
    identity = last_answer(outcome.agentId, outcome.usage)
    builder.turn(model, **fields, identity=identity, stands_for=identity, ended_at=at)
    writer.answer(blocks)


def outcome_of(line: Line, blocks: list[Block]) -> Outcome:
    """The structured result; free text and lists say nothing beyond what the model saw."""
    raw = bytes(line.toolUseResult)
    if sum(map(is_result, blocks)) != 1 or raw[:1] != b"{":
        return Outcome()
    try:
        outcome: Outcome = OUTCOME.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return Outcome()  # Every tool has its own shape; another meaning of a name is no damage.
    return outcome


def _duration(outcome: Outcome) -> float | None:
    if outcome.durationSeconds is not None:
        duration = outcome.durationSeconds
    elif (spent := outcome.totalDurationMs or outcome.durationMs) is not None:
        duration = spent / 1000
    else:
        return None
    return duration if duration >= 0 else None


def _error(block: Block, text: str, outcome: Outcome, tool: str) -> str | None:
    """By the flag; by the text only where it is a program's report and not a file's content."""
    if block.is_error:
        return first_line(text) or "error"
    if outcome.interrupted:
        return "interrupted"
    return error_in(text) if tool == "Bash" or tool.startswith("mcp__") else None
