"""Frames without secrets: every text column of every table, before it is written.

Takes a frame, returns the same frame where no text holds a key, a token or a password, and counts
what was replaced. One quick search over all texts of a column; only what it finds is looked at.
"""

import polars as pl

from agentdyno.records.secrets import ANY_OF_THEM, Counts, clean_field


def clean_frame(frame: pl.DataFrame, counts: Counts) -> pl.DataFrame:
    """The frame without secrets in its texts."""
    changed = [
        cleaned
        for name, dtype in frame.schema.items()
        if dtype == pl.String and (cleaned := _clean(frame[name], counts)) is not None
    ]
    return frame.with_columns(changed) if changed else frame


def _clean(series: pl.Series, counts: Counts) -> pl.Series | None:
    """The column without secrets; None when it has none."""
    hits = series.str.contains(ANY_OF_THEM).fill_null(value=False).arg_true()
    if not len(hits):
        return None
    texts = [clean_field(text, counts) for text in series.gather(hits)]
    return series.scatter(hits, texts)
