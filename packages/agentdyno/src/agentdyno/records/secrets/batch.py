"""Many texts at once without the secrets that the rules find: a pass of polars finds the few lines
that the rules are run over.

Takes texts, returns those that change. On the way of everything that is measured, so its cost is
kept near that of reading.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, cached_property, lru_cache
from itertools import accumulate, chain
from typing import Any

import polars as pl

from agentdyno.records.secrets.cleaning import clean_name, list_readings
from agentdyno.records.secrets.quick_look import LOOKS, Found, look
from agentdyno.records.secrets.redaction import redact, redact_blocks
from agentdyno.records.secrets.spans import Counts
from agentdyno.records.secrets.vendors import BEGINS_TOKEN

_BREAK = re.compile(r"\n|\\n")
"""The end of a line, or of one that is written in a string."""
SHORTEST_LINE = 8
"""Shorter lines hold no name and no value."""
FEW_CHARACTERS = 2_000
"""Characters that are gone through text by text: a pass of polars takes longer."""
SHORT = 400
"""Characters up to which a text is gone through whole."""


def _look(texts: list[str]) -> dict[int, Found]:
    """The looks that match each text, by index; texts without a match are left out."""
    if sum(map(len, texts)) <= FEW_CHARACTERS:
        return {at: looks for at, text in enumerate(texts) if (looks := look(text))}
    matches: dict[int, list[str]] = {}
    series = _series(texts)
    for name, pattern in LOOKS.items() if texts else ():
        for at in series.str.contains(pattern).arg_true().to_list():
            matches.setdefault(at, []).append(name)
    return {at: _as_found(tuple(names)) for at, names in matches.items()}


def _series(texts: Sequence[str]) -> pl.Series:
    return pl.Series(texts, dtype=pl.String, strict=False)


@cache
def _as_found(names: tuple[str, ...]) -> Found:
    return frozenset(names)


def find_changes(
    texts: Iterable[str], counts: Counts | None = None, cut_at: int | None = None
) -> dict[str, str]:
    """Those of the texts in which the rules find something, each with its redacted text."""
    distinct = list(dict.fromkeys(texts))
    looks = _look(distinct)
    changed: dict[int, str] = {}
    long: dict[int, str] = {}
    for at in sorted(looks):
        text = distinct[at]
        if len(text) <= SHORT:
            changed[at] = redact(text, counts, cut_at, looks[at])
        else:
            long[at] = redact_blocks(text, counts, looks[at])
    changed |= _clean_by_line(long, looks, counts)
    return {distinct[at]: text for at, text in changed.items() if text != distinct[at]}


def find_changed_names(names: Iterable[str], counts: Counts | None = None) -> dict[str, str]:
    """The same for names and ids, in which randomness alone says nothing."""
    pairs = [(reading, name) for name in dict.fromkeys(names) for reading in list_readings(name)]
    matches = _look([reading for reading, _ in pairs])
    some = {pairs[at][1] for at, looks in matches.items() if looks != _RANDOM}
    random = [pairs[at] for at, looks in matches.items() if looks == _RANDOM]
    if random:
        begin = _series([reading for reading, _ in random]).str.contains(BEGINS_TOKEN).arg_true()
        some.update(random[at][1] for at in begin.to_list())
    cleaned = {name: clean_name(name, counts) for name in sorted(some)}
    return {name: clean for name, clean in cleaned.items() if clean != name}


def redact_value(value: Any) -> Any:
    """A value of lists, dicts and texts without what the rules find; names stay apart."""
    return change_value(value, find_changed_names)


def change_value(value: Any, find: Callable[[Collection[str]], dict[str, str]]) -> Any:
    """A value of lists, dicts and texts with other texts, names of fields included."""
    texts: list[str] = []
    _collect(value, texts)
    changed = find(texts)
    return _replace(value, changed) if changed else value


def _collect(value: Any, texts: list[str]) -> None:
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, dict):
        for key, item in value.items():
            _collect(key, texts)
            _collect(item, texts)
    elif isinstance(value, list | tuple):
        for item in value:
            _collect(item, texts)


def _replace(value: Any, changed: dict[str, str]) -> Any:
    if isinstance(value, str):
        return changed.get(value, value)
    if isinstance(value, dict):
        return {_replace(k, changed): _replace(item, changed) for k, item in value.items()}
    return [_replace(v, changed) for v in value] if isinstance(value, list | tuple) else value


_RANDOM: Found = frozenset({"mixed"})


class _Lines:
    """A text in lines, with what stands between them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.lines = text.replace("\\n", "\n").split("\n")

    @cached_property
    def breaks(self) -> list[str]:
        """Looked for where a line may hold a secret."""
        if "\\n" in self._text:
            return _BREAK.findall(self._text)
        return ["\n"] * (len(self.lines) - 1)

    def clean(self, index: int, looks: Found, counts: Counts | None) -> bool:
        """Cleans a line with the one behind it, which may hold the value; says whether it had
        to."""
        pair, mark = self.lines[index : index + 2], "".join(self.breaks[index : index + 1])
        text = mark.join(pair)
        if len(text) <= SHORT and _is_clean(text, looks):
            return False
        if (new := redact(text, counts, None, looks)) == text:
            return False
        self.lines[index : index + 2] = [*_BREAK.split(new), ""][: len(pair)]
        self.breaks[index : index + 1] = [*_BREAK.findall(new), ""][: len(pair) - 1]
        return True

    def join(self) -> str:
        more_lines = (
            f"{mark}{line}" for mark, line in zip(self.breaks, self.lines[1:], strict=True)
        )
        return "".join([self.lines[0], *more_lines])


@lru_cache(maxsize=16_384)
def _is_clean(text: str, looks: Found) -> bool:
    """True when the rules find nothing; the same lines are read again and again."""
    return redact(text, looks=looks) == text


def _clean_by_line(
    texts: dict[int, str], looks: dict[int, Found], counts: Counts | None
) -> dict[int, str]:
    """Over the lines that a second look finds."""
    split = {at: _Lines(text) for at, text in texts.items()}
    matches: dict[tuple[int, int], list[str]] = {}
    for name, pattern in LOOKS.items():
        owners = [at for at in split if name in looks[at]]
        if not owners:
            continue  # A pass over nothing takes a millisecond too.
        ends = [*accumulate(len(split[at].lines) for at in owners)]
        flat = [*chain.from_iterable(split[at].lines for at in owners)]
        for number in _series(flat).str.contains(pattern).arg_true().to_list():
            if len(flat[number]) >= SHORTEST_LINE:
                owner = bisect_right(ends, number)
                index = number - ends[owner] + len(split[owners[owner]].lines)
                matches.setdefault((owners[owner], index), []).append(name)
    changed = {
        at
        for (at, index), names in sorted(matches.items())
        if split[at].clean(index, _as_found(tuple(names)), counts)
    }
    return texts | {at: split[at].join() for at in changed}
