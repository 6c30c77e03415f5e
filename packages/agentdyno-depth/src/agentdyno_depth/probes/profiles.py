"""Records of responses: whole depth profiles, or the labels alone.

Takes a model and token sequences, returns `DepthProfile`s (every layer's distance for every token)
or `DepthLabels` (for given thresholds, much faster). A profile's distances are exact to float32
(`rounding`), and on the right side of the thresholds that it was recorded for, which float64 then
decides; it can be read with any others later.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from msgspec import Struct

from agentdyno_depth.probes.distances import profile_block
from agentdyno_depth.probes.fast import deep_labels
from agentdyno_depth.probes.finite import NotFinite
from agentdyno_depth.probes.loading import OpenModel
from agentdyno_depth.probes.recording import StateBlock, TokenSequence, record_states
from agentdyno_depth.records.depth import (
    PAPER,
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
    for block in record_states(opened.model, opened.family, sequences, names=names):
        with _name_errors(block, names):
            deep = deep_labels(block.states, opened.readout, thresholds, block.targets)
        work += deep.work
        numbers = torch.stack([deep.log_probs, deep.entropies, deep.self_certainties])
        values = torch.cat([deep.labels.double(), numbers.double()]).cpu().numpy()
        rows.append((block.sequences.cpu(), block.positions.cpu(), values))
    gathered = _by_sequence(rows, sequences, len(thresholds) + 3)
    labels = tuple(
        DepthLabels(
            sequence_id=names[index] if names else str(index),
            thresholds=tuple(thresholds),
            deep=values[:-3] > 0,
            confidence=_confidence(values[-3:]),
        )
        for index, values in enumerate(gathered)
    )
    return Labelled(labels, work)


def record_profiles(
    opened: OpenModel,
    sequences: Sequence[TokenSequence],
    names: Sequence[str] | None = None,
    distances: Sequence[Distance] = ("jsd",),
    gs: Sequence[float] = (PAPER.g,),
) -> list[DepthProfile]:
    """Every layer's distance for every token of the sequences, exact about the thresholds `gs`."""
    rows = []
    for block in record_states(opened.model, opened.family, sequences, names=names):
        with _name_errors(block, names):
            by_name, numbers = profile_block(block, opened.readout, distances, gs)
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


@contextmanager
def _name_errors(block: StateBlock, names: Sequence[str] | None) -> Iterator[None]:
    """An error about a token of the block says which response's token that is."""
    try:
        yield
    except NotFinite as error:
        index = int(block.sequences[error.token])
        name = names[index] if names else str(index)
        raise error.at(name, int(block.positions[error.token])) from None


def _by_sequence(
    rows: list[tuple[Tensor, Tensor, np.ndarray[Any, Any]]],
    sequences: Sequence[TokenSequence],
    height: int,
) -> Iterator[np.ndarray[Any, Any]]:
    """Blocks' columns, sorted back into their sequences."""
    by_index = [np.full((height, len(sequence.response)), np.nan) for sequence in sequences]
    for of, at, values in rows:
        for index in of.unique().tolist():
            in_sequence = (of == index).numpy()
            by_index[index][:, at.numpy()[in_sequence]] = values[:, in_sequence]
    yield from by_index


def _confidence(values: np.ndarray[Any, Any]) -> Confidence:
    return Confidence(*(row.astype(np.float32) for row in values))


def _split(
    values: np.ndarray[Any, Any], distances: Sequence[Distance], layers: int
) -> dict[Distance, np.ndarray[Any, Any]]:
    return {
        name: values[index * layers : (index + 1) * layers].T.astype(np.float32)
        for index, name in enumerate(distances)
    }


def _texts(tokenizer: Any, ids: Sequence[int]) -> tuple[str, ...]:
    """Each token's text; a character that several tokens spell stands whole at its first."""
    if tokenizer is None:
        return ()
    pieces = list(tokenizer.batch_decode([[token] for token in ids]))
    for index, text in enumerate(pieces):
        for length in (2, 3, 4) if BROKEN in text else ():
            character = tokenizer.decode(list(ids[index : index + length]))
            if BROKEN not in character and index + length <= len(pieces):
                pieces[index : index + length] = [character] + [""] * (length - 1)
                break
    return tuple(pieces)


BROKEN = "\ufffd"
"""What stands for bytes that are no character alone."""
