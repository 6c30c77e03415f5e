"""Settings and outcomes, told: accuracy against cost, what failing costs, and difficulty."""

from agentdyno.records import plural
from agentdyno.records.cost_unit import CostUnit
from agentdyno.reports.numbers import AXES, UNITS, in_words, is_clear, label, name_setting
from agentdyno.reports.topic import (
    ChartRow,
    PlaneChart,
    PlanePoint,
    RowsChart,
    Topic,
    TopicTable,
    Value,
    columns,
)
from agentdyno.studies.cost.results import Difficulty, Front, OutcomeGap, Standing, Standings

COMPARED: dict[CostUnit, str] = {
    "usd": "Settings are compared in money, by list prices.",
    "pte": "A PTE is a prefilled token of the setting's own model: between models it ranks, it "
    "does not price.",
    "gpu_seconds": "Settings of several architectures are compared in GPU-seconds, on one "
    "hardware.",
}
FRONTS = 3
ROWS = 14


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


def render_outcomes(gaps: list[OutcomeGap]) -> Topic:
    """Unsolved against solved attempts."""
    unit = UNITS[gaps[0].unit]
    return Topic(
        anchor="outcomes",
        title="What failing costs",
        lead=_describe_failing(gaps[0]),
        notes=[
            "A row for all settings takes each cost over its setting's mean. p is corrected for "
            "the number of settings (Holm). High cost goes with failing; it need not cause it."
        ],
        charts=_gap_chart(
            "outcomes", f"Mean {unit} of unsolved attempts over that of solved ones", gaps
        ),
        tables=[_gaps(f"Mean {unit} by outcome", gaps)],
    )


def _describe_failing(gap: OutcomeGap) -> str:
    if gap.ratio.value is None:
        return f"Solved and unsolved attempts cannot be compared: {gap.ratio.reason}."
    reported, unit = in_words(gap.ratio, "ratio"), UNITS[gap.unit]
    if is_clear(gap.ratio):
        more = "more" if gap.ratio.value > 1 else "less"
        times = f"{reported} times a solved one's {unit}"
        return f"Failing costs {more}: an unsolved attempt takes {times}."
    return (
        f"Failing costs {reported} times the {unit} of solving here; with "
        f"{plural(gap.unsolved, 'unsolved attempt')} against {gap.solved:,} solved, that is not "
        "certain to differ from 1."
    )


def _gap_chart(name: str, title: str, gaps: list[OutcomeGap]) -> list[RowsChart]:
    rows = [
        ChartRow(_gap_name(g), g.ratio, f"n = {g.unsolved:,} / {g.solved:,}",
                 strong=g.setting is None and g.level is None)
        for g in gaps if g.ratio.value is not None
    ][:ROWS]  # fmt: skip
    return [RowsChart(name, title, "unsolved / solved", rows, style="ratios")] if rows else []


def _gap_name(gap: OutcomeGap) -> str:
    level = f"level {label(gap.level)}" if gap.level else ""
    if gap.setting is None:
        return level or "all settings"
    return label(name_setting(gap.setting, 34), level or None, limit=110)


def _gaps(title: str, gaps: list[OutcomeGap]) -> TopicTable:
    level = any(gap.level for gap in gaps)
    figures = ("solved:count", "unsolved:count", "ratio:ratio", "p:p")
    unit = UNITS[gaps[0].unit] if gaps else UNITS["pte"]
    means = (f"{unit}, solved:amount", f"{unit}, unsolved:amount")
    heads = columns("setting", *(["level"] if level else []), *figures, *means)
    return TopicTable(title, heads, [_gap_row(gap, level) for gap in gaps])


def _gap_row(gap: OutcomeGap, level: bool) -> list[Value]:
    p = gap.p_holm if gap.p_holm is not None else gap.ratio.p
    head: list[Value] = [name_setting(gap.setting), *([label(gap.level)] if level else [])]
    return [*head, gap.solved, gap.unsolved, gap.ratio, p, gap.cost_solved, gap.cost_unsolved]


def render_difficulty(found: Difficulty) -> Topic:
    """Whether cost is more than difficulty."""
    pooled = [gap for gap in found.gaps if gap.setting is None and gap.ratio.value is not None]
    clear = sum(is_clear(gap.ratio) for gap in pooled)
    unit = UNITS[found.unit]
    tables = [_gaps(f"Mean {unit} by level and outcome", found.gaps)]
    if found.overtakes:
        heads = columns(
            "benchmark", "solved at", "below the mean failure at", "share:share", "n:count"
        )
        rows: list[list[Value]] = [
            [label(o.benchmark), f"level {label(o.hard)}", f"level {label(o.easy)}", o.share,
             o.share.n]
            for o in found.overtakes
        ]  # fmt: skip
        tables.append(TopicTable("Hard and solved against easy and failed", heads, rows))
    if found.partials:
        heads = columns("benchmark", "taken out", "r:correlation", "n:count", "p:p")
        partials = [[label(p.benchmark), p.controls, p.correlation, p.correlation.n,
                     p.correlation.p] for p in found.partials]  # fmt: skip
        tables.append(TopicTable("Cost and success with difficulty taken out", heads, partials))
    title = f"Mean {unit} of unsolved over solved attempts by level"
    reason = [f"{found.reason[:1].upper()}{found.reason[1:]}."] if found.reason else []
    return Topic(
        anchor="difficulty",
        title="Is it only difficulty?",
        lead=f"Within {clear:,} of {plural(len(pooled), 'level')} failing clearly differs from "
        "solving in cost." if pooled else "No level has solved and unsolved attempts.",
        notes=[
            *reason,
            "Costs of all settings are taken over their setting's mean before they are pooled.",
        ],
        charts=_gap_chart("levels", title, pooled),
        tables=tables,
    )  # fmt: skip
