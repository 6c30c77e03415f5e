"""GPU-seconds in closed form: what turns take from a machine that is always equally full.

Takes the tokens of turns and a `Serving` (a model on a machine); returns seconds. `served` replays
the turns instead, which is what verbs print: this is for one request at a time, where the two
agree, and for rewards in training.

With B sequences in every step, of which B - 1 are others', a turn takes

    prefill   what its chunks add to the steps they join, and the attention among its tokens
    step      (decode - 1) * decoding(B) / B: its share of the weights and launches of every step
    cache     read * numbers: what it alone reads of its cache, token by token, windows capped
    waiting   1 / B of the time its request is on its way: a machine of B places fills that gap

on each of the machine's cards. The first token of an answer comes with the prefill. Worked, on one
card whose steps take 5 ms up to 1,000 tokens and 5 us a token beyond, at 10 at once: 11 tokens
decoded take 10 * 0.0005 = 5 ms of steps. What the batch does over time (tails, queues, tools) the
replay knows and this does not.
"""

from typing import Literal

import numpy as np
from msgspec import Struct

from agentdyno.cost.batching import EngineLimits
from agentdyno.cost.columns import Floats
from agentdyno.cost.shape import Architecture
from agentdyno.cost.steps import StepModel, numbers_read, prefill_flops

DEFAULT_CONCURRENCY = 64
"""A server under load, where neither a user nor the traces say how many run at once."""

StepSource = Literal["theory", "measured", "transferred"]
"""`theory`: data sheet and the shares engines reach · `measured`: this model on this machine ·
`transferred`: theory with the shares that another model reached on this machine."""


class Serving(Struct, frozen=True):
    """A model on a machine, and how many requests it serves at once."""

    architecture: Architecture
    """The model's shape."""
    steps: StepModel
    """How long the machine's steps take with this model."""
    concurrency: int | None = DEFAULT_CONCURRENCY
    """Requests in progress at once; None: as many as the traces' own times say."""
    source: StepSource = "theory"
    """Where the parameters come from."""
    limits: EngineLimits = EngineLimits()
    """The engine's sizes: tokens and sequences of a step, tokens of cache."""
    gpus: int = 1
    """Cards that each step runs on; a second of it takes as many GPU-seconds."""
    too_small: str | None = None
    """Why the model does not fit; None: it does, or the card's memory is not known."""
    error: float | None = None
    """Mean relative error on bursts that the profile's fit left out; None where not known."""
    card: str = ""
    """The accelerator; empty where nothing is known of it."""


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
        seconds: Floats = self.prefill + self.step + self.cache + self.waiting
        return seconds

    def times(self, factor: float) -> "TurnSeconds":
        """Every cause times a number."""
        return TurnSeconds(
            self.prefill * factor, self.step * factor, self.cache * factor, self.waiting * factor
        )


def gpu_seconds(
    serving: Serving, prefill: Floats, context: Floats, decode: Floats, at_once: int | None = None
) -> TurnSeconds:
    """GPU-seconds of each turn, from tokens computed anew, tokens in context, tokens generated."""
    steps, shape, limits = serving.steps, serving.architecture, serving.limits
    batch = at_once or serving.concurrency or DEFAULT_CONCURRENCY
    following = np.ceil(np.maximum(decode - 1, 0.0) / limits.tokens_per_step)
    computed = np.array([float(batch * (1 + limits.drafted))])
    share = (float(steps.decoding(computed)[0]) + limits.draft_seconds) / batch
    on_the_way = steps.request_seconds + steps.send_seconds + steps.send_token_seconds * context
    read = numbers_read(shape, context + 1, np.maximum(decode - 1, 0.0)) / limits.tokens_per_step
    return TurnSeconds(
        prefill=_prefill(serving, prefill, batch)
        + steps.attend_seconds * prefill_flops(shape, prefill, context),
        step=following * share,
        cache=steps.read_seconds * read,
        waiting=on_the_way / batch,
    ).times(serving.gpus)


def _prefill(serving: Serving, tokens: Floats, batch: int) -> Floats:
    """Seconds that chunks add to steps that decode for the others anyway."""
    largest = max(serving.limits.chunk - (batch - 1), 1)
    full_chunks = np.floor(tokens / largest)
    added: Floats = full_chunks * _add(serving, np.array([float(largest)]), batch)[0]
    return added + _add(serving, tokens - full_chunks * largest, batch)


def _add(serving: Serving, tokens: Floats, batch: int) -> Floats:
    steps, decoding = serving.steps, float(batch - 1)
    alone = float(steps.decoding(np.array([decoding]))[0])
    together = steps.mixed(tokens + decoding) + steps.seat_seconds * decoding
    return np.where(tokens > 0, np.maximum(together - alone, 0.0), 0.0)
