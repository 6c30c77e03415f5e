"""Thinking and answer of one response: separated in a text, and written as a model writes them.

Takes what a server gives (an answer, with the thinking in a field of its own or between tags),
returns the response's token ids and how many of them are thinking. Knows nothing of HTTP.
"""

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from agentdyno_depth.engines.chat import ChatMessage, ChatTool, answer_ids, chat_text, text_ids

TAGS = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
)
"""What models put around their thinking; the first is what most use."""
_OPEN = re.compile(rf"^\s*({'|'.join(re.escape(start) for start, _ in TAGS)})")
_ALONE = re.compile(rf"(?m)^[ \t]*({'|'.join(re.escape(end) for _, end in TAGS)})[ \t]*$")
_CHANNEL = re.compile(
    r"(?:<\|start\|>assistant)?<\|channel\|>(\w+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>"
    r"(.*?)(?:<\|end\|>|<\|return\|>|<\|call\|>|\Z)",
    re.DOTALL,
)
"""A message of the Harmony format: its channel (`analysis`, `commentary`, `final`) and its text."""
_BARE_CHANNELS = re.compile(r"\s*analysis(.*?)assistantfinal(.*)", re.DOTALL)
"""The same after a decoder dropped the special tokens."""

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
    if text.lstrip().startswith(("<|channel|>", "<|start|>assistant<|channel|>")):
        return _split_channels(text)
    opening = _OPEN.match(text)
    if opening:
        return _split_at(text[opening.end() :], dict(TAGS)[opening[1]])
    if opened:
        return _split_at(text, next((end for _, end in TAGS if end in text), TAGS[0][1]))
    if bare := _BARE_CHANNELS.fullmatch(text):
        return SplitText(bare[1].strip("\n"), bare[2].strip("\n"))
    # An end tag within a line, in a code block or after its start is something the answer quotes.
    alone = _ALONE.search(text)
    if alone is None or _is_quoted(text[: alone.start()], alone[1]):
        return SplitText("", text)
    return _split_at(text, alone[0])


def _is_quoted(before: str, end: str) -> bool:
    start = next(first for first, last in TAGS if last == end)
    return start in before or before.count("```") % 2 == 1


def _split_at(text: str, end: str) -> SplitText:
    thinking, closed, answer = text.partition(end)
    return SplitText(thinking.strip("\n"), answer.lstrip("\n") if closed else "")


def _split_channels(text: str) -> SplitText:
    """Harmony: the analysis is thinking, every other channel is written for somebody."""
    messages = _CHANNEL.findall(text)
    thinking = [content for channel, content in messages if channel == "analysis"]
    answer = [content for channel, content in messages if channel != "analysis"]
    return SplitText("\n".join(thinking).strip("\n"), "\n".join(answer).strip("\n"))


def opens_thinking(tokenizer: Any, chat: Chat) -> bool:
    """True when the template's prompt ends with an open tag."""
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
        has_answer = answer in tokenizer.decode(list(ids[middle:]))
        low, high = (middle, high) if has_answer else (low, middle - 1)
    return low
