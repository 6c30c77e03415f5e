"""Many texts at once without the secrets that the rules find: a pass of polars finds the few lines
that the rules are run over.

Takes texts, returns those that change. On the way of everything that is measured, so its cost is
kept near that of reading.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import polars as pl

from agentdyno.records.secrets.quick_look import LOOKS, Found
from agentdyno.records.secrets.redaction import Counts, clean_name, redact, redact_blocks
from agentdyno.records.secrets.vendors import begins_token

_BREAK = re.compile(r"(\n|\\n)")
"""The end of a line, or of one that is written in a string."""
SHORTEST_LINE = 8
"""Shorter lines hold no name and no value."""
SHORT = 400
"""Characters up to which a text is gone through whole."""


def _look(texts: list[str], only: dict[int, Found] | None = None) -> dict[int, Found]:
    """What the texts may hold, by place; those that may hold nothing are not in it. `only`: by
    place, the looks that are worth a try."""
    found: dict[int, list[str]] = {}
    for name, pattern in LOOKS.items():
        places = None if only is None else [at for at, looks in only.items() if name in looks]
        if not texts or places == []:
            continue  # A pass over nothing takes a millisecond too.
        some = texts if places is None else [texts[at] for at in places]
        mask = pl.Series(some, dtype=pl.String, strict=False).str.contains(pattern)
        for at in mask.arg_true().to_list():
            found.setdefault(at if places is None else places[at], []).append(name)
    return {at: _as_found(tuple(names)) for at, names in found.items()}


@cache
def _as_found(names: tuple[str, ...]) -> Found:
    return frozenset(names)


def find_changes(
    texts: Iterable[str], counts: Counts | None = None, cut_at: int | None = None
) -> dict[str, str]:
    """Those of the texts in which the rules find something, each with what is left of it."""
    distinct = list(dict.fromkeys(texts))
    found = _look(distinct)
    changed: dict[int, str] = {}
    long: dict[int, str] = {}
    for at in sorted(found):
        text = distinct[at]
        if len(text) <= SHORT:
            changed[at] = redact(text, counts, cut_at, found[at])
        else:
            long[at] = redact_blocks(text, counts)
    changed |= _clean_by_line(long, found, counts)
    return {distinct[at]: text for at, text in changed.items() if text != distinct[at]}


def find_changed_names(names: Iterable[str], counts: Counts | None = None) -> dict[str, str]:
    """The same for names and ids, in which randomness alone says nothing."""
    distinct = list(dict.fromkeys(names))
    found = _look(distinct)
    some = {distinct[at] for at, looks in found.items() if looks != _RANDOM}
    some |= {name for at in found if (name := distinct[at]) not in some and begins_token(name)}
    cleaned = {name: clean_name(name, counts) for name in sorted(some)}
    return {name: clean for name, clean in cleaned.items() if clean != name}


def redact_value(value: Any) -> Any:
    """A value of lists, dicts and texts without what the rules find; names stay apart."""
    texts: list[str] = []
    _collect(value, texts)
    changed = find_changed_names(texts)
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


def _clean_by_line(
    texts: dict[int, str], looks: dict[int, Found], counts: Counts | None
) -> dict[int, str]:
    """Over the lines that a second look finds, each with the one behind it, which may hold the
    value."""
    split = {at: _BREAK.split(text) for at, text in texts.items()}
    flat: list[str] = []
    owners: list[tuple[int, int]] = []
    only: dict[int, Found] = {}
    for at, lines in split.items():
        for place in range(0, len(lines), 2):
            if len(lines[place]) >= SHORTEST_LINE:
                only[len(flat)] = looks[at]
                flat.append(lines[place])
                owners.append((at, place))
    found = _look(flat, only)
    for number in sorted(found):
        at, place = owners[number]
        lines = split[at]
        pair = lines[place : place + 3]
        if (new := redact("".join(pair), counts, None, found[number])) != "".join(pair):
            lines[place : place + 3] = [*_BREAK.split(new), "", ""][: len(pair)]
    return {at: "".join(lines) for at, lines in split.items()}
