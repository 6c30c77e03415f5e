"""The physical cost: what turns take from a machine, in GPU-seconds at a stated concurrency.

Takes the tokens of turns and a `Serving` (a model on a machine, at a concurrency); returns seconds.
It stands beside PTE, never instead of it: PTE counts in prefilled tokens of one model, this in
seconds of one machine, so it alone may be compared or added across models.

With B sequences in every step, of which B - 1 are others', a turn takes

    prefill   what its chunks add to the steps they join, and the attention among its tokens
    step      (decode - 1) * decoding(B) / B: its share of the weights and launches of every step
    cache     read * numbers: what it alone reads of its cache, token by token, windows capped
    waiting   1 / B of the time its request is on its way: a machine of B places fills that gap

The first token of an answer comes with the prefill. Worked, in a machine whose steps take 5 ms up
to 1,000 tokens and 5 us a token beyond, at 10 at once: 11 tokens decoded take 10 * 0.0005 = 5 ms of
steps. What the batch does over time (tails, queues) the replay knows and this does not.
"""

from typing import Literal

import numpy as np
from msgspec import Struct

from agentdyno.cost.columns import Floats
from agentdyno.cost.replay import CHUNK_TOKENS
from agentdyno.cost.shape import Architecture
from agentdyno.cost.steps import StepModel, numbers_read, prefill_flops

DEFAULT_CONCURRENCY = 64
"""A server under load; every output says which concurrency it means."""

StepSource = Literal["theory", "measured", "transferred"]
"""`theory`: data sheet and the shares engines reach · `measured`: this model on this machine ·
`transferred`: theory with the shares that another model reached on this machine."""


class Serving(Struct, frozen=True):
    """A model on a machine, so many requests at once."""

    architecture: Architecture
    """The model's shape."""
    steps: StepModel
    """How long the machine's steps take with this model."""
    concurrency: int = DEFAULT_CONCURRENCY
    """Sequences in every step."""
    source: StepSource = "theory"
    """Where the parameters come from."""
    chunk: int = CHUNK_TOKENS
    """The most tokens of a step."""


class TurnSeconds(Struct, frozen=True):
    """Per turn: GPU-seconds by cause; NaN where a count is unknown."""

    prefill: Floats
    """Computing the prompt's new tokens."""
    step: Floats
    """The share of every decoding step's weights and launches."""
    cache: Floats
    """Reading the turn's own cache while decoding."""
    waiting: Floats
    """The share of the time that the request was on its way."""

    @property
    def total(self) -> Floats:
        """All of it."""
        found: Floats = self.prefill + self.step + self.cache + self.waiting
        return found


def gpu_seconds(serving: Serving, prefill: Floats, context: Floats, decode: Floats) -> TurnSeconds:
    """What each turn takes: tokens computed anew, tokens in context, tokens generated."""
    steps, shape, batch = serving.steps, serving.architecture, serving.concurrency
    following = np.maximum(decode - 1, 0.0)
    share = float(steps.decoding(np.array([float(batch)]))[0]) / batch
    on_the_way = steps.request_seconds + steps.send_seconds + steps.send_token_seconds * context
    return TurnSeconds(
        prefill=_prefill(serving, prefill)
        + steps.attend_seconds * prefill_flops(shape, prefill, context),
        step=following * share,
        cache=steps.read_seconds * numbers_read(shape, context + 1, following),
        waiting=on_the_way / batch,
    )


def _prefill(serving: Serving, tokens: Floats) -> Floats:
    """What chunks add to steps that decode for the others anyway."""
    others = serving.concurrency - 1
    largest = max(serving.chunk - others, 1)
    whole = np.floor(tokens / largest)
    added: Floats = whole * _add(serving, np.array([float(largest)]))[0]
    return added + _add(serving, tokens - whole * largest)


def _add(serving: Serving, tokens: Floats) -> Floats:
    steps, others = serving.steps, float(serving.concurrency - 1)
    alone = float(steps.decoding(np.array([others]))[0])
    together = steps.mixed(tokens + others) + steps.seat_seconds * others
    return np.where(tokens > 0, np.maximum(together - alone, 0.0), 0.0)


def wall_seconds(
    serving: Serving, prefill: Floats, context: Floats, decode: Floats, busy: float
) -> Floats:
    """How long each turn is under way: its own steps at the batch's pace, and the queue before.

    `busy` is the GPU-seconds that one decoded token's worth of the whole workload takes (all turns'
    GPU-seconds over all decoded tokens): while one sequence decodes a token, each of the B places
    does as much, prefills of the others included. A turn that prefills waits for its own chunks,
    and on average for half of one step of the others.
    """
    own = gpu_seconds(serving, prefill, context, decode)
    pace = busy * serving.concurrency
    found: Floats = own.waiting * serving.concurrency + own.prefill + pace / 2 + decode * pace
    return found
