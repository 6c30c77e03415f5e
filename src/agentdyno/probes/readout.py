"""How one model turns a state into logits: final norm, unembedding, logit scale, soft-cap.

Enters a model's parts, leave logits for any state of any layer. Every state passes the model's
final norm first, also those of the layers in between: without it the distributions mean nothing.
Knows nothing of distances.
"""

from collections.abc import Callable
from typing import Any

import torch
from msgspec import Struct

Tensor = torch.Tensor

SLICE_ROWS = 16384
"""Rows of the unembedding that are converted at a time."""


class Readout(Struct, frozen=True):
    """The way from a state to logits."""

    norm: Callable[[Tensor], Tensor]
    """The model's final norm."""
    weight: Tensor
    """The unembedding, vocabulary x width; tied to the embedding or not."""
    bias: Tensor | None = None
    """What the unembedding adds; None when it adds nothing."""
    scale: float = 1.0
    """What logits are multiplied with."""
    soft_cap: float | None = None
    """Logits pass `cap * tanh(logits / cap)`; None when they are not capped."""

    @property
    def vocabulary(self) -> int:
        """Number of tokens a distribution is over."""
        return self.weight.shape[0]

    def normed(self, states: Tensor) -> Tensor:
        """States after the final norm, as the unembedding takes them."""
        with torch.no_grad():
            return self.norm(states).to(self.weight.dtype)

    def raw_logits(self, normed: Tensor, rows: Any = slice(None)) -> Tensor:
        """Bare products with the unembedding, or with some of its rows, in the model's dtype."""
        bias = None if self.bias is None else self.bias[rows]
        return torch.nn.functional.linear(normed, self.weight[rows], bias)

    def finished(self, raw: Tensor) -> Tensor:
        """Logits in at least float32, scaled and capped as the model does."""
        logits = raw if raw.dtype == torch.float64 else raw.float()
        if self.scale != 1.0:
            logits = logits * self.scale
        if self.soft_cap is not None:
            logits = torch.tanh(logits / self.soft_cap) * self.soft_cap
        return logits

    def logits(self, normed: Tensor) -> Tensor:
        """Finished logits of normed states."""
        return self.finished(self.raw_logits(normed))

    def precise_logits(self, normed: Tensor, dtype: torch.dtype = torch.float32) -> Tensor:
        """Raw logits whose products are summed and kept in a wider type."""
        if dtype == torch.float32 and normed.is_cuda and normed.dtype != torch.float32:
            raw = _wide_product(normed, self.weight)
        elif dtype == normed.dtype:
            raw = normed @ self.weight.T
        else:
            raw = _converted_product(normed, self.weight, dtype)
        return raw if self.bias is None else raw + self.bias.to(dtype)


def _converted_product(left: Tensor, right: Tensor, dtype: torch.dtype) -> Tensor:
    """Slice by slice, for the whole unembedding in a wider type could be too large."""
    wide = left.to(dtype)
    return torch.cat([wide @ rows.to(dtype).T for rows in right.split(SLICE_ROWS)], -1)


def _wide_product(left: Tensor, right: Tensor) -> Tensor:
    """Half-precision factors, float32 sums and results, at the speed of half precision."""
    try:
        product: Tensor = torch.mm(left, right.T, out_dtype=torch.float32)
    except (TypeError, RuntimeError, NotImplementedError):  # before torch 2.8
        return left.float() @ right.float().T
    return product
