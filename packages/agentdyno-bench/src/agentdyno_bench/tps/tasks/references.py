"""Arguments that come from earlier results, as plain JSON.

    {"$from": "s1", "path": "rate"}                               a field
    {"$from": "s1", "list": "flights", "take": "min", "by": "price_eur", "field": "flight_id",
     "where": [["seats_left", ">", 0]]}                           a field of the best row
    {"$from": "s1", "path": "text", "pattern": "over (\\d+)"}     a figure within a text
    {"$best": [{"value": REF, "give": X}, …], "take": "max"}      X where the value is largest
    {"$text": "Total: {0}", "of": [REF, …]}                       a text around values
    {"$list": [REF, …]}                                           a list of values
    {"$minus": [REF, REF]} · {"$day": REF} · {"$days_after": REF, "days": 3}

Takes such a value and the results so far, returns the value itself. A choice between rows that are
equally good is an error: no agent could know which one is meant.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

_ROW = re.compile(r"(?P<list>[\w.]+)\[(?P<choice>[^\]]+)\](?:\.(?P<field>[\w.]+))?")
_TEST = re.compile(r"(\w+)\s*([=<>]|\bhas\b)\s*(.+)")

Results = dict[str, Any]
"""Results by subtask."""


class UnclearError(Exception):
    """A reference that leads nowhere, or to more than one value."""


def resolve(value: Any, results: Results) -> Any:
    """The value with every reference replaced."""
    if isinstance(value, list):
        return [resolve(item, results) for item in value]
    if not isinstance(value, dict):
        return value
    for mark, solve in _FORMS.items():
        if mark in value:
            return solve(value, results)
    return {key: resolve(item, results) for key, item in value.items()}


def fill(value: Any, stand_in: Any) -> Any:
    """The value with something else in place of every reference: what a guesser would send."""
    if isinstance(value, list):
        return [fill(item, stand_in) for item in value]
    if not isinstance(value, dict):
        return value
    if "$text" in value:
        return value["$text"].format(*(stand_in for _ in value["of"]))
    if "$list" in value:
        return fill(value["$list"], stand_in)
    if is_reference(value):
        return stand_in
    return {key: fill(item, stand_in) for key, item in value.items()}


def is_reference(value: Any) -> bool:
    """True for a value in one of the forms above."""
    return isinstance(value, dict) and any(mark in value for mark in _FORMS)


def plain_references(value: Any) -> Iterator[dict[str, Any]]:
    """Every `$from` within a value."""
    if isinstance(value, dict):
        if "$from" in value:
            yield value
        else:
            for item in value.values():
                yield from plain_references(item)
    elif isinstance(value, list):
        for item in value:
            yield from plain_references(item)


def read_reference(path: str) -> dict[str, Any]:
    """A path as scenes and prompt templates write it, as a reference without its step.

    rate · hotel.total                  a field            totals.spent_eur
    flights[first].airline              of the first row   last, or only
    flights[min price_eur].airline      of the best row    max, and [min price_eur; seats_left>0]
    bills[for=water].amount_eur         of the row where   [only; headline has bridge]
    text~([0-9.]+) euros                a figure within a text
    """
    path, _, pattern = path.partition("~")
    if pattern:
        return {"path": path, "pattern": pattern}
    match = _ROW.fullmatch(path)
    if match is None:
        return {"path": path}
    ref: dict[str, Any] = {"list": match["list"], **_choice(match["choice"])}
    return ref | ({"field": match["field"]} if match["field"] else {})


def _choice(text: str) -> dict[str, Any]:
    choice, _, condition = text.partition("; ")
    where = {"where": [_test(condition)]} if condition else {}
    if "=" in choice:
        return {"take": "only", "where": [_test(choice), *where.get("where", ())]}
    take, _, by = choice.partition(" ")
    return {"take": take} | ({"by": by} if by else {}) | where


def _test(text: str) -> list[Any]:
    match = _TEST.fullmatch(text)
    if match is None:
        raise ValueError(f"expected a condition like 'seats_left>0', found {text!r}")
    return [match[1], match[2], int(match[3]) if match[3].isdecimal() else match[3]]


def find_needed(value: Any) -> list[str]:
    """The subtasks that a value comes from, in order of appearance."""
    return list(dict.fromkeys(ref["$from"] for ref in plain_references(value)))


def _from(ref: dict[str, Any], results: Results) -> Any:
    if ref["$from"] not in results:
        raise UnclearError(f"no result of {ref['$from']}")
    value = results[ref["$from"]]
    if "list" in ref:
        value = _row(ref, walk(value, ref["list"]))
        return walk(value, ref["field"]) if "field" in ref else value
    value = walk(value, ref["path"])
    return _figure(ref["pattern"], value) if "pattern" in ref else value


def walk(value: Any, path: str) -> Any:
    """The value at a path of a result."""
    for part in path.split(".") if path else ():
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (KeyError, IndexError, ValueError, TypeError):
            raise UnclearError(f"no {path}") from None
    return value


def find_rows(ref: dict[str, Any], rows: Any) -> list[Any]:
    """The rows that a reference's conditions leave."""
    return [row for row in rows if all(_holds(row, *test) for test in ref.get("where", ()))]


def _row(ref: dict[str, Any], rows: Any) -> Any:
    rows_left = find_rows(ref, rows)
    if not rows_left:
        raise UnclearError("no row fits")
    take = ref["take"]
    if take in ("first", "last"):
        return rows_left[0 if take == "first" else -1]
    if take == "only":
        if len(rows_left) > 1:
            raise UnclearError("more than one row fits")
        return rows_left[0]
    best = (min if take == "min" else max)(walk(row, ref["by"]) for row in rows_left)
    best_rows = [row for row in rows_left if walk(row, ref["by"]) == best]
    if len(best_rows) > 1:
        raise UnclearError(f"two rows have the same {ref['by']}")
    return best_rows[0]


_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    ">": lambda a, b: bool(a > b),
    "<": lambda a, b: bool(a < b),
    "=": lambda a, b: bool(a == b),
    "has": lambda a, b: str(b).casefold() in str(a).casefold(),
}


def _holds(row: Any, field: str, test: str, value: Any) -> bool:
    return _TESTS[test](walk(row, field), value)


def is_true(left: Any, test: str, right: Any) -> bool:
    """Compare two values as a test says; numbers may be written as texts."""
    if isinstance(left, int | float) and isinstance(right, str):
        right = float(right)
    return _TESTS[test](left, right)


def _figure(pattern: str, text: Any) -> Any:
    match = re.search(pattern, str(text))
    if match is None:
        raise UnclearError(f"no {pattern}")
    figure = match[1]
    return float(figure) if re.fullmatch(r"\d+(\.\d+)?", figure) else figure


def _best(ref: dict[str, Any], results: Results) -> Any:
    values = [resolve(choice["value"], results) for choice in ref["$best"]]
    best = (min if ref["take"] == "min" else max)(values)
    if values.count(best) > 1:
        raise UnclearError("two choices are equally good")
    return resolve(ref["$best"][values.index(best)]["give"], results)


def _text(ref: dict[str, Any], results: Results) -> str:
    return str(ref["$text"]).format(*(_write_out(resolve(part, results)) for part in ref["of"]))


def _write_out(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) and value == int(value) else str(value)


def _minus(ref: dict[str, Any], results: Results) -> float:
    first, second = (resolve(part, results) for part in ref["$minus"])
    return round(float(first) - float(second), 2)


def _days_after(ref: dict[str, Any], results: Results) -> str:
    first = date.fromisoformat(str(resolve(ref["$days_after"], results))[:10])
    return (first + timedelta(days=ref["days"])).isoformat()


_FORMS: dict[str, Callable[[dict[str, Any], Results], Any]] = {
    "$from": _from,
    "$best": _best,
    "$text": _text,
    "$list": lambda ref, results: [resolve(part, results) for part in ref["$list"]],
    "$minus": _minus,
    "$day": lambda ref, results: str(resolve(ref["$day"], results))[:10],
    "$days_after": _days_after,
}
