"""Facts about a chain's requests, beyond their texts.

Takes lines in order; writes `thinking`, `client_version` and `context_event` into the turns of a
builder.

A prompt that asks for thinking says so (`thinkingMetadata`); one that does not, leaves it out: a
skill, a slash command, a plan that is handed over. A prompt holds until the next one. Thinking in
an answer overrules what its prompt says. Versions that never write the field say nothing.
"""

import re

from agentdyno.intake.anthropic import Block, is_thinking
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.records import ContextEvent
from agentdyno.records.problems import printable_name
from agentdyno_daily.formats.claude_code.wire import Line

_WEIGHT: tuple[ContextEvent, ...] = (
    "tools loaded", "mode switched", "provider switched", "restarted", "rewound", "cleared",
    "compacted",
)  # fmt: skip
"""Of several events before one request, the last of these counts."""
_PROVIDER = re.compile(r"msg_(?:(?:vrtx|bdrk)_)?")
"""Messages of Vertex AI are named `msg_vrtx_…`, of Bedrock `msg_bdrk_…`, of Anthropic `msg_…`."""


class Requests:
    def __init__(self, builder: TrajectoryBuilder) -> None:
        self._builder = builder
        self._asks = False
        """Whether the last prompt asks for thinking."""
        self._thinks = False
        """Whether any answer to it has thinking."""
        self._first_turn = 0
        """The first turn that answers it."""
        self._saying: set[str | None] = set()
        """Versions of the client that write the field."""
        self._event: ContextEvent | None = None
        self._version: str | None = None
        self._session: str | None = None
        self._folder: str | None = None
        self._mode: str | None = None
        self._provider: str | None = None

    def prompted(self, line: Line) -> None:
        """Somebody, or the client itself, asks something new."""
        field = line.thinkingMetadata
        if isinstance(field, dict):
            self._learn(line.version)
        self._asks = isinstance(field, dict) and not (
            field.get("disabled") or field.get("level") == "none"
        )
        self._thinks, self._first_turn = False, len(self._builder.turns)
        if self._folder is not None and line.cwd not in (None, self._folder):
            self.happened("restarted")
        if self._mode is not None and line.permissionMode not in (None, self._mode):
            self.happened("mode switched")
        self._mode = line.permissionMode or self._mode

    def _learn(self, version: str | None) -> None:
        """This version writes the field, so earlier prompts without it asked for none."""
        if version in self._saying:
            return
        self._saying.add(version)
        columns = zip(*map(self._builder.turns.column, ("thinking", "client_version")), strict=True)
        for turn, (thinking, client) in enumerate([*columns]):
            if thinking is None and client == version:
                self._builder.amend_turn(turn, thinking=False)

    def happened(self, event: ContextEvent) -> None:
        """Something was done to the context or the program before the next request."""
        if self._event is None or _WEIGHT.index(event) > _WEIGHT.index(self._event):
            self._event = event

    def sent(self, line: Line, message_id: str | None) -> None:
        """The first line of an answer."""
        if named := _PROVIDER.match(message_id or ""):
            if self._provider is not None and named[0] != self._provider:
                self.happened("provider switched")
            self._provider = named[0]
        is_same = line.version == self._version and line.sessionId == self._session
        if self._version is not None and not is_same:
            self.happened("restarted")
        self._builder.amend_turn(
            len(self._builder.turns) - 1,
            thinking=True if self._thinks else self._asks if line.version in self._saying else None,
            client_version=printable_name(line.version, 40) if line.version else None,
            context_event=self._event,
        )
        self._event, self._version, self._session = None, line.version, line.sessionId

    def answered(self, blocks: list[Block]) -> None:
        """A line of an answer: thinking in it was asked for, by the whole run of its prompt."""
        if self._thinks or not any(map(is_thinking, blocks)):
            return
        self._thinks = True
        for turn in range(self._first_turn, len(self._builder.turns)):
            self._builder.amend_turn(turn, thinking=True)

    def stood_in(self, folder: str | None) -> None:
        """The folder after a line: a tool may change it, between an answer and a prompt nobody
        but a new start does."""
        self._folder = folder or self._folder
