"""Reads prompts and responses from JSON lines, and turns them into tokens.

A line holds `prompt` (a text, or a list of chat messages) and `response` (a text; without one the
model generates its own), and perhaps `id`, `correct` and `level`. Texts are data: they are
tokenised and scored, never obeyed. A text that spells a special token of the model is read as
plain text where the tokenizer can.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.records import BadRecord, InputError, printable


class Message(Struct, frozen=True):
    """One message of a chat."""

    role: str
    """Who speaks."""
    content: str
    """What is said."""


class Text(Struct, frozen=True):
    """A prompt, and perhaps a response."""

    prompt: str | list[Message]
    """What the model was given."""
    response: str | None = None
    """What it answered; None when it is to answer now."""
    id: str | int | None = None
    """The line's name; its number when it has none."""
    correct: bool | None = None
    """Whether the answer is right, where that is known."""
    level: str | None = None
    """The reasoning level it was answered at, where there are several."""


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
            if not line.strip():
                continue
            try:
                text = decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                found = printable(str(error), 200)
                yield BadRecord(path.name, f"line {number}", "a prompt and a response", found)
                continue
            yield str(number if text.id is None else text.id), text


def prompt_ids(tokenizer: Any, prompt: str | list[Message], raw: bool) -> tuple[int, ...]:
    """The prompt's tokens: as a chat where the tokenizer knows how, else as it is."""
    if raw or (isinstance(prompt, str) and not getattr(tokenizer, "chat_template", None)):
        if not isinstance(prompt, str):
            raise InputError("expected prompts that are texts with --raw, found chat messages.")
        ids = tuple(tokenizer(prompt)["input_ids"])
        return ids or _first(tokenizer)
    messages = (
        [{"role": "user", "content": prompt}]
        if isinstance(prompt, str)
        else [{"role": message.role, "content": message.content} for message in prompt]
    )
    chat = tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_dict=True)
    return tuple(chat["input_ids"])


def response_ids(tokenizer: Any, response: str) -> tuple[int, ...]:
    """A text's own tokens: nothing around it, and special ones only as the letters they are."""
    found = tokenizer(response, add_special_tokens=False, split_special_tokens=True)
    return tuple(found["input_ids"])


def _first(tokenizer: Any) -> tuple[int, ...]:
    """An empty prompt still needs a position that predicts the first token."""
    start = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else 0
    return (int(start),)
