"""Thinking and answer of one response: separated in a text, and written as a model writes them.

Takes what a server gives (an answer, with the thinking in a field of its own or between tags),
returns the response's token ids and how many of them are thinking. Knows nothing of HTTP.
"""

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from agentdyno_depth.engines.chat import ChatMessage, ChatTool, answer_ids, chat_text, text_ids

TAGS = (("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>"))
_OPEN = re.compile(r"^\s*(<think>|<thinking>|<reasoning>)")

Chat = tuple[Sequence[ChatMessage], Sequence[ChatTool]]


class SplitText(Struct, frozen=True):
    """A response in its two parts."""

    thinking: str
    """What was thought, without tags; empty when nothing was."""
    answer: str
    """The text after the thinking."""


def split_thinking(text: str, opened: bool = False) -> SplitText:
    """The two parts of a text with inline tags; all of it is the answer where there are none.

    `opened` says that the prompt ends inside the thinking, so that only its end is tagged. Thinking
    that was cut off before its end tag has no answer.
    """
    found = _OPEN.match(text)
    if found:
        end = dict(TAGS)[found[1]]
        inside = text[found.end() :]
    else:
        end = next((close for _, close in TAGS if close in text), "" if not opened else TAGS[0][1])
        inside = text
        if not end:
            return SplitText("", text)
    thinking, closed, answer = inside.partition(end)
    return SplitText(thinking.strip("\n"), answer.lstrip("\n") if closed else "")


def opens_thinking(tokenizer: Any, chat: Chat) -> bool:
    """Whether the template's prompt ends with an open tag."""
    text = chat_text(tokenizer, *chat).rstrip()
    return any(text.endswith(start) for start, _ in TAGS)


def tokenize_thinking(
    tokenizer: Any, chat: Chat | None, split: SplitText, ended: bool
) -> tuple[tuple[int, ...], int]:
    """The response's ids, and how many of the first are thinking.

    By the model's template where that writes thinking, else between the tags that most models use.
    """
    if not split.thinking:
        answer = _answer(tokenizer, chat, ChatMessage("assistant", split.answer), ended)
        return answer or text_ids(tokenizer, split.answer), 0
    message = ChatMessage("assistant", split.answer, reasoning=split.thinking)
    full = _answer(tokenizer, chat, message, ended)
    opened = chat is not None and opens_thinking(tokenizer, chat)
    before = f"{'' if opened else TAGS[0][0]}\n{split.thinking}\n{TAGS[0][1]}"
    if full is None:
        ahead = text_ids(tokenizer, before.lstrip("\n") if opened else before)
        return (*ahead, *text_ids(tokenizer, f"\n\n{split.answer}")), len(ahead)
    return full, _count_thinking(tokenizer, full, split)


def _answer(
    tokenizer: Any, chat: Chat | None, message: ChatMessage, ended: bool
) -> tuple[int, ...] | None:
    return None if chat is None else answer_ids(tokenizer, chat[0], message, chat[1], ended)


def _count_thinking(tokenizer: Any, ids: tuple[int, ...], split: SplitText) -> int:
    """Tokens up to the one after which only the answer is left to be written."""
    if not split.answer.strip():
        return len(ids)
    low, high = 0, len(ids)
    answer = split.answer.strip()
    while low < high:  # The decoded rest holds the whole answer up to some token, and then not.
        middle = (low + high + 1) // 2
        held = answer in tokenizer.decode(list(ids[middle:]))
        low, high = (middle, high) if held else (low, middle - 1)
    return low
