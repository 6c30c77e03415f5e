"""Charts on a plane: accuracy against cost, cost and tokens by turn, time against cost."""

import math
from typing import TYPE_CHECKING, Any, Literal

from agentdyno.records.analyses import LatencyPoint, Standing, TurnSeries
from agentdyno.reports.charts.drawing import layered, log_ticks, over
from agentdyno.reports.charts.palette import LIGHT, SERIES
from agentdyno.reports.numbers import label

if TYPE_CHECKING:
    import altair as alt

LABEL_GAP = 17
"""Pixels between two labels."""
PLANE_HEIGHT = 300
WIDE = 500
"""From this width on a chart has room for two columns of a legend."""
FASTEST_SECONDS = 0.01
LOG_SPAN = 8
"""Costs that span more than this factor stand on a logarithmic axis."""


def plane(rows: list[Standing], width: int) -> "alt.LayerChart":
    """Accuracy over PTE with intervals; the front is joined and stands out."""
    import altair as alt

    known = [r for r in rows if r.pte.value and r.accuracy.value is not None]
    low, high = _span([r.pte.low or r.pte.value for r in known], [r.pte.value for r in known])
    values = [_standing(r) for r in known]
    _place_labels(values, low, high, width)
    log = high / low > LOG_SPAN
    kind: Literal["log", "linear"] = "log" if log else "linear"
    marks = {"values": log_ticks(low, high)} if log else {"tickCount": 5}
    xs = alt.Scale(domain=[low, high], type=kind, nice=False, clamp=True)
    ys = alt.Scale(domain=[0, 1], nice=False)
    base = over(values)
    across = alt.Axis(title="mean PTE per trajectory", format="~s", **marks)
    x = alt.X("pte:Q", scale=xs, axis=across)
    y = alt.Y("accuracy:Q", scale=ys, axis=alt.Axis(title="solved", format=".0%", tickCount=5))
    colour = alt.condition("datum.front", alt.value(LIGHT["accent"]), alt.value(LIGHT["muted"]))
    front = base.transform_filter("datum.front").mark_line(
        interpolate="step-after", color=LIGHT["accent"], strokeDash=[3, 3], strokeWidth=1.2
    )
    layers = [
        front.encode(x=x, y=y, order="pte:Q"),
        base.mark_rule(opacity=0.4, strokeWidth=1.5).encode(
            x=alt.X("pte_low:Q", scale=xs), x2="pte_high:Q", y=y, color=colour
        ),
        base.mark_rule(opacity=0.4, strokeWidth=1.5).encode(
            x=x, y=alt.Y("low:Q", scale=ys), y2="high:Q", color=colour
        ),
        base.mark_point(filled=True, size=90, opacity=1).encode(x=x, y=y, color=colour),
        *_labels(base, xs, ys),
    ]
    return layered(layers, width, PLANE_HEIGHT)


def _span(lows: list[Any], values: list[Any]) -> tuple[float, float]:
    low, high = min([*lows, *values]), max(values)
    return max(low * 0.8, 1e-9, high / 1e4), high * 1.35


def _standing(row: Standing) -> dict[str, Any]:
    return {
        "name": label(row.setting.model, row.setting.variant, limit=26),
        "pte": row.pte.value,
        "pte_low": row.pte.low,
        "pte_high": row.pte.high,
        "accuracy": row.accuracy.value,
        "low": row.accuracy.low,
        "high": row.accuracy.high,
        "front": bool(row.on_front),
    }


def _place_labels(values: list[dict[str, Any]], low: float, high: float, width: int) -> None:
    """Left or right of the point, and moved down until no other label is in the way."""
    step = LABEL_GAP / PLANE_HEIGHT
    lowest = {"left": math.inf, "right": math.inf}
    for value in sorted(values, key=lambda v: -v["accuracy"]):
        side = value["side"] = "left" if _is_far(value["pte"], low, high) else "right"
        # Where the page is narrow, labels of both sides meet in the middle.
        last = lowest[side] if width > WIDE else min(lowest.values())
        lowest[side] = min(value["accuracy"] + 0.03, last - step)
        value["label_at"] = max(lowest[side], 0.02)


def _is_far(pte: float, low: float, high: float) -> bool:
    if high / low > LOG_SPAN:
        return math.log(pte / low) > 0.55 * math.log(high / low)
    return pte - low > 0.55 * (high - low)


def _labels(base: "alt.Chart", xs: "alt.Scale", ys: "alt.Scale") -> list[Any]:
    import altair as alt

    x, y = alt.X("pte:Q", scale=xs), alt.Y("label_at:Q", scale=ys)
    right = base.transform_filter("datum.side == 'right'").mark_text(align="left", dx=9)
    left = base.transform_filter("datum.side == 'left'").mark_text(align="right", dx=-9)
    return [right.encode(x=x, y=y, text="name:N"), left.encode(x=x, y=y, text="name:N")]


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
