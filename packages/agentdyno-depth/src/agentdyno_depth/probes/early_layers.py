"""What every layer of a model would choose as the next token, if it were the last.

Takes a model and token sequences, returns `LayerChoices` over all their response tokens, in order.
Every state passes the model's final norm and output head. Knows nothing of exits.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from agentdyno.records import InputError
from agentdyno_depth.probes.loading import OpenModel
from agentdyno_depth.probes.recording import TokenSequence, record_states
from agentdyno_depth.records.layer_choices import LayerChoices

Mask = npt.NDArray[np.bool_]
ROWS = 64
"""States that are multiplied with the output head together."""


def read_choices(
    opened: OpenModel, sequences: Sequence[TokenSequence], keep: Sequence[Mask]
) -> LayerChoices:
    """The likeliest token of every layer for the response tokens to keep, and how sure it is."""
    blocks = []
    for block in record_states(opened.model, opened.family, sequences):
        places = zip(block.sequences.tolist(), block.positions.tolist(), strict=True)
        own = [number for number, (which, place) in enumerate(places) if keep[which][place]]
        if own:
            blocks.append(_read_states(opened, block.states[:, own]))
    if not blocks:
        raise InputError("expected turns with text, found none that can be read.")
    tokens, top, second = (np.concatenate(each, axis=1) for each in zip(*blocks, strict=True))
    return LayerChoices(tokens, top, top - second)


def _read_states(opened: OpenModel, states: torch.Tensor) -> tuple[npt.NDArray[Any], ...]:
    layers, tokens, width = states.shape
    rows = [_read_rows(opened, part) for part in states.reshape(layers * tokens, width).split(ROWS)]
    found = [torch.cat(column).reshape(layers, tokens).cpu() for column in zip(*rows, strict=True)]
    return (found[0].numpy(), *(column.double().numpy() for column in found[1:]))


def _read_rows(opened: OpenModel, states: torch.Tensor) -> tuple[torch.Tensor, ...]:
    logits = opened.readout.logits(opened.readout.normalize(states))
    values, chosen = logits.topk(2, dim=-1)
    sure = (values - logits.logsumexp(dim=-1, keepdim=True)).exp()
    return chosen[:, 0], sure[:, 0], sure[:, 1]
