"""Replays trajectories through a batching engine on paper: what a ledger would take from a server.

Takes the turns of trajectories as columns of token counts (`Load`), how many run at once or when
each began, and a step model; returns the seconds of the whole and of each turn (`Replayed`). It
sends nothing anywhere, and knows nothing of ledgers or of units.

A trajectory sends its next turn when the last one is answered and its tools are done. Seconds in
which nothing runs because a request is on its way in count for that request; those in which
everybody waits for tools or has not begun are idle, and count for nobody. So the seconds of all
turns and the idle ones are the makespan.
"""

import math
from array import array
from collections import deque
from heapq import heappop, heappush

import numpy as np
from msgspec import Struct

from agentdyno.cost.batching import CHUNK_TOKENS, Engine, EngineLimits, Request
from agentdyno.cost.block_memory import BLOCK_TOKENS, NOBODY, name_paths
from agentdyno.cost.columns import Floats, Ints
from agentdyno.cost.evicting_engine import EvictingEngine
from agentdyno.cost.shape import Architecture
from agentdyno.cost.step_model import StepModel

__all__ = ["CHUNK_TOKENS", "EngineLimits", "Load", "Replayed", "replay_load"]


class Load(Struct, frozen=True):
    """Turns of many trajectories, one behind the other."""

    first: Ints
    """Where each trajectory begins, and the number of turns at the end."""
    context: Ints
    """Tokens of each prompt."""
    decode: Ints
    cached: Ints
    """Tokens of the prompt that the engine has in its cache already."""
    pause: Floats
    """Seconds from the answer before to this request: tools, people. 0 where unknown."""
    begins: Floats | None = None
    """When each trajectory began, in seconds; None: as soon as there is a place for it."""
    shared: Ints | None = None
    """Of `cached`, tokens that the prompts of several trajectories have in common."""
    kept: Ints | None = None
    """Tokens of its parent's prompt and answer that each prompt still begins with; None: all."""
    parent: Ints | None = None
    """The turn that each goes on from, always an earlier row, or NOBODY; None: the turn before."""


class Replayed(Struct, frozen=True):
    makespan_seconds: float
    """From the first request to the last answer: GPU-seconds on one GPU that serves nobody else."""
    wall_seconds: tuple[float, ...]
    """Per trajectory, in the order given: from its first request to its last answer."""
    steps: int
    idle_seconds: float
    """Of the makespan, when nothing ran and no request was on its way."""
    preemptions: int
    """How often a request had to give up its place because the memory was full."""
    prefill: Floats
    """Per turn: seconds of prefilling its new tokens."""
    step: Floats
    """Per turn: its share of the steps that it decoded in."""
    cache: Floats
    """Per turn: seconds of reading its own cache."""
    waiting: Floats
    """Per turn: seconds in which the engine stood still until it came in."""
    first_token: Floats
    """Per turn: seconds from sending it to its first token."""
    cached: Ints
    """Per turn: tokens of its prompt that were in the cache when it was admitted."""
    lost: Ints | None = None
    """Per turn: tokens that the conversation had before and that the memory no longer held; None
    where the cache was taken as given."""
    lost_to: Ints | None = None
    """Per turn: the turn that pushed them out, NOBODY where nothing is lost or answers that grew
    did it."""

    @property
    def busy_seconds(self) -> float:
        """Seconds that turns take, all together."""
        return self.makespan_seconds - self.idle_seconds


def replay_load(
    load: Load,
    concurrency: int | None,
    architecture: Architecture,
    model: StepModel,
    limits: EngineLimits | None = None,
) -> Replayed:
    """Run a load, at most `concurrency` trajectories at once; None: each when it begins."""
    limits = limits or EngineLimits()
    if limits.policy is None:
        return _Replay(load, Engine(architecture, model, limits)).run(concurrency)
    # Where nothing is kept, no turn goes on from another.
    parent = np.full_like(load.context, NOBODY) if limits.policy == "none" else load.parent
    retained, parents = (None if c is None else c.tolist() for c in (load.kept, parent))
    context, first = load.context.tolist(), load.first.tolist()
    block = 1 if limits.policy == "sglang" else BLOCK_TOKENS
    paths, cuts = name_paths(first, context, load.decode.tolist(), retained, parents, block)
    owners = np.repeat(np.arange(len(first) - 1), np.diff(load.first)).tolist()
    lasts = {end - 1 for end in first[1:]}
    engine = EvictingEngine(architecture, model, limits, paths, cuts, owners, lasts)
    return _Replay(load, engine).run(concurrency)


class _Replay:
    """The clients that send requests to the engine."""

    def __init__(self, load: Load, engine: Engine) -> None:
        self.load, self.engine = load, engine
        self.is_evicting = isinstance(engine, EvictingEngine)
        self.first = load.first.tolist()
        # As fast as lists, and a quarter of their memory: there may be a million turns.
        self.context, self.decode, self.cached = map(
            _integers, (load.context, load.decode, load.cached)
        )
        self.pause = array("d", load.pause.tobytes())
        self.shared = _integers(load.shared) if load.shared is not None else None
        many, turns = len(self.first) - 1, len(self.context)
        self.started, self.ended = (array("d", bytes(8 * many)) for _ in range(2))
        self.owner = _integers(np.repeat(np.arange(many), np.diff(load.first)))
        self.prefill, self.step, self.cache, self.waiting, self.first_token = (
            array("d", bytes(8 * turns)) for _ in range(5)
        )
        self.order = deque(i for i in range(many) if self.first[i] < self.first[i + 1])
        self.sending: list[tuple[float, int, int]] = []
        self.sent = 0
        self.arriving: deque[tuple[float, Request]] = deque()
        self.free, self.idle = 0.0, 0.0

    def run(self, concurrency: int | None) -> Replayed:
        engine, origin = self.engine, self._open(concurrency)
        while self.sending or self.arriving or not engine.idle:
            self._receive()
            if engine.idle:
                self._wait()
                continue
            for request in engine.advance(self._next_event()):
                self._note(request)
        return Replayed(
            makespan_seconds=engine.clock - origin,
            wall_seconds=tuple(e - s for s, e in zip(self.started, self.ended, strict=True)),
            steps=engine.steps,
            idle_seconds=self.idle,
            preemptions=engine.preemptions,
            prefill=np.frombuffer(self.prefill),
            step=np.frombuffer(self.step),
            cache=np.frombuffer(self.cache),
            waiting=np.frombuffer(self.waiting),
            first_token=np.frombuffer(self.first_token),
            **self._cached(),
        )

    def _cached(self) -> dict[str, Ints]:
        engine, turns = self.engine, range(len(self.context))
        if not isinstance(engine, EvictingEngine):
            return {"cached": np.minimum(self.load.cached, self.load.context - 1)}
        cached = np.array([engine.found[turn] for turn in turns], dtype=np.int64)
        lost = np.maximum(self._expected(engine.block) - cached, 0)
        by = np.array([engine.lost_to[turn] for turn in turns], dtype=np.int64)
        return {"cached": cached, "lost": lost, "lost_to": np.where(lost > 0, by, NOBODY)}

    def _expected(self, block: int) -> Ints:
        """Per turn: tokens that a memory without end would hold."""
        load, many = self.load, len(self.context)
        parent = np.arange(-1, many - 1) if load.parent is None else load.parent.copy()
        if load.parent is None:
            parent[load.first[:-1]] = NOBODY
        before = np.where(parent == NOBODY, 0, (load.context + load.decode - 1)[parent])
        retained = before if load.kept is None else np.minimum(load.kept, before)
        expected: Ints = np.minimum(retained, load.context - 1) // block * block
        return expected

    def _open(self, concurrency: int | None) -> float:
        """Send the first turns; returns when the first of them is sent."""
        begins = self.load.begins
        if concurrency is None and begins is not None:
            for index in self.order:
                self.started[index] = float(begins[index])
                self._send(self.started[index], self.first[index])
            self.order.clear()
        for _ in range(min(concurrency or len(self.order), len(self.order))):
            self._send(0.0, self.first[self.order.popleft()])
        origin = self.sending[0][0] if self.sending else 0.0
        self.engine.clock = self.free = origin
        return origin

    def _send(self, when: float, turn: int) -> None:
        self.sent += 1
        heappush(self.sending, (when, self.sent, turn))

    def _receive(self) -> None:
        """Take in what was sent by now, one request after the other; hand over what arrived."""
        clock, sending, model = self.engine.clock, self.sending, self.engine.model
        while sending and sending[0][0] <= clock:
            sent, _, turn = heappop(sending)
            self.first_token[turn] = sent
            context = self.context[turn]
            self.free = max(self.free, sent)
            self.free += model.send_seconds + model.send_token_seconds * context
            shared = self.shared[turn] if self.shared else 0
            request = Request(turn, context, self.decode[turn], self.cached[turn], shared)
            if self.is_evicting:
                request.context, request.to_prefill = 0.0, float(context)
            self.arriving.append((self.free + model.request_seconds, request))
        while self.arriving and self.arriving[0][0] <= clock:
            self.engine.waiting.append(self.arriving.popleft()[1])

    def _wait(self) -> None:
        """Nothing runs: on to the next arrival, or to the next request that is sent."""
        clock = self.engine.clock
        if not self.arriving:
            self.idle += self.sending[0][0] - clock
            self.engine.clock = self.sending[0][0]
            return
        arrives, request = self.arriving[0]
        request.waiting += arrives - clock
        self.engine.clock = arrives

    def _next_event(self) -> float:
        sent = self.sending[0][0] if self.sending else math.inf
        return min(sent, self.arriving[0][0]) if self.arriving else sent

    def _note(self, request: Request) -> None:
        """An answer is complete: its trajectory goes on, or makes room for the next."""
        turn, clock = request.owner, self.engine.clock
        self.prefill[turn], self.step[turn] = request.prefill, request.step
        self.cache[turn], self.waiting[turn] = request.cache, request.waiting
        self.first_token[turn] = (request.first_token or clock) - self.first_token[turn]
        owner = self.owner[turn]
        self.ended[owner] = clock
        if turn + 1 < self.first[owner + 1]:
            self._send(clock + self.pause[turn + 1], turn + 1)
        elif self.order:
            following = self.order.popleft()
            self.started[following] = clock
            self._send(clock, self.first[following])


def _integers(values: Ints) -> "array[int]":
    return array("q", values.astype(np.int64).tobytes())
