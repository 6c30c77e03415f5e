"""Follows a conversation through logs that repeat the whole history with every model call.

Each request is compared with the one before: the messages both begin with stay, those that are
gone leave the context, the rest is new. The answer decoded in between is expected back as the
next assistant message and is not counted again.
"""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from agentdyno.intake.builder import TrajectoryBuilder

Message = TypeVar("Message")


class Conversation(Generic[Message]):
    """A trajectory under construction, with the messages its context is made of."""

    def __init__(self) -> None:
        self.builder = TrajectoryBuilder()
        self._keys: list[bytes | None] = []
        self._parts: list[list[int]] = []

    @property
    def length(self) -> int:
        """How many messages stand in the context."""
        return len(self._keys)

    def align(
        self,
        messages: Sequence[Message],
        key: Callable[[Message], bytes],
        is_answer: Callable[[Message], bool],
        add: Callable[[TrajectoryBuilder, Message], None],
    ) -> None:
        """Brings the context to what this request holds, adding only what is new."""
        kept = self._common(messages, key, is_answer)
        for parts in self._parts[kept:]:
            self.builder.retire(parts)
        del self._keys[kept:], self._parts[kept:]
        for message in messages[kept:]:
            before = len(self.builder.parts)
            add(self.builder, message)
            self._keys.append(key(message))
            self._parts.append(list(range(before, len(self.builder.parts))))

    def _common(
        self,
        messages: Sequence[Message],
        key: Callable[[Message], bytes],
        is_answer: Callable[[Message], bool],
    ) -> int:
        for index, (known, message) in enumerate(zip(self._keys, messages, strict=False)):
            if known is None and is_answer(message):
                # The answer comes back re-serialised; its place and role identify it.
                self._keys[index] = key(message)
            elif known != key(message):
                return index
        return min(len(self._keys), len(messages))

    def answered(self, first_part: int) -> None:
        """Marks the parts decoded since `first_part` as the message the next request repeats."""
        self._keys.append(None)
        self._parts.append(list(range(first_part, len(self.builder.parts))))
