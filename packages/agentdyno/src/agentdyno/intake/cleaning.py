"""Trajectories without secrets, for whoever shows or sends on their texts.

Takes a trajectory, returns it with every key, token and password replaced by its mark, in texts,
arguments, errors, names and ids. The ids come out as they stand in the ledger, whose tables are
cleaned in the same way. What is counted in tokens is counted before this.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
import polars as pl
from msgspec import structs

from agentdyno.records import Trajectory
from agentdyno.records.rows import Rows
from agentdyno.records.secrets import ANY_OF_THEM, Counts, clean_field, clean_text


def clean_trajectories(trajectories: Sequence[Trajectory]) -> list[Trajectory]:
    """The trajectories without secrets: one look over all their texts finds those that may hold
    any, which takes a fifth of a look at each."""
    texts: list[str] = []
    ends: list[int] = []
    for trajectory in trajectories:
        _collect(trajectory, texts)
        ends.append(len(texts))
    hits = {bisect_right(ends, place) for place in _may_hold_one(texts).arg_true()}
    return [_cleaned(t, Counter()) if i in hits else t for i, t in enumerate(trajectories)]


def clean_trajectory(trajectory: Trajectory, counts: Counts | None = None) -> Trajectory:
    """The trajectory without secrets."""
    texts: list[str] = []
    _collect(trajectory, texts)
    if not _may_hold_one(texts).any():
        return trajectory
    return _cleaned(trajectory, Counter() if counts is None else counts)


def _cleaned(trajectory: Trajectory, counts: Counts) -> Trajectory:
    cleaned: Trajectory = _clean(trajectory, counts)
    # Its ids as the ledger has them, which takes a cut into account.
    ids = clean_ids(trajectory)
    return structs.replace(cleaned, trajectory_id=ids.trajectory_id, parent_id=ids.parent_id)


def _may_hold_one(texts: list[str]) -> pl.Series:
    """One quick look over texts, which is enough for most trajectories."""
    return pl.Series(texts, dtype=pl.String, strict=False).str.contains(ANY_OF_THEM)


def _collect(value: Any, texts: list[str]) -> None:
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, Rows):
        texts += [cell for cell in value.cells if isinstance(cell, str)]
    elif isinstance(value, tuple):
        for item in value:
            _collect(item, texts)
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            _collect(getattr(value, field), texts)


def clean_ids(trajectory: Trajectory) -> Trajectory:
    """Only what links it to the ledger is cleaned; texts stay as the model saw them."""
    names = {f: getattr(trajectory, f) for f in ("trajectory_id", "parent_id")}
    known = {f: clean_field(value) for f, value in names.items() if value is not None}
    if all(known[f] == names[f] for f in known):
        return trajectory
    return structs.replace(trajectory, **known)


def _clean(value: Any, counts: Counts) -> Any:
    """Any record with its texts cleaned; the same object where there was nothing to clean."""
    if isinstance(value, str):
        return clean_text(value, counts)
    if isinstance(value, Rows):
        cells = [_clean(cell, counts) if isinstance(cell, str) else cell for cell in value.cells]
        return Rows(value.type, cells)
    if isinstance(value, tuple):
        items = [_clean(item, counts) for item in value]
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else tuple(items)
    if isinstance(value, msgspec.Struct):
        changed = {}
        for field in value.__struct_fields__:
            old = getattr(value, field)
            new = _clean(old, counts)
            if new is not old:
                changed[field] = new
        return structs.replace(value, **changed) if changed else value
    return value
