"""Texts that go wherever they stand: found in other texts, and replaced there.

Takes texts, from a file or from rules, and other texts; returns those that change. A cut may have
left the beginning of one at the end of a cell, so that goes, too.
"""

from collections.abc import Collection, Iterable
from hashlib import blake2b
from pathlib import Path

import msgspec
import polars as pl

from agentdyno.records import InputError

SHORTEST_LINE = 4
"""Characters of a line of the file that is given: `}` would be found everywhere."""
SHORTEST_HALF = 8
"""Characters of a text's beginning that are removed where a cell was cut behind them."""


class Literals:
    """Texts that go wherever they stand, and their beginnings where a cut has left these."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = set(texts)
        forms = {form for text in self.texts for form in (text, _escape(text), _flatten(text))}
        self._forms = sorted(forms, key=len, reverse=True)
        self._heads = {form[:SHORTEST_HALF]: form for form in self._forms}

    def find(self, texts: Collection[str], are_names: bool = False) -> dict[str, str]:
        """Those of the texts in which one stands, each with what is left of it."""
        given = list(texts)
        if not given or not self._forms:
            return {}
        series = pl.Series(given, dtype=pl.String, strict=False)
        places = series.str.contains_any([*self._heads]).arg_true().to_list()
        changed = {given[place]: self._replace(given[place], are_names) for place in places}
        return {text: new for text, new in changed.items() if new != text}

    def _replace(self, text: str, are_names: bool) -> str:
        for form in self._forms:
            if form in text:
                text = text.replace(form, _mark(form, are_names))
        for head, form in self._heads.items():
            at = text.rfind(head) if len(head) == SHORTEST_HALF else -1
            if at >= 0 and form.startswith(text[at:].rstrip("… ")):
                text = text[:at] + _mark(form, are_names)
        return text


def _mark(text: str, is_name: bool) -> str:
    """Two names must not become one."""
    digest = blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()
    return f"[forgotten {digest}]" if is_name else "[forgotten]"


def _escape(text: str) -> str:
    return msgspec.json.encode(text).decode()[1:-1]


def _flatten(text: str) -> str:
    """As it stands in a title."""
    return " ".join(text.split())


def read_literals(path: Path) -> set[str]:
    """The whole file as one text, and each of its lines."""
    try:
        whole = path.read_text("utf-8").strip()
    except (OSError, UnicodeError) as error:
        raise InputError(f"{path}: expected a file of texts in UTF-8, found: {error}.") from None
    lines = (line.strip() for line in whole.splitlines())
    texts = {text for text in (whole, *lines) if len(text) >= SHORTEST_LINE}
    if not texts:
        raise InputError(
            f"{path}: expected a text of {SHORTEST_LINE} characters or more in a line, found none."
        )
    return texts
