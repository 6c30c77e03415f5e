"""Frames without secrets: every text column of every table, before it is written.

Takes a frame, returns the same frame where no text holds a key, a token or a password, and counts
what was replaced. Runs on everything that is measured, so a column is first searched as a whole,
and those that hold nothing but our own words are not.
"""

import polars as pl

from agentdyno.records.secrets import ANY_OF_THEM, Counts, clean_field

OUR_OWN = frozenset(
    {
        "kind", "format", "token_source", "prefill_source", "decode_source", "usd_source",
        "gamma_source", "architecture", "relation", "coverage",
    }
)  # fmt: skip
"""Columns whose words are ours."""
ID = "trajectory_id"


def clean_frames(frames: dict[str, pl.DataFrame], counts: Counts) -> dict[str, pl.DataFrame]:
    """Tables that belong together; ids are looked at where each stands once."""
    columns = [(t, c) for t, frame in frames.items() for c in _texts(frame) if _is_looked_at(t, c)]
    found = _may_hold_any([frames[table][column] for table, column in columns])
    hits = {column for column, hit in zip(columns, found, strict=True) if hit}
    if any(column == ID for _, column in hits):
        hits |= {(t, ID) for t, frame in frames.items() if ID in frame.columns}
    return {
        table: _cleaned(frame, [c for t, c in sorted(hits) if t == table], counts)
        for table, frame in frames.items()
    }


def clean_frame(frame: pl.DataFrame, counts: Counts) -> pl.DataFrame:
    """One table without secrets in its texts."""
    columns = _texts(frame)
    found = _may_hold_any([frame[column] for column in columns])
    return _cleaned(frame, [c for c, hit in zip(columns, found, strict=True) if hit], counts)


def _texts(frame: pl.DataFrame) -> list[str]:
    """The columns that hold foreign texts, or may."""
    schema = frame.schema.items() if len(frame) else ()
    return [name for name, dtype in schema if dtype == pl.String and name not in OUR_OWN]


def _is_looked_at(table: str, column: str) -> bool:
    return column != ID or table.endswith("trajectories")


def _may_hold_any(columns: list[pl.Series]) -> list[bool]:
    """Per column whether a text in it may hold one: one search over all of them is cheapest."""
    if not columns:
        return []
    every = pl.concat([series.alias("") for series in columns]).str.join("\n")
    if not every.str.contains(ANY_OF_THEM).any():
        return [False] * len(columns)
    joined = [series.str.join("\n").item() or "" for series in columns]
    found = pl.Series(joined, dtype=pl.String).str.contains(ANY_OF_THEM)
    return [bool(hit) for hit in found]


def _cleaned(frame: pl.DataFrame, columns: list[str], counts: Counts) -> pl.DataFrame:
    changed = [_clean(frame[column], counts) for column in columns]
    return frame.with_columns(changed) if changed else frame


def _clean(series: pl.Series, counts: Counts) -> pl.Series:
    hits = series.str.contains(ANY_OF_THEM).fill_null(value=False).arg_true()
    texts = [clean_field(text, counts) for text in series.gather(hits)]
    return series.scatter(hits, texts) if texts else series
