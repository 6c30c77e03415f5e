"""A recorded sample played back to its own solver up to a cut, and live from there.

The solver runs from the start and does not know: while recorded answers are left, the model gives
these without being called, the last of them with as many calls as lie before the cut. So turns are
counted, limits hold, tools are selected and the world is changed as they were. Live answers are
asked for with the continuation's own seed.

What happens to a recorded call is up to the tool:

    played back   the tool does not run, its recorded result stands in       `stand_in`
    done again    the tool runs and must give what it gave, or the sample fails  every other tool
"""

from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from itertools import zip_longest
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageTool,
    GenerateConfig,
    Model,
    ModelOutput,
)
from inspect_ai.tool import Tool, ToolError
from msgspec import Struct

from agentdyno.records import printable
from agentdyno_bench.shared.running.recording import Recording


class NotRestoredError(Exception):
    """The state before the cut is not the recorded one: the continuation says nothing."""


class Cut(Struct, frozen=True):
    """Where the recorded part ends."""

    answers: int
    """Recorded answers before the cut."""
    calls: int
    """Calls that the last of these keeps; the model had made no others."""


class Replay:
    """One sample's recorded part, handed out piece by piece."""

    def __init__(self, recording: Recording, cut: Cut, seed: int) -> None:
        self.seed = seed
        self._answers = deque(_until(recording, cut))
        results = [list(messages) for messages in recording.results[: cut.answers]]
        if results:
            results[-1] = results[-1][: cut.calls]
        self._expected = [message for messages in results for message in messages]
        self._results = deque(results)
        self._due: list[ChatMessageTool] = []
        self._checked = False

    def next_answer(self) -> ModelOutput | None:
        """The next recorded answer; None when the model is to be asked."""
        if not self._answers:
            self._due = []
            return None
        self._due = self._results.popleft()
        return self._answers.popleft()

    def next_result(self, tool: str) -> ChatMessageTool | None:
        """The recorded result of the tool's next call; None when the tool is to run."""
        for index, message in enumerate(self._due):
            if message.function == tool:
                return self._due.pop(index)
        return None

    def check(self, messages: list[ChatMessage]) -> None:
        """Once, before the first live answer: tools must have given what they gave."""
        if self._checked:
            return
        self._checked = True
        actual = [_key_of(m) for m in messages if isinstance(m, ChatMessageTool)]
        expected = [_key_of(m) for m in self._expected]
        for number, (had, has) in enumerate(zip_longest(expected, actual), 1):
            if had != has:
                raise NotRestoredError(
                    f"result {number} of the {len(expected)} before the cut: expected what was "
                    f"recorded, found {printable(str(has), 200)}"
                )


def _until(recording: Recording, cut: Cut) -> list[ModelOutput]:
    outputs = [answer.model_copy(deep=True) for answer in recording.answers[: cut.answers]]
    if outputs and outputs[-1].message.tool_calls:
        message = outputs[-1].message
        message.tool_calls = (message.tool_calls or [])[: cut.calls] or None
    return outputs


def _key_of(message: ChatMessageTool) -> tuple[str | None, str, str | None]:
    """The parts of a result that the model sees."""
    return message.function, message.text, message.error.message if message.error else None


_now: ContextVar[Replay | None] = ContextVar("_now", default=None)


def start_replay(model: Model, replay: Replay) -> None:
    """From now on, in this sample, the model gives the recorded answers first."""
    _now.set(replay)
    if not getattr(model, _LISTENING, False):
        setattr(model, _LISTENING, True)
        model.generate = _listen(model.generate)  # type: ignore[method-assign]


_LISTENING = "_agentdyno_plays_back"


def _listen(original: Callable[..., Any]) -> Callable[..., Any]:
    async def generate(
        input: str | list[ChatMessage],
        tools: Any = (),
        tool_choice: Any = None,
        config: GenerateConfig | None = None,
        **others: Any,
    ) -> ModelOutput:
        replay, config = _now.get(), config or GenerateConfig()
        if replay is not None:
            recorded = replay.next_answer()
            if recorded is not None:
                return recorded
            replay.check(input if isinstance(input, list) else [])
            config = config.merge(GenerateConfig(seed=replay.seed))
        live: ModelOutput = await original(
            input, tools=tools, tool_choice=tool_choice, config=config, **others
        )
        return live

    return generate


def stand_in(tool: Tool, name: str) -> Tool:
    """The tool, which does not run for a recorded call: the recorded result stands in."""

    @wraps(tool)
    async def execute(*args: Any, **arguments: Any) -> Any:
        replay = _now.get()
        recorded = None if replay is None else replay.next_result(name)
        if recorded is None:
            return await tool(*args, **arguments)
        if recorded.error is not None:
            raise ToolError(recorded.error.message)
        return recorded.content

    return execute
