"""What every chart begins and ends with: values under a chart, layers at a size."""

import math
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import altair as alt


def over(values: list[dict[str, Any]]) -> "alt.Chart":
    """A chart over plain values; nothing is fetched and no field name comes from a trace."""
    import altair as alt

    return alt.Chart(alt.Data(values=values))  # type: ignore[no-untyped-call]


def layered(layers: list[Any], width: int, height: int) -> "alt.LayerChart":
    """Layers drawn over each other, later ones on top."""
    import altair as alt

    return cast("alt.LayerChart", alt.layer(*layers).properties(width=width, height=height))


def log_ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times the powers of ten in between; over three decades only the powers."""
    steps = (1.0,) if high / low > 1e3 else (1.0, 2.0, 5.0)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [step * 10.0**power for power in powers for step in steps]
    return [tick for tick in ticks if low <= tick <= high]
