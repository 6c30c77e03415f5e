"""Replays trajectories through a continuously batching engine, step by step, on paper.

Takes trajectories as turns of token counts, a concurrency and a `StepModel`; returns the makespan
and the wall time of each trajectory. It sends nothing anywhere.

The schedule is that of vLLM's first-come first-served scheduler with chunked prefill: in each step
every running request decodes one token, a prefill that was cut off goes on, and waiting requests
fill what is left of the step's tokens. A request's first token comes with the last chunk of its
prefill. A trajectory sends its next turn when the last one is answered. Preemption is not
modelled: where the caches of all running requests outgrow the memory, the replay is too quick.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct

from agentdyno.cost.columns import Floats
from agentdyno.cost.shape import Architecture
from agentdyno.cost.steps import StepModel

CHUNK_TOKENS = 8192
"""The most tokens of one step: vLLM's default for a server on a large card."""


class Turn(Struct, frozen=True):
    """One request, as far as an engine's time is concerned."""

    context: int
    """Tokens of the prompt."""
    decode: int
    """Tokens generated."""
    cached: int = 0
    """Tokens of the prompt that the engine has in its cache already."""


class Replayed(Struct, frozen=True):
    """What a workload takes."""

    makespan_seconds: float
    """From the first request to the last answer: GPU-seconds on one GPU."""
    wall_seconds: tuple[float, ...]
    """Per trajectory, in the order given: from its first request to its last answer."""
    steps: int
    """Steps of the engine."""


class _Request:
    """A turn on its way through the engine."""

    __slots__ = ("context", "decoded", "left", "owner", "to_prefill")

    def __init__(self, owner: int, turn: Turn) -> None:
        self.owner = owner
        self.context = min(turn.cached, turn.context - 1)
        self.to_prefill = turn.context - self.context
        self.left = turn.decode


@lru_cache(maxsize=8)
def _curves(model: StepModel, chunk: int) -> tuple[Floats, Floats]:
    """Seconds of every size of step; a fit replays many bursts with the same model."""
    sizes = np.arange(chunk + 1, dtype=np.float64)
    return model.decoding(sizes), model.mixed(sizes)


class _Engine:
    """Requests waiting and running, and the seconds of each step."""

    def __init__(self, architecture: Architecture, model: StepModel, chunk: int) -> None:
        self.shape, self.model, self.chunk = architecture, model, chunk
        self.waiting: deque[_Request] = deque()
        self.running: list[_Request] = []
        self.decoding, self.mixed = _curves(model, chunk)
        self.seat = model.seat_seconds

    def step(self) -> tuple[float, list[_Request]]:
        """One step: its seconds, and the requests that it finished."""
        budget, numbers, flops = self.chunk, 0.0, 0.0
        prefilling: list[tuple[_Request, int]] = []
        decoding: list[_Request] = []
        for request in self.running:
            if budget == 0:
                break
            if request.to_prefill:
                taken = min(request.to_prefill, budget)
                prefilling.append((request, taken))
                budget -= taken
            else:
                decoding.append(request)
                budget -= 1
        while self.waiting and budget:
            request = self.waiting.popleft()
            taken = min(request.to_prefill, budget)
            self.running.append(request)
            prefilling.append((request, taken))
            budget -= taken
        for request in decoding:
            numbers += self._read(request.context + 1)
            request.context += 1
            request.left -= 1
        for request, taken in prefilling:
            flops += self._count_attention(request.context, taken)
            request.context += taken
            request.to_prefill -= taken
            if not request.to_prefill:
                request.left -= 1
        done = [request for request in self.running if request.left <= 0]
        if done:
            self.running = [request for request in self.running if request.left > 0]
        if prefilling:
            seconds = self.mixed[self.chunk - budget] + self.seat * len(decoding)
        else:
            seconds = self.decoding[len(decoding)]
        seconds += numbers * self.model.read_seconds + flops * self.model.attend_seconds
        return float(seconds), done

    def _read(self, context: int) -> float:
        shape = self.shape
        full = shape.growing_numbers * context
        windowed = shape.windowed_numbers * shape.count_window_reads(context)
        return full + windowed + shape.state_numbers

    def _count_attention(self, start: int, new: int) -> float:
        """Attention FLOPs of a chunk; a window is taken at its mean over the chunk."""
        shape = self.shape
        middle = start + new / 2
        pairs = shape.full_attention_layers * middle
        pairs += shape.window_layers * shape.count_window_reads(middle)
        return shape.attention_flops * new * pairs


def replay(
    trajectories: Sequence[Sequence[Turn]],
    concurrency: int,
    architecture: Architecture,
    model: StepModel,
    chunk: int = CHUNK_TOKENS,
) -> Replayed:
    """Run all trajectories, at most `concurrency` at once, in the order given."""
    engine = _Engine(architecture, model, chunk)
    started = [0.0] * len(trajectories)
    ended = [0.0] * len(trajectories)
    left: list[deque[Turn]] = [deque(turns) for turns in trajectories]
    order = deque(index for index, turns in enumerate(trajectories) if turns)
    arriving: deque[tuple[float, _Request]] = deque()
    clock, free, steps = 0.0, 0.0, 0

    def send(owner: int) -> None:
        nonlocal free
        turn = left[owner].popleft()
        taken = model.send_seconds + model.send_token_seconds * turn.context
        free = max(free, clock) + taken
        arriving.append((free + model.request_seconds, _Request(owner, turn)))

    for _ in range(min(concurrency, len(order))):
        send(order.popleft())
    while arriving or engine.waiting or engine.running:
        if not engine.waiting and not engine.running:
            clock = max(clock, arriving[0][0])
        while arriving and arriving[0][0] <= clock:
            engine.waiting.append(arriving.popleft()[1])
        seconds, done = engine.step()
        clock += seconds
        steps += 1
        for request in done:
            ended[request.owner] = clock
            if left[request.owner]:
                send(request.owner)
            elif order:
                following = order.popleft()
                started[following] = clock
                send(following)
    wall = tuple(end - start for start, end in zip(started, ended, strict=True))
    return Replayed(makespan_seconds=clock, wall_seconds=wall, steps=steps)


def total_tokens(trajectories: Iterable[Sequence[Turn]]) -> tuple[int, int]:
    """Prompt tokens and generated tokens of a workload, every turn with its whole context."""
    turns = [turn for turns in trajectories for turn in turns]
    return sum(turn.context for turn in turns), sum(turn.decode for turn in turns)
