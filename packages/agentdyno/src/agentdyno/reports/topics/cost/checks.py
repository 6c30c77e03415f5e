"""Whether PTE can be trusted, told: against time, and on other accelerators."""

from agentdyno.estimates.estimate import Estimate
from agentdyno.records import plural
from agentdyno.reports.numbers import AXES, UNITS, label
from agentdyno.reports.topic import (
    ChartRow,
    PlaneChart,
    PlanePoint,
    RowsChart,
    Topic,
    TopicChart,
    TopicTable,
    Value,
    columns,
)
from agentdyno.studies.cost.results import Hardware, Latency, LatencyCorrelation

NAMES = {"pte": "PTE", "pte_growth": "PTE with growth", "gpu_seconds": "GPU-seconds"}
WHAT_TO_WATCH = (
    "What to watch depends on the question. How long a user waits under load follows the tokens "
    "that the agent decodes: everybody in a batch waits for the same steps. What the work takes "
    "from the machine, and so how many agents it carries, follows GPU-seconds: prefill, decoding "
    "steps and reading of the cache."
)
OVER = {"pte": "PTE over that", "gpu_seconds": "GPU-seconds over those"}
TITLES = {
    "pte": "Same trajectories, other gammas",
    "gpu_seconds": "Same trajectories, other accelerators",
}
NOTES = {
    "pte": "Gamma grows with the accelerator's FLOPs per byte; prefilling costs the same.",
    "gpu_seconds": "Over several architectures in GPU-seconds, by theory on each accelerator.",
}
STABLE = 0.95
"""The rank correlation above which the paper calls a ranking stable."""
FASTEST_SECONDS = 0.01
"""Answers that no model gave, as mocks do, take less."""


def render_latency(found: Latency) -> Topic:
    """Which measure tracks generation time."""
    heads = columns(
        "measure", "model", "unit", "Pearson r:correlation", "Spearman:correlation", "n:count"
    )
    rows: list[list[Value]] = [
        [r.measure, label(r.model) if r.model else "all models", r.unit, r.pearson, r.spearman,
         r.pearson.n]
        for r in found.rows
    ]  # fmt: skip
    notes = [
        "Prices count the whole context as input at every turn. Turns of one trajectory depend on "
        "each other: their intervals describe. All models together mix machines.",
        WHAT_TO_WATCH,
    ]
    if found.cost_unit != "pte":
        notes.append(
            "PTE of several architectures have different units: all models together are compared "
            "without them."
        )
    if found.left_out:
        was = "was" if found.left_out == 1 else "were"
        notes.append(
            f"{plural(found.left_out, 'turn')} {was} left out: the runner was too busy for the "
            "time to be the model's alone."
        )
    return Topic(
        anchor="latency",
        title="What tracks time here?",
        lead=_best(found),
        notes=notes,
        charts=_latency_charts(found),
        tables=[TopicTable("Correlation with generation time", heads, rows)],
    )


def _best(found: Latency) -> str:
    rows = [r for r in found.rows if r.unit == "turn" and r.pearson.value is not None]
    single = [r for r in rows if r.model is not None]
    group = [r for r in rows if r.model == (single[0].model if single else None)]
    if not group:
        return "There are too few latencies to correlate."
    best = max(group, key=_r)
    who = "over all models" if best.model is None else "for the model with the most turns"
    measures = len({r.measure for r in group})
    name = NAMES.get(best.measure, best.measure)
    sentence = (
        f"Of {measures} measures, {name} tracks the time of a turn best {who}, r = {_r(best):.2f}"
    )
    ours = best.measure in NAMES
    other = max((r for r in group if (r.measure in NAMES) != ours), key=_r, default=None)
    if other is None:
        return f"{sentence}."
    return f"{sentence}; {NAMES.get(other.measure, other.measure)} reaches {_r(other):.2f}."


def _r(row: LatencyCorrelation) -> float:
    return row.pearson.value or 0.0


def _latency_charts(found: Latency) -> list[TopicChart]:
    points = [
        PlanePoint("", Estimate(p.cost), Estimate(p.latency_seconds),
                   group=label(p.model, limit=26))
        for p in found.points if p.cost > 0 and p.latency_seconds >= FASTEST_SECONDS
    ]  # fmt: skip
    if not points:
        return []
    turns = [r for r in found.rows if r.unit == "turn"]
    model = next((r.model for r in turns if r.model is not None), None)
    rows = [
        ChartRow(r.measure, r.pearson, f"r = {r.pearson.value:.2f}",
                 strong=r.measure in NAMES)
        for r in turns if r.model == model and r.pearson.value is not None
    ]  # fmt: skip
    who, unit = label(model) if model else "all models", UNITS[found.cost_unit]
    return [
        PlaneChart("latency", f"Generation time of a turn against its {unit}",
                   f"{unit} of the turn", "seconds", points,
                   across_kind=AXES[found.cost_unit], up_kind="amount", small=True, named=False,
                   half=True),
        *([RowsChart("latency-correlation", f"What tracks the time of a turn best: {who}",
                     "Pearson r with latency", rows, kind="correlation", style="points",
                     half=True)] if rows else []),
    ]  # fmt: skip


def render_hardware(found: Hardware) -> Topic:
    """Whether the ranking depends on the accelerator."""
    unit = UNITS[found.unit]
    heads = columns(
        "hardware",
        "FLOP/byte:mean",
        "gamma ×:ratio",
        f"{unit}:amount",
        "ρ of trajectories:correlation",
        "ρ of settings:correlation",
    )
    rows: list[list[Value]] = [
        [label(r.hardware), r.hoi, r.scale, r.cost, r.trajectories, r.settings] for r in found.rows
    ]
    here = found.rows[0].cost
    chart = RowsChart(
        name="hardware",
        title=f"{unit} of all trajectories by accelerator, with the rank correlation ρ",
        axis=f"{OVER[found.unit]} on {label(found.reference)}",
        rows=[
            ChartRow(label(r.hardware), Estimate(r.cost / here), _rho(r.trajectories),
                     strong=r.hardware == found.reference)
            for r in found.rows
        ],
        style="points",
        middle=1.0,
    ) if here else None  # fmt: skip
    return Topic(
        anchor="hardware",
        title="On other hardware",
        lead=_order(found),
        notes=[NOTES[found.unit]],
        charts=[chart] if chart else [],
        tables=[TopicTable(TITLES[found.unit], heads, rows)],
    )


def _rho(found: Estimate) -> str:
    return "" if found.value is None else f"ρ = {found.value:.3f}"


def _order(found: Hardware) -> str:
    ranks = [r.trajectories.value for r in found.rows if r.trajectories.value is not None]
    if not ranks:
        return "There are too few trajectories to rank."
    moves = "hardly moves" if min(ranks) > STABLE else "does move"
    return (
        f"From one accelerator to another the order of trajectories by cost {moves}: the lowest "
        f"rank correlation is {min(ranks):.3f}."
    )
