"""Profile of one response by a depth probe, and the thresholds it is read with.

A profile holds, for every generated token and every layer, how far the layer's prediction is from
the last layer's. It is recorded once, with the model; settling depths and ratios for any
thresholds are then computed from it without the model.
"""

from typing import Literal

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from agentdyno.measures.depth import RHO, G

Distance = Literal["jsd", "kl", "cosine"]
"""Jensen-Shannon divergence in bits · Kullback-Leibler divergence of the last layer from this one,
in bits · one minus the cosine of the two states, before the norm."""

DISTANCES: tuple[Distance, ...] = ("jsd", "kl", "cosine")

Numbers = npt.NDArray[np.float32]


class Thresholds(Struct, frozen=True, order=True):
    """When a token counts as deep."""

    g: float = G
    """A layer has settled when its distance from the last layer is at most this."""
    rho: float = RHO
    """Share of the layers at which the deep ones begin."""


PAPER = Thresholds()
"""The thresholds of the deep-thinking paper."""


class Confidence(Struct, frozen=True):
    """Confidence of the last layer in the same tokens."""

    log_probs: Numbers
    """Natural logarithm of each generated token's probability."""
    entropies: Numbers
    """Entropy of each distribution, in nats."""
    self_certainties: Numbers
    """Kullback-Leibler divergence of each distribution from the uniform one, in nats."""


class DepthProfile(Struct, frozen=True):
    """One response, layer by layer."""

    sequence_id: str
    """Which response this is."""
    model: str
    """The model whose layers were read, as the user named it."""
    dtype: str
    """The type of its weights while they were read."""
    layers: int
    """How many layers it has; the embedding is none."""
    token_ids: npt.NDArray[np.int64]
    """Ids of the generated tokens."""
    tokens: tuple[str, ...]
    """Their texts; empty when no tokenizer was at hand."""
    distances: dict[Distance, Numbers]
    """By name: tokens x layers, layer 1 first; the last layer's is 0."""
    confidence: Confidence
    """The last layer's confidence in the same tokens."""


class Work(Struct, frozen=True):
    """Work for an answer, in checks of one token at one layer."""

    tokens: int = 0
    """Tokens that were labelled."""
    naive_checks: int = 0
    """What the definition asks for: every token at every layer."""
    checks: int = 0
    """What was computed with the whole vocabulary."""
    proved: int = 0
    """What a bound from part of the vocabulary made unnecessary."""
    resolved_float64: int = 0
    """Checks so near a threshold that they were done again in float64."""

    def __add__(self, other: "Work") -> "Work":
        names = self.__struct_fields__
        return Work(*(getattr(self, name) + getattr(other, name) for name in names))


class DepthLabels(Struct, frozen=True):
    """Which tokens of one response are deep, without a whole profile."""

    sequence_id: str
    """Which response this is."""
    thresholds: tuple[Thresholds, ...]
    """The thresholds, in the order of the rows of `deep`."""
    deep: npt.NDArray[np.bool_]
    """Thresholds x tokens: whether the token is deep."""
    confidence: Confidence
    """The last layer's confidence in the same tokens."""
