"""Reads prompts and responses from JSON lines, and turns them into token sequences.

A line holds `prompt` (a text, a list of chat messages, or token ids) and `response` (a text or
token ids; without one the model generates its own), and perhaps `id`, `correct`, `level`, `tools`,
`reasoning` (what was thought before the response) and `ended` (whether a text was ended by an end
token, which then counts). What `--record` writes is read here too. Texts are data: they are
tokenised and scored, never obeyed; one that spells a special token is read as plain letters.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.records import BadRecord, InputError, printable
from agentdyno_depth.engines.chat import (
    ChatCall,
    ChatMessage,
    ChatTool,
    chat_ids,
    end_tokens,
    first_ids,
    has_template,
    template_name,
    text_ids,
)
from agentdyno_depth.engines.thinking import SplitText, tokenize_thinking
from agentdyno_depth.records.sequences import IDS

RAW = "plain text, no chat template"


class Message(Struct, frozen=True):
    """One message of a chat."""

    role: str
    """Role of the author: system, user or assistant."""
    content: str | None = None
    reasoning_content: str | None = None
    """What an assistant thought before."""
    tool_calls: list[dict[str, Any]] | None = None
    """What an assistant called, as chat completions have it."""


class Text(Struct, frozen=True):
    """A prompt, and perhaps a response."""

    prompt: str | list[Message | int]
    """What the model was given: a text, messages, or token ids."""
    response: str | list[int] | None = None
    """What it answered, as a text or as token ids; None when it is to answer now."""
    id: str | int | None = None
    """The line's name; its number when it has none."""
    correct: bool | None = None
    """Whether the answer is right, where that is known."""
    level: str | None = None
    """The reasoning level it was answered at, where there are several."""
    problem: str | None = None
    """The problem, where several lines are responses to the same one."""
    answer: str | None = None
    """What the response answers, where that was read out of it."""
    tools: list[dict[str, Any]] | None = None
    """Tools that the chat offered, as chat completions have them."""
    reasoning: str | None = None
    """What was thought before the response, where that stands apart."""
    ended: bool | None = None
    """Whether an end token closed the response; None when unknown."""
    end: int | None = None
    """The end token, where the response is token ids."""
    template: str | None = None
    """How the prompt was made, where it is token ids."""


def read_texts(path: Path) -> tuple[list[tuple[str, Text]], list[BadRecord]]:
    """Named texts, and the lines that could not be read."""
    if not path.is_file():
        raise InputError(f"{path}: expected a file with JSON lines, found none there.")
    good: list[tuple[str, Text]] = []
    bad: list[BadRecord] = []
    for item in _lines(path):
        if isinstance(item, BadRecord):
            bad.append(item)
        else:
            good.append(item)
    if not good:
        why = f" First problem: {bad[0]}" if bad else ""
        raise InputError(
            f'{path}: expected JSON lines with "prompt" and "response", found none.{why}'
        )
    return good, bad


def _lines(path: Path) -> Iterator[tuple[str, Text] | BadRecord]:
    decoder = msgspec.json.Decoder(Text)
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or (number == 1 and line.startswith(b'{"type":"depth"')):
                continue  # The first line of what --record wrote says how, and holds no text.
            try:
                text = decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                problem = printable(str(error), 200)
                yield BadRecord(path.name, f"line {number}", "a prompt and a response", problem)
                continue
            yield str(number if text.id is None else text.id), text


def prompt_of(tokenizer: Any, text: Text, raw: bool) -> tuple[tuple[int, ...], str]:
    """The prompt's token ids, and the template they were made with."""
    if isinstance(text.prompt, list) and text.prompt and isinstance(text.prompt[0], int):
        return _ids(text.prompt), text.template or IDS
    if raw or (isinstance(text.prompt, str) and not has_template(tokenizer)):
        if not isinstance(text.prompt, str):
            raise InputError("expected prompts that are texts with --raw, found chat messages.")
        return text_ids(tokenizer, text.prompt, start=True) or first_ids(tokenizer), RAW
    wrapped = ", the text as one user message" if isinstance(text.prompt, str) else ""
    return chat_ids(tokenizer, messages_of(text), tools_of(text)), (
        template_name(tokenizer) + wrapped
    )


def response_of(
    tokenizer: Any, model: Any, text: Text, raw: bool
) -> tuple[tuple[int, ...], int | None] | None:
    """The response's token ids and its end token; None when there is no response yet."""
    if text.response is None:
        return None
    ends = end_tokens(tokenizer, model) if tokenizer is not None or model is not None else ()
    if not isinstance(text.response, str):
        ids = tuple(text.response)
        return ids, ids[-1] if ids and (ids[-1] == text.end or ids[-1] in ends) else None
    ids = _tokenize_response(tokenizer, text, raw)
    if text.ended and ends and (not ids or ids[-1] not in ends):
        ids = (*ids, _turn_end(tokenizer, ends))
    return ids, ids[-1] if ids and ids[-1] in ends else None


def _tokenize_response(tokenizer: Any, text: Text, raw: bool) -> tuple[int, ...]:
    """The response as the model wrote it, with the thinking where that is given apart."""
    assert isinstance(text.response, str)
    if not text.reasoning:
        return text_ids(tokenizer, text.response)
    return tokenize_thinking(
        tokenizer,
        None if raw or not has_template(tokenizer) else (messages_of(text), tools_of(text)),
        SplitText(text.reasoning, text.response),
        bool(text.ended),
    )[0]


def _turn_end(tokenizer: Any, ends: tuple[int, ...]) -> int:
    """The tokenizer's own, which closes turns, where a model knows several."""
    end_token = getattr(tokenizer, "eos_token_id", None)
    return end_token if end_token in ends else ends[0]


def messages_of(text: Text) -> list[ChatMessage]:
    """The prompt as a chat."""
    if isinstance(text.prompt, str):
        return [ChatMessage("user", text.prompt)]
    return [_message(item) for item in text.prompt if isinstance(item, Message)]


def tools_of(text: Text) -> list[ChatTool]:
    """Tools offered in the chat."""
    functions = [tool.get("function", tool) for tool in text.tools or ()]
    return [
        ChatTool(str(f.get("name")), str(f.get("description") or ""), f.get("parameters") or {})
        for f in functions
    ]


def _message(message: Message) -> ChatMessage:
    functions = [call.get("function", call) for call in message.tool_calls or ()]
    calls = tuple(ChatCall(str(f.get("name")), _arguments(f.get("arguments"))) for f in functions)
    return ChatMessage(message.role, message.content or "", message.reasoning_content or "", calls)


def _arguments(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _ids(prompt: list[Message | int]) -> tuple[int, ...]:
    token_ids = tuple(item for item in prompt if isinstance(item, int))
    if len(token_ids) != len(prompt):
        raise InputError("expected a prompt of messages or of token ids, found both in one.")
    return token_ids
