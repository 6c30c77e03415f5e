"""A continuously batching engine on paper: requests in, the seconds that each takes out.

Takes requests as token counts and a `StepModel`; keeps a clock. It knows nothing of trajectories,
of when they send what, or of ledgers.

The schedule is that of vLLM's first-come first-served scheduler with chunked prefill: in each step
every running request decodes, a prefill that was cut off goes on, and waiting requests fill what is
left of the step's tokens. A request's first token comes with the last chunk of its prefill. Where
the caches of the running requests outgrow the memory, the one that was admitted last gives up its
place and is prefilled again later. Steps in which nothing changes but lengths are taken together,
in closed form, so the work grows with requests and not with tokens.

Every second goes to somebody. A prefill pays what its tokens add to the steps that they join, and
the attention among them; the rest of a step is shared equally by those that decode in it; each pays
for reading its own cache. A prefix that several have in common lies in the card's own cache once
the first has read it, so each token of it counts for less (`SHARED_READING`).
"""

import math
from collections import deque
from functools import lru_cache
from heapq import heappop, heappush

import numpy as np
from msgspec import Struct

from agentdyno.cost.block_memory import Policy
from agentdyno.cost.shape import Architecture
from agentdyno.cost.step_model import StepModel

CHUNK_TOKENS = 8192
"""The most tokens of one step: vLLM's default for a server on a large card."""
MOST_SEQUENCES = 256
"""The most requests that run at once: vLLM's default for a server."""

SHARED_READING = 0.7
"""What a cached token costs to read that other running requests have too, as a share of one that
nobody else has: three workloads with a common prefix show .6 to .8
(`docs/log/cost-and-serving.md`)."""


class EngineLimits(Struct, frozen=True):
    chunk: int = CHUNK_TOKENS
    """The most tokens of one step."""
    sequences: int = MOST_SEQUENCES
    """The most requests that run at once; more wait."""
    cache_tokens: float = math.inf
    """Tokens whose keys and values the memory holds; infinite: never full."""
    sequence_tokens: float = 0.0
    """Memory of a running request besides its tokens, counted in tokens: states, windows."""
    policy: Policy | None = None
    """How the engine forgets; None: what is cached is taken as given."""
    host_tokens: float = 0.0
    """Tokens of a second memory behind the first; 0: there is none."""
    host_token_seconds: float = 0.0
    """Seconds to copy a token from there to the card."""
    tokens_per_step: float = 1.0
    """Tokens that a decoding request gains a step: more than 1 with speculative decoding."""
    drafted: int = 0
    """Tokens that are drafted and checked beside each of these."""
    draft_seconds: float = 0.0
    """Drafting time per step that decodes."""


class Request:
    """One request on its way through the engine, and what it has taken so far."""

    __slots__ = (
        "admitted", "begun", "cache", "context", "finish", "first_token", "is_below", "left",
        "owner", "prefill", "read_from", "shared", "spared", "step", "to_prefill", "waiting",
    )  # fmt: skip

    def __init__(self, owner: int, context: int, decode: int, cached: int, shared: int = 0) -> None:
        self.owner = owner
        self.context = float(min(cached, context - 1)) if context else 0.0
        self.to_prefill = max(context - self.context, 0.0)
        self.left = decode
        self.shared = min(shared, self.context)
        self.spared = 0.0
        self.prefill = self.step = self.cache = self.waiting = 0.0
        self.read_from = 0.0
        self.begun = self.finish = 0
        self.is_below = False
        self.admitted = -1
        self.first_token: float | None = None


@lru_cache(maxsize=16)
def _curves(model: StepModel, limits: EngineLimits) -> tuple[list[float], list[float]]:
    """Seconds of every size of step; a fit replays many bursts with the same model."""
    sizes = np.arange(limits.chunk + 1, dtype=np.float64)
    decoding = model.decoding(sizes * (1 + limits.drafted)) + limits.draft_seconds * (sizes > 0)
    return decoding.tolist(), model.mixed(sizes).tolist()


class Engine:
    """Requests waiting and running, and a clock that goes forward step by step."""

    def __init__(self, shape: Architecture, model: StepModel, limits: EngineLimits) -> None:
        self.shape, self.model, self.limits = shape, model, limits
        self.decoding, self.mixed = _curves(model, limits)
        self.full = shape.growing_numbers * model.read_seconds
        self.windowed = shape.windowed_numbers * model.read_seconds
        self.state = shape.state_numbers * model.read_seconds
        self.window = shape.window_tokens if self.windowed else 0
        # A chunk that begins anew is half full on average.
        self.beyond = self.window / 2 if shape.chunked else self.window
        self.seat = model.seat_seconds
        self.clock, self.steps, self.preemptions = 0.0, 0, 0
        self.waiting: deque[Request] = deque()
        self.prefilling: list[Request] = []
        self._finishing: list[tuple[int, int, Request]] = []
        self._crossing: list[tuple[int, int, Request]] = []
        self._order: list[Request] = []
        self._batch = 0
        self._context = 0.0  # Tokens that those that decode read in a step.
        self._below, self._below_context = 0, 0.0  # Of these, inside the window.
        self._held = 0.0  # Tokens in memory beyond shared prefixes.
        self._share = 0.0  # What one that decoded in every step so far would have taken.
        self._count = 0

    @property
    def idle(self) -> bool:
        """True when nothing runs or waits."""
        return not (self._batch or self.prefilling or self.waiting)

    def advance(self, until: float) -> list[Request]:
        """One step, or as many as nothing but lengths changes in; ends at the first that begins at
        or after `until`, and returns what was finished."""
        if self.prefilling or (self.waiting and self._fits(self.waiting[0])):
            return self._mix()
        return self._decode(until)

    def _fits(self, request: Request) -> bool:
        running = self._batch + len(self.prefilling)
        if running == 0:
            return True  # Alone it runs, and overflows: nobody else would ever make room.
        return running < self.limits.sequences and self._needs(request) <= self._free_tokens()

    def _needs(self, request: Request) -> float:
        """Tokens of memory that a request would take."""
        private = request.context + request.to_prefill - request.shared
        return private + self.limits.sequence_tokens

    def _free_tokens(self) -> float:
        """Tokens of memory that nobody uses."""
        return self.limits.cache_tokens - self._held

    def _mix(self) -> list[Request]:
        """A step that prefills: what runs on goes first, then those that wait."""
        batch = self._batch
        budget: float = max(self.limits.chunk - batch, 1)
        chunks: list[tuple[Request, float]] = []
        for request in self.prefilling:
            tokens = min(request.to_prefill, budget)
            chunks.append((request, tokens))
            budget -= tokens
        while self.waiting and budget and self._fits(self.waiting[0]):
            request = self.waiting.popleft()
            if not self._admit(request):
                continue
            tokens = min(request.to_prefill, budget)
            chunks.append((request, tokens))
            budget -= tokens
        if not chunks:
            return []
        self._charge_mixed(chunks, batch)
        self._grow(1)
        self.prefilling = [request for request, _ in chunks if request.to_prefill]
        finished = self._finish()
        for request, _ in chunks:
            if not request.to_prefill:
                if request.first_token is None:
                    request.first_token = self.clock
                request.left -= 1
                if request.left <= 0:
                    finished.append(self._leave(request))
                else:
                    self._start_decoding(request)
        return finished

    def _admit(self, request: Request) -> bool:
        """Give a request its memory; returns whether it runs at once."""
        request.admitted = self._count
        self._count += 1
        if self.limits.cache_tokens < math.inf:
            self._note_order(request)
        self._held += self._needs(request)
        self.prefilling.append(request)
        return True

    def _note_order(self, request: Request) -> None:
        if len(self._order) > 4 * self.limits.sequences:
            self._order = [other for other in self._order if other.admitted >= 0]
        self._order.append(request)

    def _charge_mixed(self, chunks: list[tuple[Request, float]], batch: int) -> None:
        tokens = sum(count for _, count in chunks)
        shared = self.decoding[batch] if batch else 0.0
        step_seconds = self.mixed[min(int(tokens) + batch, self.limits.chunk)] + self.seat * batch
        shared = min(shared, step_seconds)
        spent = step_seconds + self._reading(1)
        if batch:
            self._share += shared / batch
        for request, count in chunks:
            attending = self._attend(request.context, count) * self.model.attend_seconds
            part = count / tokens if tokens else 1 / len(chunks)
            request.prefill += (step_seconds - shared) * part + attending
            request.context += count
            request.to_prefill -= count
            spent += attending
        self.clock += spent
        self.steps += 1

    def _attend(self, start: float, new: float) -> float:
        """Attention FLOPs of a chunk; a window is taken at its mean over the chunk."""
        shape, middle = self.shape, start + new / 2
        flops = shape.full_attention_flops * middle
        return new * (flops + shape.window_attention_flops * shape.count_window_reads(middle))

    def _decode(self, until: float) -> list[Request]:
        """Steps that only decode: up to the next end, full window, full memory or arrival."""
        self._make_room()
        batch = self._batch
        steps: float = self._finishing[0][0] - self.steps
        if self._crossing:
            steps = min(steps, max(self._crossing[0][0] - self.steps, 1))
        if batch > 1:
            gained = batch * self.limits.tokens_per_step
            steps = min(steps, max(self._free_tokens() // gained, 1))
        fixed = self.decoding[min(batch, self.limits.chunk)]
        if until < math.inf:
            steps = min(steps, self._steps_until(until - self.clock, fixed))
        count = max(int(steps), 1)
        self.clock += count * fixed + self._reading(count)
        self._share += count * fixed / batch
        self.steps += count
        self._grow(count)
        return self._finish()

    def _steps_until(self, seconds: float, fixed: float) -> float:
        """The fewest steps that take at least so long."""
        first, gained = self._reading(1), self._slope()
        level = fixed + first
        if gained <= 0:
            return math.ceil(seconds / level) if level > 0 else math.inf
        half = level - gained / 2
        root = (math.sqrt(half * half + 2 * gained * max(seconds, 0.0)) - half) / gained
        return math.ceil(root - 1e-9)

    def _slope(self) -> float:
        """By how much one step's reading exceeds that of the step before."""
        return self.limits.tokens_per_step * (self.full * self._batch + self.windowed * self._below)

    def _reading(self, steps: int) -> float:
        """Seconds of reading all caches in the next steps, each token after the last."""
        seconds = self.full * (self._context + self._batch) + self.state * self._batch
        if self.windowed:
            over = (self._batch - self._below) * self.beyond
            seconds += self.windowed * (self._below_context + self._below + over)
        return steps * seconds + self._slope() * steps * (steps - 1) / 2

    def _grow(self, steps: int) -> None:
        gained = steps * self.limits.tokens_per_step
        self._context += self._batch * gained
        self._held += self._batch * gained
        self._below_context += self._below * gained
        while self._crossing and self._crossing[0][0] <= self.steps:
            _, admitted, request = heappop(self._crossing)
            if request.admitted == admitted:
                self._leave_window(request)

    def _start_decoding(self, request: Request) -> None:
        per_step = self.limits.tokens_per_step
        request.begun, request.read_from = self.steps, request.context
        request.finish = self.steps + math.ceil(request.left / per_step)
        request.step -= self._share
        heappush(self._finishing, (request.finish, request.admitted, request))
        request.spared = request.shared * (1 - SHARED_READING) if self._batch else 0.0
        self._batch += 1
        self._context += request.context - request.spared
        if self.window and request.context + 1 < self.window:
            self._below += 1
            self._below_context += request.context
            request.is_below = True
            full = self.steps + math.ceil((self.window - 1 - request.context) / per_step)
            heappush(self._crossing, (full, request.admitted, request))

    def _find_context(self, request: Request) -> float:
        return request.read_from + (self.steps - request.begun) * self.limits.tokens_per_step

    def _leave_window(self, request: Request) -> None:
        self._below -= 1
        self._below_context -= self._find_context(request)
        request.is_below = False

    def _finish(self) -> list[Request]:
        finished = []
        while self._finishing and self._finishing[0][0] <= self.steps:
            _, admitted, request = heappop(self._finishing)
            if request.admitted == admitted:
                self._stop_decoding(request)
                finished.append(self._leave(request))
        return finished

    def _stop_decoding(self, request: Request) -> None:
        now = self._find_context(request)
        if request.is_below:
            self._leave_window(request)
        self._batch -= 1
        self._context -= now - request.spared
        request.step += self._share
        request.cache += self._read_own(request)
        request.context = now

    def _read_own(self, request: Request) -> float:
        """Seconds of reading one request's cache in all steps since it began to decode."""
        steps, gained = self.steps - request.begun, self.limits.tokens_per_step
        first = request.read_from + 1
        seconds = self.full * (steps * (first - request.spared) + gained * steps * (steps - 1) / 2)
        seconds += self.state * steps
        if self.windowed:
            growing = min(max(math.ceil((self.window - first) / gained), 0), steps)
            inside = growing * first + gained * growing * (growing - 1) / 2
            seconds += self.windowed * (inside + (steps - growing) * self.beyond)
        return seconds

    def _leave(self, request: Request) -> Request:
        self._held -= request.context - request.shared + self.limits.sequence_tokens
        request.admitted = -1
        return request

    def _make_room(self) -> None:
        """Those admitted last go back to the queue until the next step's tokens fit."""
        gained = self.limits.tokens_per_step
        while self._batch > 1 and self._batch * gained > self._free_tokens():
            last = max(self._order, key=lambda request: request.admitted)
            decoded = min(round(self._find_context(last) - last.read_from), last.left - 1)
            self._stop_decoding(last)
            self._leave(last)
            last.left -= decoded
            last.to_prefill, last.context, last.shared = last.context, 0.0, 0
            self.waiting.appendleft(last)
            self.preemptions += 1
