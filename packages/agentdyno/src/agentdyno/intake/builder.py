"""Builds one trajectory, event by event, in the order in which things happened.

Formats say what happened (`user`, `turn`, `text`, `call`, `result`, `retire`); the builder works
out which part stands in which turn's context. Knows nothing of files or of any format.

Underneath, every event adds cells to columns (`records.rows`): values of parts, turns and calls are
made only for whoever asks for one.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from msgspec import structs

from agentdyno.matching.harness import harness_message
from agentdyno.records import Part, PartKind, TokenCount, ToolCall, Trajectory, Turn
from agentdyno.records.local_days import plausible_time
from agentdyno.records.rows import GrowingRows, Rows

Schemas = Sequence[tuple[str, str]]
"""Offered tools as (name, schema text)."""

_PART = len(Part.__struct_fields__)
_ENTERS, _LEAVES = (Part.__struct_fields__.index(f) for f in ("enters", "leaves"))
_CALL = len(ToolCall.__struct_fields__)
_TOOL, _CALL_ID, _RESULT, _EXECUTED, _ERROR, _HARNESS = (
    ToolCall.__struct_fields__.index(f)
    for f in ("tool", "call_id", "result", "executed", "error", "harness")
)


class TrajectoryBuilder:
    """Collects parts, turns and calls; `build` gives what they have come to."""

    def __init__(self) -> None:
        self.parts: GrowingRows[Part] = GrowingRows(Part)
        self.turns: GrowingRows[Turn] = GrowingRows(Turn)
        self.retries = 0
        self.line: int | None = None
        """The line that is being read, where a trajectory is spread over several."""
        self.calls: GrowingRows[ToolCall] = GrowingRows(ToolCall)
        self._part_cells = self.parts.cells
        self._call_cells = self.calls.cells
        self._part_count = self._turn_count = self._call_count = 0
        self._gone = range(0)
        """Parts of which none is in the next turn's context."""
        self._newest = 0
        """No part before this one enters with a turn that is still to come."""
        self._unanswered: dict[str | None, list[int]] = {}
        self._latest: dict[str, int] = {}
        self._calls_this_turn = 0
        self._offered: Schemas = ()
        self._offered_parts: Sequence[int] = ()

    # What is given to the model -----------------------------------------------------------------

    def given(
        self, kind: PartKind, text: str, name: str | None = None, call: int | None = None
    ) -> int:
        """A text that the next turn has in its context; returns the part's index."""
        cells, index = self._part_cells, self._part_count
        cells += (kind, text, name, call, None, self._turn_count, None, None, self.line)
        self._part_count = index + 1
        return index

    def system(self, text: str) -> int:
        """A system prompt, or an addition to it."""
        return self.given("system", text)

    def user(self, text: str, call: int | None = None) -> int:
        """A user's message; or what the client adds in a user's name for a `call` (a skill)."""
        return self.given("user", text, call=call)

    def offer(self, schemas: Schemas) -> None:
        """The tools offered from the next turn on, all of them; those not named are withdrawn."""
        if schemas == self._offered:
            return
        if not self._offered:
            first = self._part_count
            self._part_cells += _schema_cells(tuple(schemas), self._turn_count)
            self._part_count += len(schemas)
            self._offered, self._offered_parts = schemas, range(first, self._part_count)
            return
        before = dict(zip(self._offered, self._offered_parts, strict=True))
        self.retire(index for schema, index in before.items() if schema not in set(schemas))
        self._offered = schemas
        self._offered_parts = [
            before[schema] if schema in before else self.given("schema", schema[1], schema[0])
            for schema in schemas
        ]

    def resend(self, index: int) -> None:
        """A decoded part that was not expected back is in the next turn's context after all."""
        cell = index * _PART + _ENTERS
        if self._part_cells[cell] is None:
            self._part_cells[cell] = self._turn_count
            self._newest = min(self._newest, index)
            self._gone = range(self._gone.start, min(self._gone.stop, index))

    def given_within(self, index: int) -> None:
        """A part that the last turn had in its context already, although it came while it ran."""
        self._part_cells[index * _PART + _ENTERS] = self._turn_count - 1
        self._gone = range(self._gone.start, min(self._gone.stop, index))

    def retire(self, indices: Iterable[int]) -> None:
        """These parts are not in the next turn's context any more (compaction, edited history)."""
        cells, turn = self._part_cells, self._turn_count
        for index in indices:
            enters, leaves = index * _PART + _ENTERS, index * _PART + _LEAVES
            if cells[leaves] is not None or cells[enters] is None:
                continue
            if cells[enters] >= turn:
                cells[enters] = None  # Withdrawn before any turn saw it: it never entered.
            else:
                cells[leaves] = turn

    def retire_from(self, first: int) -> None:
        """The same for this part and all after it. A file may compact again and again: what is gone
        already is not looked at anew."""
        gone, count = self._gone, self._part_count
        is_known = gone.start <= first <= gone.stop
        self.retire(range(gone.stop if is_known else first, count))
        self._gone = range(gone.start if is_known else first, count)

    # What the model does ------------------------------------------------------------------------

    def turn(
        self,
        model: str | None = None,
        prefill: TokenCount | None = None,
        cached_tokens: int | None = None,
        cache_write_tokens: int | None = None,
        decode: TokenCount | None = None,
        reasoning_tokens: int | None = None,
        latency_seconds: float | None = None,
        first_token_seconds: float | None = None,
        latency_valid: bool | None = None,
        started_at: float | None = None,
        ended_at: float | None = None,
        finish: str | None = None,
        error: str | None = None,
        reported_usd: float | None = None,
        cache_write_hour_tokens: int | None = None,
        service_tier: str | None = None,
        response_id: str | None = None,
        request_id: str | None = None,
        identity: str | None = None,
        stands_for: str | None = None,
        thinking: bool | None = None,
        cache_miss_reason: str | None = None,
        web_searches: int | None = None,
    ) -> int:
        """A model call; what is decoded until the next one belongs to it. Fields as in `Turn`."""
        self.turns.cells += (
            model, prefill, cached_tokens, cache_write_tokens, decode, reasoning_tokens,
            latency_seconds, first_token_seconds, latency_valid, started_at, ended_at, finish,
            error, reported_usd, cache_write_hour_tokens, service_tier, response_id, request_id,
            identity, stands_for, web_searches, self.line, thinking, None, None,
            cache_miss_reason,
        )  # fmt: skip
        self._newest = self._part_count
        self._turn_count += 1
        self._calls_this_turn = 0
        return self._turn_count - 1

    def begin(self, turn: Turn) -> None:
        """The same with a turn that is already made."""
        self.turns.cells += structs.astuple(turn)
        self._newest = self._part_count
        self._turn_count += 1
        self._calls_this_turn = 0

    def amend_turn(self, index: int, **fields: Any) -> None:
        """Replaces fields of an earlier turn with what became known later."""
        self.turns.amend(index, **fields)

    def decoded(
        self,
        kind: PartKind,
        text: str,
        name: str | None = None,
        *,
        call: int | None = None,
        resent: bool = True,
        tokens: int | None = None,
    ) -> int:
        """A text that the last turn generated; `resent` is whether later turns have it too."""
        cells, index, turn = self._part_cells, self._part_count, self._turn_count
        enters = turn if resent else None
        cells += (kind, text, name, call, turn - 1, enters, None, tokens, self.line)
        self._part_count = index + 1
        return index

    def reasoning(self, text: str, *, resent: bool = True, tokens: int | None = None) -> int:
        """Reasoning of the last turn; without text when only its size is known."""
        return self.decoded("reasoning", text, resent=resent, tokens=tokens)

    def text(self, text: str) -> int:
        """Visible text of the last turn."""
        return self.decoded("text", text)

    def call(
        self, tool: str, arguments: str, call_id: str | None = None, error: str | None = None
    ) -> int:
        """A call made by the last turn; returns its index. `error`: it could not even be run."""
        index, request, turn = self._call_count, self._part_count, self._turn_count
        key, line, cells, calls = call_id or None, self.line, self._part_cells, self._call_cells
        # What the model decodes of a call is its name and its arguments.
        written = f"{tool} {arguments}"
        cells += ("request", written, tool, index, turn - 1, turn, None, None, line)
        calls += (
            turn - 1, self._calls_this_turn, tool, arguments, key, request, None, False, error,
            None, None, None, line, None,
        )  # fmt: skip
        self._part_count, self._call_count = request + 1, index + 1
        self._calls_this_turn += 1
        waiting = self._unanswered.get(key)
        if waiting is None:
            self._unanswered[key] = [index]
        else:
            waiting.append(index)
        if key is not None:
            self._latest[key] = index
        return index

    def result(
        self,
        text: str,
        call_id: str | None = None,
        *,
        name: str | None = None,
        error: str | None = None,
        executed: bool = True,
        **timing: float | None,
    ) -> int | None:
        """A result for the oldest unanswered call with that id (or of any, when it has none).

        A second result for an answered call is that call's too, but changes nothing about it.
        """
        key = call_id or None
        waiting = self._unanswered.get(key) or self._other_waiting(key)
        if waiting:
            index = waiting.pop(0)
            self._fill(index, text, error, executed)
            if timing:
                self.annotate(index, **timing)
            return index
        call_index = self._latest.get(call_id or "")
        self.given(
            "result", text, name if call_index is None else self._tool(call_index), call_index
        )
        return None

    def _tool(self, index: int) -> str:
        tool: str = self._call_cells[index * _CALL + _TOOL]
        return tool

    def _other_waiting(self, key: str | None) -> list[int] | None:
        """Calls that a result may be meant for when none waits under its id."""
        if key is None:
            return next((waiting for waiting in self._unanswered.values() if waiting), None)
        # An id that no call has: calls without one are all it can be meant for.
        return None if key in self._unanswered else self._unanswered.get(None)

    def answer(
        self,
        index: int,
        text: str,
        *,
        error: str | None = None,
        executed: bool = True,
        **timing: float | None,
    ) -> None:
        """A result for just that call."""
        waiting = self._unanswered.get(self._call_cells[index * _CALL + _CALL_ID])
        if waiting and index in waiting:
            waiting.remove(index)
        self._fill(index, text, error, executed)
        if timing:
            self.annotate(index, **timing)

    def _fill(self, index: int, text: str, error: str | None, executed: bool) -> None:
        calls, first_cell, cells = self._call_cells, index * _CALL, self._part_cells
        tool = calls[first_cell + _TOOL]
        cells += ("result", text, tool, index, None, self._turn_count, None, None, self.line)
        calls[first_cell + _RESULT] = self._part_count
        self._part_count += 1
        calls[first_cell + _HARNESS] = message = harness_message(text)
        # What could not even be run is answered by a refusal.
        if calls[first_cell + _ERROR] is None:
            calls[first_cell + _EXECUTED] = executed and message in (None, "cwd_reset")
            calls[first_cell + _ERROR] = error
        else:
            calls[first_cell + _EXECUTED] = False

    def replace_result(self, index: int, text: str) -> int:
        """From the next turn on the context holds this text in place of the call's result."""
        part = self._call_cells[index * _CALL + _RESULT]
        if part is not None:
            self.retire([part])
        return self.given("result", text, self._tool(index), index)

    def turn_of(self, index: int) -> int:
        """The turn that made a call."""
        turn: int = self._call_cells[index * _CALL]
        return turn

    def is_answered(self, index: int) -> bool:
        return self._call_cells[index * _CALL + _RESULT] is not None

    def annotate(self, index: int, **fields: Any) -> None:
        """Add fields learned later about a call (timings, an error)."""
        stated_fields = {name: value for name, value in fields.items() if value is not None}
        self.calls.amend(index, **stated_fields)

    def call_index(self, call_id: str) -> int | None:
        """The latest call with that id, answered or not."""
        return self._latest.get(call_id)

    # The end ------------------------------------------------------------------------------------

    def size(self) -> tuple[int, int]:
        return self._turn_count, self._part_count

    def main_model(self) -> str | None:
        """The model that answered most often; None when no turn names one."""
        named = Counter(model for model in self.turns.column("model") if model)
        return named.most_common(1)[0][0] if named else None

    def build(self, trajectory_id: str, source: str, format: str, **fields: Any) -> Trajectory:
        """The value as it is now, with cells of its own: more may follow. Fields as in
        `Trajectory`; without a `model`, it has the one that answered most often."""
        fields.setdefault("model", self.main_model())
        end, cells = self._turn_count, self._part_cells.copy()
        _clear_implausible_times(self.turns)
        _clear_implausible_times(self.calls)
        for cell in range(self._newest * _PART + _ENTERS, len(cells), _PART):
            if cells[cell] == end:
                # Given after the last turn, or decoded by it: no turn ever had it in context.
                cells[cell] = None
        return Trajectory(
            trajectory_id,
            source,
            format,
            Rows(Part, cells),
            Rows(Turn, self.turns.cells.copy()),
            Rows(ToolCall, self._call_cells.copy()),
            retries=self.retries,
            **fields,
        )


def _clear_implausible_times(rows: GrowingRows[Any]) -> None:
    """A reader may have worked one out, as the end of a call less how long it says that it took."""
    for field in ("started_at", "ended_at"):
        times = rows.column(field)
        plausible = [plausible_time(at) for at in times]
        if times != plausible:
            rows.fill(field, plausible)


@lru_cache(maxsize=256)
def _schema_cells(schemas: Schemas, turn: int) -> list[Any]:
    """Agents offer the same tools in every trajectory; their cells can be shared."""
    return [
        cell
        for name, text in schemas
        for cell in ("schema", text, name, None, None, turn, None, None, None)
    ]
