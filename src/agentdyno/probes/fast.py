"""Which tokens are deep: the reference's answer on every token, for a small share of its work.

A token is deep for (g, rho) exactly when no layer below the cut comes within g of the last layer.
So, with the cut at ceil(rho * L):

    1. look at layer cut-1 first: most tokens have settled there, and are done;
    2. for the others, prove layer by layer that it has not settled from a small part of the
       vocabulary (`bounds`);
    3. compute what is left over the whole vocabulary, many layers in one product;
    4. what then lies too near a threshold for the type it was computed in is done again in
       float32, and in float64 if need be, and counted.

Only a chunk of tokens has its logits in memory, and only of the layers in hand. Several pairs of
thresholds share the work: a distance that was computed for one is used for all.
"""

from collections.abc import Iterator, Sequence

import torch
from msgspec import Struct

from agentdyno.probes.bounds import common_tokens, lower_bounds
from agentdyno.probes.readout import Readout
from agentdyno.probes.rows import HALF_UNIT, LastRows, last_rows, rounding_error, row_distances
from agentdyno.records.depth import Thresholds, Work, cut_layer

Tensor = torch.Tensor

FLOAT32_DOUBT = 2e-4
"""Distances computed in float32 are off by some 1e-5; nearer to g than this, float64 decides."""
BUDGET_BYTES = {"cpu": 2**26, "cuda": 2**31}
"""What the logits in memory may take, roughly, by kind of device."""
ONE_PRODUCT_ROWS = {"cpu": 32, "cuda": 256}
"""So few checks that doing them all at once costs less than being clever."""


class Deep(Struct, frozen=True):
    """The labels of a block of tokens, and the last layer's distributions behind them."""

    labels: Tensor
    """Thresholds x tokens: whether the token is deep."""
    log_probs: Tensor
    """Natural logarithm of each target's probability; NaN without targets."""
    entropies: Tensor
    """In nats."""
    self_certainties: Tensor
    """In nats."""
    work: Work
    """What it cost."""


def deep_labels(
    states: Tensor,
    readout: Readout,
    thresholds: Sequence[Thresholds],
    targets: Tensor | None = None,
    budget_bytes: int | None = None,
) -> Deep:
    """Labels of tokens from their states (layers x tokens x width, before the final norm)."""
    size = chunk_tokens(readout, states.device.type, budget_bytes)
    parts = []
    with torch.no_grad():
        for start in range(0, states.shape[1], size):
            chunk = states[:, start : start + size]
            aim = None if targets is None else targets[start : start + size]
            parts.append(_Chunk(chunk, readout, tuple(thresholds), size).labelled(aim))
    return _joined(parts)


def chunk_tokens(readout: Readout, device: str, budget_bytes: int | None = None) -> int:
    """Tokens whose logits fit the budget: the last layer's, one layer's, and one to work with."""
    budget = budget_bytes or BUDGET_BYTES.get(device, BUDGET_BYTES["cpu"])
    return max(16, budget // (3 * readout.vocabulary * readout.weight.element_size()))


def confidences(
    readout: Readout, last: LastRows, targets: Tensor | None
) -> tuple[Tensor, Tensor, Tensor]:
    """Log-probability of the targets, entropy and self-certainty, in nats, of the last layer."""
    if targets is None:
        log_probs = torch.full_like(last.log_norm, torch.nan)
    else:
        at_target = readout.finished(last.raw.gather(1, targets[:, None]))[:, 0]
        log_probs = at_target - last.log_norm
    uniform = torch.log(torch.tensor(float(readout.vocabulary)))
    return log_probs, -last.negative_entropy, last.log_norm - last.mean_logit - uniform


def _joined(parts: list[Deep]) -> Deep:
    work = Work()
    for part in parts:
        work += part.work
    names = ("log_probs", "entropies", "self_certainties")
    joined = {name: torch.cat([getattr(part, name) for part in parts]) for name in names}
    return Deep(labels=torch.cat([part.labels for part in parts], 1), work=work, **joined)


class _Chunk:
    """Tokens that are labelled together."""

    def __init__(
        self, states: Tensor, readout: Readout, thresholds: tuple[Thresholds, ...], rows: int
    ) -> None:
        self.layers, self.tokens, _ = states.shape
        self.states, self.readout, self.rows = states, readout, rows
        device = states.device
        self.g = torch.tensor([pair.g for pair in thresholds], dtype=torch.float64, device=device)
        cuts = [cut_layer(self.layers, pair.rho) for pair in thresholds]
        self.cuts = torch.tensor(cuts, device=device)
        self.first = sorted({cut - 1 for cut in cuts if cut > 1}, reverse=True)
        self.others = [layer for layer in range(max(cuts) - 1, 0, -1) if layer not in self.first]
        self.settled = torch.zeros(len(cuts), self.tokens, dtype=torch.bool, device=device)
        self.open: dict[torch.dtype, list[tuple[Tensor, Tensor, Tensor]]] = {}
        self.checks = self.resolved_float32 = self.resolved_float64 = 0
        self.proved: list[Tensor] = []

    def labelled(self, targets: Tensor | None) -> Deep:
        normed_last = self.readout.normed(self.states[-1])
        self.normed_last = normed_last
        self.last = last_rows(self.readout, self.readout.raw_logits(normed_last))
        if (len(self.first) + len(self.others)) * self.tokens <= self._few():
            self._check_all(sorted(self.first + self.others, reverse=True))
        else:
            for layer in self.first:
                self._check_all([layer])
            self._settle_open(torch.float32)
            self._check_survivors()
        self._settle_open(torch.float32)
        self._settle_open(torch.float64)
        return Deep(
            ~self.settled, *confidences(self.readout, self.last, targets), work=self._work()
        )

    def _few(self) -> int:
        return ONE_PRODUCT_ROWS.get(self.states.device.type, ONE_PRODUCT_ROWS["cpu"])

    def _check_all(self, layers: list[int]) -> None:
        """Every pending token at the layers, in one product."""
        if not layers:
            return
        everything = torch.arange(self.tokens, device=self.cuts.device)
        numbers = torch.tensor(layers, device=self.cuts.device)
        self._check(layers, self._pending_at(numbers, everything).any(0))

    def _check_survivors(self) -> None:
        """What the first layers left open, at all other layers: proofs first, then products."""
        survivors = (~self.settled).any(0).nonzero()[:, 0]
        if not self.others or not len(survivors):
            return
        unproved = self._unproved(survivors)
        for group, rows in _groups(self.others, unproved, self.rows):
            numbers = torch.tensor(group, device=rows.device)
            wanted = torch.zeros(len(group), self.tokens, dtype=torch.bool, device=rows.device)
            wanted[:, survivors] = rows & self._pending_at(numbers, survivors).any(0)
            self._check(group, wanted)

    def _unproved(self, survivors: Tensor) -> Tensor:
        """Other layers x survivors: which checks the bounds leave open."""
        layers = torch.tensor(self.others, device=survivors.device)
        found = []
        common: Tensor | None = None
        for tokens in survivors.split(max(1, self.rows // 4)):
            normed = self.readout.normed(self.states[layers[:, None] - 1, tokens])
            if common is None:
                common = common_tokens(self.readout, normed)
            bounds = lower_bounds(self.readout, normed, self.last, tokens, common)
            pending = self._pending_at(layers, tokens)
            highest = torch.where(pending, self.g[:, None, None], -torch.inf).amax(0)
            unproved = pending.any(0) & (bounds <= highest + FLOAT32_DOUBT)
            self.proved.append((pending.any(0) & ~unproved).sum())
            found.append(unproved)
        return torch.cat(found, 1)

    def _pending_at(self, layers: Tensor, tokens: Tensor) -> Tensor:
        """Thresholds x layers x tokens: whether the answer still hangs on the layer."""
        below = self.cuts[:, None] > layers
        return below[:, :, None] & ~self.settled[:, None, tokens]

    def _check(self, layers: list[int], wanted: Tensor) -> None:
        """Distances over the whole vocabulary for the wanted pairs of layer and token."""
        numbers = torch.tensor(layers, device=wanted.device)
        place, tokens = wanted.nonzero(as_tuple=True)
        for some, token in zip(
            numbers[place].split(self.rows), tokens.split(self.rows), strict=True
        ):
            self._check_rows(some, token)

    def _check_rows(self, layers: Tensor, tokens: Tensor) -> None:
        self.checks += len(tokens)
        raw = self.readout.raw_logits(self.readout.normed(self.states[layers - 1, tokens]))
        found = row_distances(self.readout, raw, self.last, tokens, with_kl=False)
        wider = torch.float32 if raw.dtype in HALF_UNIT else torch.float64
        error = rounding_error(self.readout, raw.dtype, found.peak, self.last.peak[tokens])
        self._decide(found.jsd.double(), error + FLOAT32_DOUBT, layers, tokens, wider)

    def _decide(
        self,
        jsd: Tensor,
        doubt: Tensor | float,
        layers: Tensor,
        tokens: Tensor,
        wider: torch.dtype,
    ) -> None:
        """Settles what is clear; what is nearer to a threshold than the doubt waits for `wider`."""
        near = ((jsd - self.g[:, None]).abs() <= doubt).any(0)
        self.open.setdefault(wider, []).append((layers, tokens, near))
        self._settle(jsd.masked_fill(near, torch.inf), layers, tokens)

    def _settle(self, jsd: Tensor, layers: Tensor, tokens: Tensor) -> None:
        """Tokens near enough to the last layer are done, for every pair the layer is below."""
        hit = (jsd <= self.g[:, None]) & (self.cuts[:, None] > layers)
        count = torch.zeros(self.settled.shape, device=jsd.device)
        self.settled |= count.index_add_(1, tokens, hit.float()) > 0

    def _settle_open(self, dtype: torch.dtype) -> None:
        """What waits for the type and nothing else has decided since."""
        layers, tokens = self._waiting(self.open.pop(dtype, []))
        if not len(tokens):
            return
        normed = self.readout.normed(self.states[layers - 1, tokens])
        jsd = self._again(normed, tokens, dtype)
        if dtype == torch.float32:
            self.resolved_float32 += len(tokens)
            self._decide(jsd, FLOAT32_DOUBT, layers, tokens, torch.float64)
        else:
            self.resolved_float64 += len(tokens)
            self._settle(jsd, layers, tokens)

    def _waiting(self, checks: list[tuple[Tensor, Tensor, Tensor]]) -> tuple[Tensor, Tensor]:
        """Layers and tokens of the checks that came too near and an answer still hangs on."""
        nothing = torch.empty(0, dtype=torch.long, device=self.cuts.device)
        if not checks:
            return nothing, nothing
        layers, tokens, near = (torch.cat(column) for column in zip(*checks, strict=True))
        pending = ((self.cuts[:, None] > layers) & ~self.settled[:, tokens]).any(0)
        still = (near & pending).nonzero()[:, 0]
        return layers[still], tokens[still]

    def _again(self, normed: Tensor, tokens: Tensor, dtype: torch.dtype) -> Tensor:
        """Distances from products in a wider type."""
        size = max(1, self.rows // 4)
        found = [torch.empty(0, dtype=torch.float64, device=normed.device)]
        for some, own in zip(normed.split(size), tokens.split(size), strict=True):
            if len(own):
                raw = self.readout.precise_logits(some, dtype)
                raw_last = self.readout.precise_logits(self.normed_last[own], dtype)
                last = last_rows(self.readout, raw_last)
                place = torch.arange(len(own), device=own.device)
                jsd = row_distances(self.readout, raw, last, place, with_kl=False).jsd
                found.append(jsd.double())
        return torch.cat(found)

    def _work(self) -> Work:
        return Work(
            tokens=self.tokens,
            naive_checks=self.tokens * self.layers,
            checks=self.checks + self.tokens,  # the last layer's own distribution is one
            proved=sum(int(count) for count in self.proved),
            resolved_float32=self.resolved_float32,
            resolved_float64=self.resolved_float64,
        )


def _groups(layers: list[int], unproved: Tensor, rows: int) -> Iterator[tuple[list[int], Tensor]]:
    """Layers whose open checks fill a product, in order."""
    counts = unproved.sum(1).tolist()
    start = total = 0
    for index, count in enumerate(counts):
        if total and total + count > rows:
            yield layers[start:index], unproved[start:index]
            start, total = index, 0
        total += count
    if total:
        yield layers[start:], unproved[start:]
