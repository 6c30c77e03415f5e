"""Who is asked: a conversation in, an answer with its usage out.

`Ask` is all that a judge has to offer; a model of Inspect is one way (`inspect_ask`), a script
is another. Knows nothing of trajectories or verdicts.
"""

from typing import Any, NamedTuple, Protocol

from msgspec import Struct

from agentdyno_bench.shared.judges.forms import MOST, Form, Prompt


class Message(NamedTuple):
    """One message to or from a judge."""

    role: str
    """`system`, `user` or `assistant`."""
    text: str


class Answer(Struct, frozen=True):
    """A model's answer and its token counts."""

    text: str
    input_tokens: int | None = None
    """Tokens of the question, as the provider reports them."""
    output_tokens: int | None = None
    """Tokens of the answer, as the provider reports them."""


class Ask(Protocol):
    """A model that can be asked."""

    name: str
    """The model's name, for the price table and for verdicts."""

    @property
    def settings(self) -> str:
        """Besides the name, everything that decides the model's answers: the service, its
        arguments, limits. Never a key to the service."""
        ...

    async def ask(self, conversation: tuple[Message, ...], form: Form) -> Answer:
        """The answer, in that form where the model can be held to it; an exception is tried
        again."""
        ...

    async def close(self) -> None:
        """Nobody asks any more in this loop: connections end."""
        ...


def question(prompt: Prompt) -> tuple[Message, ...]:
    """The first question."""
    return Message("system", prompt.system), Message("user", prompt.user)


def repair(prompt: Prompt, answered: str, problem: str) -> tuple[Message, ...]:
    """The second and last one, when the first answer could not be read."""
    again = (
        f"That answer cannot be used: {problem}. Give your judgement of the same thing once more, "
        "as the one JSON object that was described and with nothing around it."
    )
    return *question(prompt), Message("assistant", answered or "(nothing)"), Message("user", again)


def answer_schema(form: Form) -> dict[str, Any]:
    """The JSON schema of an answer."""
    word = {"type": "string", "enum": list(form.labels)}
    if form.parts is None:
        score = {"type": "integer", "enum": list(range(MOST + 1))}
        verdict: dict[str, Any] = {"label": word, **dict.fromkeys(form.scores, score)}
    else:
        name = {"type": "integer"} if form.parts else {"type": "string"}
        part = _object({"part": name, "mark": word, "evidence": {"type": "string"}})
        verdict = {"parts": {"type": "array", "items": part}}
    return _object(verdict | {"confidence": {"type": "number"}, "rationale": {"type": "string"}})


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
