"""Whether a model fits on a machine, and how many tokens of cache it leaves room for.

Takes an architecture, an accelerator and how many of them; returns `MemoryFit`. A server takes a
stated share of the memory, and keeps some of it for activations and recorded steps.

Worked: Qwen2.5-7B on one H200 (141 GiB): 0.9 * 151.4 GB - 15.2 GB of weights - 4 GB leave 117 GB;
a token of cache takes 57,344 bytes, so 2.0 million tokens fit.
"""

import math

from msgspec import Struct

from agentdyno.cost.hardware import Hardware
from agentdyno.cost.shape import Architecture

USED_SHARE = 0.9
"""Share of the memory that a server takes: vLLM's default."""
RESERVED_BYTES = 4e9
"""Of each card, for activations, recorded steps and the library's own memory."""
SHORTEST_CONTEXT = 4096
"""A machine that has no room for a cache of so many tokens serves nobody."""
HOST_BYTES_PER_SECOND = 10e9
"""From host memory to the card through vLLM's offloading connector, on one H200: what one cell of
`docs/log/eviction.md` suggested, and three more, predicted before they ran, were nearer to than to
the data sheet's 50e9 (1.7 % off where that was 5.0)."""
GIGABYTE = 1e9


class MemoryFit(Struct, frozen=True):
    """Weights and cache against the memory of a machine."""

    gpus: int
    """How many cards the weights are spread over."""
    hardware: str
    needed_bytes: float
    """Weights, what the server needs besides, and a cache of `SHORTEST_CONTEXT` tokens."""
    usable_bytes: float | None
    """Memory that a server may use on all cards together; None: the card's memory is not known."""
    cache_tokens: float
    """Tokens of cache that there is room for; infinite where the memory is not known."""
    sequence_tokens: float
    """Tokens' room that each running request takes besides: states, full windows."""

    @property
    def is_too_small(self) -> bool:
        return self.usable_bytes is not None and self.needed_bytes > self.usable_bytes

    def describe(self, model: str) -> str:
        """The refusal in a sentence."""
        usable = (self.usable_bytes or 0.0) / GIGABYTE
        return (
            f"{model} does not fit on {self.gpus} x {self.hardware}: needs "
            f"{self.needed_bytes / GIGABYTE:,.0f} GB, has {usable:,.0f} GB"
        )


def fit_memory(shape: Architecture, hardware: Hardware, gpus: int = 1) -> MemoryFit:
    """How a model lies in the memory of `gpus` cards."""
    reserved = RESERVED_BYTES * gpus
    copies = gpus / shape.cache_split(gpus)  # Heads that cannot be split are copied.
    per_token = shape.kept_growing_numbers * shape.cache_number_bytes * copies
    per_sequence = (
        shape.kept_windowed_numbers * shape.cache_number_bytes * copies * shape.window_tokens
    )
    per_sequence += shape.state_bytes
    if not per_token:  # Nothing grows: a sequence is as large as its first tokens.
        per_token, per_sequence = per_sequence / SHORTEST_CONTEXT, 0.0
    needed = shape.weight_bytes + reserved + SHORTEST_CONTEXT * per_token + per_sequence
    sequence_tokens = per_sequence / per_token if per_token else 0.0
    if hardware.memory_bytes is None:
        return MemoryFit(gpus, hardware.name, needed, None, math.inf, sequence_tokens)
    usable = hardware.memory_bytes * USED_SHARE * gpus
    free = max(usable - shape.weight_bytes - reserved, 0.0)
    tokens = free / per_token if per_token else math.inf
    return MemoryFit(gpus, hardware.name, needed, usable, tokens, sequence_tokens)
