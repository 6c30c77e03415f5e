"""HTML from values. Every foreign text passes `foreign`, every other text `plain`.

`Html` is text that is already safe; helpers take and return it, so that unescaped text cannot be
put into a page by accident: mypy tells a `str` from an `Html`.
"""

import re
from collections.abc import Callable
from html import escape
from typing import NewType

from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.records import printable
from agentdyno.reports.numbers import UNKNOWN

Html = NewType("Html", str)
"""Text that is safe to put into a page."""

TALL = 16
"""Tables with more rows scroll inside a frame of their own."""

FITS_A_PHONE = 3
"""Columns; a table with more becomes a list of rows on a narrow page, each cell with its head."""
FITS_A_COLUMN = 7
"""Columns; a table with more is set smaller, so that none is cut off."""
SENTENCE = 800
"""Characters of a sentence."""
SHORT_TEXT = 12
"""Characters of a text that stays on one line."""

_CODE = re.compile(r"`([^`]+)`")
_PER_CENT = re.compile(r"(\d) %")

Show = Callable[[float], str]
"""How a figure is written."""


def plain(text: str) -> Html:
    """Our own words; a figure is not parted from its per cent sign."""
    return Html(_PER_CENT.sub("\\1\u00a0%", escape(text, quote=True)))


def foreign(text: str | None, limit: int = 80) -> Html:
    """Words of a trace: cleaned, shortened, kept from turning the line around them."""
    if not text:
        return plain(UNKNOWN)
    clean = printable(" ".join(text.split()), limit)
    return Html(f"<bdi>{plain(clean)}</bdi>")


def sentence(text: str) -> Html:
    """A sentence, which may hold words of a trace; what stands in backticks is set as code."""
    return Html(_CODE.sub(r"<code>\1</code>", foreign(text, SENTENCE)))


def tag(name: str, *inside: Html, **attributes: str) -> Html:
    """An element; `class_` is class, and `_` in a name is `-`."""
    named = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value, quote=True)}"'
        for key, value in attributes.items()
    )
    return Html(f"<{name}{named}>{''.join(inside)}</{name}>")


def join(*parts: Html) -> Html:
    """One after the other."""
    return Html("".join(parts))


class Cell(Struct, frozen=True):
    """One cell of a table."""

    html: Html
    sort: float | str | None = None
    """What it is sorted by; unknown goes last."""


class Column(Struct, frozen=True):
    """One column of a table."""

    title: str
    number: bool = True
    """Whether it holds figures."""


def columns(*titles: str) -> list[Column]:
    """Columns by their heads; one that ends in a colon holds words, any other figures."""
    return [Column(t.removesuffix(":"), number=not t.endswith(":")) for t in titles]


def table(caption: str, heads: list[Column], rows: list[list[Cell]], *, sortable: bool = False,
          whole: bool = False) -> Html:  # fmt: skip
    """A table that scrolls inside its frame, unless all of it is to be in sight; the first cell of
    a row is its head."""
    head = tag("tr", *(_head(c, sortable=sortable) for c in heads))
    body = [
        tag("tr", *(_cell(cell, column, first=i == 0, labelled=len(heads) > FITS_A_PHONE)
                    for i, (cell, column) in enumerate(zip(row, heads, strict=True))))
        for row in rows
    ]  # fmt: skip
    inner = join(tag("caption", plain(caption)), tag("thead", head), tag("tbody", *body))
    widths = {"many": FITS_A_PHONE, "dense": FITS_A_COLUMN}
    kinds = [*(["sortable"] if sortable else []), *(k for k, n in widths.items() if len(heads) > n)]
    frame = tag("table", inner, **({"class_": " ".join(kinds)} if kinds else {}))
    kind = "scroll tall" if len(rows) > TALL and not whole else "scroll"
    return tag("div", frame, class_=kind, tabindex="0", role="region", aria_label=caption)


def _head(column: Column, *, sortable: bool) -> Html:
    kind = {"class_": "n"} if column.number else {}
    if not sortable:
        return tag("th", plain(column.title), scope="col", **kind)
    button = tag("button", plain(column.title), type="button")
    return tag("th", button, scope="col", aria_sort="none", **kind)


def _cell(cell: Cell, column: Column, *, first: bool, labelled: bool) -> Html:
    attributes = {"class_": "n"} if column.number else {"class_": "s"} if _is_short(cell) else {}
    if cell.sort is not None:
        attributes["data_v"] = (
            f"{cell.sort:.6g}" if isinstance(cell.sort, float) else str(cell.sort)
        )
    if first:
        return tag("th", cell.html, scope="row", **attributes)
    if labelled:
        attributes["data_l"] = column.title
    return tag("td", cell.html, **attributes)


def _is_short(cell: Cell) -> bool:
    """Whether it is a date, a length of time or a word, which is not broken over two lines."""
    return isinstance(cell.sort, str) and len(cell.sort) <= SHORT_TEXT


def details(title: str, inside: Html) -> Html:
    """Something to be opened."""
    return tag("details", tag("summary", plain(title)), inside)


def interval(estimate: Estimate, show: Show) -> Cell:
    """A figure, its interval in small, or the reason why there is none."""
    if estimate.value is None:
        return Cell(tag("span", plain(estimate.reason or UNKNOWN), class_="why"))
    displayed = plain(show(estimate.value))
    if estimate.low is None or estimate.high is None:
        return Cell(displayed, estimate.value)
    ends = plain(f"{show(estimate.low)} to {show(estimate.high)}")
    return Cell(join(displayed, Html(" "), tag("span", ends, class_="ci")), estimate.value)


def ratio(value: float) -> str:
    """A multiple."""
    return f"{value:.2f}"


def correlation(value: float) -> str:
    """Between -1 and 1."""
    return f"{value:.3f}"
