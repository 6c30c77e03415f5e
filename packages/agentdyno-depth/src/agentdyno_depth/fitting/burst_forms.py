"""What a burst takes, as a sum over the parameters of a step model.

Takes a burst (so many equal requests sent at once) and a step model that says which steps the
engine would take; returns how often each parameter enters the seconds until every request has its
first token, and until all are answered. The schedule is the replay's. With the schedule held, the
seconds are linear in the parameters, so a fit is a linear problem.
"""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from agentdyno.cost.columns import Floats
from agentdyno.cost.shape import Architecture
from agentdyno.cost.step_model import StepModel
from agentdyno.cost.steps import numbers_read


class Layout(NamedTuple):
    """Where each parameter stands in the vector of all."""

    batches: tuple[float, ...]
    """Tokens of the decoding steps whose seconds come first."""
    knots: tuple[float, ...]
    """Tokens of the steps with a prefill whose seconds come last."""

    @property
    def read(self) -> int:
        """Place of the seconds for each cached number read; four more parameters follow it."""
        return len(self.batches)

    @property
    def mixed(self) -> int:
        """Place of the first step with a prefill."""
        return len(self.batches) + 5

    @property
    def size(self) -> int:
        """Parameters in all."""
        return self.mixed + len(self.knots)

    def model(self, values: Floats) -> StepModel:
        """The step model of a vector."""
        read, attend, request, send, token = values[self.read : self.mixed].tolist()
        return StepModel(
            tokens=self.batches,
            seconds=tuple(values[: self.read].tolist()),
            read_seconds=read,
            attend_seconds=attend,
            request_seconds=request,
            send_seconds=send,
            send_token_seconds=token,
            mixed_tokens=self.knots,
            mixed_seconds=tuple(values[self.mixed :].tolist()),
        )

    def values(self, model: StepModel) -> Floats:
        """The vector of a step model, its curves read off at these points."""
        way_in = (model.request_seconds, model.send_seconds, model.send_token_seconds)
        decoding, mixed = (np.array(points) for points in (self.batches, self.knots))
        parts = (model.decoding(decoding), [model.read_seconds, model.attend_seconds, *way_in],
                 model.mixed(mixed))  # fmt: skip
        return np.concatenate(parts)

    def decoding(self, tokens: float) -> Floats:
        """How each parameter enters a step that decodes this many tokens."""
        return self._along(self.batches, 0, tokens)

    def prefilling(self, tokens: float, decoding: int) -> Floats:
        """The same for a step over this many tokens, of which some requests decode."""
        found = self._along(self.knots, self.mixed, tokens)
        if decoding and len(self.batches) > 1:  # What one more decoding request adds.
            run = self.batches[-1] - self.batches[-2]
            found[self.read - 1] += decoding / run
            found[self.read - 2] -= decoding / run
        return found

    def _along(self, known: Sequence[float], first: int, tokens: float) -> Floats:
        """Linear between the points, level before the first, the last slope beyond the last."""
        found = np.zeros(self.size)
        after = min(max(int(np.searchsorted(known, tokens)), 1), max(len(known) - 1, 1))
        if len(known) == 1 or tokens <= known[0]:
            found[first] = 1.0
            return found
        share = (tokens - known[after - 1]) / (known[after] - known[after - 1])
        found[first + after - 1], found[first + after] = 1 - share, share
        return found


class Forms(NamedTuple):
    """How each parameter enters the seconds of one burst."""

    first: Floats
    """Until every request has its first token."""
    total: Floats
    """Until all are answered."""


class _Request:
    __slots__ = ("context", "is_new", "left", "to_prefill")

    def __init__(self, context: int, decode: int, cached: int) -> None:
        self.context = min(cached, context - 1)
        self.to_prefill = context - self.context
        self.left, self.is_new = decode, True


class _Burst:
    """Equal requests on their way through an engine."""

    def __init__(self, layout: Layout, shape: Architecture, values: Floats, chunk: int) -> None:
        self.layout, self.shape, self.values, self.chunk = layout, shape, values, chunk
        self.waiting: deque[_Request] = deque()
        self.running: list[_Request] = []

    def step(self, alone: bool) -> Floats:
        """One step, or with nobody arriving as many as are all alike."""
        prefilling, decoding = self._fill()
        form = np.zeros(self.layout.size)
        times = 1
        if not prefilling and alone:
            times = min(request.left for request in decoding)
        for request in decoding:
            form[self.layout.read] += self._read(request.context + 1, times)
            request.context += times
            request.left -= times
        for request, taken in prefilling:
            form[self.layout.read + 1] += self._count_attention(request.context, taken)
            request.context += taken
            request.to_prefill -= taken
            if not request.to_prefill:
                request.left -= 1
                request.is_new = False
        self.running = [request for request in self.running if request.left > 0]
        if not prefilling:
            return form + times * self.layout.decoding(len(decoding))
        tokens = sum(taken for _, taken in prefilling) + len(decoding)
        return form + self.layout.prefilling(tokens, len(decoding))

    def _read(self, context: int, times: int) -> float:
        if times > 1:
            return numbers_read(self.shape, float(context), float(times))
        shape = self.shape
        windowed = shape.windowed_numbers * shape.count_window_reads(context)
        return shape.growing_numbers * context + windowed + shape.state_numbers

    def _fill(self) -> tuple[list[tuple[_Request, int]], list[_Request]]:
        budget = self.chunk
        prefilling: list[tuple[_Request, int]] = []
        decoding: list[_Request] = []
        for request in self.running:
            taken = min(request.to_prefill or 1, budget)
            if taken and request.to_prefill:
                prefilling.append((request, taken))
            elif taken:
                decoding.append(request)
            budget -= taken
        while self.waiting and budget:
            request = self.waiting.popleft()
            self.running.append(request)
            taken = min(request.to_prefill, budget)
            prefilling.append((request, taken))
            budget -= taken
        return prefilling, decoding

    def _count_attention(self, start: int, new: int) -> float:
        shape, middle = self.shape, start + new / 2
        pairs = shape.full_attention_layers * middle
        pairs += shape.window_layers * shape.count_window_reads(middle)
        return shape.attention_flops * new * pairs


def form_burst(
    layout: Layout,
    shape: Architecture,
    values: Floats,
    burst: tuple[int, int, int, int],
    chunk: int,
) -> Forms:
    """The forms of `burst`: requests, tokens of each prompt, generated and cached ones."""
    batch, context, decode, cached = burst
    engine = _Burst(layout, shape, values, chunk)
    arrivals: deque[Floats] = deque()
    for place in range(1, batch + 1):
        form = np.zeros(layout.size)
        form[layout.read + 2 : layout.mixed] = 1.0, place, place * context
        arrivals.append(form)
    requests = deque(_Request(context, decode, cached) for _ in range(batch))
    everyone = list(requests)
    clock, first = np.zeros(layout.size), None
    while arrivals or engine.waiting or engine.running:
        if not engine.waiting and not engine.running and arrivals[0] @ values >= clock @ values:
            clock = arrivals[0].copy()
        while arrivals and arrivals[0] @ values <= clock @ values + 1e-15:
            arrivals.popleft()
            engine.waiting.append(requests.popleft())
        clock = clock + engine.step(alone=not arrivals and not engine.waiting)
        if first is None and not any(request.is_new for request in everyone):
            first = clock.copy()
    return Forms(clock if first is None else first, clock)
