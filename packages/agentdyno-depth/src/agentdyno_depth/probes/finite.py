"""An error for numbers that are none: NaN or Inf in a state or in its logits.

A distance of NaN compares as neither near nor far, and a broken model would read as one that
thinks hard. So every block of states is looked at once, and the error names the first token and
layer that are broken.
"""

import math

import torch

from agentdyno.records import InputError
from agentdyno_depth.probes.readout import Readout

Tensor = torch.Tensor


class NotFinite(InputError):
    """A state or its logits hold NaN or Inf."""

    def __init__(self, what: str, layer: int, token: int, where: str = "") -> None:
        self.what, self.layer, self.token = what, layer, token
        super().__init__(
            f"{where or f'token {token} of the block'}: expected finite {what} at layer {layer}, "
            "found NaN or Inf. Check the weights, or take a wider --dtype (float16 ends at 65,504)."
        )

    def at(self, sequence: str, token: int) -> "NotFinite":
        """The same error, of a named response and a place in it."""
        return NotFinite(self.what, self.layer, token, f"response '{sequence}', token {token}")


class DeferredFiniteChecks:
    """Looks at many numbers that are waited for once: a GPU stands still while somebody waits."""

    def __init__(self) -> None:
        self._states: list[tuple[Tensor, Tensor]] = []
        self._rows: list[tuple[Tensor, Tensor | int, Tensor]] = []

    def states(self, states: Tensor) -> None:
        """Looks at states of layers x tokens x width."""
        self._states.append((_seem_finite(states), states))

    def rows(self, numbers: Tensor, layers: Tensor | int, tokens: Tensor) -> None:
        """Looks at one number for each row of logits."""
        self._rows.append((numbers, layers, tokens))

    def require(self) -> None:
        """The first error of all that was looked at."""
        seen = [finite for finite, _ in self._states]
        if self._rows:
            seen.append(torch.cat([numbers for numbers, *_ in self._rows]).isfinite().all())
        if seen and not bool(torch.stack(seen).all()):
            for _, states in self._states:
                require_finite_states(states)
            for row in self._rows:
                require_finite_rows(*row)


def require_finite_states(states: Tensor) -> None:
    """An error that names the first token and layer, for states of layers x tokens x width."""
    if not bool(_seem_finite(states)):
        broken = ~states.isfinite().all(-1)
        if broken.any():
            raise _first(broken, "states")


def require_finite_rows(numbers: Tensor, layers: Tensor | int, tokens: Tensor) -> None:
    """An error for a row whose logits gave no finite number."""
    broken = ~numbers.isfinite()
    if not bool(broken.any()):
        return
    row_index = int(broken.nonzero()[0, 0])
    layer = layers if isinstance(layers, int) else int(layers[row_index])
    raise NotFinite("logits", layer, int(tokens[row_index]))


def require_finite_readout(readout: Readout) -> None:
    """An error before anything is computed when the unembedding itself is broken."""
    if not math.isfinite(readout.longest_row()):
        rows = ~readout.weight.isfinite().all(-1)
        first = int(rows.nonzero()[0, 0]) if rows.any() else 0
        raise InputError(
            f"the unembedding: expected finite weights, found NaN or Inf in the row of token "
            f"{first} ({int(rows.sum())} such rows): it gives every state at every layer, from "
            "layer 1 and token 0 on, a logit that is no number."
        )


def _seem_finite(states: Tensor) -> Tensor:
    """One look at every number: a sum is finite when all are, within what float32 can hold."""
    return states.sum(-1, dtype=torch.float32).isfinite().all()


def _first(broken: Tensor, what: str) -> NotFinite:
    """The first layer of the first token; `broken` is layers x tokens."""
    token = int(broken.any(0).nonzero()[0, 0])
    layer = int(broken[:, token].nonzero()[0, 0]) + 1
    return NotFinite(what, layer, token)
