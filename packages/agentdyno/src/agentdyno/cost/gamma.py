"""Gamma: what reading one context token for one decoded token costs, in prefilled tokens.

Takes an architecture and a hardware; returns `Gamma`. It knows nothing of trajectories.

The formula is `measures.pte.gamma`: the paper's form, or that of the real width, by kind of layer.
Worked, Qwen3-32B on the H100 PCIe: 81,920 * 756.5 / 31.2e9 = 0.001986 by the paper, and by the
width of its cache 131,072 * 756.5 / 31.2e9 = 0.003178.

The paper counts every layer in full. By width, layers with a window stop growing: a token decoded
at context c costs

    value * c + window_value * min(c, window_tokens)

and only the first term, the bilinear one, is `gamma` where a single number is asked for.
Worked: GPT-OSS-120B, 18 full layers and 18 of window 128, reads 18,432 numbers of either kind per
token, 0.003084 each; at 10,000 tokens of context a decoded token costs 30.84 + 0.39.

In chunked attention (Llama 4) the window starts anew with every chunk: min(c, window_tokens) is
then c mod window_tokens.

A turn that decodes D tokens over context c reads, in a layer without a window, c + (c+1) + … +
(c+D-1) entries; in one with a window, each summand up to the window. A full window does not grow.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

import numpy as np
from msgspec import Struct

from agentdyno.cost.columns import Floats
from agentdyno.cost.hardware import Hardware
from agentdyno.cost.shape import Architecture
from agentdyno.measures import pte

GammaSource = Literal["model", "proxy", "user", "measured"]
"""`model`: its own, by its name · `proxy`: a stand-in · `user`: given · `measured`: on hardware."""


class Gamma(Struct, frozen=True):
    """The cost of reading the cache, and how we know."""

    value: float
    """Prefilled tokens per pair of context and decoded token, over the layers without a window."""
    source: GammaSource
    """Where the architecture came from."""
    window_value: float = 0.0
    """The same over the layers with a window, for context inside it; 0 without such layers."""
    window_tokens: int = 0
    """The window; 0 without such layers."""
    chunked: bool = False
    """True when the window starts anew with every chunk of that length instead of sliding."""


def gamma(
    architecture: Architecture,
    hardware: Hardware,
    source: GammaSource = "model",
    form: pte.Form = "paper",
) -> Gamma:
    """Gamma by the paper's formula, or from the real width of the cache."""
    value = pte.gamma_of(architecture, hardware.hoi, form)
    if form == "paper":
        return Gamma(value, source)
    return Gamma(
        value=value,
        source=source,
        window_value=pte.gamma(
            architecture.windowed_numbers, hardware.hoi, architecture.active_params
        ),
        window_tokens=architecture.window_tokens,
        chunked=architecture.chunked,
    )


class Gammas(Protocol):
    """Decoding costs, turn by turn."""

    def effective(self, context: Floats) -> Floats:
        """One gamma a turn."""
        ...

    def growth(self, context: Floats, decode: Floats) -> Floats:
        """The added cost of tokens decoded earlier in the same turn."""
        ...


class TurnGammas(Struct, frozen=True):
    """The gammas of many turns, by layer kind."""

    full: Floats
    """Per turn: the gamma of the layers without a window."""
    windowed: Floats
    """Per turn: the gamma of the layers with one; 0 without such layers."""
    window: Floats
    """Per turn: the window; 0 without such layers."""
    chunked: Floats
    """Per turn: 1 where the window starts anew with every chunk, else 0."""

    def effective(self, context: Floats) -> Floats:
        """One number a turn: a window is read at most once whole, spread over the context."""
        read = self._count_reads(context)
        effective: Floats = self.full + self.windowed * read / np.maximum(context, 1.0)
        return effective

    def growth(self, context: Floats, decode: Floats) -> Floats:
        """What the tokens decoded before in the same turn add: each layer kind up to its window. A
        chunk that ends within the turn makes it negative: the next one starts empty."""
        full = pte.growth(decode, self.full)
        read = np.where(
            self.chunked > 0,
            sum_chunked_pairs(context, decode, self.window),
            sum_grown_pairs(context, decode, self.window),
        )
        growth: Floats = full + self.windowed * (read - decode * self._count_reads(context))
        return growth

    def _count_reads(self, context: Floats) -> Floats:
        reads: Floats = np.where(
            self.chunked > 0,
            np.mod(context, np.maximum(self.window, 1.0)),
            np.minimum(context, self.window),
        )
        return reads


def turn_gammas(gammas: Sequence[Gamma]) -> TurnGammas:
    """One entry a turn."""
    rows = [(g.value, g.window_value, float(g.window_tokens), float(g.chunked)) for g in gammas]
    return TurnGammas(*np.array(rows, dtype=np.float64).reshape(-1, 4).T)


def gammas_by_turn(models: Sequence[str | None], gammas: Mapping[str | None, Gamma]) -> TurnGammas:
    """The gammas of turns, looked up once for each model."""
    places = {model: position for position, model in enumerate(gammas)}
    index = np.fromiter(map(places.__getitem__, models), np.int64, len(models))
    by_model = turn_gammas(list(gammas.values()))
    return TurnGammas(
        by_model.full[index],
        by_model.windowed[index],
        by_model.window[index],
        by_model.chunked[index],
    )


def sum_grown_pairs(context: Floats, decode: Floats, window: Floats) -> Floats:
    """The sum over j in 0 .. decode-1 of min(context + j, window), in closed form.

    Worked: context 3, decode 4, window 5: 3 + 4 + 5 + 5 = 17.
    """
    growing = np.clip(window - context, 0.0, decode)
    grown: Floats = context * growing + growing * (growing - 1) / 2 + (decode - growing) * window
    return grown


def sum_chunked_pairs(context: Floats, decode: Floats, chunk: Floats) -> Floats:
    """The sum over j in 0 .. decode-1 of (context + j) mod chunk, in closed form.

    Worked: context 3, decode 4, chunk 5: 3 + 4 + 0 + 1 = 8.
    """
    size = np.maximum(chunk, 1.0)

    def below(tokens: Floats) -> Floats:
        chunks, remainder = np.divmod(tokens, size)
        total: Floats = chunks * size * (size - 1) / 2 + remainder * (remainder - 1) / 2
        return total

    return below(context + decode) - below(context)
