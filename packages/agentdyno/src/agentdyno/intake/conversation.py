"""Follows a conversation through logs that repeat the whole history with every model call.

Each request is compared with the one before: the messages both begin with stay, those that are
gone leave the context, the rest is new. The answer decoded in between is expected back as the
next assistant message and is not counted again. With `recall`, a message that comes back behind an
edit enters the context once more as what it was, so that a result still belongs to its call.
"""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from agentdyno.intake.builder import TrajectoryBuilder

Message = TypeVar("Message")
_Key = Callable[[Message], bytes]
_Test = Callable[[Message], bool]


class Conversation(Generic[Message]):
    """A trajectory under construction, with the messages its context is made of."""

    def __init__(self, recall: bool = False) -> None:
        self.builder = TrajectoryBuilder()
        self._recall = recall
        self._keys: list[bytes | None] = []
        self._parts: list[list[int]] = []
        self._left: dict[bytes, list[int]] = {}

    @property
    def length(self) -> int:
        return len(self._keys)

    def align(
        self,
        messages: Sequence[Message],
        key: _Key[Message],
        is_answer: _Test[Message],
        add: Callable[[TrajectoryBuilder, Message], None],
    ) -> None:
        """Bring the context in line with this request, adding only what is new."""
        shared = self._common(messages, key, is_answer)
        answer = self._drop(shared)
        new = messages[shared:]
        echo = self._echo(new, key, is_answer) if answer else None
        for index, message in enumerate(new):
            before = len(self.builder.parts)
            earlier_parts = answer if index == echo and answer else self._left.get(key(message))
            # A message that turns out unreadable half-way still leaves its parts accounted for.
            try:
                if earlier_parts is None:
                    add(self.builder, message)
                else:
                    self._again(earlier_parts)
            finally:
                self._keys.append(key(message))
                self._parts.append(list(range(before, len(self.builder.parts))))

    def _common(
        self, messages: Sequence[Message], key: _Key[Message], is_answer: _Test[Message]
    ) -> int:
        for index, (old_key, message) in enumerate(zip(self._keys, messages, strict=False)):
            if old_key is None and is_answer(message):
                # The answer comes back re-serialised; its place and role identify it.
                self._keys[index] = key(message)
            elif old_key != key(message):
                return index
        return min(len(self._keys), len(messages))

    def _drop(self, shared: int) -> list[int] | None:
        """Takes the messages from there on out; returns the answer that had not come back yet."""
        answer: list[int] | None = None
        for old_key, parts in zip(self._keys[shared:], self._parts[shared:], strict=True):
            resent = [part for part in parts if self.builder.parts[part].enters is not None]
            if self._recall and old_key is None:
                answer = resent
            elif self._recall and old_key is not None:
                self._left[old_key] = resent
            self.builder.retire(parts)
        del self._keys[shared:], self._parts[shared:]
        return answer

    def _echo(
        self, new: Sequence[Message], key: _Key[Message], is_answer: _Test[Message]
    ) -> int | None:
        """Index of that answer now: the last assistant message that was never seen.

        When nothing of what was dropped comes back, neither does the answer.
        """
        if not any(key(message) in self._left for message in new):
            return None
        unseen = (i for i, m in enumerate(new) if is_answer(m) and key(m) not in self._left)
        return max(unseen, default=None)

    def _again(self, parts: list[int]) -> None:
        for index in parts:
            part = self.builder.parts[index]
            self.builder.given(part.kind, part.text, part.name, part.call)

    def answered(self, first_part: int) -> None:
        """Marks the parts decoded since `first_part` as the message the next request repeats."""
        self._keys.append(None)
        self._parts.append(list(range(first_part, len(self.builder.parts))))

    def answered_also(self, first_part: int) -> None:
        """The parts decoded since `first_part` belong to the last answer too."""
        self._parts[-1].extend(range(first_part, len(self.builder.parts)))
