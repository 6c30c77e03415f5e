"""Every layer's distance from the last one for a block of states, with a second look near g.

Takes states, returns distances (layers x tokens) in float32. Distances that lie nearer to one of
the thresholds than float32 can tell are computed again in float64 and kept on their side of it, so
that labels read from a profile are the fast path's and the reference's. A profile is read at other
thresholds with float32's precision.
"""

from collections.abc import Sequence

import torch

from agentdyno_depth.probes.fast import chunk_tokens, confidences, evenly, exact_distances
from agentdyno_depth.probes.finite import (
    require_finite_readout,
    require_finite_rows,
    require_finite_states,
)
from agentdyno_depth.probes.prediction_rows import LastRows, last_rows, row_distances
from agentdyno_depth.probes.readout import Readout
from agentdyno_depth.probes.recording import StateBlock
from agentdyno_depth.probes.rounding import (
    Sizes,
    cosine_doubt,
    faithful,
    jsd_doubt,
    kl_doubt,
    state_lengths,
)
from agentdyno_depth.records.depth import Distance

Tensor = torch.Tensor


def profile_block(
    block: StateBlock,
    readout: Readout,
    distances: Sequence[Distance],
    gs: Sequence[float] = (),
) -> tuple[dict[Distance, Tensor], Tensor]:
    """By distance, layers x tokens; and log-probability, entropy and self-certainty x tokens."""
    size = max(1, chunk_tokens(readout, block.states.device.type) // len(block.states))
    require_finite_readout(readout)
    require_finite_states(block.states)
    parts, numbers = [], []
    with torch.no_grad():
        step = max(1, evenly(block.states.shape[1], size))
        for start in range(0, block.states.shape[1], step):
            piece = _Piece(block.states[:, start : start + step], readout)
            targets = block.targets[start : start + step]
            numbers.append(torch.stack(confidences(readout, piece.last, targets)).float())
            parts.append(piece.distances(distances))
        measures = {name: torch.cat([part[name] for part in parts], 1) for name in parts[0]}
        if "jsd" in measures:
            _require_finite(measures["jsd"])
        for name in distances:
            _recompute_near(name, block.states, readout, measures, list(gs))
    return {name: _clamp(name, measures[name]) for name in distances}, torch.cat(numbers, 1)


def _recompute_near(
    name: Distance, states: Tensor, readout: Readout, measures: dict[str, Tensor], gs: list[float]
) -> None:
    """Float64, in one go for the block, for what float32 leaves in doubt about a threshold."""
    if not gs:
        return
    layers, tokens = _near_threshold(name, readout, measures, gs, states.shape[-1]).nonzero(
        as_tuple=True
    )
    if not len(tokens):
        return
    rows, last = states[layers, tokens], states[-1, tokens]
    if name == "cosine":
        exact = _cosine(rows, last, torch.float64)
    else:
        some = chunk_tokens(readout, states.device.type) // 8
        both = exact_distances(readout, readout.normalize(rows), readout.normalize(last), some)
        exact = both.jsd if name == "jsd" else both.kl
    measures[name][layers, tokens] = faithful(exact, gs)


def _near_threshold(
    name: Distance, readout: Readout, measures: dict[str, Tensor], gs: list[float], width: int
) -> Tensor:
    """Layers below the last x tokens: what lies within its doubt of a threshold."""
    doubt = _doubt(name, readout, measures, width)
    near = torch.zeros_like(measures[name], dtype=torch.bool)
    for g in gs:
        near |= (measures[name] - g).abs() <= doubt
    return near[:-1]


def _doubt(
    name: Distance, readout: Readout, measures: dict[str, Tensor], width: int
) -> Tensor | float:
    if name == "cosine":
        return cosine_doubt(width)
    sizes = Sizes(measures["length"], measures["peak"])
    last = Sizes(measures["length"][-1], measures["peak"][-1])
    if name == "jsd":
        return jsd_doubt(readout, sizes, last)
    return kl_doubt(readout, sizes, last, measures["kl"])


def _require_finite(jsd: Tensor) -> None:
    layers, tokens = jsd.shape
    numbers = torch.arange(1, layers + 1, device=jsd.device).repeat_interleave(tokens)
    places = torch.arange(tokens, device=jsd.device).repeat(layers)
    require_finite_rows(jsd.flatten(), numbers, places)


def _clamp(name: Distance, distance: Tensor) -> Tensor:
    """Rounding can leave a distance a hair below 0, or a JSD above 1."""
    return distance.clamp(0, 1) if name == "jsd" else distance.clamp(min=0)


class _Piece:
    """Tokens whose layers are compared together."""

    def __init__(self, states: Tensor, readout: Readout) -> None:
        self.layers, self.tokens, self.width = states.shape
        self.states, self.readout = states, readout
        self.normed = readout.normalize(states)
        # Token by token, so that all layers of one are compared with its last row while that is
        # warm: a row in float32 is large, and would be fetched anew for every layer.
        self.raw = readout.raw_logits(self.normed.transpose(0, 1).flatten(0, 1))
        self.last: LastRows = last_rows(readout, self.raw[self.layers - 1 :: self.layers])

    def distances(self, names: Sequence[Distance]) -> dict[str, Tensor]:
        """Layers x tokens of each distance, and of what its rounding depends on."""
        measures: dict[str, Tensor] = {}
        if "jsd" in names or "kl" in names:
            measures |= self._of_logits("kl" in names)
        if "cosine" in names:
            measures["cosine"] = _cosine(self.states, self.states[-1:], torch.float32)
            measures["cosine"][-1] = 0
        return measures

    def _of_logits(self, with_kl: bool) -> dict[str, Tensor]:
        places = torch.arange(self.tokens, device=self.raw.device)
        places = places.repeat_interleave(self.layers)
        rows = row_distances(self.readout, self.raw, self.last, places, with_kl)
        measures = {"jsd": rows.jsd, "kl": rows.kl, "peak": rows.peak}
        measures = {name: self._by_layer(numbers) for name, numbers in measures.items()}
        # The last layer is at no distance from itself.
        measures["jsd"][-1] = measures["kl"][-1] = 0
        return {**measures, "length": state_lengths(self.normed)}

    def _by_layer(self, rows: Tensor) -> Tensor:
        """Layers x tokens of what was computed token by token."""
        return rows.float().view(self.tokens, self.layers).T.contiguous()


def _cosine(states: Tensor, last: Tensor, dtype: torch.dtype) -> Tensor:
    """From the states before the norm."""
    return 1 - torch.nn.functional.cosine_similarity(states.to(dtype), last.to(dtype), -1)
