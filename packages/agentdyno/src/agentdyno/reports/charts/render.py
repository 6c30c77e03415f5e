"""Charts as SVG text or PNG bytes, without a browser and without a network."""

from typing import TYPE_CHECKING, Any

from agentdyno.reports.charts.palette import LIGHT

if TYPE_CHECKING:
    import altair as alt

SIZE = 12
"""Font size; labels keep it at every width because each width has its own chart."""


def as_svg(chart: "alt.LayerChart | alt.Chart") -> str:
    """SVG as the renderer writes it."""
    import vl_convert

    return str(vl_convert.vegalite_to_svg(_spec(chart), allowed_base_urls=[]))


def as_png(chart: "alt.LayerChart | alt.Chart", scale: float = 2.0) -> bytes:
    """A picture in the light colours."""
    import vl_convert

    spec = _spec(chart)
    spec["background"] = LIGHT["paper"]
    spec["padding"] = 16
    return bytes(vl_convert.vegalite_to_png(spec, scale=scale, allowed_base_urls=[]))


def _spec(chart: "alt.LayerChart | alt.Chart") -> dict[str, Any]:
    # Checking against the schema would take longer than drawing; the renderer finds errors too.
    spec: dict[str, Any] = chart.to_dict(validate=False)
    spec["config"] = _CONFIG
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    return spec


_CONFIG: dict[str, Any] = {
    "aria": False,
    "background": None,
    "padding": {"left": 2, "right": 4, "top": 4, "bottom": 2},
    "font": "Helvetica, Arial, sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelFontSize": SIZE,
        "titleFontSize": SIZE,
        "titleFontWeight": "normal",
        "labelColor": LIGHT["soft"],
        "titleColor": LIGHT["soft"],
        "gridColor": LIGHT["line"],
        "domainColor": LIGHT["line"],
        "tickColor": LIGHT["line"],
        "labelPadding": 6,
        "titlePadding": 10,
        "tickSize": 0,
        "domain": False,
    },
    "legend": {
        "labelFontSize": SIZE,
        "titleFontSize": SIZE,
        "labelColor": LIGHT["ink"],
        "titleColor": LIGHT["soft"],
        "titleFontWeight": "normal",
        "symbolStrokeWidth": 0,
        "orient": "top",
        "title": None,
        "labelLimit": 260,
        "offset": 6,
    },
    "text": {"fontSize": SIZE, "color": LIGHT["ink"]},
    "title": {"fontSize": SIZE, "fontWeight": "normal", "color": LIGHT["soft"], "anchor": "start"},
}
