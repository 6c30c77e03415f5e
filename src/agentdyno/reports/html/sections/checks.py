"""Whether PTE can be trusted: against time, and on other accelerators."""

from agentdyno.reports.html.cells import amount, count, words
from agentdyno.reports.html.markup import (
    Cell,
    Html,
    columns,
    correlation,
    details,
    foreign,
    interval,
    plain,
    table,
)
from agentdyno.reports.html.sections.frame import absent, lead, note, section
from agentdyno.reports.latency import WHAT_TO_WATCH, left_out
from agentdyno.studies.cost.results import Hardware, Latency, LatencyCorrelation

NAMES = {"pte": "PTE", "pte_growth": "PTE with growth", "gpu_seconds": "GPU-seconds"}
STABLE = 0.95
"""The rank correlation above which the paper calls a ranking stable."""


def latency(found: Latency, pictures: Html) -> Html:
    """Which measure tracks generation time."""
    title = "What tracks time here?"
    if not found.rows:
        return section("latency", title, absent(found.reason))
    heads = columns("measure:", "model:", "unit:", "Pearson r", "Spearman", "n")
    rows = [
        [words(r.measure), Cell(foreign(r.model) if r.model else plain("all models")),
         words(r.unit), interval(r.pearson, correlation), interval(r.spearman, correlation),
         count(r.pearson.n)]
        for r in found.rows
    ]  # fmt: skip
    return section(
        "latency",
        title,
        lead(plain(_best(found))),
        pictures,
        details("Numbers by measure", table("Correlation with generation time", heads, rows)),
        note("Prices count the whole context as input at every turn. Turns of one trajectory "
             "depend on each other: their intervals describe. All models together mix machines."),
        note(WHAT_TO_WATCH),
        *([note(left_out(found))] if found.left_out else []),
    )  # fmt: skip


def _best(found: Latency) -> str:
    rows = [r for r in found.rows if r.unit == "turn" and r.pearson.value is not None]
    single = [r for r in rows if r.model is not None]
    group = [r for r in rows if r.model == (single[0].model if single else None)]
    if not group:
        return "There are too few latencies to correlate."
    best = max(group, key=_r)
    who = "over all models" if best.model is None else "for the model with the most turns"
    name = NAMES.get(best.measure, best.measure)
    told = (
        f"Of {len(group)} measures, {name} tracks the time of a turn best {who}, r = {_r(best):.2f}"
    )
    ours = best.measure in NAMES
    rest = [r for r in group if (r.measure in NAMES) != ours]
    other = max(rest, key=_r, default=None)
    if other is None:
        return f"{told}."
    return f"{told}; {NAMES.get(other.measure, other.measure)} reaches {_r(other):.2f}."


def _r(row: LatencyCorrelation) -> float:
    return row.pearson.value or 0.0


def hardware(found: Hardware, pictures: Html) -> Html:
    """Whether the ranking depends on the accelerator."""
    title = "On other hardware"
    if not found.rows:
        return section("hardware", title, absent(found.reason))
    heads = columns(
        "hardware:", "FLOP/byte", "gamma ×", "PTE", "ρ of trajectories", "ρ of settings"
    )
    rows = [
        [Cell(foreign(r.hardware), r.hardware), Cell(plain(f"{r.hoi:.1f}"), r.hoi),
         Cell(plain(f"{r.scale:.2f}"), r.scale), amount(r.pte),
         interval(r.trajectories, correlation), interval(r.settings, correlation)]
        for r in found.rows
    ]  # fmt: skip
    return section(
        "hardware",
        title,
        lead(plain(_order(found))),
        pictures,
        details("Numbers by accelerator", table("Same trajectories, other gammas", heads, rows)),
        note("Gamma grows with the accelerator's FLOPs per byte; prefilling costs the same."),
    )


def _order(found: Hardware) -> str:
    ranks = [r.trajectories.value for r in found.rows if r.trajectories.value is not None]
    if not ranks:
        return "There are too few trajectories to rank."
    moves = "hardly moves" if min(ranks) > STABLE else "does move"
    return (
        f"From one accelerator to another the order of trajectories by cost {moves}: the lowest "
        f"rank correlation is {min(ranks):.3f}."
    )
