"""Runs a model over texts and hands out the states behind every generated token.

Takes token ids, returns blocks of states: layers x tokens x width, straight from the layers, before
any norm. The state that predicts token t sits at position t-1. Sequences go through in groups,
padded on the right (a causal model never looks there), and in pieces along their length with the
cache kept, so that only one piece's states are held. A budget in bytes decides how many go
together: 16 sequences of 32k tokens of the embedded model would keep 24 GB of keys and values.
Knows nothing of logits.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from msgspec import Struct

from agentdyno.records import InputError
from agentdyno_depth.probes.families import Family
from agentdyno_depth.records.sequences import TokenSequence

Tensor = torch.Tensor

__all__ = ["StateBlock", "StateTap", "TokenSequence", "record_states"]

PIECE_TOKENS = 1024
"""Positions of all sequences of a group that go through the model together."""
GROUP_SEQUENCES = 16
"""Sequences that go through together, at most."""
GROUP_BYTES = {"cpu": 2**31, "cuda": 2**33}
"""What the keys and values of a group may take, by kind of device; a sequence that is larger alone
goes alone."""
SCORE_BYTES = 2**29
"""What one layer's attention scores may take where they are held whole."""


class StateBlock(Struct, frozen=True):
    """The states behind some generated tokens."""

    states: Tensor
    """Layers x tokens x width, before the final norm."""
    targets: Tensor
    """The generated token each state predicts."""
    sequences: Tensor
    """Index of the sequence each token belongs to."""
    positions: Tensor
    """Place of each token in its response, from 0."""


class StateTap:
    """Keeps what the layers of a model put out in its latest forward pass."""

    def __init__(self, layers: Sequence[Any], last_position: bool = False) -> None:
        self._layers, self._last_position = layers, last_position
        self.outputs: list[Tensor] = []

    @contextmanager
    def open(self) -> Iterator["StateTap"]:
        """While open, every pass through the layers is kept in `outputs`, the latest alone."""
        handles = [
            layer.register_forward_hook(self._keep_from(index))
            for index, layer in enumerate(self._layers)
        ]
        try:
            yield self
        finally:
            for handle in handles:
                handle.remove()
            self.outputs = []

    def _keep_from(self, index: int) -> Any:
        def keep(module: Any, inputs: Any, output: Any) -> None:
            if index == 0:
                self.outputs = []
            state = output if isinstance(output, Tensor) else output[0]
            self.outputs.append(state[:, -1] if self._last_position else state)

        return keep


def record_states(
    model: Any,
    family: Family,
    sequences: Sequence[TokenSequence],
    piece_tokens: int = PIECE_TOKENS,
    names: Sequence[str] | None = None,
    group_bytes: int | None = None,
) -> Iterator[StateBlock]:
    """The states behind every generated token of the sequences, piece by piece."""
    require_positions(model, sequences, names)
    budget = group_bytes or GROUP_BYTES.get(model.device.type, GROUP_BYTES["cpu"])
    most = budget // cache_bytes(model)
    for group in _groups(sequences, piece_tokens, most):
        yield from _record_group(model, family, sequences, group, piece_tokens)


def require_positions(
    model: Any, sequences: Sequence[TokenSequence], names: Sequence[str] | None = None
) -> None:
    """An error for a sequence that is longer than the model has positions."""
    most = positions(model)
    for index, sequence in enumerate(sequences):
        length = len(sequence.prompt) + len(sequence.response) - 1  # The last is only predicted.
        if most is not None and sequence.response and length > most:
            raise InputError(
                f"response '{names[index] if names else index}': expected at most {most:,} tokens, "
                f"the positions that the model knows, found {len(sequence.prompt):,} of the prompt "
                f"and {len(sequence.response):,} of the response. Shorten it, or take a model with "
                "a longer context."
            )


def positions(model: Any) -> int | None:
    """Tokens that the model can tell apart by place; None when its configuration does not say."""
    limit = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    return int(limit) if limit else None


def cache_bytes(model: Any) -> int:
    """Bytes of one token's keys and values in all layers."""
    config = model.config.get_text_config()
    heads = config.num_attention_heads
    shared = getattr(config, "num_key_value_heads", None) or heads
    width = getattr(config, "head_dim", None) or config.hidden_size // heads
    size = next(model.parameters()).element_size()
    return int(2 * config.num_hidden_layers * shared * width * size)


def _groups(
    sequences: Sequence[TokenSequence], piece_tokens: int, most_tokens: int
) -> Iterator[list[int]]:
    """Sequences of like length together, so that little is padding, and as many as fit."""

    def length(index: int) -> int:
        return len(sequences[index].prompt) + len(sequences[index].response)

    order = sorted((i for i, s in enumerate(sequences) if s.response), key=length)
    group: list[int] = []
    for index in order:
        full = len(group) == GROUP_SEQUENCES or (len(group) + 1) * 32 > piece_tokens
        full = full or (len(group) + 1) * length(index) > most_tokens
        if group and (full or length(index) > 1.3 * length(group[0]) + 16):
            yield group
            group = []
        group.append(index)
    if group:
        yield group


def _record_group(
    model: Any,
    family: Family,
    sequences: Sequence[TokenSequence],
    indices: list[int],
    piece_tokens: int,
) -> Iterator[StateBlock]:
    group = _pad(sequences, indices, model.device)
    length = group.ids.shape[1] - 1  # Nothing is predicted from a last token.
    step = _step(model, group, piece_tokens) if family.in_pieces else max(1, length)
    cache = None
    tap = StateTap(family.layers)
    decoder = family.decoder
    for begin in range(0, length, step):
        end = min(begin + step, length)
        is_full = begin == 0 and end == length
        with torch.no_grad(), tap.open():
            output = decoder(group.ids[:, begin:end], past_key_values=cache, use_cache=not is_full)
            block = _block(tap.outputs, group, begin, end)
        cache = output.past_key_values
        del output
        if block is not None:
            yield block


class _Group(Struct, frozen=True):
    """Sequences that go through the model together."""

    ids: Tensor
    """Their token ids, padded on the right."""
    starts: list[int]
    """Position that predicts the first generated token, by sequence."""
    ends: list[int]
    """Position after the one that predicts the last, by sequence."""
    indices: Tensor


def _pad(sequences: Sequence[TokenSequence], indices: list[int], device: Any) -> _Group:
    rows = [sequences[index].prompt + sequences[index].response for index in indices]
    ids = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.long)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = torch.tensor(row)
    return _Group(
        ids=ids.to(device),
        starts=[len(sequences[index].prompt) - 1 for index in indices],
        ends=[len(row) - 1 for row in rows],
        indices=torch.tensor(indices, device=device),
    )


def _step(model: Any, group: _Group, piece_tokens: int) -> int:
    """Positions per piece: few where a layer holds its attention scores whole."""
    rows, length = group.ids.shape
    step = max(1, piece_tokens // rows)
    if getattr(model.config, "_attn_implementation", None) == "eager":
        heads = model.config.get_text_config().num_attention_heads
        step = min(step, max(8, SCORE_BYTES // (4 * rows * heads * length)))
    return step


def _block(outputs: list[Tensor], group: _Group, begin: int, end: int) -> StateBlock | None:
    """The piece's predicting positions, of all its sequences, as flat tokens."""
    rows: list[int] = []
    places: list[int] = []
    for index, (start, stop) in enumerate(zip(group.starts, group.ends, strict=True)):
        span = range(max(start, begin), min(stop, end))
        rows += [index] * len(span)
        places += span
    if not rows:
        return None
    device = group.ids.device
    row, position = torch.tensor(rows, device=device), torch.tensor(places, device=device)
    return StateBlock(
        states=torch.stack([output[row, position - begin] for output in outputs]),
        targets=group.ids[row, position + 1],
        sequences=group.indices[row],
        positions=position - torch.tensor(group.starts, device=device)[row],
    )
