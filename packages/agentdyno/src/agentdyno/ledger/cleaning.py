"""Frames without the secrets that the rules find: every text column of every table, before it is
written.

Takes a frame, returns the same frame where no text holds a key, a token or a password that a rule
knows, and counts what was replaced. Runs on everything that is measured, so the texts of all tables
are searched at once, and those that are our own words are not.
"""

from collections.abc import Callable, Collection

import polars as pl

from agentdyno.records.secrets import Counts
from agentdyno.records.secrets.batch import find_changed_names, find_changes
from agentdyno.records.secrets.cleaning import SHORTEST_CUT
from agentdyno.records.secrets.redaction import count_marks

Find = Callable[[Collection[str]], dict[str, str]]
"""Takes texts, returns those that change, each with what becomes of it."""
OUR_OWN = frozenset(
    {
        "kind", "format", "token_source", "prefill_source", "decode_source", "usd_source",
        "gamma_source", "architecture", "relation", "coverage",
    }
)  # fmt: skip
"""Columns whose words are ours."""
NAMES = frozenset(
    {
        "trajectory_id", "source", "parent_id", "continues_id", "counted_id", "identity",
        "response_id", "request_id", "stands_for", "call_id", "session_id", "agent_id",
        "parent_call_id", "rubric", "digest",
    }
)  # fmt: skip
"""Columns of names, and of ids that programs drew."""


def clean_frames(frames: dict[str, pl.DataFrame], counts: Counts) -> dict[str, pl.DataFrame]:
    """Tables that belong together, without what the rules find in their texts."""

    def find_texts(new_texts: list[str]) -> dict[str, str]:
        count_marks(new_texts, counts)  # Of secrets that a cut would have gone through.
        return find_changes(new_texts, counts, SHORTEST_CUT)

    names = _changes(frames, True, lambda names: find_changed_names(names, counts))
    texts = _changes(frames, False, find_texts)
    if not names and not texts:
        return frames
    return {table: _replace(frame, names, texts) for table, frame in frames.items()}


def clean_frame(frame: pl.DataFrame, counts: Counts) -> pl.DataFrame:
    """One table without what the rules find in its texts."""
    return clean_frames({"": frame}, counts)[""]


def change_frame(frame: pl.DataFrame, find_texts: Find, find_names: Find) -> pl.DataFrame:
    """One table with other texts and names; the same frame where none changes."""
    columns = _texts(frame)
    names = find_names({text for c in columns if c in NAMES for text in _distinct(frame[c])})
    texts = find_texts({text for c in columns if c not in NAMES for text in _distinct(frame[c])})
    return _replace(frame, names, texts) if names or texts else frame


def _texts(frame: pl.DataFrame) -> list[str]:
    """The columns that hold foreign texts, or may."""
    schema = frame.schema.items() if len(frame) else ()
    return [name for name, dtype in schema if dtype == pl.String and name not in OUR_OWN]


def _changes(
    frames: dict[str, pl.DataFrame], are_names: bool, find: Callable[[list[str]], dict[str, str]]
) -> dict[str, str]:
    """The changed texts in columns of names, or in the other columns."""
    columns = [f[c] for f in frames.values() for c in _texts(f) if (c in NAMES) is are_names]
    unchanged = _unchanged[are_names]
    new = {text for series in columns for text in _distinct(series) if text not in unchanged}
    changed = find(sorted(new)) if new else {}
    if len(new) <= FEW_TEXTS:
        if len(unchanged) > MOST_TEXTS:
            unchanged.clear()
        unchanged |= new - changed.keys()
    return changed


FEW_TEXTS, MOST_TEXTS = 5_000, 50_000
"""Texts that are remembered: those of small drafts, since sessions that grow bring theirs again."""
_unchanged: dict[bool, set[str]] = {True: set(), False: set()}
"""Names, and other texts, in which no rule finds anything."""


def _distinct(series: pl.Series) -> list[str]:
    if series.null_count() == len(series):
        return []
    few = series if len(series) <= FEW_TEXTS else series.unique()
    return [text for text in few.to_list() if text is not None]


def _replace(frame: pl.DataFrame, names: dict[str, str], texts: dict[str, str]) -> pl.DataFrame:
    new = [(column, names if column in NAMES else texts) for column in _texts(frame)]
    return frame.with_columns(frame[column].replace(changed) for column, changed in new if changed)
