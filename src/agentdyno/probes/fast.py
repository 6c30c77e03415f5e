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

from collections.abc import Iterator, Sequence
from functools import lru_cache

import torch
from msgspec import Struct

from agentdyno.probes import bounds
from agentdyno.probes.bounds import common_tokens, likeliest, lower_bounds
from agentdyno.probes.finite import LateLooks, require_finite_readout
from agentdyno.probes.prediction_rows import LastRows, RowDistances, last_rows, row_distances
from agentdyno.probes.readout import Readout
from agentdyno.probes.rounding import Sizes, jsd_doubt_of, logit_error, state_lengths
from agentdyno.records.depth import Thresholds, Work, cut_layer

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
    require_finite_readout(readout)
    parts, looks = [], LateLooks()
    with torch.no_grad():
        looks.states(states)
        step = max(1, evenly(states.shape[1], size))
        for start in range(0, states.shape[1], step):
            chunk = states[:, start : start + step]
            aim = None if targets is None else targets[start : start + step]
            parts.append(_Chunk(chunk, readout, tuple(thresholds), size, looks).labelled(aim))
        looks.require()
    return _joined(parts)


def chunk_tokens(readout: Readout, device: str, budget_bytes: int | None = None) -> int:
    """Tokens whose logits fit the budget: the last layer's, one layer's, and one to work with."""
    budget = budget_bytes or BUDGET_BYTES.get(device, BUDGET_BYTES["cpu"])
    return max(16, budget // (3 * readout.vocabulary * LOGIT_BYTES))


def evenly(tokens: int, most: int) -> int:
    """Tokens of each chunk when none is much smaller than the others: a small one costs nearly as
    much as a large one."""
    return -(-tokens // max(1, -(-tokens // most)))


def exact_distances(
    readout: Readout, normed: Tensor, normed_last: Tensor, rows: int
) -> RowDistances:
    """The second look: distances of rows from their last rows with everything in float64."""
    parts = []
    for some, own in zip(normed.split(max(1, rows)), normed_last.split(max(1, rows)), strict=True):
        # Both in one product: the unembedding is made wide once.
        both = readout.raw_logits(torch.cat([some, own]), dtype=torch.float64)
        place = torch.arange(len(own), device=own.device)
        last = last_rows(readout, both[len(some) :])
        parts.append(row_distances(readout, both[: len(some)], last, place))
    columns = ("jsd", "kl", "peak")
    return RowDistances(*(torch.cat([getattr(p, name) for p in parts]) for name in columns))


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


class _Order(Struct, frozen=True):
    """In which order layers are looked at, and for what: the same for all chunks of a model."""

    g: Tensor
    """The distance of each pair of thresholds."""
    cuts: Tensor
    """The first deep layer of each."""
    last: Tensor
    """The number of the last layer."""
    first: Tensor
    """Numbers of the layers below the cuts, the highest first."""
    others: Tensor
    """Numbers of the layers below those, the highest first."""


# Kept, because to send a list to a GPU is to wait for it.
@lru_cache(32)
def _order(layers: int, thresholds: tuple[Thresholds, ...], device: torch.device) -> _Order:
    cuts = [cut_layer(layers, pair.rho) for pair in thresholds]
    first = sorted({cut - 1 for cut in cuts if cut > 1}, reverse=True)
    others = [layer for layer in range(max(cuts) - 1, 0, -1) if layer not in first]

    def numbers(found: list[int]) -> Tensor:
        return torch.tensor(found, dtype=torch.long, device=device)

    g = torch.tensor([pair.g for pair in thresholds], dtype=torch.float64, device=device)
    return _Order(g, numbers(cuts), numbers([layers]), numbers(first), numbers(others))


class _Chunk:
    """Tokens that are labelled together."""

    def __init__(
        self,
        states: Tensor,
        readout: Readout,
        thresholds: tuple[Thresholds, ...],
        rows: int,
        looks: LateLooks,
    ) -> None:
        self.layers, self.tokens, _ = states.shape
        self.states, self.readout, self.rows, self.looks = states, readout, rows, looks
        order = _order(self.layers, thresholds, states.device)
        self.g, self.cuts = order.g, order.cuts
        self.end, self.first, self.others = order.last, order.first, order.others
        self.settled = torch.zeros(
            len(self.cuts), self.tokens, dtype=torch.bool, device=states.device
        )
        self.near: list[tuple[Tensor, Tensor, Tensor]] = []
        self.checks = self.resolved_float64 = 0
        self.proved: list[Tensor] = []

    def labelled(self, targets: Tensor | None) -> Deep:
        # Each state is normed once: the norm of a row can differ in its last digit by how many
        # rows it is computed with, and a second look must see what the first saw.
        self.normed = torch.empty(
            self.states.shape, dtype=self.readout.weight.dtype, device=self.states.device
        )
        everything = torch.arange(self.tokens, device=self.cuts.device)
        self._norm(self.end, everything)
        self.last = last_rows(self.readout, self.readout.raw_logits(self.normed[-1]))
        numbers = self.last.log_norm + self.last.negative_entropy + self.last.mean_logit
        self.looks.rows(numbers, self.layers, everything)
        self.last_sizes = Sizes(state_lengths(self.normed[-1]), self.last.peak)
        self.last_error = logit_error(self.readout, self.last_sizes)
        if (len(self.first) + len(self.others)) * self.tokens <= self._few():
            both = torch.cat([self.first, self.others]).sort(descending=True).values
            self._norm(both, everything)
            self._check_all(both)
        else:
            self._norm(self.first, everything)
            for layer in self.first.split(1):
                self._check_all(layer)
            # What came too near waits: a few more checks cost less than float64 twice.
            self._check_survivors()
        self._settle_near()
        return Deep(
            ~self.settled, *confidences(self.readout, self.last, targets), work=self._work()
        )

    def _norm(self, layers: Tensor, tokens: Tensor) -> None:
        if len(layers) and len(tokens):
            places = layers[:, None] - 1
            self.normed[places, tokens] = self.readout.normed(self.states[places, tokens])

    def _few(self) -> int:
        return ONE_PRODUCT_ROWS.get(self.states.device.type, ONE_PRODUCT_ROWS["cpu"])

    def _check_all(self, layers: Tensor) -> None:
        """Every pending token at the layers, in one product."""
        if len(layers):
            everything = torch.arange(self.tokens, device=self.cuts.device)
            self._check(layers, self._pending_at(layers, everything).any(0))

    def _check_survivors(self) -> None:
        """What the first layers left open, at all other layers: proofs first, then products."""
        survivors = (~self.settled).any(0).nonzero()[:, 0]
        if not len(self.others) or not len(survivors):
            return
        self._norm(self.others, survivors)
        unproved = self._unproved(survivors)
        for group, rows in _groups(self.others, unproved, self.rows):
            wanted = torch.zeros(len(group), self.tokens, dtype=torch.bool, device=rows.device)
            wanted[:, survivors] = rows & self._pending_at(group, survivors).any(0)
            self._check(group, wanted)

    def _unproved(self, survivors: Tensor) -> Tensor:
        """Other layers x survivors: which checks the bounds leave open."""
        places = self.others[:, None] - 1
        some = survivors[: max(1, self.rows // 2)]
        common = common_tokens(self.readout, self.normed[places, some])
        unproved = self._tried(survivors, common, bounds.TOP)
        # A flat last prediction has little mass in few tokens, and then every layer is left open.
        flat = (unproved.sum(0) >= WORTH_WIDENING).nonzero()[:, 0]
        if len(flat):
            unproved[:, flat] &= self._tried(survivors[flat], common, bounds.WIDE)
        pending = self._pending_at(self.others, survivors).any(0)
        self.proved.append((pending & ~unproved).sum())
        return unproved

    def _tried(self, survivors: Tensor, common: Tensor, count: int) -> Tensor:
        """The same, by so many cells for each token."""
        layers, found = self.others, []
        likely = likeliest(self.last.raw, survivors, count)
        # Each cell of each token is a row of the unembedding in memory.
        size = evenly(len(survivors), max(1, self.rows * bounds.TOP // (2 * count)))
        for tokens, top in zip(survivors.split(size), likely.split(size), strict=True):
            normed = self.normed[layers[:, None] - 1, tokens]
            least = lower_bounds(
                self.readout, normed, self.last, self.last_sizes, tokens, common, top
            )
            pending = self._pending_at(layers, tokens)
            highest = torch.where(pending, self.g[:, None, None], -torch.inf).amax(0)
            found.append(pending.any(0) & ~(least > highest))
        return torch.cat(found, 1)

    def _pending_at(self, layers: Tensor, tokens: Tensor) -> Tensor:
        """Thresholds x layers x tokens: whether the answer still hangs on the layer."""
        below = self.cuts[:, None] > layers
        return below[:, :, None] & ~self.settled[:, None, tokens]

    def _check(self, layers: Tensor, wanted: Tensor) -> None:
        """Distances over the whole vocabulary for the wanted pairs of layer and token."""
        place, tokens = wanted.nonzero(as_tuple=True)
        for some, token in zip(
            layers[place].split(self.rows), tokens.split(self.rows), strict=True
        ):
            self._check_rows(some, token)

    def _check_rows(self, layers: Tensor, tokens: Tensor) -> None:
        self.checks += len(tokens)
        normed = self.normed[layers - 1, tokens]
        raw = self.readout.raw_logits(normed)
        found = row_distances(self.readout, raw, self.last, tokens, with_kl=False)
        self.looks.rows(found.jsd, layers, tokens)
        error = logit_error(self.readout, Sizes(state_lengths(normed), found.peak))
        doubt = jsd_doubt_of(error, self.last_error[tokens])
        jsd = found.jsd.double()
        near = ((jsd - self.g[:, None]).abs() <= doubt).any(0)
        self.near.append((layers, tokens, near))
        self._settle(jsd.masked_fill(near, torch.inf), layers, tokens)

    def _settle(self, jsd: Tensor, layers: Tensor, tokens: Tensor) -> None:
        """Tokens near enough to the last layer are done, for every pair the layer is below."""
        hit = (jsd <= self.g[:, None]) & (self.cuts[:, None] > layers)
        count = torch.zeros(self.settled.shape, device=jsd.device)
        self.settled |= count.index_add_(1, tokens, hit.float()) > 0

    def _settle_near(self) -> None:
        """Float64 decides what came too near, where nothing else has decided since."""
        if not self.near:
            return
        layers, tokens = self._still_near()
        if len(tokens):
            self.resolved_float64 += len(tokens)
            normed = self.normed[layers - 1, tokens]
            found = exact_distances(self.readout, normed, self.normed[-1, tokens], self.rows // 8)
            self._settle(found.jsd, layers, tokens)

    def _still_near(self) -> tuple[Tensor, Tensor]:
        """Layers and tokens of the checks on which an answer still hangs."""
        layers, tokens, near = (torch.cat(column) for column in zip(*self.near, strict=True))
        self.near = []
        pending = ((self.cuts[:, None] > layers) & ~self.settled[:, tokens]).any(0)
        still = (near & pending).nonzero()[:, 0]
        return layers[still], tokens[still]

    def _work(self) -> Work:
        return Work(
            tokens=self.tokens,
            naive_checks=self.tokens * self.layers,
            checks=self.checks + self.tokens,  # the last layer's own distribution is one
            proved=sum(int(count) for count in self.proved),
            resolved_float64=self.resolved_float64,
        )


def _groups(layers: Tensor, unproved: Tensor, rows: int) -> Iterator[tuple[Tensor, Tensor]]:
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
