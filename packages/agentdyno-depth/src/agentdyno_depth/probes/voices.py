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
        for place in range(len(messages) - 1, -1, -1):
            letters -= len(messages[place].text) + sum(
                len(c.arguments) for c in messages[place].calls
            )
            if letters <= 0:
                return place
        return 0

    def tokenize_turn(self, turn: int) -> tuple[tuple[int, ...], Calls]:
        """What a turn wrote, and for each token the place of its call in the turn."""
        own = [part for part in self._trajectory.parts if part.made == turn and part.text]
        if not own:
            return (), ()
        ended = self._trajectory.turns[turn].finish not in CUT_OFF
        messages, tools = self._messages(turn)
        latest = messages[-1:]  # An answer's own tokens hang on what is right before it at most.
        steps = [self._answer(latest, own, count, tools, ended) for count in range(_calls(own) + 1)]
        if any(step is None for step in steps):
            return self._plainly(own)
        full = steps[-1]
        assert full is not None
        places = [self._trajectory.calls[p.call].call for p in own if _is_call(p)]  # type: ignore[index]
        calls: list[int | None] = [None] * len(full)
        for place, before, after in zip(places, steps, steps[1:], strict=False):
            for token in range(_common(before or (), full), _common(after or (), full)):
                calls[token] = place
        return full, tuple(calls)

    def _answer(
        self,
        before: Sequence[ChatMessage],
        own: Sequence[Part],
        count: int,
        tools: Sequence[ChatTool],
        ended: bool,
    ) -> tuple[int, ...] | None:
        """What was written up to so many calls; the last of them brings the end token."""
        last = count == _calls(own)
        message = self._assistant(own, count)
        try:
            return answer_ids(self._tokenizer, before, message, tools, ended and last)
        except InputError:  # A template that takes no such chat.
            return None

    def _plainly(self, own: Sequence[Part]) -> tuple[tuple[int, ...], Calls]:
        """The texts one after the other, where the template does not tell how they were written."""
        tokens: list[int] = []
        calls: list[int | None] = []
        for part in own:
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

    def _assistant(self, own: Sequence[Part], count: int) -> ChatMessage:
        """A turn's parts as one message, with so many of its calls."""
        requests = [part for part in own if part.kind == "request"][:count]
        return ChatMessage(
            "assistant",
            "".join(part.text for part in own if part.kind == "text"),
            "\n".join(part.text for part in own if part.kind == "reasoning"),
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
        own = [part for part in self._trajectory.parts if part.made == turn and part.text]
        return self._plainly(own)

    def _prompt(
        self, messages: Sequence[ChatMessage], tools: Sequence[ChatTool]
    ) -> tuple[int, ...]:
        found: list[int] = []
        for message in messages:
            found += text_ids(self._tokenizer, f"\n[{_speaker(message)}]\n")
            found += text_ids(self._tokenizer, message.text) if message.text else ()
            for call in message.calls:
                found += text_ids(self._tokenizer, f"{call.name} {call.arguments}")
        return (*found, *text_ids(self._tokenizer, "\n[assistant]\n"))


def _speaker(message: ChatMessage) -> str:
    return SPEAKERS.get(message.role, message.role)


def _is_call(part: Part) -> bool:
    return part.kind == "request" and part.call is not None


def _calls(own: Sequence[Part]) -> int:
    return sum(part.kind == "request" for part in own)


def _common(one: Sequence[int], two: Sequence[int]) -> int:
    """How many tokens two sequences begin with together."""
    for place, (left, right) in enumerate(zip(one, two, strict=False)):
        if left != right:
            return place
    return min(len(one), len(two))


def _tool(part: Part) -> list[ChatTool]:
    """A schema that is a JSON object; another text cannot be offered."""
    try:
        found = json.loads(part.text)
    except ValueError:
        return []
    if not isinstance(found, dict):
        return []
    parameters = found.get("parameters") or found.get("input_schema") or {}
    about = str(found.get("description") or "")
    return [ChatTool(part.name or str(found.get("name")), about, parameters)]
