"""The parameters of a step model as one vector, and how each enters the seconds of a request.

Takes a request that an engine serves alone; returns how often each parameter enters the seconds
until it is answered, found by replaying it with one parameter at a time. Alone, the engine's steps
do not depend on how long they take, so the seconds are linear in the parameters and a fit is a
linear problem.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from agentdyno.cost.columns import Floats
from agentdyno.cost.replay import Turn, replay
from agentdyno.cost.shape import Architecture
from agentdyno.cost.step_model import StepModel


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
        found = np.zeros(self.size)
        found[: self.read] = [
            np.interp(tokens, self.batches, of_one) for of_one in np.eye(self.read)
        ]
        return found

    def form_requests(self, turns: Sequence[Turn], shape: Architecture, chunk: int) -> list[Floats]:
        """How each parameter enters the seconds of each turn, served alone."""
        # Curves that rise, and still do with one second more at one point.
        level = np.concatenate(
            [np.arange(self.read), np.zeros(self.mixed - self.read), np.arange(len(self.knots))]
        )
        rows = np.vstack([level, level + np.eye(self.size)])
        models = [self.model(row) for row in rows]
        seconds = np.array(
            [[replay([[turn]], 1, shape, m, chunk).makespan_seconds for turn in turns]
             for m in models]
        )  # fmt: skip
        return list((seconds[1:] - seconds[0]).T)
