"""What every chart begins and ends with: values under a chart, layers at a size."""

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import altair as alt


def over(values: list[dict[str, Any]]) -> "alt.Chart":
    """A chart over plain values; nothing is fetched and no field name comes from a trace."""
    import altair as alt

    return _charts()(alt.Data(values=values))  # type: ignore[no-untyped-call]


@lru_cache(maxsize=1)
def _charts() -> "type[alt.Chart]":
    """Charts whose channels are made as the classes they are.

    For every channel that is given as a text or a plain value altair looks through all its classes
    for the one that it is, which took longer than drawing.
    """
    import altair as alt

    class Chart(alt.Chart):
        def encode(self, *args: Any, **channels: Any) -> Any:
            named = {name: _channel(name, given) for name, given in channels.items()}
            return super().encode(*args, **named)

    return Chart


def _channel(name: str, given: Any) -> Any:
    import altair as alt

    kind = name[0].upper() + name[1:]
    if isinstance(given, str):
        return getattr(alt, kind)(given)
    if isinstance(given, dict):
        rest = {key: each for key, each in given.items() if key != "value"}
        return getattr(alt, f"{kind}Value")(given["value"], **rest)
    return given


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
