"""Sessions of OpenCode 2: one row a message, an answer with its calls in it.

A completed compaction takes the place of everything before it. Calls that write titles and
summaries are no messages: their usage stands among the events, and each is a trajectory of its own.
"""

from agentdyno.intake.identity import is_random
from agentdyno.intake.split_usage import known_price
from agentdyno.intake.texts import seconds
from agentdyno_daily.formats.opencode.talk import Answer, Talk, error_text, model_of
from agentdyno_daily.formats.opencode.wire import Message, Part, Recorded, State, Time

ANY_VERSION = "2.0.0"


class SecondVersion(Talk):
    """A session under construction, row by row."""

    def __init__(self) -> None:
        super().__init__(ANY_VERSION)
        self._shells: dict[str | None, int] = {}
        """Commands that a person ran, with the part that shows each."""

    def add(self, kind: str, message: Message) -> None:
        if kind == "assistant":
            self._answer_with(message)
        elif kind == "compaction":
            if message.status == "completed":
                self.builder.retire_from(0)
                self.builder.user(f"{message.summary or ''}\n\n{message.recent or ''}".strip())
        elif kind == "system":
            self.builder.system(message.text or "")
        elif kind == "shell":
            self._shells[message.shellID] = self.builder.user(_ran(message))
        elif kind in ("user", "synthetic", "skill"):
            noted = message.metadata if isinstance(message.metadata, dict) else {}
            if noted.get("source") == "shell" and noted.get("shellID") in self._shells:
                # Newer versions write what the model reads of a command as a message of its own.
                self.builder.retire([self._shells.pop(noted["shellID"])])
            skills = [
                skill.get("text") for skill in message.skills or [] if isinstance(skill, dict)
            ]
            for text in (*skills, message.text):
                if isinstance(text, str) and text:
                    self.builder.user(text)

    def _answer_with(self, message: Message) -> None:
        model, provider = model_of(message.model)
        usage = self.usage(message.tokens, provider)
        if isinstance(message.retry, dict) and isinstance(message.retry.get("attempt"), int):
            self.builder.retries += min(max(message.retry["attempt"], 0), 1000)
        if message.error and not message.content and not usage:
            self.builder.retries += 1
            return
        time = message.time or Time()
        begun, ended = seconds(time.created), seconds(_streamed_until(message, time))
        latency = ended - begun if begun is not None and ended is not None else None
        response = message.providerState.get("responseId") if _has_state(message) else None
        response = response if isinstance(response, str) else None
        answer = Answer(model, provider, time)
        is_known = response is not None and is_random(response)
        self.builder.turn(
            model,
            **usage,
            identity=None if is_known else self.identity(answer, message.tokens),
            response_id=response,
            started_at=begun,
            ended_at=ended,
            latency_seconds=latency if latency is not None and latency >= 0 else None,
            finish=message.finish,
            error=error_text(message.error),
            reported_usd=known_price(message.cost),
        )
        for part in message.content:
            self._write_part(part)

    def _write_part(self, part: Part) -> None:
        if part.type == "reasoning":
            self.builder.reasoning(part.text or "")
        elif part.type == "text" and part.text:
            self.builder.text(part.text)
        elif part.type == "tool":
            state, time = part.state or State(), part.time or Time()
            call = self.tool(part.name or "", part.id, state, time)
            if part.executed and self.builder.is_answered(call):
                # The provider ran it, within the call itself.
                self.builder.given_within(len(self.builder.parts) - 1)

    def record(self, recorded: Recorded, at: float | None) -> None:
        """A call of which only the usage is known."""
        usage = self.usage(recorded.tokens, None)
        self.builder.turn(
            **usage,
            identity=f"opencode {recorded.source} {at} {usage.get('prefill')}",
            ended_at=seconds(at),
            reported_usd=known_price(recorded.cost),
        )


def _streamed_until(message: Message, time: Time) -> float | None:
    """When the answer was there; where no moment is written, a message without calls ends with it,
    and one with calls when its last tool began."""
    if time.streamed is not None:
        return time.streamed
    calls = [part.time or Time() for part in message.content if part.type == "tool"]
    return max((call.ran or 0 for call in calls), default=0) or (None if calls else time.completed)


def _ran(message: Message) -> str:
    output = message.output.get("output") if isinstance(message.output, dict) else None
    return f"{message.command or ''}\n{output or ''}"


def _has_state(message: Message) -> bool:
    return isinstance(message.providerState, dict)
