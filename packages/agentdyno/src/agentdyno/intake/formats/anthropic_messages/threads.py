"""Finds out which conversation of a log a request continues. Knows nothing of files."""

from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from typing import Any

import msgspec

from agentdyno.intake.anthropic import Block, BlockWriter, as_blocks, is_call, is_thinking
from agentdyno.intake.chats import LoggedTalk, digest_prefixes, name_talk
from agentdyno.intake.formats.anthropic_messages.wire import MESSAGE, LoggedCall, Message
from agentdyno.intake.streams import decode

MAX_KEYS = 1 << 18
"""Messages whose keys are remembered, so that a repeated one is taken apart once."""

_ANY = msgspec.json.Decoder()
_ENCODER = msgspec.json.Encoder(order="deterministic")


class Item:
    """A message of a request: its key, and its content when somebody asks."""

    def __init__(self, raw: bytes, key: bytes) -> None:
        self.raw = raw
        self.key = key

    @cached_property
    def message(self) -> Message:
        message: Message = decode(self.raw, MESSAGE)
        return message


class Thread(LoggedTalk[Item]):
    """A conversation that may go on."""

    def __init__(self, locator: str, line: int | None = None) -> None:
        super().__init__(locator, f"record {locator}", line)
        self.writer = BlockWriter(self.talk.builder)
        self.system = b"null"
        self.system_parts: Sequence[int] = ()
        self.answered = False
        self.said = ""
        self.waits_at: bytes | None = None
        self._thoughts: dict[int, list[int]] = {}

    def hear(self, blocks: list[Block], thought: int | None) -> None:
        before, before_thinking = len(self.talk.builder.parts), len(self.writer.thinking)
        self.writer.answer(blocks, thought)
        if thoughts := self.writer.thinking[before_thinking:]:
            self._thoughts[self.talk.length] = thoughts
        self.talk.answered(before)
        self.said = _answer_key(blocks)

    def drop_thinking(self, items: list[Item]) -> None:
        """Thinking that the client did not send back is not in the context."""
        for index, parts in list(self._thoughts.items()):
            if index >= len(items) or b"thinking" not in items[index].raw:
                self.talk.builder.retire(parts)
                del self._thoughts[index]


class Threads:
    """The open conversations, by the digest of the last request or by id."""

    def __init__(self) -> None:
        self.open: dict[str, Thread] = {}
        self._waiting: dict[bytes, list[Thread]] = {}
        self._keys: dict[bytes, bytes] = {}

    def items(self, messages: Sequence[msgspec.Raw]) -> list[Item]:
        """The messages of a request with their keys."""
        return [Item(raw, self._key(raw)) for raw in map(bytes, messages)]

    def _key(self, raw: bytes) -> bytes:
        digest = blake2b(raw, digest_size=16).digest()
        key = self._keys.get(digest)
        if key is None:
            if len(self._keys) >= MAX_KEYS:
                self._keys.clear()
            key = self._keys[digest] = _key_of(decode(raw, _ANY))
        return key

    def start(self, locator: str, line: int | None = None) -> Thread:
        thread = self.open[locator] = Thread(locator, line)
        return thread

    def continued(self, logged: LoggedCall, system: bytes, items: list[Item]) -> Thread | None:
        """The conversation this request continues; None when it begins one."""
        if name := name_talk(logged):
            thread = next(iter(self._waiting.get(name, ())), None)
        else:
            thread = self._by_messages(system, items)
        if thread is not None:
            # Quiet conversations drift to the front of the dict.
            self.open[thread.locator] = self.open.pop(thread.locator)
        return thread

    def _by_messages(self, system: bytes, items: list[Item]) -> Thread | None:
        digests = digest_prefixes(item.key for item in items)
        for length in range(len(items), 0, -1):
            if waiting := self._waiting.get(digests[length - 1]):
                following = items[length] if length < len(items) else None
                if thread := _choose(waiting, system, following):
                    return thread
        return None

    def remember(self, thread: Thread, logged: LoggedCall, items: list[Item]) -> None:
        """Note where the next request of this conversation will be looked for."""
        self._forget(thread)
        digests = digest_prefixes(item.key for item in items)
        thread.waits_at = name_talk(logged) or (digests[-1] if digests else b"")
        self._waiting.setdefault(thread.waits_at, []).append(thread)

    def _forget(self, thread: Thread) -> None:
        if thread.waits_at is None:
            return
        waiting = self._waiting[thread.waits_at]
        waiting.remove(thread)
        if not waiting:
            del self._waiting[thread.waits_at]
        thread.waits_at = None

    def drop_if_empty(self, thread: Thread) -> None:
        """Forgets a conversation that a bad record began."""
        if not thread.talk.builder.turns and thread.waits_at is None:
            self.open.pop(thread.locator, None)

    def close_oldest(self) -> Thread:
        """The conversation that was quiet longest, taken out."""
        thread = self.open.pop(next(iter(self.open)))
        self._forget(thread)
        return thread


def _choose(waiting: list[Thread], system: bytes, following: Item | None) -> Thread | None:
    """Among conversations with the same messages, the one that gave the answer that follows."""
    alike = [thread for thread in waiting if thread.system == system]
    if following is None or following.message.role != "assistant":
        # The same question again continues only a conversation that had no answer to it.
        return next((thread for thread in alike if not thread.answered), None)
    key = _answer_key(as_blocks(following.message.content))
    same = (thread for thread in waiting if thread.answered and thread.said == key)
    if chosen_thread := next(same, None):
        return chosen_thread
    # A client may have rewritten the answer; with one candidate there is no doubt whose it was.
    return alike[0] if len(alike) == 1 and len(waiting) == 1 and alike[0].answered else None


def _answer_key(blocks: list[Block]) -> str:
    """A key that identifies an answer: the ids of its calls, or else its text."""
    ids = [block.id for block in blocks if is_call(block) and block.id]
    texts = (block.text.strip() for block in blocks if block.text and not is_thinking(block))
    return "\0".join(ids) if ids else "\n".join(texts)


def _key_of(message: Any) -> bytes:
    """The same for a message however it was written down."""
    content = message.get("content") if isinstance(message, dict) else message
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    if isinstance(content, list):
        content = [_plain(block) for block in content if not _is_thought(block)]
    role = message.get("role") if isinstance(message, dict) else None
    return blake2b(_ENCODER.encode([role, content]), digest_size=16).digest()


def _plain(block: Any) -> Any:
    if not isinstance(block, dict):
        return block
    plain = {key: value for key, value in block.items() if key != "cache_control"}
    if isinstance(plain.get("content"), list):
        plain["content"] = [_plain(inner) for inner in plain["content"]]
    return plain


def _is_thought(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") in ("thinking", "redacted_thinking")
