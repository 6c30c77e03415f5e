"""A trajectory's turns in a model's own words: its chat template, its tool syntax, its end token.

Takes a trajectory and a model, returns for each turn the token ids of its context and of what it
wrote. Where the model wrote the turn itself these are the ids it saw, as far as a trace tells: what
a format leaves out (spaces around an answer, another order of keys) is lost. A model without a
chat template reads the texts behind plain headers, and its numbers are a reading, not thinking.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from agentdyno.records import InputError, Part, Trajectory
from agentdyno_depth.engines.chat import (
    ChatCall,
    ChatMessage,
    ChatTool,
    answer_ids,
    chat_ids,
    first_ids,
    has_template,
    template_name,
    text_ids,
)

if TYPE_CHECKING:
    from agentdyno_depth.probes.loading import OpenModel

CUT_OFF = ("length", "max_tokens", "model_length", "MAX_TOKENS", "max_output_tokens")
"""Reasons to stop that leave no end token."""
HEADERS = "plain headers, no chat template"
SPEAKERS = {"system": "system", "tool": "result"}
OWN = ("reasoning", "text", "request")
"""Parts that an assistant writes."""

Calls = tuple[int | None, ...]


def voice_of(trajectory: Trajectory, opened: "OpenModel") -> "Voice":
    """By the model's template where it has one."""
    return (Voice if has_template(opened.tokenizer) else HeaderVoice)(trajectory, opened.tokenizer)


def voice_name(opened: "OpenModel") -> str:
    """How this model is given a trace's texts."""
    return template_name(opened.tokenizer) if has_template(opened.tokenizer) else HEADERS


class Voice:
    """Messages through the model's own chat template."""

    def __init__(self, trajectory: Trajectory, tokenizer: Any) -> None:
        self._trajectory, self._tokenizer = trajectory, tokenizer
        self._messages = lru_cache(4)(self._all_messages)

    def context(self, turn: int, first: int = 0) -> tuple[int, ...]:
        """The prompt of a turn, from one of its messages on."""
        messages, tools = self._messages(turn)
        ids = self._prompt(messages[first:], tools if first == 0 else [])
        return ids or first_ids(self._tokenizer)

    def latest(self, turn: int, letters: int) -> int:
        """The first of the latest messages that together have so many letters."""
        messages, _ = self._messages(turn)
        for index in range(len(messages) - 1, -1, -1):
            letters -= len(messages[index].text) + sum(
                len(c.arguments) for c in messages[index].calls
            )
            if letters <= 0:
                return index
        return 0

    def tokenize_turn(self, turn: int) -> tuple[tuple[int, ...], Calls]:
        """Tokens of a turn, and for each token the index of its call in the turn."""
        turn_parts = [part for part in self._trajectory.parts if part.made == turn and part.text]
        if not turn_parts:
            return (), ()
        ended = self._trajectory.turns[turn].finish not in CUT_OFF
        messages, tools = self._messages(turn)
        latest = messages[-1:]  # An answer's own tokens hang on what is right before it at most.
        steps = [
            self._answer(latest, turn_parts, count, tools, ended)
            for count in range(_calls(turn_parts) + 1)
        ]
        if any(step is None for step in steps):
            return self._plainly(turn_parts)
        full = steps[-1]
        assert full is not None
        places = [self._trajectory.calls[p.call].call for p in turn_parts if _is_call(p)]  # type: ignore[index]
        calls: list[int | None] = [None] * len(full)
        for call_index, before, after in zip(places, steps, steps[1:], strict=False):
            for token in range(_common(before or (), full), _common(after or (), full)):
                calls[token] = call_index
        return full, tuple(calls)

    def _answer(
        self,
        before: Sequence[ChatMessage],
        turn_parts: Sequence[Part],
        count: int,
        tools: Sequence[ChatTool],
        ended: bool,
    ) -> tuple[int, ...] | None:
        """Tokens up to so many calls; the last of them brings the end token."""
        last = count == _calls(turn_parts)
        message = self._assistant(turn_parts, count)
        try:
            return answer_ids(self._tokenizer, before, message, tools, ended and last)
        except InputError:  # A template that takes no such chat.
            return None

    def _plainly(self, turn_parts: Sequence[Part]) -> tuple[tuple[int, ...], Calls]:
        """The texts one after the other, where the template does not tell how they were written."""
        tokens: list[int] = []
        calls: list[int | None] = []
        for part in turn_parts:
            ids = text_ids(self._tokenizer, part.text)
            tokens += ids
            called = self._trajectory.calls[part.call].call if _is_call(part) else None  # type: ignore[index]
            calls += [called] * len(ids)
        return tuple(tokens), tuple(calls)

    def _prompt(
        self, messages: Sequence[ChatMessage], tools: Sequence[ChatTool]
    ) -> tuple[int, ...]:
        try:
            return chat_ids(self._tokenizer, messages, tools)
        except InputError:
            # Templates refuse chats that do not begin with a user, or end with an assistant.
            return text_ids(
                self._tokenizer, "".join(f"\n[{_speaker(m)}]\n{m.text}" for m in messages)
            )

    def _all_messages(self, turn: int) -> tuple[list[ChatMessage], list[ChatTool]]:
        messages: list[ChatMessage] = []
        tools: list[ChatTool] = []
        run: list[Part] = []
        for part in self._context_parts(turn):
            if run and not (part.kind in OWN and part.made == run[-1].made):
                messages.append(self._assistant(run, _calls(run)))
                run = []
            if part.kind in OWN:
                run.append(part)
            elif part.kind == "schema":
                tools += _tool(part)
            elif part.kind != "unseen" and part.text:
                role = "tool" if part.kind == "result" else part.kind
                messages.append(ChatMessage(role, part.text))
        if run:
            messages.append(self._assistant(run, _calls(run)))
        return messages, tools

    def _context_parts(self, turn: int) -> list[Part]:
        return [
            part
            for part in self._trajectory.parts
            if part.enters is not None
            and part.enters <= turn
            and (part.leaves is None or part.leaves > turn)
        ]

    def _assistant(self, turn_parts: Sequence[Part], count: int) -> ChatMessage:
        """A turn's parts as one message, with so many of its calls."""
        requests = [part for part in turn_parts if part.kind == "request"][:count]
        return ChatMessage(
            "assistant",
            "".join(part.text for part in turn_parts if part.kind == "text"),
            "\n".join(part.text for part in turn_parts if part.kind == "reasoning"),
            tuple(self._call(part) for part in requests),
        )

    def _call(self, part: Part) -> ChatCall:
        if part.call is None:
            # History that the first request brought: its text is the name and the arguments.
            name = part.name or ""
            return ChatCall(name, part.text.removeprefix(f"{name} "))
        call = self._trajectory.calls[part.call]
        return ChatCall(call.tool, call.arguments)


class HeaderVoice(Voice):
    """A model that knows no chats reads plain headers."""

    def tokenize_turn(self, turn: int) -> tuple[tuple[int, ...], Calls]:
        turn_parts = [part for part in self._trajectory.parts if part.made == turn and part.text]
        return self._plainly(turn_parts)

    def _prompt(
        self, messages: Sequence[ChatMessage], tools: Sequence[ChatTool]
    ) -> tuple[int, ...]:
        token_ids: list[int] = []
        for message in messages:
            token_ids += text_ids(self._tokenizer, f"\n[{_speaker(message)}]\n")
            token_ids += text_ids(self._tokenizer, message.text) if message.text else ()
            for call in message.calls:
                token_ids += text_ids(self._tokenizer, f"{call.name} {call.arguments}")
        return (*token_ids, *text_ids(self._tokenizer, "\n[assistant]\n"))


def _speaker(message: ChatMessage) -> str:
    return SPEAKERS.get(message.role, message.role)


def _is_call(part: Part) -> bool:
    return part.kind == "request" and part.call is not None


def _calls(turn_parts: Sequence[Part]) -> int:
    return sum(part.kind == "request" for part in turn_parts)


def _common(first: Sequence[int], second: Sequence[int]) -> int:
    """How many tokens two sequences begin with together."""
    for index, (left, right) in enumerate(zip(first, second, strict=False)):
        if left != right:
            return index
    return min(len(first), len(second))


def _tool(part: Part) -> list[ChatTool]:
    """A schema that is a JSON object; another text cannot be offered."""
    try:
        schema = json.loads(part.text)
    except ValueError:
        return []
    if not isinstance(schema, dict):
        return []
    parameters = schema.get("parameters") or schema.get("input_schema") or {}
    about = str(schema.get("description") or "")
    return [ChatTool(part.name or str(schema.get("name")), about, parameters)]
