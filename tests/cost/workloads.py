"""Small loads for the replay, written turn by turn."""

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct

from agentdyno.cost.replay import CHUNK_TOKENS, EngineLimits, Load, Replayed, replay_load
from agentdyno.cost.shape import Architecture
from agentdyno.cost.step_model import StepModel


class Turn(Struct, frozen=True):
    """One request, as far as an engine's time is concerned."""

    context: int
    """Tokens of the prompt."""
    decode: int
    cached: int = 0
    """Tokens of the prompt that the engine has in its cache already."""


def load_of(trajectories: Iterable[Sequence[Turn]]) -> Load:
    """The columns of some trajectories whose tools take no time."""
    items = list(trajectories)
    turns = [turn for item in items for turn in item]
    rows = np.array([(t.context, t.decode, t.cached) for t in turns], dtype=np.int64)
    context, decode, cached = rows.reshape(-1, 3).T
    first = np.cumsum([0, *(len(item) for item in items)], dtype=np.int64)
    return Load(first, context, decode, cached, np.zeros(len(turns)))


def replay(
    trajectories: Sequence[Sequence[Turn]],
    concurrency: int,
    architecture: Architecture,
    model: StepModel,
    chunk: int = CHUNK_TOKENS,
) -> Replayed:
    """Run all trajectories, at most `concurrency` at once, in the order given."""
    load = load_of(trajectories)
    return replay_load(load, concurrency, architecture, model, EngineLimits(chunk=chunk))
