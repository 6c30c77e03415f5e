"""Records of responses: whole depth profiles, or the labels alone.

Enter a model and token sequences, leave `DepthProfile`s (every layer's distance for every token,
to be read with any thresholds later) or `DepthLabels` (for given thresholds, much faster).
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from msgspec import Struct

from agentdyno.probes.fast import chunk_tokens, confidences, deep_labels
from agentdyno.probes.loading import OpenModel
from agentdyno.probes.readout import Readout
from agentdyno.probes.recording import StateBlock, TokenSequence, record_states
from agentdyno.probes.rows import LastRows, last_rows, row_distances
from agentdyno.records.depth import (
    Confidence,
    DepthLabels,
    DepthProfile,
    Distance,
    Thresholds,
    Work,
)

Tensor = torch.Tensor


class Labelled(Struct, frozen=True):
    """Labels of several sequences, and what they cost."""

    labels: tuple[DepthLabels, ...]
    """One for each sequence, in order."""
    work: Work
    """Checks done, proved and done again."""


def label_sequences(
    opened: OpenModel,
    sequences: Sequence[TokenSequence],
    thresholds: Sequence[Thresholds],
    names: Sequence[str] | None = None,
) -> Labelled:
    """Which tokens of the sequences are deep, for all the thresholds at once."""
    rows: list[tuple[Tensor, Tensor, np.ndarray[Any, Any]]] = []
    work = Work()
    for block in record_states(opened.model, opened.family, sequences):
        deep = deep_labels(block.states, opened.readout, thresholds, block.targets)
        work += deep.work
        numbers = torch.stack([deep.log_probs, deep.entropies, deep.self_certainties])
        values = torch.cat([deep.labels.double(), numbers.double()]).cpu().numpy()
        rows.append((block.sequences.cpu(), block.positions.cpu(), values))
    gathered = _by_sequence(rows, sequences, len(thresholds) + 3)
    found = tuple(
        DepthLabels(
            sequence_id=names[index] if names else str(index),
            thresholds=tuple(thresholds),
            deep=values[:-3] > 0,
            confidence=_confidence(values[-3:]),
        )
        for index, values in enumerate(gathered)
    )
    return Labelled(found, work)


def record_profiles(
    opened: OpenModel,
    sequences: Sequence[TokenSequence],
    names: Sequence[str] | None = None,
    distances: Sequence[Distance] = ("jsd",),
) -> list[DepthProfile]:
    """Every layer's distance for every token of the sequences."""
    rows = []
    for block in record_states(opened.model, opened.family, sequences):
        by_name, numbers = profile_block(block, opened.readout, distances)
        values = torch.cat([*by_name.values(), numbers]).cpu().double().numpy()
        rows.append((block.sequences.cpu(), block.positions.cpu(), values))
    gathered = _by_sequence(rows, sequences, len(distances) * opened.layers + 3)
    return [
        DepthProfile(
            sequence_id=names[index] if names else str(index),
            model=opened.name,
            dtype=opened.dtype,
            layers=opened.layers,
            token_ids=np.array(sequences[index].response, dtype=np.int64),
            tokens=_texts(opened.tokenizer, sequences[index].response),
            distances=_split(values[:-3], distances, opened.layers),
            confidence=_confidence(values[-3:]),
        )
        for index, values in enumerate(gathered)
    ]


def profile_block(
    block: StateBlock, readout: Readout, distances: Sequence[Distance]
) -> tuple[dict[Distance, Tensor], Tensor]:
    """By distance, layers x tokens; and log-probability, entropy and self-certainty x tokens."""
    # All layers of a few tokens at a time: each is compared with its last row while that is warm.
    layers = len(block.states)
    size = max(1, chunk_tokens(readout, block.states.device.type) // layers)
    parts: list[dict[Distance, Tensor]] = []
    numbers = []
    with torch.no_grad():
        for start in range(0, block.states.shape[1], size):
            states = block.states[:, start : start + size]
            raw = readout.raw_logits(readout.normed(states).flatten(0, 1))
            last = last_rows(readout, raw[-states.shape[1] :])
            targets = block.targets[start : start + size]
            numbers.append(torch.stack(confidences(readout, last, targets)).float())
            parts.append(_distances(states, readout, raw, last, distances))
    joined = {name: torch.cat([part[name] for part in parts], 1) for name in distances}
    return joined, torch.cat(numbers, 1)


def _distances(
    states: Tensor, readout: Readout, raw: Tensor, last: LastRows, distances: Sequence[Distance]
) -> dict[Distance, Tensor]:
    layers, tokens, _ = states.shape
    found: dict[Distance, Tensor] = {}
    if "jsd" in distances or "kl" in distances:
        others = raw[:-tokens]
        places = torch.arange(tokens, device=raw.device).repeat(layers - 1)
        rows = row_distances(readout, others, last, places, "kl" in distances)
        found["jsd"] = _with_last(rows.jsd.clamp(0, 1), tokens)
        found["kl"] = _with_last(rows.kl.clamp(min=0), tokens)
    if "cosine" in distances:
        cosine = torch.nn.functional.cosine_similarity(states.float(), states[-1:].float(), -1)
        found["cosine"] = (1 - cosine).clamp(min=0)
        found["cosine"][-1] = 0
    return {name: found[name].float() for name in distances}


def _with_last(rows: Tensor, tokens: int) -> Tensor:
    """Layers x tokens; the last layer is at no distance from itself."""
    return torch.cat([rows.view(-1, tokens), rows.new_zeros(1, tokens)])


def _by_sequence(
    rows: list[tuple[Tensor, Tensor, np.ndarray[Any, Any]]],
    sequences: Sequence[TokenSequence],
    height: int,
) -> Iterator[np.ndarray[Any, Any]]:
    """Blocks' columns, sorted back into their sequences."""
    found = [np.full((height, len(sequence.response)), np.nan) for sequence in sequences]
    for of, at, values in rows:
        for index in of.unique().tolist():
            own = (of == index).numpy()
            found[index][:, at.numpy()[own]] = values[:, own]
    yield from found


def _confidence(values: np.ndarray[Any, Any]) -> Confidence:
    return Confidence(*(row.astype(np.float32) for row in values))


def _split(
    values: np.ndarray[Any, Any], distances: Sequence[Distance], layers: int
) -> dict[Distance, np.ndarray[Any, Any]]:
    return {
        name: values[place * layers : (place + 1) * layers].T.astype(np.float32)
        for place, name in enumerate(distances)
    }


def _texts(tokenizer: Any, ids: Sequence[int]) -> tuple[str, ...]:
    return () if tokenizer is None else tuple(tokenizer.batch_decode([[i] for i in ids]))
