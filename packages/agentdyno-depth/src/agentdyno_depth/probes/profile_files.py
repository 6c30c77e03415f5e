"""Recorded profiles on disk: one Parquet file, a row per token.

So that metrics replay without the model, on any machine, with any thresholds. Columns: the
response, the model, the token, its confidence, and for each distance a list with one number per
layer. Distances are kept in float32, as they were computed.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from agentdyno.records import InputError
from agentdyno_depth.records.depth import DISTANCES, Confidence, DepthProfile, Distance

_KEYS = ("sequence_id", "model", "dtype", "layers")
_NUMBERS = ("log_prob", "entropy", "self_certainty")


def write_profiles(profiles: Sequence[DepthProfile], path: Path) -> None:
    """Writes the file beside its place first, so that no half file is ever read."""
    frames = [_frame(profile) for profile in profiles if len(profile.token_ids)]
    if not frames:
        raise InputError("expected responses with at least one token, found none to keep.")
    path.parent.mkdir(parents=True, exist_ok=True)
    staging = path.with_name(f".{path.name}.part")
    pl.concat(frames, how="diagonal").write_parquet(staging)
    staging.replace(path)


def read_profiles(path: Path) -> list[DepthProfile]:
    """The profiles of a file, in its order."""
    try:
        table = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"{path}: expected a file of depth profiles, found: {error}") from None
    expected = {*_KEYS, *_NUMBERS, "token_id", "token"}
    if missing := expected - set(table.columns):
        names = ", ".join(sorted(missing))
        raise InputError(f"{path}: expected depth profiles, found no columns {names}.")
    parts = table.partition_by("sequence_id", maintain_order=True)
    return [_profile(part) for part in parts]


def _frame(profile: DepthProfile) -> pl.DataFrame:
    count = len(profile.token_ids)
    columns: dict[str, object] = {
        "sequence_id": [profile.sequence_id] * count,
        "model": [profile.model] * count,
        "dtype": [profile.dtype] * count,
        "layers": [profile.layers] * count,
        "token_id": profile.token_ids,
        "token": list(profile.tokens) or [""] * count,
        "log_prob": profile.confidence.log_probs,
        "entropy": profile.confidence.entropies,
        "self_certainty": profile.confidence.self_certainties,
    }
    for name, distances in profile.distances.items():
        columns[name] = pl.Series(values=list(distances), dtype=pl.List(pl.Float32))
    return pl.DataFrame(columns)


def _profile(table: pl.DataFrame) -> DepthProfile:
    first = table.row(0, named=True)
    names: list[Distance] = [name for name in DISTANCES if name in table.columns]
    tokens = table["token"].to_list()
    return DepthProfile(
        sequence_id=first["sequence_id"],
        model=first["model"],
        dtype=first["dtype"],
        layers=first["layers"],
        token_ids=table["token_id"].to_numpy().astype(np.int64),
        tokens=tuple(tokens) if any(tokens) else (),
        distances={
            name: np.array(table[name].to_list(), dtype=np.float32)
            for name in names
            if table[name].null_count() == 0
        },
        confidence=Confidence(*(table[name].to_numpy().astype(np.float32) for name in _NUMBERS)),
    )
