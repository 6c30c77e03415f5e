"""What every chart begins and ends with: values under a chart, layers at a size."""

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
