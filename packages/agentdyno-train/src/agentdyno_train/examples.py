"""Examples of a warm-up in tokens, kept in one file, so that the machine that trains makes none.

Takes rows of ids and labels, writes a compressed NumPy archive; reads the same rows back.
"""

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agentdyno.records import InputError

SUFFIX = ".npz"
UNLEARNT = -100
"""The label of a token that is only read."""

Example = dict[str, Any]
"""`input_ids` and `labels`, each a list or an array."""


def write_examples(path: Path, rows: Sequence[Example]) -> None:
    """Writes the rows."""
    ids = np.concatenate([np.array(row["input_ids"], np.uint32) for row in rows])
    learnt = np.concatenate([np.array(row["labels"]) != UNLEARNT for row in rows])
    lengths = np.array([len(row["input_ids"]) for row in rows], np.uint32)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        np.savez_compressed(file, ids=ids, learnt=np.packbits(learnt), lengths=lengths)


def read_examples(path: Path) -> list[Example]:
    """The rows of a file."""
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            ids, lengths = file["ids"].astype(np.int32), file["lengths"].astype(int)
            learnt = np.unpackbits(file["learnt"], count=len(ids)).astype(bool)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise InputError(f"{path}: expected a file of examples, found {error}.") from None
    labels, ends = np.where(learnt, ids, np.int32(UNLEARNT)), np.cumsum(lengths)
    return [
        {"input_ids": ids[a:b], "labels": labels[a:b]}
        for a, b in zip(ends - lengths, ends, strict=True)
    ]
