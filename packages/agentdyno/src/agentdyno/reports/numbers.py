"""Numbers and foreign text as a person reads them. Unknown money is `no price`, any other unknown
figure a dash; neither is ever 0."""

from collections import Counter
from collections.abc import Sequence

from agentdyno.estimates.estimate import Estimate
from agentdyno.records import printable
from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.settings import SettingName
from agentdyno.reports.topic import CellKind

UNKNOWN = "–"
NO_PRICE = "no price"
UNITS: dict[CostUnit, str] = {"usd": "cost", "pte": "PTE", "gpu_seconds": "GPU-seconds"}
"""What a cost is counted in, as heads, axes and sentences say it."""
AXES: dict[CostUnit, CellKind] = {"usd": "money", "pte": "amount", "gpu_seconds": "seconds"}
"""How an axis of costs is written: half a second as 0.5, not as 500m."""
CELLS: dict[CostUnit, CellKind] = {"usd": "money", "pte": "amount", "gpu_seconds": "amount"}
"""How a column of costs is written."""
LESS: dict[CostUnit, str] = {
    "usd": "less money",
    "pte": "less PTE",
    "gpu_seconds": "fewer GPU-seconds",
}
ROUGH = 0.05
"""A share whose interval is wider than this is written without decimals."""


def figure(value: float | None, kind: CellKind) -> str:
    """A number as its column writes it."""
    if value is None:
        return NO_PRICE if kind == "money" else UNKNOWN
    if kind == "p" and value < 0.001:
        return "< 0.001"
    if kind in _WRITTEN:
        return _WRITTEN[kind].format(value)
    return {"share": percent, "money": dollars}.get(kind, short)(value)


_WRITTEN = {
    "count": "{:,.0f}",
    "mean": "{:,.1f}",
    "ratio": "{:.2f}",
    "correlation": "{:.3f}",
    "gamma": "{:.5f}",
    "seconds": "{:,.2f} s",
    "p": "{:.3f}",
}


def estimate(estimate: Estimate, kind: CellKind) -> str:
    """A number with its interval, or the reason why there is none: `58 % [32, 81]`."""
    if estimate.value is None:
        return estimate.reason or UNKNOWN
    displayed = figure(estimate.value, kind)
    if estimate.low is None or estimate.high is None:
        return displayed
    if kind == "share" and estimate.high - estimate.low > ROUGH:
        return f"{percent(estimate.value, 0)} [{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]"
    unit = next((u for u in (" %", " s") if displayed.endswith(u)), "")
    ends = [figure(end, kind).removesuffix(unit) for end in (estimate.low, estimate.high)]
    return f"{displayed} [{ends[0]}, {ends[1]}]"


def in_words(estimate: Estimate, kind: CellKind) -> str:
    """The same inside a sentence: `1.23 (95 %: 1.01 to 1.45)`."""
    displayed = figure(estimate.value, kind)
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return displayed
    ends = f"{figure(estimate.low, kind)} to {figure(estimate.high, kind)}"
    return f"{displayed} ({100 * estimate.confidence:.0f} %: {ends})"


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
        return NO_PRICE
    if value == 0:
        return "$0"
    digits = 2 if value >= 1 else 3 if value >= 0.01 else 5
    return f"${value:,.{digits}f}"


def label(*parts: str | None, limit: int = 40) -> str:
    """Foreign names joined, cleaned and shortened."""
    printed = [printable(part, limit) for part in parts if part]
    return " · ".join(printed) or UNKNOWN


def name_setting(setting: SettingName | None, limit: int = 40) -> str:
    """Model, benchmark and variant; the provider's part of a model's name is left out."""
    if setting is None:
        return "all settings"
    return label(setting.model, setting.benchmark, setting.variant, limit=limit)


def name_kind(kind: str) -> str:
    """A kind of part as people know it."""
    return "hidden prompt" if kind == "unseen" else kind


SHORT = 24
"""Characters of a name in a legend."""


def short_names(settings: Sequence[SettingName]) -> list[str]:
    """Names that fit a legend and differ: what all settings share is left out of them."""
    fields = ("model", "benchmark", "variant")
    varied = [f for f in fields if len({getattr(setting, f) for setting in settings}) > 1] or fields
    columns = [_drop_path([getattr(s, field) for s in settings]) for field in varied]
    cut = [_cut(fields) for fields in zip(*columns, strict=True)]
    counts = Counter(cut)
    return [
        name if counts[name] == 1 else f"{number} {name[: SHORT - 4]}"
        for number, name in enumerate(cut, 1)
    ]


def _drop_path(names: list[str | None]) -> list[str | None]:
    """`provider/family/one` is one, where no other name ends so."""
    last = [name and name.rpartition("/")[2] for name in names]
    return last if len(set(last)) == len(set(names)) else names


def _cut(fields: Sequence[str | None]) -> str:
    """Every field keeps its beginning: names of one family often differ in their last field."""
    limit = SHORT
    while len(label(*fields, limit=limit)) > SHORT and limit > 2:
        limit -= 1
    return label(*fields, limit=limit)


def cost(value: float | None, unit: CostUnit) -> str:
    """An amount with its unit: $1.20, 12.3k PTE, 0.8 GPU-seconds."""
    return dollars(value) if unit == "usd" else f"{amount(value, unit)} {UNITS[unit]}"


def cost_column(unit: CostUnit) -> str:
    """The head of a column of costs, as `columns` takes it."""
    return f"{UNITS[unit]}:{CELLS[unit]}"


def amount(value: float | None, unit: CostUnit) -> str:
    """The same without its unit, but for money."""
    return {"usd": dollars, "pte": short, "gpu_seconds": seconds}[unit](value)


def span(value: float | None) -> str:
    """A length of time as people say it: 40 s, 8.5 min, 2.3 h, 3.1 d."""
    if value is None:
        return UNKNOWN
    for limit, size, unit in ((172_800, 86_400, "d"), (7200, 3600, "h"), (120, 60, "min")):
        if value >= limit:
            return f"{value / size:,.1f} {unit}"
    return f"{value:,.0f} s"


def seconds(value: float | None) -> str:
    """Seconds to three digits, without their unit."""
    if value is None:
        return UNKNOWN
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
