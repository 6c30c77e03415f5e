"""The only way from chats and texts to token ids, by the model's own template and tool syntax.

Takes messages, tools and a tokenizer, returns ids and the name of the template. A template that
knows tools gets them; for one that does not they are offered in the system message and calls stand
between tags, in the same words for every caller (a benchmark, a probe, a ledger read again). Texts
are data: a special token spelled in one is read as the letters it is, in prompts as in responses.
Needs no torch; knows nothing of traces and of what the ids are for.
"""

import json
import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any

from msgspec import Struct

from agentdyno.records import InputError

_OFFER = """You can use these tools, one JSON description on each line:
{tools}

To use a tool, write one line like this and then stop:
<tool_call>{{"name": "TOOL", "arguments": {{"PARAMETER": "VALUE"}}}}</tool_call>
What the tool gives back will be shown to you. When no tool is needed, answer directly."""
_MARKS = 0xF0000
"""Private characters that stand for spelled special tokens while a template is rendered."""
_DEFAULTS = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


class ChatCall(Struct, frozen=True):
    """A tool call of an assistant's message."""

    name: str
    arguments: str


class ChatMessage(Struct, frozen=True):
    role: str
    """system, user, assistant or tool."""
    text: str
    reasoning: str = ""
    """What an assistant thought before."""
    calls: tuple[ChatCall, ...] = ()
    written: str | None = None
    """An assistant's whole message as the model wrote it, where that is known."""


class ChatTool(Struct, frozen=True):
    """A tool that is offered."""

    name: str
    """Name by which the model calls it."""
    description: str
    """What the tool does, for the model."""
    parameters: dict[str, Any]
    """JSON schema of the arguments."""


def has_template(tokenizer: Any) -> bool:
    """True when the tokenizer has a chat template."""
    return bool(getattr(tokenizer, "chat_template", None))


def template_name(tokenizer: Any) -> str:
    """The template by a fingerprint of its text, so that two outputs can be compared."""
    text = str(tokenizer.chat_template)
    return f"chat template {blake2b(text.encode(), digest_size=4).hexdigest()}"


def chat_ids(
    tokenizer: Any, messages: Sequence[ChatMessage], tools: Sequence[ChatTool] = ()
) -> tuple[int, ...]:
    """The ids of a whole prompt, ready to be answered."""
    marks = _SpecialTokens(tokenizer)
    return marks.ids(_render(tokenizer, marks, messages, tools, True))


def chat_text(
    tokenizer: Any, messages: Sequence[ChatMessage], tools: Sequence[ChatTool] = ()
) -> str:
    """The same as text, for a server that continues texts."""
    marks = _SpecialTokens(tokenizer)
    return marks.plain(_render(tokenizer, marks, messages, tools, True))


def answer_ids(
    tokenizer: Any,
    messages: Sequence[ChatMessage],
    answer: ChatMessage,
    tools: Sequence[ChatTool] = (),
    ended: bool = True,
) -> tuple[int, ...] | None:
    """Tokens that the model wrote for this answer, with its end token where it ended.

    None where the template does not write answers behind its own prompt (it rewrites the past, or
    drops the thinking): then it is unknown what was written.
    """
    marks = _SpecialTokens(tokenizer)
    before = _render(tokenizer, marks, messages, tools, True)
    full = _render(tokenizer, marks, [*messages, answer], tools, False)
    if not full.startswith(before):
        return None
    ids = marks.ids(full[len(before) :])
    if answer.reasoning and marks.hide(answer.reasoning) not in full[len(before) :]:
        return None
    ends = end_tokens(tokenizer)
    last = max((index for index, token in enumerate(ids) if token in ends), default=None)
    if last is None:
        return ids
    return ids[: last + 1] if ended else ids[:last]


def continuation_ids(tokenizer: Any, messages: Sequence[ChatMessage]) -> tuple[int, ...]:
    """Tokens between the end token of an answer and the next answer: these messages.

    So a conversation can be continued by tokens alone, without reading back what was generated.
    """
    marks = _SpecialTokens(tokenizer)
    before = [ChatMessage("user", "a"), ChatMessage("assistant", "b")]
    before_ids = marks.ids(_render(tokenizer, marks, before, (), False))
    full = marks.ids(_render(tokenizer, marks, [*before, *messages], (), True))
    ends = end_tokens(tokenizer)
    last = max(
        (index for index, token in enumerate(before_ids) if token in ends),
        default=len(before_ids) - 1,
    )
    if full[: last + 1] != before_ids[: last + 1]:
        raise InputError(
            "expected a chat template that leaves earlier messages as they are, found one that "
            "writes them anew: such a model cannot be trained over several turns."
        )
    return full[last + 1 :]


def text_ids(tokenizer: Any, text: str, start: bool = False) -> tuple[int, ...]:
    """A text's own tokens, special ones only as letters; `start` puts what a text begins with."""
    encoded = tokenizer(text, add_special_tokens=start, split_special_tokens=True)
    return tuple(encoded["input_ids"])


def first_ids(tokenizer: Any) -> tuple[int, ...]:
    """An empty prompt still needs a position that predicts the first token."""
    start = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else 0
    return (int(start),)


def end_tokens(tokenizer: Any, model: Any = None) -> tuple[int, ...]:
    """End tokens of a response: the model's own list where there is one, else the tokenizer's."""
    settings = getattr(model, "generation_config", None)
    token_ids = getattr(settings, "eos_token_id", None)
    if token_ids is None and tokenizer is not None:
        token_ids = tokenizer.eos_token_id
    if token_ids is None:
        return ()
    return tuple(token_ids) if isinstance(token_ids, list | tuple) else (int(token_ids),)


def decode_text(tokenizer: Any, ids: Sequence[int]) -> str:
    """Text of a response without special tokens."""
    return str(tokenizer.decode(list(ids), skip_special_tokens=True))


def plain_messages(
    messages: Sequence[ChatMessage], tools: Sequence[ChatTool]
) -> list[dict[str, str]]:
    """Role and text of each message; the tools are offered in the system message."""
    plain = [_plain(message) for message in messages]
    if tools:
        offer = _OFFER.format(tools="\n".join(_describe(tool) for tool in tools))
        if plain and plain[0]["role"] == "system":
            plain[0] = {"role": "system", "content": f"{plain[0]['content']}\n\n{offer}"}
        else:
            plain.insert(0, {"role": "system", "content": offer})
    return plain


def _render(
    tokenizer: Any,
    marks: "_SpecialTokens",
    messages: Sequence[ChatMessage],
    tools: Sequence[ChatTool],
    prompt: bool,
) -> str:
    """The template's text, with marks where a message spells a special token."""
    if not has_template(tokenizer):
        raise InputError(
            "expected a model with a chat template for chat messages, found none. Give the prompt "
            "as plain text with --raw, or as token ids."
        )
    options: dict[str, Any] = {"tokenize": False, "add_generation_prompt": prompt}
    if _knows_tools(tokenizer):
        plain: list[Any] = [_structure(message) for message in messages]
        if tools:
            options["tools"] = [_function(tool) for tool in tools]
    else:
        plain = list(plain_messages(messages, tools))
    hide = marks.hide({"messages": plain, "tools": options.pop("tools", None)})
    if hide["tools"]:
        options["tools"] = hide["tools"]
    try:
        text: str = tokenizer.apply_chat_template(hide["messages"], **options)
    except Exception as error:  # Templates are third-party programs and may raise anything.
        raise InputError(
            f"expected messages that the model's chat template takes, it says: {error}"
        ) from None
    return text


def _knows_tools(tokenizer: Any) -> bool:
    return "tools" in str(tokenizer.chat_template)


def _structure(message: ChatMessage) -> dict[str, Any]:
    structure: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.reasoning:
        structure["reasoning_content"] = structure["thinking"] = message.reasoning
    if message.calls:
        structure["tool_calls"] = [
            {"type": "function", "function": {"name": c.name, "arguments": _object(c.arguments)}}
            for c in message.calls
        ]
    return structure


def _function(tool: ChatTool) -> dict[str, Any]:
    about = {
        "name": tool.name,
        "description": tool.description,
        "parameters": _DEFAULTS | lean_schema(tool.parameters),
    }
    return {"type": "function", "function": about}


def _object(arguments: str) -> Any:
    """Templates write arguments as JSON themselves; what is no JSON stays as it is."""
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments


def _plain(message: ChatMessage) -> dict[str, str]:
    if message.role == "tool":
        return {"role": "user", "content": f"<tool_response>{message.text}</tool_response>"}
    if message.role != "assistant":
        return {"role": message.role, "content": message.text}
    if message.written is not None:
        return {"role": "assistant", "content": message.written}
    calls = [
        json.dumps({"name": call.name, "arguments": _object(call.arguments)})
        for call in message.calls
    ]
    lines = [message.text, *(f"<tool_call>{call}</tool_call>" for call in calls)]
    content = "\n".join(lines).strip() if calls else message.text
    if message.reasoning:
        content = f"<think>\n{message.reasoning}\n</think>\n\n{content}"
    return {"role": "assistant", "content": content}


def _describe(tool: ChatTool) -> str:
    about = {
        "name": tool.name,
        "description": tool.description,
        "parameters": lean_schema(tool.parameters),
    }
    return json.dumps(about, ensure_ascii=False)


def lean_schema(parameters: dict[str, Any]) -> dict[str, Any]:
    """A schema without what says nothing, so that every source of a tool offers it alike."""
    lean: dict[str, Any] = _without_none(parameters)
    return {
        name: value
        for name, value in lean.items()
        if name not in _DEFAULTS or value != _DEFAULTS[name]
    }


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_none(v) for k, v in value.items() if v is not None}
    return [_without_none(item) for item in value] if isinstance(value, list) else value


class _SpecialTokens:
    """Hides special tokens that texts spell, and reads them as letters afterwards."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        special = {text for text in getattr(tokenizer, "all_special_tokens", ()) if text}
        self._special = sorted(special, key=len, reverse=True)
        last = chr(_MARKS + max(0, len(special) - 1))
        self._spelled = re.compile(f"[{chr(_MARKS)}-{last}]" if special else "(?!)")

    def hide(self, value: Any) -> Any:
        """The same value with a private character for every special token in its texts."""
        if isinstance(value, str):
            for number, text in enumerate(self._special):
                value = value.replace(text, chr(_MARKS + number))
            return value
        if isinstance(value, dict):
            return {key: self.hide(item) for key, item in value.items()}
        return [self.hide(item) for item in value] if isinstance(value, list) else value

    def ids(self, text: str) -> tuple[int, ...]:
        """Tokens of a rendered text: the template's own special ones act, marks are letters."""
        token_ids: list[int] = []
        for piece, spelled in self._pieces(text):
            token_ids += self._tokenizer(
                piece, add_special_tokens=False, split_special_tokens=spelled
            )["input_ids"]
        return tuple(token_ids)

    def plain(self, text: str) -> str:
        return "".join(piece for piece, _ in self._pieces(text))

    def _pieces(self, text: str) -> Iterator[tuple[str, bool]]:
        start = 0
        for match in self._spelled.finditer(text):
            if start < match.start():
                yield text[start : match.start()], False
            yield self._special[ord(match.group()) - _MARKS], True
            start = match.end()
        if start < len(text):
            yield text[start:], False
