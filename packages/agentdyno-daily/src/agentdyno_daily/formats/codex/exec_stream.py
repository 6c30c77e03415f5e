"""The event stream of `codex exec --json` as one trajectory.

It has no times, no model and one count for each turn of the user's: the session's running total.
How many model calls a turn took is not recorded, so all of a turn is one turn here, whose context
is the sum of theirs: totals hold, sizes of single calls do not. Where the session's rollout is
measured too, its responses count instead.
"""

from typing import Any

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.source import Source
from agentdyno.intake.texts import compact_json, first_line, flat_text
from agentdyno.records import Trajectory
from agentdyno.records.problems import printable_name
from agentdyno_daily.formats.codex.usage import RunningTotal
from agentdyno_daily.formats.codex.wire import ExecItem, ExecLine, UsageInfo

FORMAT_NAME = "codex"
_TOOLS = {"command_execution", "file_change", "mcp_tool_call", "collab_tool_call", "web_search"}


class ExecStream:
    """A stream that is being read."""

    def __init__(self) -> None:
        self.builder = TrajectoryBuilder()
        self._thread: str | None = None
        self._total = RunningTotal()
        self._turn: int | None = None
        self._pending: dict[str, int] = {}

    def take(self, line: ExecLine, number: int | None) -> None:
        self.builder.line = number
        if line.type == "thread.started":
            self._thread = line.thread_id
        elif line.type in ("item.started", "item.completed") and line.item is not None:
            self._take_item(line.item, is_done=line.type == "item.completed")
        elif line.type == "turn.completed":
            self._count(line)
        elif line.type == "turn.failed":
            self._fail(line)

    def _open_turn(self) -> int:
        if self._turn is None:
            self._turn = self.builder.turn()
        return self._turn

    def _take_item(self, item: ExecItem, is_done: bool) -> None:
        if item.type in _TOOLS:
            self._call(item, is_done)
        elif item.type == "reasoning" and is_done:
            self._open_turn()
            self.builder.reasoning(item.text or "")
        elif item.type == "agent_message" and is_done and item.text:
            self._open_turn()
            self.builder.text(item.text)

    def _call(self, item: ExecItem, is_done: bool) -> None:
        key = item.id or ""
        if (index := self._pending.pop(key, None)) is None:
            self._open_turn()
            index = self.builder.call(_tool(item), _arguments(item))
        if not is_done:
            self._pending[key] = index
            return
        text = item.aggregated_output
        if text is None:
            inner = item.result.get("content") if isinstance(item.result, dict) else item.result
            text = flat_text(inner)
        refused = item.status == "declined"
        self.builder.answer(index, text, error=_error(item, text), executed=not refused)

    def _count(self, line: ExecLine) -> None:
        counts = self._total.add(UsageInfo(line.usage), has_output=True, is_child=False)
        if counts is not None:
            turn, total = self._open_turn(), self._total.total
            self.builder.amend_turn(turn, **counts.fields())
            if self._thread and total is not None:
                total_id = f"codex exec {self._thread} {total.key}"
                self.builder.amend_turn(turn, identity=total_id, stands_for=total_id)
        self._turn = None

    def _fail(self, line: ExecLine) -> None:
        """A turn that ended with an error; without any output it is a failed request."""
        message = line.error.get("message") if isinstance(line.error, dict) else line.error
        if self._turn is None:
            self.builder.retries += 1
        else:
            self.builder.amend_turn(self._turn, error=first_line(str(message or "failed")))
        self._turn = None

    def build(self, source: Source) -> Trajectory | None:
        """The trajectory; None when no model answered."""
        if not self.builder.turns:
            return None
        thread_id = printable_name(self._thread, 80) if self._thread else None
        # The session's rollout may stand in the same file.
        locator = f"{thread_id or 'session'}/exec"
        return self.builder.build(
            source.id_of(locator), source.name, FORMAT_NAME, session_id=thread_id, line=1
        )


def _tool(item: ExecItem) -> str:
    if item.type == "mcp_tool_call":
        return f"mcp__{item.server}__{item.tool}"
    return item.tool or {"command_execution": "shell"}.get(item.type or "", item.type or "")


def _arguments(item: ExecItem) -> str:
    values: tuple[Any, ...] = (item.command, item.arguments, item.query, item.changes, item.prompt)
    return compact_json(next((value for value in values if value is not None), {}))


def _error(item: ExecItem, text: str) -> str | None:
    if isinstance(item.exit_code, int) and item.exit_code:
        return f"exit code {item.exit_code}"
    if isinstance(item.error, dict) and item.error.get("message"):
        return first_line(str(item.error["message"]))
    return item.status if item.status in ("failed", "declined") else None
