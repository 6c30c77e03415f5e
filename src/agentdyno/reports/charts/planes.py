"""Charts on a plane: accuracy against cost, cost and tokens by turn, time against cost."""

from typing import TYPE_CHECKING, Any

from agentdyno.reports.charts.drawing import layered, log_ticks, over
from agentdyno.reports.charts.palette import LIGHT, SERIES
from agentdyno.reports.charts.points import LOG_SPAN, WIDE, Scale, points
from agentdyno.reports.numbers import label
from agentdyno.reports.topic import PlanePoint
from agentdyno.studies.cost.results import LatencyPoint, Standing, TurnSeries

if TYPE_CHECKING:
    import altair as alt

FASTEST_SECONDS = 0.01


def plane(rows: list[Standing], width: int) -> "alt.LayerChart":
    """Accuracy over PTE with intervals; the front is joined and stands out."""
    known = [r for r in rows if r.pte.value and r.accuracy.value is not None]
    low, high = _span([r.pte.low or r.pte.value for r in known], [r.pte.value for r in known])
    across = Scale("mean PTE per trajectory", low, high, high / low > LOG_SPAN)
    up = Scale("solved", 0.0, 1.0, ticks=".0%")
    return points([_standing(r) for r in known], across, up, width, joined="step")


def _span(lows: list[Any], values: list[Any]) -> tuple[float, float]:
    low, high = min([*lows, *values]), max(values)
    return max(low * 0.8, 1e-9, high / 1e4), high * 1.35


def _standing(row: Standing) -> PlanePoint:
    name = label(row.setting.model, row.setting.variant, limit=26)
    return PlanePoint(name, row.pte, row.accuracy, strong=bool(row.on_front))


def turns(series: list[TurnSeries], field: str, title: str, width: int) -> "alt.LayerChart":
    """Mean by turn with its interval, one line per setting."""
    import altair as alt

    names = [_series_name(s) for s in series]
    values = [
        {
            "turn": p.turn + 1,
            "value": getattr(p, field).value,
            "low": getattr(p, field).low,
            "high": getattr(p, field).high,
            "name": name,
        }
        for name, s in zip(names, series, strict=True)
        for p in s.points
    ]
    scale = alt.Scale(domain=names, range=[LIGHT[c] for c in SERIES[: len(names)]])
    legend = (
        alt.Legend(columns=1, symbolType="stroke", symbolStrokeWidth=3)
        if (len(names) > 1)
        else None
    )
    colour = alt.Color("name:N", scale=scale, legend=legend, sort=None)
    base = over(values)
    last = max((v["turn"] for v in values), default=1)
    most = max((v["value"] or 0.0 for v in values), default=1.0)
    least = min((v["value"] for v in values if v["value"]), default=1.0)
    ys = alt.Scale(domain=[0, most * 1.25], nice=False, clamp=True)
    marks: dict[str, Any] = {"tickCount": 5}
    if most / least > LOG_SPAN:
        ys = alt.Scale(domain=[least * 0.8, most * 1.4], type="log", nice=False, clamp=True)
        marks = {"values": log_ticks(least * 0.8, most * 1.4)}
    x = alt.X(
        "turn:Q",
        scale=alt.Scale(domain=[1, max(last, 2)], nice=False),
        axis=alt.Axis(title="turn", tickMinStep=1, tickCount=min(last, 8), format="d", grid=False),
    )
    y = alt.Y("value:Q", scale=ys, axis=alt.Axis(title=title, format="~s", **marks))
    area = base.mark_area(opacity=0.12).encode(
        x=x, y=alt.Y("low:Q", scale=ys), y2="high:Q", color=colour
    )
    line = base.mark_line(strokeWidth=2, point={"size": 22}).encode(x=x, y=y, color=colour)
    layers = [area, line] if len(names) <= 2 else [line]
    return layered(layers, width, 220)


def _series_name(series: TurnSeries) -> str:
    s = series.setting
    return "all trajectories" if s is None else label(s.model, s.benchmark, s.variant, limit=22)


def drawable(points: list[LatencyPoint]) -> list[LatencyPoint]:
    """Without costs of nothing and without answers that no model gave: mocks take microseconds."""
    return [p for p in points if p.pte > 0 and p.latency_seconds >= FASTEST_SECONDS]


def scatter(points: list[LatencyPoint], width: int) -> "alt.LayerChart":
    """Seconds over PTE, a point per turn, on logarithmic axes."""
    import altair as alt

    kept = drawable(points)
    counts: dict[str, int] = {}
    for p in kept:
        counts[label(p.model, limit=26)] = counts.get(label(p.model, limit=26), 0) + 1
    names = sorted(counts, key=lambda n: (-counts[n], n))[: len(SERIES) - 1]
    shown = [*names, "others"] if len(counts) > len(names) else names
    colours = [LIGHT[c] for c in SERIES[: len(names)]] + [LIGHT["muted"]] * (
        len(shown) > len(names)
    )
    values = [
        {"pte": p.pte, "seconds": p.latency_seconds,
         "model": m if (m := label(p.model, limit=26)) in names else "others"}
        for p in kept
    ]  # fmt: skip
    legend = alt.Legend(columns=2 if width > WIDE else 1, symbolType="circle")
    scale = alt.Scale(domain=shown, range=colours)
    chart = (
        over(values)
        .mark_point(filled=True, size=32, opacity=0.6)
        .encode(
            x=alt.X("pte:Q", **_log("PTE of the turn", [p.pte for p in kept], "~s")),
            y=alt.Y("seconds:Q", **_log("seconds", [p.latency_seconds for p in kept], "~g")),
            color=alt.Color("model:N", scale=scale, legend=legend, sort=None),
        )
    )
    return layered([chart], width, 280)


def _log(title: str, values: list[float], ticks: str) -> dict[str, Any]:
    """A logarithmic axis over the values."""
    import altair as alt

    low, high = min(values) * 0.85, max(values) * 1.2
    scale = alt.Scale(domain=[low, high], type="log", nice=False)
    return {
        "scale": scale,
        "axis": alt.Axis(title=title, format=ticks, values=log_ticks(low, high)),
    }
