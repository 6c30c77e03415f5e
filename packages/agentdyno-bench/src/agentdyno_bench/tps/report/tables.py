"""Attempts at our own tasks as tables and charts of a report's topic.

Takes attempts; returns what was done and what it cost by selection and scheduling, and the two
ablations. The words stand in `planning_words`.
"""

from collections.abc import Sequence

from agentdyno.estimates.estimate import Estimate
from agentdyno.reports.numbers import AXES, UNITS
from agentdyno.reports.topic import Cell, CellKind, PlaneChart, PlanePoint, TopicTable, table_of
from agentdyno_bench.tps.studies.ablations import Ablation
from agentdyno_bench.tps.studies.judge_check import JudgeCheck
from agentdyno_bench.tps.studies.report import PlannedSetting, Planning
from agentdyno_bench.tps.studies.settings import SettingMeasures


def build_planning_tables(planning: Planning) -> list[TopicTable]:
    """Tables of completion, scheduling, cost and ablations; judges against program."""
    unit = UNITS[planning.unit]
    tables = [
        _completion(planning, unit),
        _selected(planning),
        _scheduled(planning),
        _cost(planning, unit),
    ]
    if planning.ways:
        tables.append(_ablations(planning.ways, unit))
    return [*tables, *([judge_table(planning.checks)] if planning.checks else [])]


def name_setting(s: SettingMeasures) -> str:
    """Model without its provider, level, selection and scheduling."""
    return f"{_model(s)} · {s.benchmark} · {s.variant or 'default'}"


def _model(of: SettingMeasures | Ablation | JudgeCheck) -> str:
    return of.model.rpartition("/")[2]


def _setting(planned: PlannedSetting) -> str:
    return name_setting(planned.measures)


def _completion(planning: Planning, unit: str) -> TopicTable:
    """The leaderboard; columns that would say the same of all settings are left out."""
    settings = planning.settings
    powers = {f"pass^{k}:share": _pass_power(k) for k in sorted({p[0] for p in _powers(settings)})}
    amount: dict[str, Cell] = {} if planning.unit == "usd" else {f"{unit}:amount": "cost"}
    is_capped = any((s.measures.ceiling or 1) < 1 for s in settings)
    differ = len({s.measures.tasks for s in settings}) > 1
    tasks: dict[str, Cell] = {"tasks:count": "measures.tasks"} if differ else {}
    ceiling: dict[str, Cell] = {"ceiling:share": "measures.ceiling"} if is_capped else {}
    return table_of(
        "What was done: settings by score",
        settings,
        {
            "setting": _setting,
            "place": lambda s: "–".join(dict.fromkeys(map(str, s.rank))),
            "score:share": "score",
            "completion:share": "completion",
            "all done:share": "all_done",
            **powers,
            "did harm:share": "harmful",
            **amount,
            "cost:money": "measures.usd",
            **ceiling,
            **tasks,
        },
        folded=False,
    )


def _powers(settings: Sequence[PlannedSetting]) -> list[tuple[int, Estimate]]:
    return [s.pass_power for s in settings if s.pass_power]


def _pass_power(k: int) -> Cell:
    def read(setting: PlannedSetting) -> Estimate | None:
        power = setting.pass_power
        return power[1] if power and power[0] == k else None

    return read


def _selected(planning: Planning) -> TopicTable:
    return table_of(
        "How tools were selected",
        planning.settings,
        {
            "setting": _setting,
            "tools that serve:share": "measures.selection_precision",
            "subtasks served:share": "measures.selection_recall",
            "judge on selection:ratio": "measures.judged_selection",
            "completion by judge:share": "measures.judged_completion",
        },
    )


def _scheduled(planning: Planning) -> TopicTable:
    return table_of(
        "How it was scheduled, a task",
        planning.settings,
        {
            "setting": _setting,
            "turns with calls:ratio": "call_turns",
            "over the fewest:ratio": "turns_over_best",
            "tool time over critical path:ratio": "makespan_over_critical",
            "speed-up taken:ratio": "speedup_taken",
            "available:ratio": "measures.speedup_available",
            "calls:ratio": "measures.calls",
            "too early:ratio": "measures.early_calls",
            "repeated:ratio": "measures.repeated_calls",
            "unneeded:ratio": "measures.unneeded_calls",
            "failed:ratio": "measures.failed_calls",
        },
    )


def _cost(planning: Planning, unit: str) -> TopicTable:
    counted = {f"{unit}:amount": "cost", f"{unit} per completed task:amount": "cost_of_pass"}
    if planning.unit == "usd":  # The columns of money say the same.
        counted = {}
    return table_of(
        "What it cost, a task",
        [planned.measures for planned in planning.settings],
        {
            "setting": name_setting,
            "input tokens:amount": "input_tokens",
            "output tokens:amount": "output_tokens",
            "model time:seconds": "model_seconds",
            "tool time:seconds": "tool_seconds",
            "wall time:seconds": "wall_seconds",
            **counted,
            "cost:money": "usd",
            "cost per completed task:money": "cost_of_pass_usd",
        },
    )


def _ablations(ablations: Sequence[Ablation], unit: str) -> TopicTable:
    return table_of(
        "Other things equal",
        ablations,
        {
            "compared": lambda w: f"{w.other} against {w.base} ({w.held}, {w.benchmark})",
            "model": _model,
            "tasks:count": "tasks",
            "completion, difference:share": "completion",
            "tokens, times:ratio": "tokens",
            "turns, times:ratio": "turns",
            "time, times:ratio": "seconds",
            f"{unit}, times:ratio": "cost",
        },
    )


_PLANES: tuple[tuple[str, str, str, CellKind], ...] = (
    ("seconds", "time", "model and tool time a task, seconds", "seconds"),
    ("call_turns", "turns", "turns with calls a task", "ratio"),
    ("cost", "{unit}", "{unit} a task", "amount"),
)


def draw_planning(planning: Planning) -> list[PlaneChart]:
    """Completion against time, turns and PTE, a point for each setting."""
    levels, unit = len({s.measures.benchmark for s in planning.settings}), UNITS[planning.unit]
    return [
        PlaneChart(
            name=f"planning-{field.replace('_', '-')}",
            title=f"Completion against {word.format(unit=unit)}, by selection and scheduling",
            across=across.format(unit=unit),
            up="completion",
            points=[_point(s, getattr(s, field), levels) for s in planning.settings],
            across_kind=AXES[planning.unit] if field == "cost" else kind,
            half=True,
        )
        for field, word, across, kind in _PLANES
    ]


def _point(planned: PlannedSetting, across: Estimate, levels: int) -> PlanePoint:
    s = planned.measures
    name = f"{s.variant} {s.benchmark.removeprefix('tps_')}" if levels > 1 else f"{s.variant}"
    return PlanePoint(name, across, planned.completion, group=s.model.rpartition("/")[2])


def judge_table(checks: Sequence[JudgeCheck]) -> TopicTable:
    """Every judge against the program, by the model that it marked."""
    return table_of(
        "Judge against program",
        checks,
        {
            "judge": "judge",
            "of": lambda check: f"{_model(check)} · {check.benchmark}",
            "judged:count": "attempts",
            "by judge:share": "by_judge",
            "by program:share": "by_program",
            "correlation of completion:ratio": "completion",
            "correlation of parts and subtasks:ratio": "subtasks",
        },
    )
