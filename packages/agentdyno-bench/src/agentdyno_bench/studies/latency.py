"""Which measure of cost tracks generation time: PTE, GPU-seconds, output tokens, or a price?

Baselines after the PTE paper's Appendix G: `context + k * decode` with the whole context as input
at every turn, k = 1 (tokens), 1.5, 3, 4 and 8 (price ratios); output tokens alone, the strongest
for wall time under load; the number of turns; and `a * in + b * out`, fitted to the other half of
the trajectories. GPU-seconds are by theory or by the ledger's hardware profile. Pearson and
Spearman with latency, at turn and at trajectory level, for each model and for all together. All
together mixes providers whose machines differ: read the models first; PTE of several architectures
have different units and are not correlated together. Turns of one trajectory
depend on each other, so at turn level there is no p and the interval only describes. Latencies that
a busy process took (`latency_valid` false) are its own as well as the model's: they are left out
and counted.

Worked: latencies 1, 2, 3 and costs 10, 20, 30 -> r = 1.
"""

import numpy as np
import polars as pl
from msgspec import Struct, structs

from agentdyno.estimates.correlation import pearson, spearman
from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.quantiles import Vector
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.cost.frames import Frames

RATIOS = {
    "tokens 1:1": 1.0,
    "price 1:1.5": 1.5,
    "price 1:3": 3.0,
    "price 1:4": 4.0,
    "price 1:8": 8.0,
}
FITTED, OUTPUT, TURNS = "a*in + b*out", "output tokens", "turns"
MEASURES = ("pte", "pte_growth", "gpu_seconds", OUTPUT, *RATIOS, FITTED)
FEWEST = 8
"""A model with fewer observations gets no row of its own."""
MOST_MODELS = 8
MOST_POINTS = 400


class LatencyCorrelation(Struct, frozen=True):
    """How well one measure of cost tracks time."""

    unit: str
    """`turn` or `trajectory`."""
    model: str | None
    """The model; None for all together."""
    measure: str
    """pte, pte_growth, tokens 1:1 or a price ratio."""
    pearson: Estimate
    """Linear correlation with generation time."""
    spearman: Estimate


class LatencyPoint(Struct, frozen=True):
    """One turn with a known latency."""

    model: str | None
    cost: float
    tokens: int
    """Context and generated tokens."""
    latency_seconds: float
    """Generation only."""


class Latency(Struct, frozen=True):
    """Whether cost tracks time."""

    turns: int
    """Turns with a known latency."""
    trajectories: int
    """Trajectories all of whose turns have one."""
    rows: list[LatencyCorrelation]
    """By unit, model and measure."""
    points: list[LatencyPoint]
    """A sample of turns, for the picture."""
    reason: str | None
    """Why there are no rows."""
    left_out: int = 0
    """Turns whose latency was taken by a process too busy to be believed."""
    cost_unit: CostUnit = "pte"
    """What the costs of `points` are counted in; GPU-seconds over several architectures."""


def latency(frames: Frames) -> Latency:
    """Correlations wherever latencies exist."""
    priced = frames.turns.with_columns(
        (pl.col("context_tokens") + ratio * pl.col("decode_tokens")).alias(name)
        for name, ratio in RATIOS.items()
    ).with_columns(pl.col("decode_tokens").cast(pl.Float64).alias(OUTPUT))
    priced = _with_fit(priced)
    timed = priced.filter(pl.col("latency_seconds").is_not_null())
    turns = timed.filter(~_UNTRUE)
    untrue, unit = len(timed) - len(turns), frames.costs.unit
    if turns.is_empty():
        return Latency(0, 0, [], [], _none_left(untrue), untrue, unit)
    trajectories = _sum(frames, priced)
    rows = _unit("turn", turns, unit) + _unit("trajectory", trajectories, unit)
    return Latency(len(turns), len(trajectories), rows, _points(turns), None, untrue, unit)


_UNTRUE = pl.col("latency_valid").eq_missing(False)


def _none_left(untrue: int) -> str:
    if not untrue:
        return "no turn has a latency"
    return (
        f"{untrue:,} turns have a latency, all taken while the runner was too busy to be "
        "believed; run fewer samples at once"
    )


def _sum(frames: Frames, turns: pl.DataFrame) -> pl.DataFrame:
    """Trajectories all of whose latencies are known and believed, with their summed measures."""
    busy = turns.filter(_UNTRUE)["trajectory_id"].implode()
    known = frames.trajectories.filter(
        pl.col("latency_seconds").is_not_null(), ~pl.col("trajectory_id").is_in(busy)
    )
    sums = turns.group_by("trajectory_id", maintain_order=True).agg(
        pl.col(*RATIOS, OUTPUT, FITTED).sum()
    )
    return known.join(sums, on="trajectory_id").sort("trajectory_id")


def _unit(unit: str, rows: pl.DataFrame, cost_unit: CostUnit) -> list[LatencyCorrelation]:
    counted = rows.group_by("model", maintain_order=True).len().filter(pl.col("len") >= FEWEST)
    models = counted.sort("len", "model", descending=[True, False])["model"].to_list()
    groups = [(None, rows)] if len(rows) else []
    groups += [(m, rows.filter(pl.col("model").eq_missing(m))) for m in models[:MOST_MODELS]]
    if len(models) == 1 and len(groups[1][1]) == len(rows):
        groups = groups[1:]
    measures = (*MEASURES, TURNS) if unit == "trajectory" else MEASURES
    apart = () if cost_unit == "pte" else ("pte", "pte_growth")
    return [
        _row(unit, model, part, measure)
        for model, part in groups
        for measure in measures
        if model is not None or measure not in apart
    ]


def _row(unit: str, model: str | None, rows: pl.DataFrame, measure: str) -> LatencyCorrelation:
    cost = rows[measure].cast(pl.Float64).to_list()
    seconds = rows["latency_seconds"].to_list()
    linear, ranks = pearson(cost, seconds), spearman(cost, seconds)
    if unit == "turn":
        linear, ranks = _describe(linear), _describe(ranks)
    return LatencyCorrelation(unit, model, measure, linear, ranks)


def _with_fit(turns: pl.DataFrame) -> pl.DataFrame:
    """`a * in + b * out`: each half of the trajectories predicted from the other, so that the best
    price of this ledger competes without having seen what it predicts."""
    halves = turns["trajectory_id"].rank("dense").cast(pl.Int64).to_numpy() % 2
    tokens = turns.select("context_tokens", "decode_tokens").cast(pl.Float64).to_numpy()
    seconds = turns["latency_seconds"].cast(pl.Float64).fill_null(np.nan).to_numpy()
    known = ~np.isnan(seconds) & ~np.isnan(tokens).any(axis=1)
    found = np.full(len(turns), np.nan)
    for half in (0, 1):
        other = known & (halves != half)
        if other.sum() >= FEWEST:
            prices = fit_prices(tokens[other], seconds[other])
            found[halves == half] = tokens[halves == half] @ prices
    return turns.with_columns(pl.Series(FITTED, found, nan_to_null=True))


def fit_prices(tokens: Vector, seconds: Vector) -> Vector:
    """The two prices, neither below zero, that come closest to the seconds. Where free prices have
    one below zero, the best lies on an edge: one price is zero and the other fitted alone."""
    both = np.linalg.lstsq(tokens, seconds, rcond=None)[0].astype(np.float64)
    if (both >= 0).all():
        return both
    edges = np.zeros((2, 2))
    for column in (0, 1):
        alone = tokens[:, column]
        edges[column, column] = max(0.0, float(alone @ seconds) / (float(alone @ alone) or 1.0))
    errors = [np.square(tokens @ edge - seconds).sum() for edge in edges]
    best: Vector = edges[int(np.argmin(errors))]
    return best


def _describe(found: Estimate) -> Estimate:
    return structs.replace(
        found, p=None, method=f"{found.method}; turns depend on each other, so no p"
    )


def _points(turns: pl.DataFrame) -> list[LatencyPoint]:
    """Evenly spaced over the cost, so that the dearest are among them."""
    known = turns.filter(pl.col("cost").is_not_null()).sort("cost", "trajectory_id", "turn")
    step = max(1, -(-len(known) // MOST_POINTS))
    picked = known[::-1].gather_every(step)
    columns = ("model", "cost", "tokens 1:1", "latency_seconds")
    return [LatencyPoint(m, c, int(t), s) for m, c, t, s in picked.select(columns).iter_rows()]
