"""Numbers and foreign text as a person reads them. Unknown is shown as a dash, never as 0."""

from agentdyno.records import printable
from agentdyno.reports.topic import CellKind

UNKNOWN = "–"


def figure(value: float | None, kind: CellKind) -> str:
    """A number as its column writes it."""
    if value is None:
        return UNKNOWN
    if kind == "p" and value < 0.001:
        return "< 0.001"
    if kind in _WRITTEN:
        return _WRITTEN[kind].format(value)
    return {"share": percent, "money": dollars}.get(kind, short)(value)


_WRITTEN = {"count": "{:,.0f}", "ratio": "{:.2f}", "seconds": "{:,.2f} s", "p": "{:.3f}"}


def short(value: float | None) -> str:
    """1,234 · 12.3k · 4.56M."""
    if value is None:
        return UNKNOWN
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= limit:
            return f"{value / (1e3 if unit == 'k' else limit):.3g}{unit}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def percent(value: float | None, digits: int = 1) -> str:
    """A share as 12.3 %."""
    return UNKNOWN if value is None else f"{100 * value:.{digits}f} %"


def dollars(value: float | None) -> str:
    """Money with as many digits as it needs."""
    if value is None:
        return UNKNOWN
    digits = 2 if value >= 1 else 3 if value >= 0.01 else 5
    return f"${value:,.{digits}f}"


def label(*parts: str | None, limit: int = 40) -> str:
    """Foreign names joined, cleaned and shortened."""
    known = [printable(part, limit) for part in parts if part]
    return " · ".join(known) or UNKNOWN
