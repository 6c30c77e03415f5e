"""The same model read by another convention: states of the layers in between as they are.

Takes an open model and a convention of `measures.depth`, returns what its layers say by it. Logs of
another base are another threshold, so only the norm changes what is read.
"""

from collections.abc import Iterator, Sequence

import torch
from msgspec.structs import replace

from agentdyno.measures.depth import Convention, deep_thinking_ratio, threshold_in_bits
from agentdyno_depth.probes.fast import deep_labels
from agentdyno_depth.probes.loading import OpenModel
from agentdyno_depth.probes.recording import StateBlock, TokenSequence, record_states
from agentdyno_depth.records.depth import Thresholds

Tensor = torch.Tensor


def compare_conventions(
    opened: OpenModel,
    sequences: Sequence[TokenSequence],
    conventions: Sequence[Convention],
    pair: Thresholds,
) -> dict[Convention, list[float | None]]:
    """The ratio of every sequence under each convention; None for one without tokens."""
    return {name: _find_ratios(opened, sequences, name, pair) for name in conventions}


def _find_ratios(
    opened: OpenModel, sequences: Sequence[TokenSequence], name: Convention, pair: Thresholds
) -> list[float | None]:
    in_bits = Thresholds(threshold_in_bits(pair.g, name), pair.rho)
    labels: list[list[Tensor]] = [[] for _ in sequences]
    for states, block in _read_states(opened, sequences, name):
        readout = opened.readout
        if name.startswith("bare"):
            readout = replace(readout, norm=lambda states: states)
        deep = deep_labels(states, readout, [in_bits]).labels[0]
        for index in block.sequences.unique().tolist():
            labels[index].append(deep[block.sequences == index])
    return [
        deep_thinking_ratio(torch.cat(parts).cpu().double().numpy()) if parts else None
        for parts in labels
    ]


def _read_states(
    opened: OpenModel, sequences: Sequence[TokenSequence], name: Convention
) -> Iterator[tuple[Tensor, StateBlock]]:
    """States of all layers. The last one keeps its norm where the others have none: a model's own
    prediction has no other convention."""
    for block in record_states(opened.model, opened.family, sequences):
        states = block.states
        if name.startswith("bare"):
            last = opened.readout.normalize(states[-1:])
            states = torch.cat([states[:-1].to(last.dtype), last])
        yield states, block
