"""The grammar of gates: `pte<=+5%` as a value. Metrics are accuracy, amounts, and the
shares of calls that packages add. Knows nothing of data.

METRIC <= LIMIT   or   METRIC >= LIMIT

usd<=+5%          the bill: B's mean at most 5 % above A's     a sign means: against A
usd:typical<=+5%  the typical task: the geometric mean of B over A by task
usd<=+0.01        B's mean at most 0.01 above A's
accuracy>=-2pt    B's accuracy at most two points below A's
pte<=60000        B's mean at most 60,000                      no sign: B alone
accuracy>=80%     B's accuracy at least 80 % (or 0.8)
failed_calls<=+2pt   at most two points more of B's calls failed
"""

import re
from typing import Literal

from msgspec import Struct

from agentdyno.records import InputError, printable
from agentdyno.studies.comparison.call_shares import call_shares, is_share

AMOUNTS_AND_ACCURACY = (
    "accuracy",
    "pte",
    "pte_growth",
    "gpu_seconds",
    "tokens",
    "turns",
    "calls",
    "usd",
    "latency_seconds",
)
ALIASES = {"latency": "latency_seconds", "money": "usd"}

_SHAPE = re.compile(
    r"\s*([a-z_]+)(?::([a-z]+))?\s*([<>=!]+)\s*([+-]?)\s*([0-9][0-9_]*(?:\.[0-9]+)?)\s*(%|pt)?\s*"
)
_EXAMPLE = "for example usd<=+5%, usd:typical<=+5%, accuracy>=-2pt or pte<=60000"

Unit = Literal["%", "pt", ""]
Against = Literal["ratio", "difference", "mean"]
"""What is compared with the limit: B over A, B minus A, or B alone."""
Statistic = Literal["mean", "typical"]
"""Over tasks: the mean, which is what a bill is made of, or the typical task."""


class Gate(Struct, frozen=True):
    """One limit."""

    text: str
    metric: str
    worse: Literal["above", "below"]
    """On which side of the limit trouble lies."""
    against: Against
    """What is compared with the limit."""
    limit: float
    """The limit in its unit, with its sign."""
    unit: Unit
    """Per cent, points, or the metric's own unit."""
    statistic: Statistic = "mean"
    """Whether the means of all tasks are compared, or each task with itself."""


def parse_gate(text: str) -> Gate:
    """The gate that a text describes; raises with what is wrong with it."""
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise _wrong(text, "expected METRIC<=LIMIT or METRIC>=LIMIT", _EXAMPLE)
    name, kind, sign_of, sign, digits, written = match.groups()
    unit: Unit = "%" if written == "%" else "pt" if written else ""
    metric = ALIASES.get(name, name)
    if metric not in (metrics := (*AMOUNTS_AND_ACCURACY, *call_shares())):
        raise _wrong(text, f"no metric {printable(name, 40)!r}", f"known: {', '.join(metrics)}")
    if sign_of not in ("<=", ">="):
        raise _wrong(text, f"expected <= or >=, found {sign_of}", _EXAMPLE)
    limit = float(digits.replace("_", "")) * (-1 if sign == "-" else 1)
    against = _against(text, metric, bool(sign), limit, unit)
    worse: Literal["above", "below"] = "above" if sign_of == "<=" else "below"
    statistic = _statistic(text, metric, kind, against)
    return Gate(printable(text.strip(), 80), metric, worse, against, limit, unit, statistic)


def _statistic(text: str, metric: str, kind: str | None, against: Against) -> Statistic:
    if kind is None:
        return "mean"
    if kind != "typical":
        raise _wrong(text, f"no {metric}:{printable(kind, 40)}", f"write {metric}:typical<=+5%")
    if is_share(metric):
        raise _wrong(text, "a typical task is for costs and counts", "write usd:typical<=+5%")
    if against != "ratio":
        raise _wrong(text, "a typical task is a change in per cent", f"write {metric}:typical<=+5%")
    return "typical"


def _against(text: str, metric: str, signed: bool, limit: float, unit: str) -> Against:
    if is_share(metric):
        return _share_against(text, metric, signed, limit, unit)
    if unit == "pt":
        raise _wrong(text, "points (pt) are for shares", f"for {metric} write +5% or +1")
    if unit == "%" and not signed:
        raise _wrong(text, "per cent of what", f"write {metric}<=+5% for 5 % above A")
    if unit == "%" and limit <= -100:
        raise _wrong(text, "nothing costs 100 % less than A", "write a limit above -100%")
    if not signed:
        return "mean"
    return "ratio" if unit == "%" else "difference"


def _share_against(text: str, metric: str, signed: bool, limit: float, unit: str) -> Against:
    if signed and unit != "pt":
        raise _wrong(text, f"a change of {metric} is in points", f"write {metric}>=-2pt")
    if not signed and unit == "pt":
        raise _wrong(text, "points are a change", f"write {metric}>=-2pt, or {metric}>=80%")
    if not signed and limit > (100 if unit == "%" else 1):
        raise _wrong(text, f"{metric} is at most 100 %", f"write {metric}>=80% or {metric}>=0.8")
    if abs(limit) > 100:
        raise _wrong(text, f"{metric} moves by at most 100 points", f"write {metric}>=-2pt")
    return "difference" if signed else "mean"


def _wrong(text: str, what: str, how: str) -> InputError:
    return InputError(f"--gate {printable(text, 60)!r}: {what}; {how}.")
