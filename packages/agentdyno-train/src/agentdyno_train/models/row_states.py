"""What a torch model remembers of several conversations at once: keys, values, real columns.

Rows are left-padded, so that all of them end in the same column; the mask says which columns are
a row's own, and positions are counted over these alone.
"""

from collections.abc import Sequence
from typing import Any

from agentdyno_train.models.grouped_attention import roomy_cache
from agentdyno_train.models.prefixes import BLOCK, Layers


class RowStates:
    """The state of a batch between two tokens."""

    def __init__(self, cache: Any, mask: Any, logits: Any) -> None:
        self._cache, self._mask, self.logits = cache, mask, logits

    @property
    def width(self) -> int:
        """Columns."""
        return int(self._mask.shape[1])

    @classmethod
    def prefill(
        cls, model: Any, prompts: list[list[int]], known: Sequence[list[Any]] = ()
    ) -> "RowStates":
        """The state after reading the prompts; the first blocks of each are known already."""
        import torch

        known = known or [[] for _ in prompts]
        counts = [BLOCK * len(blocks) for blocks in known]
        unread = [prompt[count:] for prompt, count in zip(prompts, counts, strict=True)]
        longest, deepest = max(map(len, unread)), max(counts)
        ids = torch.tensor([[0] * (longest - len(p)) + p for p in unread])
        real = [
            [0] * (deepest - count) + [1] * count + [0] * (longest - len(p)) + [1] * len(p)
            for p, count in zip(unread, counts, strict=True)
        ]
        mask = torch.tensor(real)
        places = (mask.cumsum(-1) - 1).clamp(min=0)[:, deepest:]
        out = model(
            input_ids=ids,
            attention_mask=mask,
            position_ids=places,
            past_key_values=roomy_cache(_pad_blocks(known, deepest)) if deepest else None,
            use_cache=True,
            logits_to_keep=1,
        )
        return cls(roomy_cache(_layers(out.past_key_values)), mask, out.logits[:, -1])

    def row(self, number: int, start: int) -> Layers:
        """Keys and values of one row's own columns, from its so-manieth token on."""
        own = self._mask[number].nonzero()[start:, 0]
        return [(k[number][:, own], v[number][:, own]) for k, v in _layers(self._cache)]

    def step(self, model: Any, tokens: list[int]) -> None:
        """Reads one more token of each row."""
        import torch

        ones = torch.ones((len(tokens), 1), dtype=self._mask.dtype)
        self._mask = torch.cat([self._mask, ones], 1)
        out = model(
            input_ids=torch.tensor(tokens)[:, None],
            attention_mask=self._mask,
            position_ids=self._mask.sum(-1, keepdim=True) - 1,
            past_key_values=self._cache,
            use_cache=True,
        )
        self._cache, self.logits = out.past_key_values, out.logits[:, -1]

    def beside(self, other: "RowStates") -> "RowStates":
        """Both states as one batch; the next tokens are already chosen."""
        import torch
        from torch.nn.functional import pad

        width = max(self.width, other.width)
        mine, theirs = width - self.width, width - other.width

        def join(one: Any, two: Any) -> Any:
            return torch.cat([pad(one, (0, 0, mine, 0)), pad(two, (0, 0, theirs, 0))])

        pairs = zip(_layers(self._cache), _layers(other._cache), strict=True)
        layers = [(join(k1, k2), join(v1, v2)) for (k1, v1), (k2, v2) in pairs]
        mask = torch.cat([pad(self._mask, (mine, 0)), pad(other._mask, (theirs, 0))])
        return RowStates(roomy_cache(layers), mask, None)

    def keep_rows(self, rows: list[int]) -> "RowStates":
        """Only these rows, without the columns that none of them needs."""
        mask = self._mask[rows]
        first = int(mask.any(0).int().argmax())
        layers = [(k[rows, :, first:], v[rows, :, first:]) for k, v in _layers(self._cache)]
        return RowStates(roomy_cache(layers), mask[:, first:], None)


def _layers(cache: Any) -> Layers:
    return [(layer.keys, layer.values) for layer in cache.layers]


def _pad_blocks(known: Sequence[list[Any]], deepest: int) -> Layers:
    """Blocks of several rows as one batch, padded on the left."""
    import torch

    like = next(blocks[0] for blocks in known if blocks)
    layers, sides, heads, _, size = like.shape
    room = like.new_zeros(layers, sides, len(known), heads, deepest, size)
    for row, blocks in enumerate(known):
        if blocks:
            room[:, :, row, :, deepest - BLOCK * len(blocks) :] = torch.cat(blocks, 3)
    return [(layer[0], layer[1]) for layer in room]
