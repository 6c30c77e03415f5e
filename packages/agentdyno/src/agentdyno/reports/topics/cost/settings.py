"""Settings as a topic: accuracy against cost."""

from agentdyno.records import plural
from agentdyno.records.cost_unit import CostUnit
from agentdyno.reports.numbers import AXES, UNITS, label, name_setting
from agentdyno.reports.topic import (
    PlaneChart,
    PlanePoint,
    Topic,
    TopicTable,
    columns,
)
from agentdyno.studies.cost.results import Front, Standing, Standings

COMPARED: dict[CostUnit, str] = {
    "usd": "Settings are compared in money, by list prices.",
    "pte": "A PTE is a prefilled token of the setting's own model: between models it ranks, it "
    "does not price.",
    "gpu_seconds": "Settings of several architectures are compared in GPU-seconds, on one "
    "hardware.",
}
FRONTS = 3


def render_standings(found: Standings) -> Topic:
    """Accuracy against cost, with the front named."""
    stated, unit = " ".join(_front(front) for front in found.fronts[:5]), UNITS[found.unit]
    costs = (f"{unit}:amount", f"{unit} per solved:amount")
    heads = columns("setting", "n:count", "solved:share", *costs, "front")
    rows = [[name_setting(r.setting), r.trajectories, r.accuracy, r.cost, r.cost_per_solved,
             _rank(r)] for r in found.settings]  # fmt: skip
    return Topic(
        anchor="tradeoff",
        title="Accuracy against cost",
        lead=stated or "No benchmark has two graded settings to compare.",
        notes=[f"Fronts follow the point estimates, within one benchmark. {COMPARED[found.unit]}"],
        charts=[_plane(found, front, place) for place, front in enumerate(found.fronts[:FRONTS])],
        tables=[TopicTable(f"Accuracy and mean {unit} by setting", heads, rows)],
    )


def _front(front: Front) -> str:
    names = "; ".join(name_setting(s) for s in front.settings)
    return (
        f"On {label(front.benchmark)}, of {plural(front.rivals, 'setting')}, the Pareto front is "
        f"{names}."
    )


def _rank(row: Standing) -> str:
    if row.on_front is None:
        return "no rival"
    return "on the front" if row.on_front else f"beaten by {name_setting(row.beaten_by)}"


def _plane(found: Standings, front: Front, place: int) -> PlaneChart:
    rows = [r for r in found.settings
            if r.setting.benchmark == front.benchmark and r.on_front is not None]  # fmt: skip
    unit = UNITS[found.unit]
    return PlaneChart(
        name=f"plane-{place + 1}",
        title=f"Accuracy against {unit} on {label(front.benchmark)}, 95 % intervals, front joined",
        across=f"mean {unit} per trajectory",
        across_kind=AXES[found.unit],
        up="solved",
        points=[
            PlanePoint(label(r.setting.model, r.setting.variant, limit=26), r.cost, r.accuracy,
                       strong=bool(r.on_front))
            for r in rows if r.cost.value
        ],
        front=True,
    )  # fmt: skip
