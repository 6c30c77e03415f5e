"""How many agents fit on a machine: a load replayed at several numbers of agents at once.

Takes a load (sessions as counts) and a serving; returns `Capacity`: for each load what a task
takes, how often the cache is hit and what a first token waits for; the load at which more agents
make the same work slower; and what would move that.

The cliff: a memory that forgets what was used longest ago holds about M / (mean context) agents in
turn. A few more, and nearly every prefix is gone just before it is needed. It begins at the first
load whose makespan is a tenth above the best of smaller loads.
"""

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from agentdyno.cost.block_memory import MOST_TOKENS, NOBODY, Policy
from agentdyno.cost.columns import Ints
from agentdyno.cost.memory import HOST_BYTES_PER_SECOND
from agentdyno.cost.physical import Serving
from agentdyno.cost.replay import Load, Replayed, replay_load
from agentdyno.cost.serving_evidence import Evidence, evidence_of
from agentdyno.records import InputError

WORSE = 1.1
"""The cliff: a makespan of so many times the best of smaller loads."""
MOST_TURNS = 4_000
"""Turns that are replayed at every load; of more, a sample of the sessions."""
MOST_AT_ONCE = 256
STEPS = (0.25, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 3.0)
"""Loads that are tried, as shares of the sessions that the memory holds at their mean context."""
HOST_BYTES = 256e9
"""The host memory that offloading is tried with."""
SUMMARY_TOKENS = 2_000
"""What a compacted session goes on with, besides its beginning."""


class LoadRow(Struct, frozen=True, kw_only=True):
    concurrency: int
    makespan_seconds: float
    """From the first request to the last answer."""
    seconds_per_task: float
    """Makespan over sessions."""
    tokens_per_second: float
    hit_rate: float
    """Share of all prompt tokens that were in the cache."""
    first_token_p50_seconds: float
    """From sending a request to its first token: half of them wait no longer."""
    first_token_p95_seconds: float
    """The same for 95 %."""
    lost_tokens: int
    """Prompt tokens computed again because they had been pushed out."""
    preemptions: int
    """How often a request lost its place because the memory was full."""


class Change(Struct, frozen=True):
    """What another memory, policy or agent would move, at one load."""

    name: str
    row: LoadRow
    """What then comes of it."""


class Capacity(Struct, frozen=True, kw_only=True):
    """A machine under a load."""

    architecture: str
    """The model's shape."""
    hardware: str
    gpus: int
    policy: Policy
    cache_tokens: float | None
    """Tokens that the memory holds; None: no limit is known."""
    sessions: int
    turns: int
    mean_context: float
    """Tokens of a prompt."""
    rows: list[LoadRow]
    cliff: int | None
    """The first load at which more at once make the same work a tenth slower; None: none is."""
    fits: float | None
    """Sessions that the memory holds at their mean context."""
    lost_to_others: float | None
    """At the largest load: share of the lost tokens that other sessions' prompts pushed out; None
    where nothing was lost."""
    changed_at: int | None
    """The load that changes are tried at."""
    changes: list[Change]
    evidence: Evidence | None
    """How far such numbers were off where they were measured."""
    notes: list[str]
    """What to know about the load."""


def study_capacity(
    load: Load,
    serving: Serving,
    loads: Sequence[int] | None = None,
    notes: Sequence[str] = (),
) -> Capacity:
    """Replay the load at every number of sessions at once; None chooses them by the memory."""
    if serving.too_small:
        raise InputError(f"{serving.too_small}. Use more cards with --gpus.")
    every_note = [*notes, *_note_too_large(load, serving)]
    load = sample_sessions(load, every_note)
    room = _count_fits(serving, load)
    if loads is None:
        loads = _choose_loads(room, len(load.first) - 1)
        load = repeat_sessions(load, 2 * max(loads), every_note)
    elif max(loads) > len(load.first) - 1:
        every_note.append(
            f"{len(load.first) - 1} sessions: no more than that run at once, whatever the load."
        )
    replays = {at_once: replay(load, serving, at_once) for at_once in sorted(set(loads))}
    rows = [summarise(replay, load, n) for n, replay in replays.items()]
    cliff = find_cliff(rows)
    last = replays[max(replays)]
    tried = cliff or rows[-1].concurrency
    changes = _try_changes(load, serving, tried)
    is_evicting = any(row.lost_tokens for row in rows)
    limits = serving.limits
    return Capacity(
        architecture=serving.architecture.name,
        hardware=serving.card,
        gpus=serving.gpus,
        policy=limits.policy or "vllm",
        cache_tokens=None if np.isinf(limits.cache_tokens) else limits.cache_tokens,
        sessions=len(load.first) - 1,
        turns=len(load.context),
        mean_context=float(load.context.mean()),
        rows=rows,
        cliff=cliff,
        fits=room,
        lost_to_others=_share_of_others(last, load),
        changed_at=tried if changes else None,
        changes=changes,
        evidence=evidence_of(serving, limits.policy if is_evicting else None),
        notes=every_note,
    )


def replay(load: Load, serving: Serving, at_once: int) -> Replayed:
    """The load with so many sessions at once."""
    return replay_load(load, at_once, serving.architecture, serving.steps, serving.limits)


def find_cliff(rows: Sequence[LoadRow]) -> int | None:
    """Worked: makespans of 60, 50, 54 and 56 s at 4, 8, 12 and 16: 56 > 1.1 * 50, so 16."""
    best = float("inf")
    for row in rows:
        if row.makespan_seconds > WORSE * best:
            return row.concurrency
        best = min(best, row.makespan_seconds)
    return None


def summarise(replay: Replayed, load: Load, at_once: int) -> LoadRow:
    """The figures of one replay."""
    tasks = len(load.first) - 1
    half, most = (float(q) for q in np.quantile(replay.first_token, (0.5, 0.95)))
    return LoadRow(
        concurrency=at_once,
        makespan_seconds=replay.makespan_seconds,
        seconds_per_task=replay.makespan_seconds / tasks,
        tokens_per_second=float(load.decode.sum()) / replay.makespan_seconds,
        hit_rate=float(replay.cached.sum() / load.context.sum()),
        first_token_p50_seconds=half,
        first_token_p95_seconds=most,
        lost_tokens=0 if replay.lost is None else int(replay.lost.sum()),
        preemptions=replay.preemptions,
    )


def _note_too_large(load: Load, serving: Serving) -> list[str]:
    """Requests that a server would refuse; the replay computes them as if they had the memory."""
    many = int((load.context + load.decode > serving.limits.cache_tokens).sum())
    if not many:
        return []
    what = "1 request needs" if many == 1 else f"{many:,} requests need"
    return [f"{what} more tokens than the memory holds: a server would refuse them."]


def _count_fits(serving: Serving, load: Load) -> float | None:
    tokens = serving.limits.cache_tokens
    if np.isinf(tokens):
        return None
    return float(tokens / (load.context.mean() + serving.limits.sequence_tokens))


def _choose_loads(room: float | None, sessions: int) -> list[int]:
    if room is None:
        return [n for n in (1, 2, 4, 8, 16, 32, 64, 128) if n <= 2 * sessions]
    tried = {min(max(round(room * share), 1), MOST_AT_ONCE) for share in STEPS}
    return sorted(tried)


def _share_of_others(replay: Replayed, load: Load) -> float | None:
    if replay.lost is None or replay.lost_to is None or not replay.lost.any():
        return None
    owner = np.repeat(np.arange(len(load.first) - 1), np.diff(load.first))
    by_turn = replay.lost_to != NOBODY
    by_others = by_turn & (owner[np.maximum(replay.lost_to, 0)] != owner)
    return float(replay.lost[by_others].sum() / replay.lost.sum())


# Changes ------------------------------------------------------------------------------------------


def _try_changes(load: Load, serving: Serving, at_once: int) -> list[Change]:
    limits, shape = serving.limits, serving.architecture
    if np.isinf(limits.cache_tokens):
        return []
    per_token = shape.kept_growing_numbers * shape.cache_number_bytes
    host = replace(
        limits,
        host_tokens=HOST_BYTES / per_token,
        host_token_seconds=per_token / HOST_BYTES_PER_SECOND / serving.gpus,
    )
    servings: dict[str, tuple[Load, Serving]] = {
        "as it is": (load, serving),
        "twice the memory for caches": (
            load,
            replace(serving, limits=replace(limits, cache_tokens=2 * limits.cache_tokens)),
        ),
        "256 GB of host memory behind it": (load, replace(serving, limits=host)),
        "tool results half as long": (shorten_results(load), serving),
        "compaction at half the longest context": (compact_early(load), serving),
    }
    if limits.policy != "keep-while-tool-runs":
        pinned = replace(limits, policy="keep-while-tool-runs")
        servings["prefixes kept while tools run"] = (load, replace(serving, limits=pinned))
    return [
        Change(name, summarise(replay(serving, limits_there, at_once), serving, at_once))
        for name, (serving, limits_there) in servings.items()
    ]


def shorten_results(load: Load, share: float = 0.5) -> Load:
    """Half of what enters a conversation after its first prompt, besides answers."""

    def shorten(context: Ints, decode: Ints, lengths: Ints) -> tuple[Ints, Ints]:
        new, stays = context.copy(), lengths.copy()
        for turn in range(1, len(context)):
            stays[turn] = min(lengths[turn], MOST_TOKENS)
            before = context[turn - 1] + decode[turn - 1]
            reused = min(lengths[turn], before, context[turn])
            scale = (new[turn - 1] + decode[turn - 1]) / before
            stays[turn] = reused * scale if reused < before else MOST_TOKENS
            new[turn] = max(reused * scale + (context[turn] - reused) * share, 1)
        return new, stays

    return _change_sessions(load, shorten)


def compact_early(load: Load) -> Load:
    """Sessions are compacted whenever they reach half of the longest context."""
    limit = int(load.context.max() // 2)

    def compact(context: Ints, decode: Ints, lengths: Ints) -> tuple[Ints, Ints]:
        new, stays = context.copy(), lengths.copy()
        gone = 0
        for turn in range(1, len(context)):
            if context[turn] < context[turn - 1]:
                gone = 0  # It was compacted here anyway.
            new[turn] = max(context[turn] - gone, 1)
            begins = min(new[0], new[turn])
            if new[turn] > limit and begins + SUMMARY_TOKENS < new[turn]:
                gone += new[turn] - (begins + SUMMARY_TOKENS)
                new[turn] = begins + SUMMARY_TOKENS
                stays[turn] = begins
        return new, stays

    return _change_sessions(load, compact)


def _change_sessions(load: Load, change: Callable[[Ints, Ints, Ints], tuple[Ints, Ints]]) -> Load:
    lengths = np.full_like(load.context, MOST_TOKENS) if load.kept is None else load.kept
    context, stays = load.context.copy(), lengths.copy()
    for begin, end in zip(load.first[:-1].tolist(), load.first[1:].tolist(), strict=True):
        session = slice(begin, end)
        context[session], stays[session] = change(
            load.context[session], load.decode[session], lengths[session]
        )
        stays[begin] = lengths[begin]
    return replace(load, context=context, kept=stays, cached=np.zeros_like(context))


# Sessions -----------------------------------------------------------------------------------------


def sample_sessions(load: Load, notes: list[str]) -> Load:
    """Every so-many-th session where there are too many turns."""
    many = len(load.first) - 1
    stride = -(-len(load.context) // MOST_TURNS)
    if stride <= 1:
        return load
    sample = list(range(0, many, stride))
    notes.append(f"{len(sample)} of {many} sessions were replayed, every {stride}th.")
    return pick_sessions(load, sample)


def repeat_sessions(load: Load, least: int, notes: list[str]) -> Load:
    """The same sessions again and again, each time as somebody else's, until there are enough."""
    many = len(load.first) - 1
    if many >= least:
        return load
    copies = -(-least // many)
    repeated = "The session was" if many == 1 else f"The {many} sessions were"
    notes.append(f"{repeated} repeated {copies} times to fill the larger loads.")
    return pick_sessions(load, list(range(many)) * copies)


def pick_sessions(load: Load, chosen: Sequence[int]) -> Load:
    """Some sessions, a session possibly several times; what they share stays shared."""
    first = load.first.tolist()
    sizes = [first[i + 1] - first[i] for i in chosen]
    starts = np.cumsum([0, *sizes])
    rows = np.concatenate([np.arange(first[i], first[i + 1]) for i in chosen])
    at: dict[int, int] = {}
    for index, i in enumerate(chosen):
        at.setdefault(first[i], int(starts[index]))
    parent = np.arange(-1, len(rows) - 1)
    lengths = None if load.kept is None else load.kept[rows]
    for index, i in enumerate(chosen):
        begin, origin = int(starts[index]), NOBODY
        if load.parent is not None and load.parent[first[i]] != NOBODY:
            origin = at.get(int(load.parent[first[i]]), NOBODY)
        elif load.kept is not None and at[first[i]] != begin and load.kept[first[i]] > 0:
            origin = at[first[i]]
        parent[begin] = origin
    return Load(
        first=starts,
        context=load.context[rows],
        decode=load.decode[rows],
        cached=np.zeros(len(rows), dtype=np.int64),
        pause=load.pause[rows],
        kept=lengths,
        parent=parent,
    )
