"""Keys and values of what a model has read before, for prompts that begin alike.

Tasks of one benchmark share their system message and tools, and every turn of a conversation begins
with the turns before it: most of what an agent reads, it has read. Held in blocks of 32 tokens,
each under the block before it, so that what prompts share is held once; the blocks that were not
used for the longest time make room for new ones.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from agentdyno_train.row_cache import Layers

BLOCK = 32
"""Tokens of a block."""
BUDGET = 1 << 30
"""Bytes that are held at most: 23,000 tokens of the embedded model in float32."""

Key = tuple[int, tuple[int, ...]]
"""The block before, by its number, and the tokens of this one."""


class Prefixes:
    """What is held, as a tree of blocks."""

    def __init__(self, budget: int = BUDGET) -> None:
        self._budget, self._used, self._count = budget, 0, 0
        self._blocks: OrderedDict[Key, tuple[int, Any]] = OrderedDict()

    def longest(self, ids: Sequence[int]) -> list[Any]:
        """The blocks that are held of a prompt's beginning. The last token is never among them:
        its logits are what a prompt is read for."""
        known = list(self._chain(ids, len(ids) - 1))
        self._touch(known)
        return [self._blocks[key][1] for key in known]

    def keep(self, ids: Sequence[int], read: Callable[[int], Layers]) -> None:
        """Holds what was read; asks for keys and values from the first token that is not held."""
        known = list(self._chain(ids, len(ids)))
        before = self._blocks[known[-1]][0] if known else 0
        first = len(known) * BLOCK
        layers = read(first) if first + BLOCK <= len(ids) else []
        for start in range(first, len(ids) - BLOCK + 1, BLOCK):
            key = (before, tuple(ids[start : start + BLOCK]))
            self._count += 1
            before = self._count
            self._blocks[key] = (before, _block(layers, start - first))
            self._used += self._blocks[key][1].nbytes
            known.append(key)
        self._touch(known)
        while self._used > self._budget:
            _, (_, block) = self._blocks.popitem(last=False)
            self._used -= block.nbytes

    def _chain(self, ids: Sequence[int], most: int) -> Iterator[Key]:
        """The keys of the held blocks that these tokens begin with."""
        before = 0
        for start in range(0, most - BLOCK + 1, BLOCK):
            key = (before, tuple(ids[start : start + BLOCK]))
            if key not in self._blocks:
                return
            before = self._blocks[key][0]
            yield key

    def _touch(self, keys: list[Key]) -> None:
        """Used just now; the first block of a chain goes last, since the others hang from it."""
        for key in reversed(keys):
            self._blocks.move_to_end(key)


def _block(layers: Layers, start: int) -> Any:
    import torch

    def part(states: Any) -> Any:
        return states[:, start : start + BLOCK]

    return torch.stack([torch.stack([part(keys), part(values)]) for keys, values in layers])
