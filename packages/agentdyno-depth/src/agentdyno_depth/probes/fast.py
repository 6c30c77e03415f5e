"""Which tokens are deep: the reference's answer on every token, for a small share of its work.

A token is deep for (g, rho) exactly when no layer below the cut comes within g of the last layer.
So, with the cut at ceil(rho * L):

    1. look at layer cut-1 first: most tokens have settled there, and are done;
    2. for the others, prove layer by layer that it has not settled from a small part of the
       vocabulary (`bounds`), and from a larger part where that leaves many layers open;
    3. compute what is left over the whole vocabulary, many layers in one product;
    4. what then lies nearer to a threshold than float32 can tell (`rounding`) is done again in
       float64, and counted.

Only a chunk of tokens has its logits in memory, and only of the layers in hand. Several pairs of
thresholds share the work: a distance that was computed for one is used for all.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import torch
from msgspec import Struct

from agentdyno.measures.depth import cut_layer
from agentdyno_depth.probes import bounds
from agentdyno_depth.probes.bounds import common_tokens, likeliest, lower_bounds
from agentdyno_depth.probes.finite import DeferredFiniteChecks, require_finite_readout
from agentdyno_depth.probes.prediction_rows import LastRows, RowDistances, last_rows, row_distances
from agentdyno_depth.probes.readout import Readout
from agentdyno_depth.probes.rounding import Sizes, jsd_doubt_of, logit_error, state_lengths
from agentdyno_depth.records.depth import Thresholds, Work

Tensor = torch.Tensor

BUDGET_BYTES = {"cpu": 2**26, "cuda": 2**32}
"""What the logits in memory may take, roughly, by kind of device."""
LOGIT_BYTES = 4
WORTH_WIDENING = 4
"""Open layers of a token from which on a wider proof costs less than their products."""
ONE_PRODUCT_ROWS = {"cpu": 32, "cuda": 256}
"""So few checks that doing them all at once costs less than being clever."""


class Deep(Struct, frozen=True):
    """The labels of a block of tokens, and the last layer's distributions behind them."""

    labels: Tensor
    """Thresholds x tokens: whether the token is deep."""
    log_probs: Tensor
    """Natural logarithm of each target's probability; NaN without targets."""
    entropies: Tensor
    """Entropy of each prediction in nats."""
    self_certainties: Tensor
    """Self-certainty of each prediction in nats."""
    work: Work
    """What was computed to get the labels."""


def deep_labels(
    states: Tensor,
    readout: Readout,
    thresholds: Sequence[Thresholds],
    targets: Tensor | None = None,
    budget_bytes: int | None = None,
) -> Deep:
    """Labels of tokens from their states (layers x tokens x width, before the final norm)."""
    size = chunk_tokens(readout, states.device.type, budget_bytes)
    require_finite_readout(readout)
    parts, looks = [], DeferredFiniteChecks()
    with torch.inference_mode():  # Less is noted of every operation than without gradients.
        looks.states(states)
        step = max(1, evenly(states.shape[1], size))
        for start in range(0, states.shape[1], step):
            chunk = states[:, start : start + step]
            aim = None if targets is None else targets[start : start + step]
            parts.append(_Chunk(chunk, readout, tuple(thresholds), size, looks).label(aim))
        looks.require()
    return _join(parts)


def chunk_tokens(readout: Readout, device: str, budget_bytes: int | None = None) -> int:
    """Tokens whose logits fit the budget: the last layer's, one layer's, and one to work with."""
    budget = budget_bytes or BUDGET_BYTES.get(device, BUDGET_BYTES["cpu"])
    return max(16, budget // (3 * readout.vocabulary * LOGIT_BYTES))


def evenly(tokens: int, most: int) -> int:
    """Tokens of each chunk when none is much smaller than the others: a small one costs nearly as
    much as a large one."""
    return -(-tokens // max(1, -(-tokens // most)))


def exact_distances(
    readout: Readout, normalized: Tensor, normalized_last: Tensor, rows: int
) -> RowDistances:
    """The second look: distances of rows from their last rows with everything in float64."""
    parts = []
    for some, last_states in zip(
        normalized.split(max(1, rows)), normalized_last.split(max(1, rows)), strict=True
    ):
        # Both in one product: the unembedding is made wide once.
        both = readout.raw_logits(torch.cat([some, last_states]), dtype=torch.float64)
        row_index = torch.arange(len(last_states), device=last_states.device)
        last = last_rows(readout, both[len(some) :])
        parts.append(row_distances(readout, both[: len(some)], last, row_index))
    columns = ("jsd", "kl", "peak")
    return RowDistances(*(torch.cat([getattr(p, name) for p in parts]) for name in columns))


def confidences(
    readout: Readout, last: LastRows, targets: Tensor | None
) -> tuple[Tensor, Tensor, Tensor]:
    """Log-probability of the targets, entropy and self-certainty, in nats, of the last layer."""
    if targets is None:
        log_probs = torch.full_like(last.log_norm, torch.nan)
    else:
        at_target = readout.finish(last.raw.gather(1, targets[:, None]))[:, 0]
        log_probs = at_target - last.log_norm
    uniform = math.log(readout.vocabulary)
    return log_probs, -last.negative_entropy, last.log_norm - last.mean_logit - uniform


def _join(parts: list[Deep]) -> Deep:
    """All parts as one, a single part copied too: tensors of inference mode cannot be changed."""
    work = Work()
    for part in parts:
        work += part.work
    names = ("log_probs", "entropies", "self_certainties")
    joined = {name: torch.cat([getattr(part, name) for part in parts]) for name in names}
    return Deep(labels=torch.cat([part.labels for part in parts], 1), work=work, **joined)


class _Order(Struct, frozen=True):
    """In which order layers are looked at, and for what: the same for all chunks of a model."""

    g: Tensor
    """The distance of each pair of thresholds."""
    cuts: Tensor
    """The first deep layer of each."""
    first: tuple[int, ...]
    """The layers below the cuts, the highest first."""
    others: Tensor
    """Numbers of the layers below those, the highest first."""
    below: Tensor
    """Numbers of all of these, the highest first."""


# Kept, because to send a list to a GPU is to wait for it.
@lru_cache(32)
def _order(layers: int, thresholds: tuple[Thresholds, ...], device: torch.device) -> _Order:
    cuts = [cut_layer(layers, pair.rho) for pair in thresholds]
    first = sorted({cut - 1 for cut in cuts if cut > 1}, reverse=True)
    below = list(range(max(cuts) - 1, 0, -1))

    def numbers(layer_numbers: list[int]) -> Tensor:
        return torch.tensor(layer_numbers, dtype=torch.long, device=device)

    g = torch.tensor([pair.g for pair in thresholds], dtype=torch.float64, device=device)
    other_layers = numbers([layer for layer in below if layer not in first])
    return _Order(g, numbers(cuts), tuple(first), other_layers, numbers(below))


class _Near(Struct, frozen=True):
    """Rows that were checked, and which of them came nearer to a threshold than float32 tells."""

    layers: Tensor
    tokens: Tensor
    near: Tensor
    """Whether it came too near."""
    normalized: Tensor
    """Its normalized state: the norm of a row can differ in its last digit by how many rows it is
    computed with, and a second look must see what the first saw."""


class _Chunk:
    """Tokens that are labelled together. A GPU waits whenever a value is read back from
    it, so values are read back seldom and much work is queued at once."""

    def __init__(
        self,
        states: Tensor,
        readout: Readout,
        thresholds: tuple[Thresholds, ...],
        rows: int,
        looks: DeferredFiniteChecks,
    ) -> None:
        self.layers, self.tokens, _ = states.shape
        self.states, self.readout, self.rows, self.looks = states, readout, rows, looks
        self.order = _order(self.layers, thresholds, states.device)
        self.g, self.cuts = self.order.g[:, None], self.order.cuts[:, None]
        self.everything = torch.arange(self.tokens, device=states.device)
        # How many layers settle each token, for each pair of thresholds.
        self.settling = torch.zeros(
            len(self.cuts), self.tokens, dtype=torch.int32, device=states.device
        )
        self.near: list[_Near] = []
        self.checks = self.unproved = self.resolved_float64 = 0
        self.tried: list[Tensor] = []

    def label(self, targets: Tensor | None) -> Deep:
        self.last_normalized = self._normalize(self.layers - 1)
        self.last = last_rows(self.readout, self.readout.raw_logits(self.last_normalized))
        numbers = self.last.log_norm + self.last.negative_entropy + self.last.mean_logit
        self.looks.rows(numbers, self.layers, self.everything)
        self.last_sizes = Sizes(state_lengths(self.last_normalized), self.last.peak)
        self.last_error = logit_error(self.readout, self.last_sizes)
        sure = confidences(self.readout, self.last, targets)
        if len(self.order.below) * self.tokens <= self._few():
            self._check_all(self.order.below)
        else:
            for layer in self.order.first:
                self._check_layer(layer)
            # What came too near waits: a few more checks cost less than float64 twice.
            self._check_survivors()
        self._decide_near()
        return Deep(self.settling == 0, *sure, work=self._work())

    def _normalize(self, key: Any) -> Tensor:
        return self.readout.normalize(self.states[key])

    def _few(self) -> int:
        return ONE_PRODUCT_ROWS.get(self.states.device.type, ONE_PRODUCT_ROWS["cpu"])

    def _check_all(self, layers: Tensor) -> None:
        """Every token at the layers, in one product."""
        if len(layers):
            normalized = self._normalize(layers - 1).flatten(0, 1)
            tokens = self.everything.repeat(len(layers))
            self._check(layers.repeat_interleave(self.tokens), tokens, normalized)

    def _check_layer(self, layer: int) -> None:
        """Every token whose answer hangs on the layer; at first that is all of them."""
        number = self.order.below[self.order.first[0] - layer]
        if not self.checks:
            self._check(number.expand(self.tokens), self.everything, self._normalize(layer - 1))
            return
        tokens = self._hangs(number[None], self.everything).nonzero()[:, 0]
        self._check(number.expand(len(tokens)), tokens, self._normalize((layer - 1, tokens)))

    def _check_survivors(self) -> None:
        """Check the other layers for tokens left open by the first: proofs first, then products."""
        survivors = (self.settling == 0).any(0).nonzero()[:, 0]
        other_layers = self.order.others
        if not len(other_layers) or not len(survivors):
            return
        normalized = self._normalize((other_layers[:, None] - 1, survivors))
        row, column = self._open(normalized, survivors).nonzero(as_tuple=True)
        self.unproved = len(row)
        for some, columns in zip(row.split(self.rows), column.split(self.rows), strict=True):
            layers, tokens = other_layers.index_select(0, some), survivors.index_select(0, columns)
            if len(row) > self.rows:  # What an earlier product settled is not looked at again.
                still = self._hangs(layers, tokens).nonzero()[:, 0]
                layers, tokens, some, columns = (
                    index[still] for index in (layers, tokens, some, columns)
                )
            self._check(layers, tokens, normalized[some, columns])

    def _open(self, normalized: Tensor, survivors: Tensor) -> Tensor:
        """Other layers x survivors: which checks the bounds leave open."""
        below = self.cuts > self.order.others
        pending = below[:, :, None] & (self.settling.index_select(1, survivors) == 0)[:, None]
        highest = torch.where(pending, self.g[..., None], -torch.inf).amax(0)
        self.tried.append((highest > -torch.inf).sum())
        common = common_tokens(self.readout, normalized[:, : max(1, self.rows // 2)])
        is_open = self._try_bounds(normalized, survivors, highest, common, bounds.TOP)
        # A flat last prediction has little mass in few tokens, and then every layer is left open.
        flat = (is_open.sum(0) >= WORTH_WIDENING).nonzero()[:, 0]
        if len(flat):
            is_open[:, flat] &= self._try_bounds(
                normalized.index_select(1, flat),
                survivors[flat],
                highest[:, flat],
                common,
                bounds.WIDE,
            )
        return is_open

    def _try_bounds(
        self, normalized: Tensor, survivors: Tensor, highest: Tensor, common: Tensor, count: int
    ) -> Tensor:
        """The same, by so many cells for each token."""
        likely = likeliest(self.last.raw, survivors, count)
        # Each cell of each token is a row of the unembedding in memory.
        size = evenly(len(survivors), max(1, self.rows * bounds.TOP // (2 * count)))
        parts = zip(
            survivors.split(size), likely.split(size), normalized.split(size, 1), strict=True
        )
        least = [
            lower_bounds(self.readout, some, self.last, self.last_sizes, tokens, common, top)
            for tokens, top, some in parts
        ]
        return ~(torch.cat(least, 1) > highest)

    def _hangs(self, layers: Tensor, tokens: Tensor) -> Tensor:
        """Of pairs of layer and token: whether an answer still hangs on it."""
        return ((self.cuts > layers) & (self.settling.index_select(1, tokens) == 0)).any(0)

    def _check(self, layers: Tensor, tokens: Tensor, normalized: Tensor) -> None:
        """Distances over the whole vocabulary for pairs of layer and token."""
        parts = (tensor.split(self.rows) for tensor in (layers, tokens, normalized))
        for some, token, rows in zip(*parts, strict=True):
            if len(token):
                self._check_rows(some, token, rows)

    def _check_rows(self, layers: Tensor, tokens: Tensor, normalized: Tensor) -> None:
        self.checks += len(tokens)
        raw = self.readout.raw_logits(normalized)
        distances = row_distances(self.readout, raw, self.last, tokens, with_kl=False)
        self.looks.rows(distances.jsd, layers, tokens)
        error = logit_error(self.readout, Sizes(state_lengths(normalized), distances.peak))
        doubt = jsd_doubt_of(error, self.last_error.index_select(0, tokens))
        beyond = distances.jsd.double() - self.g
        near = (beyond.abs() <= doubt).any(0)
        self.near.append(_Near(layers, tokens, near, normalized))
        self._finish((beyond <= 0) & ~near, layers, tokens)

    def _finish(self, hit: Tensor, layers: Tensor, tokens: Tensor) -> None:
        """Tokens near enough to the last layer are done, for every pair the layer is below."""
        self.settling.index_add_(1, tokens, (hit & (self.cuts > layers)).int())

    def _decide_near(self) -> None:
        """Float64 decides what came too near, where nothing else has decided since."""
        if not self.near:
            return
        layers, tokens, normalized = self._still_near()
        if len(tokens):
            self.resolved_float64 += len(tokens)
            distances = exact_distances(
                self.readout, normalized, self.last_normalized[tokens], self.rows // 8
            )
            self._finish(distances.jsd <= self.g, layers, tokens)

    def _still_near(self) -> tuple[Tensor, Tensor, Tensor]:
        """Layers, tokens and normalized states of the checks on which an answer still hangs."""
        layers = torch.cat([check.layers for check in self.near])
        tokens = torch.cat([check.tokens for check in self.near])
        near = torch.cat([check.near for check in self.near])
        still = (near & self._hangs(layers, tokens)).nonzero()[:, 0]
        normalized = self.last_normalized[:0]
        if len(still):
            normalized = torch.cat([check.normalized for check in self.near])[still]
        self.near = []
        return layers[still], tokens[still], normalized

    def _work(self) -> Work:
        return Work(
            tokens=self.tokens,
            naive_checks=self.tokens * self.layers,
            checks=self.checks + self.tokens,  # the last layer's own distribution is one
            proved=sum(int(count) for count in self.tried) - self.unproved,
            resolved_float64=self.resolved_float64,
        )
