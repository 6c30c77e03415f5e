"""What a what-if changes, as values: parts, turns, engines and the cache, and what must hold."""

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from agentdyno.cost.columns import Flags, Floats, Ints
from agentdyno.cost.metering import Engine
from agentdyno.cost.physical import Serving
from agentdyno.cost.pte import CacheAssumption
from agentdyno.studies.whatif.contexts import Shortened
from agentdyno.studies.whatif.recorded import Recorded


class Edit(Struct, frozen=True):
    """A ledger's arrays, changed."""

    kept: Floats
    """Per part: how many of its tokens stay."""
    into: Ints
    """Per turn: itself when it stays, the turn that decodes what it did, or NEVER when gone."""
    engine: Callable[[str | None], Engine]
    """Gamma and price of a turn's model."""
    serving: Callable[[str | None], Serving] | None
    """The server of a turn's model; None: nobody asks for GPU-seconds."""
    cache: CacheAssumption
    """The assumption behind prefill where no time to live is given."""
    keep_cache_seconds: float | None = None
    """How long a cache lives without being used; None leaves it as recorded or assumed."""
    lifetime: float | None = None
    """How long the provider keeps what is written, in seconds; None leaves it as recorded."""
    keep_alive: float | None = None
    """For how long after every answer the cache is kept alive, in seconds; None: it is not."""
    shortened: Shortened | None = None
    """Contexts that begin anew; None: they grow as they did."""
    again: Floats | None = None
    """Per turn: results that are asked for again, since what was cut of them is needed; None: none.
    """
    again_tokens: Floats | None = None
    """Per turn: tokens that come back a second time then."""
    models: list[str | None] | None = None
    """Per turn: the model that answers; None: the one that did."""


class Change(Struct, frozen=True):
    """One thing to change."""

    title: str
    """What, in a few words."""
    touched: str
    """What of the ledger that concerns."""
    assumption: str
    """What must hold for the predicted tokens to come true."""
    apply: Callable[[Edit], Edit]
    money_assumption: str = ""
    """What must hold besides for the predicted money."""
    cannot_say: tuple[tuple[str, Flags], ...] = ()
    """Reasons why nothing can be said, with the trajectories they concern."""


def no_edit(
    recorded: Recorded,
    engine: Callable[[str | None], Engine],
    serving: Callable[[str | None], Serving] | None,
    cache: CacheAssumption,
) -> Edit:
    """Everything as it was."""
    return Edit(recorded.tokens, np.arange(recorded.turns), engine, serving, cache)
