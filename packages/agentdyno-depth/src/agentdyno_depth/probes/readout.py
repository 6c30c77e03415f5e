"""How one model turns a state into logits: final norm, unembedding, logit scale, soft-cap.

Takes a model's parts, returns logits for any state of any layer. Every state passes the model's
final norm first, also those of the layers in between: without it the distributions mean nothing.
Logits are summed and kept in float32 or wider, whatever the type of the weights: rounded to
bfloat16 they would decide nothing near a threshold (`rounding`). Knows nothing of distances.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from msgspec import Struct
from torch.utils.weak import WeakIdKeyDictionary

Tensor = torch.Tensor

SLICE_ROWS = 16384
"""Rows of the unembedding that are converted at a time."""

_longest: Any = WeakIdKeyDictionary()
"""Length of the longest row, by unembedding: it is the same for the life of a model."""


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

    def normalize(self, states: Tensor) -> Tensor:
        """States after the final norm, as the unembedding takes them."""
        with torch.no_grad():
            return self.norm(states).to(self.weight.dtype)

    def raw_logits(
        self, normalize: Tensor, rows: Any = None, dtype: torch.dtype = torch.float32
    ) -> Tensor:
        """Bare products with the unembedding, or with some of its rows, in at least this type."""
        weight = self.weight if rows is None else self.weight.index_select(0, rows)
        raw = _product(normalize, weight, torch.promote_types(dtype, normalize.dtype))
        if self.bias is None:
            return raw
        return raw + (self.bias if rows is None else self.bias[rows]).to(raw.dtype)

    def own_logits(self, normalize: Tensor, tokens: Tensor) -> Tensor:
        """Raw logits of layers x tokens x width at each token's own choice (tokens x chosen)."""
        vectors = torch.embedding(self.weight, tokens).transpose(1, 2)
        raw = _multiply_batches(normalize.transpose(0, 1), vectors).transpose(0, 1)
        return raw if self.bias is None else raw + self.bias[tokens].float()

    def finish(self, raw: Tensor) -> Tensor:
        """Logits in at least float32, scaled and capped as the model does."""
        logits = raw if raw.dtype == torch.float64 else raw.float()
        if self.scale != 1.0:
            logits = logits * self.scale
        if self.soft_cap is not None:
            logits = torch.tanh(logits / self.soft_cap) * self.soft_cap
        return logits

    def logits(self, normalize: Tensor) -> Tensor:
        """Finished logits of normalized states."""
        return self.finish(self.raw_logits(normalize))

    def longest_row(self) -> float:
        """Length of the unembedding's longest row, with its bias."""
        if self.weight not in _longest:
            parts = self.weight.split(SLICE_ROWS)
            lengths = [torch.linalg.vector_norm(p, dim=1, dtype=torch.float32) for p in parts]
            _longest[self.weight] = float(torch.cat(lengths).max())
        length: float = _longest[self.weight]
        return length + (0.0 if self.bias is None else float(self.bias.abs().max()))


def _product(left: Tensor, right: Tensor, dtype: torch.dtype) -> Tensor:
    """left @ right.T with sums and results in the type."""
    with _full_float32(left):
        if dtype == right.dtype:
            return torch.nn.functional.linear(left.to(dtype), right)
        if dtype == torch.float32 and left.is_cuda:
            flat = _wide(torch.mm, left.flatten(0, -2), right.T)
            return flat.view(*left.shape[:-1], -1)
        # Slice by slice, for the whole unembedding in a wider type could be too large.
        wide = left.to(dtype)
        return torch.cat([wide @ rows.to(dtype).T for rows in right.split(SLICE_ROWS)], -1)


def _multiply_batches(left: Tensor, right: Tensor) -> Tensor:
    with _full_float32(left):
        if left.is_cuda and left.dtype in (torch.bfloat16, torch.float16):
            return _wide(torch.bmm, left, right)
        return (
            torch.bmm(left, right) if left.dtype == torch.float64 else left.float() @ right.float()
        )


def _wide(multiply: Any, left: Tensor, right: Tensor) -> Tensor:
    """Half-precision factors, float32 sums and results, at the speed of half precision."""
    try:
        product: Tensor = multiply(left, right, out_dtype=torch.float32)
    except (TypeError, RuntimeError, NotImplementedError):  # before torch 2.8
        return left.float() @ right.float()
    return product


@contextmanager
def _full_float32(tensor: Tensor) -> Iterator[None]:
    """No short products (TF32) on a GPU, whatever the program around us has set."""
    settings = torch.backends.cuda.matmul
    if not tensor.is_cuda or not settings.allow_tf32:
        yield
        return
    settings.allow_tf32 = False
    try:
        yield
    finally:
        settings.allow_tf32 = True
