"""One invented attempt at a task, before it is written in any trace format.

A talk is what was said, in order; the shapes turn it into files. Knows nothing of formats.
"""

import json
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from splintr import Tokenizer

TEMPLATE_TOKENS = 4
"""What a chat template puts around every message and every schema."""


@dataclass(frozen=True)
class Call:
    """A tool call with what came back."""

    tool: str
    arguments: dict[str, Any] | str
    result: str

    @property
    def written(self) -> str:
        """The arguments as the model wrote them."""
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


@dataclass(frozen=True)
class Turn:
    """What the model decoded in one go."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    reasoning: str = ""


@dataclass(frozen=True)
class Talk:
    """An attempt: turns, and what the user said before some of them.

    `hidden_tokens` is what a client sends along and does not write down (its own prompt).
    """

    task_id: str
    model: str
    system: str
    tools: list[dict[str, Any]]
    events: list[str | Turn]
    correct: bool = True
    about: dict[str, Any] = field(default_factory=dict)
    hidden_tokens: int = 0


@lru_cache(maxsize=1)
def _tokenizer() -> Any:
    return Tokenizer.from_pretrained("o200k_base")


@lru_cache(maxsize=4096)
def tokens(text: str) -> int:
    """The text's size in the o200k vocabulary."""
    return len(_tokenizer().encode_ordinary(text))


@dataclass(frozen=True)
class Usage:
    """Sizes of one model call."""

    prompt: int
    cached: int
    completion: int
    reasoning: int


def usages(talk: Talk) -> list[Usage]:
    """What a provider would report for each turn: the context grows, its beginning is cached."""
    context = talk.hidden_tokens + tokens(talk.system) + TEMPLATE_TOKENS
    context += sum(tokens(json.dumps(tool)) + TEMPLATE_TOKENS for tool in talk.tools)
    found: list[Usage] = []
    before = 0
    for event in talk.events:
        if isinstance(event, str):
            context += tokens(event) + TEMPLATE_TOKENS
            continue
        thought = tokens(event.reasoning) if event.reasoning else 0
        said = tokens(event.text) + sum(tokens(c.tool + c.written) + 6 for c in event.calls)
        cached = before // 128 * 128 if before >= 1024 else 0
        found.append(Usage(context, cached, thought + said + 1, thought))
        before = context
        context += said + TEMPLATE_TOKENS
        context += sum(tokens(call.result) + TEMPLATE_TOKENS for call in event.calls)
    return found


def function(name: str, description: str, required: str = "", **types: str) -> dict[str, Any]:
    """A schema: every property's type by name, those in `required` must be there."""
    properties = {key: {"type": kind} for key, kind in types.items()}
    wanted = required.split()
    parameters = {"type": "object", "properties": properties, "required": wanted}
    return {"name": name, "description": description, "parameters": parameters}
