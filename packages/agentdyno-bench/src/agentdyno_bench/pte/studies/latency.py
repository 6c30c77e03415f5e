"""Which measure of cost tracks generation time: PTE, output tokens, or a price?

Baselines after the PTE paper's Appendix G: `context + k * decode` with the whole context as input
at every turn, k = 1 (tokens), 1.5, 3, 4 and 8 (price ratios), and output tokens alone, the
strongest for wall time under load. Pearson with the latency of a turn, for each model and for all
together, which mixes providers whose machines differ. Turns of one trajectory depend on each
other, so there is no p and the interval only describes. Latencies that a busy process took
(`latency_valid` false) are its own as well as the model's: they are left out.

Worked: latencies 1, 2, 3 and costs 10, 20, 30 -> r = 1.
"""

import polars as pl
from msgspec import Struct, structs

from agentdyno.estimates.correlation import pearson
from agentdyno.estimates.estimate import Estimate
from agentdyno.measures.pte import token_price
from agentdyno.studies.cost.frames import Frames

RATIOS = {
    "tokens 1:1": 1.0,
    "price 1:1.5": 1.5,
    "price 1:3": 3.0,
    "price 1:4": 4.0,
    "price 1:8": 8.0,
}
OUTPUT = "output tokens"
MEASURES = ("pte", OUTPUT, *RATIOS)
FEWEST = 8
"""A model with fewer turns gets no row of its own."""
MOST_MODELS = 8
MOST_POINTS = 400


class LatencyCorrelation(Struct, frozen=True):
    """How well one measure of cost tracks time."""

    model: str | None
    """The model; None for all together."""
    measure: str
    """pte, output tokens, tokens 1:1 or a price ratio."""
    pearson: Estimate
    """Linear correlation with generation time."""


class LatencyPoint(Struct, frozen=True):
    """One turn with a known latency."""

    model: str | None
    cost: float
    latency_seconds: float
    """Generation only."""


class Latency(Struct, frozen=True):
    """Correlation of cost with time."""

    rows: list[LatencyCorrelation]
    """By model and measure."""
    points: list[LatencyPoint]
    """A sample of turns, for the picture."""
    reason: str | None
    """Why there are no rows."""


def latency(frames: Frames) -> Latency:
    """Correlations wherever latencies exist."""
    timed = frames.turns.filter(pl.col("latency_seconds").is_not_null())
    turns = timed.filter(pl.col("latency_valid").ne_missing(False))
    if turns.is_empty():
        return Latency([], [], _none_left(len(timed)))
    priced = turns.with_columns(
        token_price(pl.col("context_tokens"), pl.col("decode_tokens"), ratio).alias(name)
        for name, ratio in RATIOS.items()
    ).with_columns(pl.col("decode_tokens").cast(pl.Float64).alias(OUTPUT))
    return Latency(_correlate(priced), _points(turns), None)


def _none_left(untrue: int) -> str:
    if not untrue:
        return "no turn has a latency"
    return (
        f"{untrue:,} turns have a latency, all taken while the runner was too busy to be "
        "believed; run fewer samples at once"
    )


def _correlate(rows: pl.DataFrame) -> list[LatencyCorrelation]:
    counted = rows.group_by("model", maintain_order=True).len().filter(pl.col("len") >= FEWEST)
    models = counted.sort("len", "model", descending=[True, False])["model"].to_list()
    groups = [(m, rows.filter(pl.col("model").eq_missing(m))) for m in models[:MOST_MODELS]]
    if len(models) != 1 or len(groups[0][1]) < len(rows):
        groups.insert(0, (None, rows))
    return [
        LatencyCorrelation(model, measure, _read_pearson(part, measure))
        for model, part in groups
        for measure in MEASURES
    ]


def _read_pearson(rows: pl.DataFrame, measure: str) -> Estimate:
    cost = rows[measure].cast(pl.Float64).to_list()
    estimate = pearson(cost, rows["latency_seconds"].to_list())
    return structs.replace(
        estimate, p=None, method=f"{estimate.method}; turns depend on each other, so no p"
    )


def _points(turns: pl.DataFrame) -> list[LatencyPoint]:
    """Evenly spaced over the cost, so that the dearest are among them."""
    priced = turns.filter(pl.col("cost").is_not_null()).sort("cost", "trajectory_id", "turn")
    step = max(1, -(-len(priced) // MOST_POINTS))
    picked = priced[::-1].gather_every(step).select("model", "cost", "latency_seconds")
    return [LatencyPoint(m, c, s) for m, c, s in picked.iter_rows()]
