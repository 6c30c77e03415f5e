"""Frames without the secrets that the rules find: every text column of every table, before it is
written.

Takes a frame, returns the same frame where no text holds a key, a token or a password that a rule
knows, and counts what was replaced. Runs on everything that is measured, so the texts of all tables
are searched at once, and those that are our own words are not.
"""

from collections.abc import Callable, Iterable

import polars as pl

from agentdyno.records.secrets import Counts, clean_name
from agentdyno.records.secrets.batch import find_changed_ids, find_changes
from agentdyno.records.secrets.redaction import SHORTEST_CUT

OUR_OWN = frozenset(
    {
        "kind", "format", "token_source", "prefill_source", "decode_source", "usd_source",
        "gamma_source", "architecture", "relation",
    }
)  # fmt: skip
"""Columns whose words are ours."""
NAMES = frozenset({"trajectory_id", "source", "parent_id", "continues_id", "counted_id"})
"""Columns that name files and what is in them."""
IDS = frozenset(
    {
        "identity", "response_id", "request_id", "stands_for", "call_id", "session_id", "agent_id",
        "parent_call_id", "rubric", "digest",
    }
)  # fmt: skip
"""Columns of ids that programs drew."""


def clean_frames(frames: dict[str, pl.DataFrame], counts: Counts) -> dict[str, pl.DataFrame]:
    """Tables that belong together, without what the rules find in their texts."""
    changed = {
        "names": _changes(frames, NAMES.__contains__, lambda texts: _changed_names(texts, counts)),
        "ids": _changes(frames, IDS.__contains__, lambda texts: find_changed_ids(texts, counts)),
        "texts": _changes(frames, _is_text, lambda texts: find_changes(texts, counts, SHORTEST_CUT)),
    }
    if not any(changed.values()):
        return frames
    return {table: _replaced(frame, changed) for table, frame in frames.items()}


def clean_frame(frame: pl.DataFrame, counts: Counts) -> pl.DataFrame:
    """One table without what the rules find in its texts."""
    return clean_frames({"": frame}, counts)[""]


def _is_text(column: str) -> bool:
    return column not in NAMES and column not in IDS


def _texts(frame: pl.DataFrame) -> list[str]:
    """The columns that hold foreign texts, or may."""
    schema = frame.schema.items() if len(frame) else ()
    return [name for name, dtype in schema if dtype == pl.String and name not in OUR_OWN]


def _changes(
    frames: dict[str, pl.DataFrame],
    is_meant: Callable[[str], bool],
    find: Callable[[list[str]], dict[str, str]],
) -> dict[str, str]:
    """What becomes of the texts in the columns that are meant."""
    columns = [f[name] for f in frames.values() for name in _texts(f) if is_meant(name)]
    distinct = [series.unique().drop_nulls() for series in columns]
    return find([text for series in distinct for text in series]) if distinct else {}


def _changed_names(names: Iterable[str], counts: Counts) -> dict[str, str]:
    cleaned = {name: clean_name(name, counts) for name in dict.fromkeys(names)}
    return {name: clean for name, clean in cleaned.items() if clean != name}


def _replaced(frame: pl.DataFrame, changed: dict[str, dict[str, str]]) -> pl.DataFrame:
    new = []
    for column in _texts(frame):
        sort = "names" if column in NAMES else "ids" if column in IDS else "texts"
        if changed[sort]:
            new.append(frame[column].replace(changed[sort]))
    return frame.with_columns(new) if new else frame
