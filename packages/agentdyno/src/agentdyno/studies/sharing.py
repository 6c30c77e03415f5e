"""The tables of a ledger without free text, for a report that may be given to anybody.

Takes any `Texts`, returns `Texts` that a study cannot tell from another ledger's: figures, and
words from a list. Names of trajectories, files, tasks and variants become numbers, the same
everywhere in one report; tools and models keep names that everybody knows and become numbers
otherwise; every other text is left out. A column that nobody has thought of is left out too.
"""

from collections.abc import Iterator
from typing import Any

import polars as pl

from agentdyno.records import Trajectory
from agentdyno.studies.safe_words import is_safe_model, is_safe_word
from agentdyno.studies.tables import Layer, Texts

LEFT_OUT = "left out"
"""Stands where a text was: that there was one is often a figure (calls with an error)."""
OUR_WORDS = frozenset(
    {
        "kind", "format", "token_source", "prefill_source", "decode_source", "usd_source",
        "gamma_source", "gpu_seconds_source", "relation", "edge_source", "confidence", "selection",
        "scheduling", "pattern", "subject_kind",
    }
)  # fmt: skip
"""Columns whose words are ours or an installed plug-in's, never a trace's."""
NUMBERED = {
    "trajectory_id": "trajectory", "parent_id": "trajectory", "continues_id": "trajectory",
    "counted_id": "trajectory", "source": "file", "task_id": "task", "variant": "variant",
    "session_id": "session", "agent_id": "session", "call_id": "call", "parent_call_id": "call",
    "identity": "response", "response_id": "response", "request_id": "response",
    "stands_for": "response", "benchmark": "benchmark", "level": "level", "domain": "domain",
    "tool": "tool", "name": "tool", "model": "model", "depth_model": "model",
    "architecture": "architecture", "judge": "judge", "rule": "judge", "label": "label",
    "finish": "reason", "stopped": "reason", "service_tier": "tier", "node": "work",
    "rubric": "rubric", "digest": "digest", "project": "project", "branch": "branch",
    "subject": "subject",
}  # fmt: skip
"""Columns whose values are told apart and not shown, by what is counted."""
ALWAYS = frozenset(
    {
        "trajectory", "file", "task", "session", "call", "response", "work", "rubric", "digest",
        "project", "branch", "subject",
    }
)  # fmt: skip
"""What is a number even where it looks like a word that everybody knows."""


class SharedTables(Layer):
    """Tables without free text."""

    def __init__(self, texts: Texts) -> None:
        super().__init__(texts)
        self._numbers: dict[str, dict[str, str]] = {}
        self.options = {key: _redact_option(value) for key, value in texts.options.items()}

    @property
    def name(self) -> str:
        """Not where it is: a path is a text."""
        return "ledger"

    def read(self, table: str) -> pl.DataFrame:
        """A table, whole."""
        rows = self.below.read(table)
        texts = [name for name, dtype in rows.schema.items() if dtype == pl.String]
        return rows.with_columns(self._share(rows[name]) for name in texts)

    def missing(self, table: str) -> dict[str, str]:
        """Inputs that a derived table could not speak of."""
        return {self._number("file", name): LEFT_OUT for name in self.below.missing(table)}

    def unreadable(self) -> dict[str, str]:
        """None: no trace is opened for a report without texts."""
        return {}

    def trajectories(self) -> Iterator[Trajectory]:
        """None, for the same reason."""
        return iter(())

    def _share(self, column: pl.Series) -> pl.Series:
        if column.name in OUR_WORDS:
            return column
        distinct = column.unique(maintain_order=True).drop_nulls().to_list()
        stem = NUMBERED.get(column.name)
        shared = {text: LEFT_OUT if stem is None else self._number(stem, text) for text in distinct}
        return column.replace(shared) if shared else column

    def _number(self, stem: str, text: str) -> str:
        if stem not in ALWAYS and _is_safe(stem, text):
            return text
        numbers = self._numbers.setdefault(stem, {})
        return numbers.setdefault(text, f"{stem} {len(numbers) + 1}")


def _is_safe(stem: str, text: str) -> bool:
    if stem in ("model", "architecture"):
        return is_safe_model(text)
    return is_safe_word(stem, text)


def _redact_option(value: Any) -> Any:
    """What was measured with; a path or another text of the user's is not told."""
    if isinstance(value, dict):
        return {}
    if isinstance(value, str) and not is_safe_model(value) and not is_safe_word("option", value):
        return "custom"
    return value
