"""What turns take when they are replayed on a server: the GPU-seconds that verbs print.

Takes the turns of trajectories (`TurnColumns`) and a `Serving`; returns `Served`: seconds of every
turn, and how busy the machine was. It knows nothing of ledgers.

How many requests run at once decides what one takes, since those in a batch share its steps. Where
nobody states it and every trajectory has times, the traces decide: each trajectory begins when it
did, and its tools take what they took. Otherwise so many run at once, one behind the other. Beside
that stand two bounds: one request at a time, and a server that is always full of such requests.
"""

from hashlib import blake2b
from typing import Any, Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from agentdyno.cost.block_memory import DEFAULT_POLICY, NOBODY
from agentdyno.cost.columns import Flags, Floats, Ints
from agentdyno.cost.physical import DEFAULT_CONCURRENCY, Serving, TurnSeconds, gpu_seconds
from agentdyno.cost.replay import Load, Replayed, replay_load

MOST_TURNS = 1_000_000
"""Turns that are replayed together: about a minute. Of more, trajectories that began at about the
same time are, and the next ones after them."""
ROUNDS = 4
"""How often a full server is filled to find what a request takes there."""
BLOCK = 16
"""Tokens of a cache block: what is shared is found in whole blocks."""
SAMPLED_TURNS = 20_000
"""Turns that the bound of a full server is found from."""
REMEMBERED_TURNS = 500_000
"""Turns whose replay is kept, the latest first: studies of one ledger replay the same ones."""

LoadSource = Literal["recorded", "stated"]
"""`recorded`: begun and paused as the traces say · `stated`: so many at once."""


class TurnColumns(Struct, frozen=True):
    """Turns of one model, those of a trajectory together and in order; NaN where unknown."""

    trajectory: Ints
    """A number for each trajectory, the same for all of its turns."""
    prefill: Floats
    """Tokens computed anew."""
    context: Floats
    """Tokens in context before decoding starts."""
    decode: Floats
    started: Floats
    """When each was sent, in seconds."""
    ended: Floats
    """When each was answered, in seconds."""
    shared: Floats
    """Tokens at the beginning of each prompt that other trajectories have too, and that a server
    which keeps its cache therefore holds; 0 where nothing is kept."""
    kept: Floats | None = None
    """Tokens of the conversation so far that each prompt begins with: then a server's memory
    decides what it finds of them. None: `prefill` is what it computes."""
    origin: Ints | None = None
    """With `kept`: the trajectory whose beginning each shares `shared` tokens of, or NOBODY."""

    def only(self, mask: Flags) -> "TurnColumns":
        """Some of the turns; the same columns where that is all of them."""
        if mask.all():
            return self
        columns = (getattr(self, name) for name in TurnColumns.__struct_fields__)
        some: list[Any] = [None if column is None else column[mask] for column in columns]
        return TurnColumns(*some)

    @property
    def is_known(self) -> Flags:
        """The turns that have all of their counts."""
        is_complete: Flags = ~np.isnan(self.prefill + self.context + self.decode)
        return is_complete


class Served(Struct, frozen=True):
    """Seconds of the turns, and how busy the server was."""

    seconds: TurnSeconds
    """Per turn; NaN where a count is unknown."""
    load: LoadSource
    """The source of how many ran at once."""
    concurrency: int | None
    """How many were stated to run at once; None: as recorded."""
    busy_seconds: float
    """Seconds in which the machine worked or a request was on its way in."""
    idle_seconds: float
    """Seconds in which it waited for tools or for the next trajectory."""
    mean_at_once: float | None
    """Requests in progress, on average over the busy seconds; None where there were none."""
    preemptions: int = 0
    """How often a request lost its place because the memory was full."""
    cached: Floats | None = None
    """Per turn: tokens of its prompt that the server still had; None where that was given."""
    lost_tokens: int = 0
    """Tokens that were pushed out of memory before their next use, over all turns."""


def serve(serving: Serving, turns: TurnColumns, most: int = MOST_TURNS) -> Served:
    """Replay the turns, as recorded or at the stated concurrency, at most so many together."""
    is_complete = turns.is_known
    if np.count_nonzero(is_complete) > most:
        return _serve_in_stretches(serving, turns, most)
    if turns.kept is not None and serving.limits.policy is None:
        serving = replace(serving, limits=replace(serving.limits, policy=DEFAULT_POLICY))
    load = lay_out(turns.only(is_complete), with_times=serving.concurrency is None)
    is_given = turns.kept is None
    del turns  # Room for the replay, which needs the load alone.
    at_once = None
    if load.begins is None:
        at_once = serving.concurrency or DEFAULT_CONCURRENCY
    replayed = _replay_once(serving, load, at_once)
    busy = replayed.busy_seconds
    return Served(
        seconds=_spread(_per_turn(replayed).times(serving.gpus), is_complete),
        load="recorded" if at_once is None else "stated",
        concurrency=at_once,
        busy_seconds=busy,
        idle_seconds=replayed.idle_seconds,
        mean_at_once=_mean_at_once(replayed, load) if busy else None,
        preemptions=replayed.preemptions,
        cached=None if is_given else _among(replayed.cached.astype(np.float64), is_complete),
        lost_tokens=0 if replayed.lost is None else int(replayed.lost.sum()),
    )


def serve_alone(serving: Serving, turns: TurnColumns) -> float:
    """GPU-seconds of all turns if one request runs at a time; unknown ones count nothing."""
    complete = turns.only(turns.is_known)
    alone = gpu_seconds(serving, complete.prefill, complete.context, complete.decode, at_once=1)
    return float(alone.total.sum())


def serve_full(serving: Serving, turns: TurnColumns) -> float:
    """GPU-seconds of all turns on a server that is always full of such requests.

    A sample of the trajectories fills it several times over; the sample stands for all by what
    both take alone.
    """
    complete = turns.only(turns.is_known)
    if not len(complete.trajectory):
        return 0.0
    sample = complete.only(sample_turns(complete.trajectory))
    places = _count_places(serving, sample)
    load = lay_out(sample, with_times=False)
    copies = -(-ROUNDS * places // max(len(load.first) - 1, 1))
    replayed = _replay(serving, _repeat(load, copies), places)
    seconds = replayed.busy_seconds * serving.gpus / copies
    return seconds * serve_alone(serving, complete) / serve_alone(serving, sample)


def _replay(serving: Serving, load: Load, at_once: int | None) -> Replayed:
    return replay_load(load, at_once, serving.architecture, serving.steps, serving.limits)


_REPLAYED: dict[bytes, Replayed] = {}


def _replay_once(serving: Serving, load: Load, at_once: int | None) -> Replayed:
    """A change that leaves a model's tokens as they were is the load that was replayed before."""
    key = _digest(serving, load, at_once)
    replayed = _REPLAYED.pop(key, None) or _replay(serving, load, at_once)
    _REPLAYED[key] = replayed
    while sum(len(result.step) for result in _REPLAYED.values()) > REMEMBERED_TURNS:
        _REPLAYED.pop(next(iter(_REPLAYED)))
    return replayed


def _digest(serving: Serving, load: Load, at_once: int | None) -> bytes:
    server = at_once, serving.architecture, serving.steps, serving.limits
    digest = blake2b(repr(server).encode(), digest_size=16)
    for name in Load.__struct_fields__:
        values = getattr(load, name)
        digest.update(name.encode() if values is None else np.ascontiguousarray(values).data)
    return digest.digest()


def _per_turn(replayed: Replayed) -> TurnSeconds:
    return TurnSeconds(replayed.prefill, replayed.step, replayed.cache, replayed.waiting)


def _spread(seconds: TurnSeconds, is_complete: Flags) -> TurnSeconds:
    """The seconds of complete turns among all turns."""
    names = TurnSeconds.__struct_fields__
    return TurnSeconds(*(_among(getattr(seconds, name), is_complete) for name in names))


def _among(values: Floats, mask: Flags) -> Floats:
    spread = np.full(len(mask), np.nan)
    spread[mask] = values
    return spread


def lay_out(turns: TurnColumns, with_times: bool) -> Load:
    """The turns as a load; without times wherever a trajectory's beginning is not known."""
    many = len(turns.trajectory)
    opens = np.ones(many, dtype=bool)
    opens[1:] = turns.trajectory[1:] != turns.trajectory[:-1]
    first = np.append(np.flatnonzero(opens), many)
    context = np.maximum(np.rint(turns.context), 1).astype(np.int64)
    shared = np.clip(turns.shared // BLOCK * BLOCK, 0, context - 1).astype(np.int64)
    prefill = np.clip(np.rint(turns.prefill), 0, context - shared).astype(np.int64)
    load = Load(
        first=first,
        context=context,
        decode=np.maximum(np.rint(turns.decode), 1).astype(np.int64),
        cached=context - prefill,
        pause=np.zeros(many),
        shared=shared if shared.any() and turns.kept is None else None,
    )
    if turns.kept is not None:
        load = replace(load, **_lay_out_kept(turns, turns.kept, first, shared))
    begins = turns.started[first[:-1]]
    if not with_times or not many or np.isnan(begins).any():
        return load
    pause = np.zeros(many)
    pause[1:] = np.where(opens[1:], 0.0, turns.started[1:] - turns.ended[:-1])
    return replace(load, begins=begins - begins.min(), pause=np.fmax(pause, 0.0))


def _mean_at_once(replayed: Replayed, load: Load) -> float:
    paused = float(load.pause.sum())
    return max((sum(replayed.wall_seconds) - paused) / replayed.busy_seconds, 1.0)


def _lay_out_kept(turns: TurnColumns, stays: Floats, first: Ints, shared: Ints) -> dict[str, Ints]:
    """The turn that each one continues, and how much of it is kept."""
    parent = np.arange(-1, len(turns.trajectory) - 1)
    opens = first[:-1]
    parent[opens] = NOBODY
    retained = np.rint(stays).astype(np.int64)
    retained[opens] = shared[opens]
    if turns.origin is not None:
        at = dict(zip(turns.trajectory[opens].tolist(), opens.tolist(), strict=True))
        payers = np.array([at.get(number, NOBODY) for number in turns.origin[opens]])
        parent[opens] = np.where((payers < opens) & (shared[opens] > 0), payers, NOBODY)
    return {"kept": retained, "parent": parent}


def _serve_in_stretches(serving: Serving, turns: TurnColumns, most: int) -> Served:
    """Trajectories in the order of their beginning, as many at a time as may be replayed."""
    numbers, first, position = np.unique(turns.trajectory, return_index=True, return_inverse=True)
    order = np.argsort(np.nan_to_num(turns.started[first]), kind="stable")
    size = np.bincount(position, turns.is_known)[order]
    stretch = np.empty(len(numbers), dtype=np.int64)
    stretch[order] = (np.cumsum(size) - size) // most
    of = stretch[position]
    names = TurnSeconds.__struct_fields__
    seconds = TurnSeconds(*(np.full(len(position), np.nan) for _ in names))
    cached, parts = np.full(len(position), np.nan), []
    for number in np.unique(stretch):
        in_stretch = of == number
        part = serve(serving, turns.only(in_stretch), len(position))
        for name in names:
            getattr(seconds, name)[in_stretch] = getattr(part.seconds, name)
        cached[in_stretch] = np.nan if part.cached is None else part.cached
        parts.append(part)
    busy = sum(part.busy_seconds for part in parts)
    mean = sum((part.mean_at_once or 0.0) * part.busy_seconds for part in parts) / max(busy, 1e-9)
    return Served(
        seconds=seconds,
        load=parts[0].load,
        concurrency=parts[0].concurrency,
        busy_seconds=busy,
        idle_seconds=sum(part.idle_seconds for part in parts),
        mean_at_once=mean,
        preemptions=sum(part.preemptions for part in parts),
        cached=None if turns.kept is None else cached,
        lost_tokens=sum(part.lost_tokens for part in parts),
    )


def sample_turns(trajectory: Ints, most: int = SAMPLED_TURNS) -> Flags:
    """Every so-many-th trajectory, few enough turns to replay in a second."""
    stride = max(-(-len(trajectory) // most), 1)
    _, position = np.unique(trajectory, return_inverse=True)
    is_sampled: Flags = position % stride == 0
    return is_sampled


def _count_places(serving: Serving, turns: TurnColumns) -> int:
    """Requests that run at once on a full server: its sequences, or what its memory holds."""
    length = float((turns.context + turns.decode).mean())
    room = serving.limits.cache_tokens / max(length, 1.0)
    return max(int(min(serving.limits.sequences, room)), 1)


def _repeat(load: Load, copies: int) -> Load:
    many = int(load.first[-1])
    starts = [load.first[:-1] + many * copy for copy in range(copies)]
    return Load(
        first=np.append(np.concatenate(starts), many * copies),
        context=np.tile(load.context, copies),
        decode=np.tile(load.decode, copies),
        cached=np.tile(load.cached, copies),
        pause=np.tile(load.pause, copies),
        shared=None if load.shared is None else np.tile(load.shared, copies),
    )
