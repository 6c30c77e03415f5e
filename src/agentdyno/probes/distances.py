"""Every layer's distance from the last one for a block of states, with a second look near g.

Takes states, returns distances (layers x tokens) in float32. Distances that lie nearer to one of
the thresholds than float32 can tell are computed again in float64 and kept on their side of it, so
that labels read from a profile are the fast path's and the reference's. A profile is read at other
thresholds with float32's precision.
"""

from collections.abc import Sequence

import torch

from agentdyno.probes.fast import chunk_tokens, confidences, exact_distances
from agentdyno.probes.finite import (
    require_finite_readout,
    require_finite_rows,
    require_finite_states,
)
from agentdyno.probes.readout import Readout
from agentdyno.probes.recording import StateBlock
from agentdyno.probes.rounding import (
    Sizes,
    cosine_doubt,
    faithful,
    jsd_doubt,
    kl_doubt,
    state_lengths,
)
from agentdyno.probes.rows import LastRows, RowDistances, last_rows, row_distances
from agentdyno.records.depth import Distance

Tensor = torch.Tensor


def profile_block(
    block: StateBlock,
    readout: Readout,
    distances: Sequence[Distance],
    gs: Sequence[float] = (),
) -> tuple[dict[Distance, Tensor], Tensor]:
    """By distance, layers x tokens; and log-probability, entropy and self-certainty x tokens."""
    # All layers of a few tokens at a time: each is compared with its last row while that is warm.
    size = max(1, chunk_tokens(readout, block.states.device.type) // len(block.states))
    require_finite_readout(readout)
    require_finite_states(block.states)
    parts, numbers = [], []
    with torch.no_grad():
        for start in range(0, block.states.shape[1], size):
            piece = _Piece(block.states[:, start : start + size], readout, list(gs))
            targets = block.targets[start : start + size]
            numbers.append(torch.stack(confidences(readout, piece.last, targets)).float())
            parts.append(piece.distances(distances))
        joined = {name: torch.cat([part[name] for part in parts], 1) for name in parts[0]}
        if gs and "near" in joined:
            _second_look(block.states, readout, joined, list(gs))
    return {name: joined[name] for name in distances}, torch.cat(numbers, 1)


def _second_look(
    states: Tensor, readout: Readout, found: dict[str, Tensor], gs: list[float]
) -> None:
    """Float64, in one go for the whole block, for what is near a threshold by either distance."""
    layers, tokens = found["near"].nonzero(as_tuple=True)
    if not len(tokens):
        return
    normed, last = (readout.normed(rows) for rows in (states[layers, tokens], states[-1, tokens]))
    rows = chunk_tokens(readout, states.device.type) // 8
    exact = exact_distances(readout, normed, last, rows)
    found["jsd"][layers, tokens] = faithful(exact.jsd, gs).clamp(0, 1)
    found["kl"][layers, tokens] = faithful(exact.kl, gs).clamp(min=0)


class _Piece:
    """Tokens whose layers are compared together."""

    def __init__(self, states: Tensor, readout: Readout, gs: list[float]) -> None:
        self.layers, self.tokens, self.width = states.shape
        self.states, self.readout, self.gs = states, readout, gs
        self.normed = readout.normed(states)
        self.raw = readout.raw_logits(self.normed.flatten(0, 1))
        self.last: LastRows = last_rows(readout, self.raw[-self.tokens :])

    def distances(self, names: Sequence[Distance]) -> dict[str, Tensor]:
        """Those that are asked for, and `near`: which rows float32 leaves in doubt."""
        found: dict[str, Tensor] = {}
        if "jsd" in names or "kl" in names:
            found |= self._of_logits("kl" in names)
        if "cosine" in names:
            found["cosine"] = self._cosine()
        return found

    def _of_logits(self, with_kl: bool) -> dict[str, Tensor]:
        places = torch.arange(self.tokens, device=self.raw.device).repeat(self.layers - 1)
        rows = row_distances(self.readout, self.raw[: -self.tokens], self.last, places, with_kl)
        layers = torch.arange(1, self.layers, device=self.raw.device)
        require_finite_rows(rows.jsd, layers.repeat_interleave(self.tokens), places)
        found = {"jsd": rows.jsd.float().clamp(0, 1), "kl": rows.kl.float().clamp(min=0)}
        if self.gs:
            found["near"] = self._near(rows, places, with_kl)
        return {name: _with_last(own, self.tokens) for name, own in found.items()}

    def _near(self, rows: RowDistances, places: Tensor, with_kl: bool) -> Tensor:
        lengths = state_lengths(self.normed)
        own = Sizes(lengths[:-1].flatten(), rows.peak)
        last = Sizes(lengths[-1, places], self.last.peak[places])
        near = _within(rows.jsd, jsd_doubt(self.readout, own, last), self.gs)
        if with_kl:
            near |= _within(rows.kl, kl_doubt(self.readout, own, last, rows.kl), self.gs)
        return near

    def _cosine(self) -> Tensor:
        """From the states before the norm."""
        found = _cosine(self.states, torch.float32)
        near = _within(found, cosine_doubt(self.width), self.gs).any(0).nonzero()[:, 0]
        if len(near):
            exact = faithful(_cosine(self.states[:, near], torch.float64), self.gs)
            found[:, near] = exact
        found[-1] = 0
        return found.clamp(min=0)


def _cosine(states: Tensor, dtype: torch.dtype) -> Tensor:
    wide = states.to(dtype)
    return 1 - torch.nn.functional.cosine_similarity(wide, wide[-1:], -1)


def _within(found: Tensor, doubt: Tensor | float, gs: Sequence[float]) -> Tensor:
    near = torch.zeros_like(found, dtype=torch.bool)
    for g in gs:
        near |= (found - g).abs() <= doubt
    return near


def _with_last(rows: Tensor, tokens: int) -> Tensor:
    """Layers x tokens; the last layer is at no distance from itself."""
    return torch.cat([rows.view(-1, tokens), rows.new_zeros(1, tokens)])
