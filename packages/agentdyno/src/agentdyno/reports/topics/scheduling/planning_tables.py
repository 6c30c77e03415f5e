"""Attempts at our own tasks as tables and charts of a report's topic.

Takes attempts; returns what was done and what it cost by selection and scheduling, and the two
ablations. The words stand in `planning_words`.
"""

from collections.abc import Sequence

from agentdyno.estimates.estimate import Estimate
from agentdyno.reports.numbers import AXES, UNITS
from agentdyno.reports.topic import (
    CellKind,
    PlaneChart,
    PlanePoint,
    TopicColumn,
    TopicTable,
    Value,
)
from agentdyno.studies.scheduling.ablations import Ablation
from agentdyno.studies.scheduling.judge_check import JudgeCheck
from agentdyno.studies.scheduling.report import PlannedSetting, Planning
from agentdyno.studies.scheduling.settings import SettingMeasures

Heads = tuple[tuple[str, CellKind], ...]
_DONE: Heads = (
    ("setting", "text"),
    ("tasks", "count"),
    ("completion", "share"),
    ("ceiling", "share"),
    ("all done", "share"),
    ("did harm", "share"),
    ("by judge", "share"),
    ("tools that serve", "share"),
    ("subtasks served", "share"),
    ("judge on selection", "ratio"),
)
_SCHEDULED: Heads = (
    ("setting", "text"),
    ("turns with calls", "ratio"),
    ("over the fewest", "ratio"),
    ("tool time over critical path", "ratio"),
    ("speed-up taken", "ratio"),
    ("available", "ratio"),
    ("calls", "ratio"),
    ("too early", "ratio"),
    ("repeated", "ratio"),
    ("unneeded", "ratio"),
    ("failed", "ratio"),
)
_COST: Heads = (
    ("setting", "text"),
    ("input tokens", "amount"),
    ("output tokens", "amount"),
    ("model time", "seconds"),
    ("tool time", "seconds"),
    ("wall time", "seconds"),
    ("{unit}", "amount"),
    ("{unit} per completed task", "amount"),
    ("cost", "money"),
    ("cost per completed task", "money"),
)
_ABLATION: Heads = (
    ("compared", "text"),
    ("model", "text"),
    ("tasks", "count"),
    ("completion, difference", "share"),
    ("tokens, times", "ratio"),
    ("turns, times", "ratio"),
    ("time, times", "ratio"),
    ("{unit}, times", "ratio"),
)


def build_planning_tables(found: Planning) -> list[TopicTable]:
    """What was done, how it was scheduled, what it cost; the ablations; judges against program."""
    unit = UNITS[found.unit]
    tables = [
        _table("What was done, by selection and scheduling", _DONE,
               [_completion_row(s) for s in found.settings], folded=False),
        _table("How it was scheduled, a task", _SCHEDULED,
               [_schedule_row(s) for s in found.settings]),
        _table("What it cost, a task", _in(_COST, unit),
               [_cost(s.measures) for s in found.settings]),
    ]  # fmt: skip
    if found.ways:
        rows = [_ablation(way) for way in found.ways]
        tables.append(_table("Other things equal", _in(_ABLATION, unit), rows, folded=False))
    return [*tables, *([judge_table(found.checks)] if found.checks else [])]


def _in(heads: Heads, unit: str) -> Heads:
    return tuple((title.format(unit=unit), kind) for title, kind in heads)


def _table(
    title: str,
    columns: Heads,
    rows: list[list[Value]],
    folded: bool = True,
) -> TopicTable:
    return TopicTable(title, [TopicColumn(*column) for column in columns], rows, folded)


def name_setting(s: SettingMeasures) -> str:
    """Model without its provider, level, selection and scheduling."""
    return f"{s.model.rpartition('/')[2]} · {s.benchmark} · {s.variant or 'default'}"


def _completion_row(found: PlannedSetting) -> list[Value]:
    s = found.measures
    return [
        name_setting(s),
        s.tasks,
        found.completion,
        s.ceiling,
        found.all_done,
        found.harmful,
        s.judged_completion,
        s.selection_precision,
        s.selection_recall,
        s.judged_selection,
    ]


def _schedule_row(found: PlannedSetting) -> list[Value]:
    s = found.measures
    return [
        name_setting(s),
        found.call_turns,
        found.turns_over_best,
        found.makespan_over_critical,
        found.speedup_taken,
        s.speedup_available,
        s.calls,
        s.early_calls,
        s.repeated_calls,
        s.unneeded_calls,
        s.failed_calls,
    ]


def _cost(s: SettingMeasures) -> list[Value]:
    return [
        name_setting(s),
        s.input_tokens,
        s.output_tokens,
        s.model_seconds,
        s.tool_seconds,
        s.wall_seconds,
        s.pte,
        s.cost_of_pass_pte,
        s.usd,
        s.cost_of_pass_usd,
    ]


def _ablation(way: Ablation) -> list[Value]:
    compared = f"{way.other} against {way.base} ({way.held}, {way.benchmark})"
    model = way.model.rpartition("/")[2]
    figures = way.completion, way.tokens, way.turns, way.seconds, way.pte
    return [compared, model, way.tasks, *figures]


_PLANES: tuple[tuple[str, str, str, CellKind], ...] = (
    ("seconds", "time", "model and tool time a task, seconds", "seconds"),
    ("call_turns", "turns", "turns with calls a task", "ratio"),
    ("pte", "{unit}", "{unit} a task", "amount"),
)


def draw_planning(found: Planning) -> list[PlaneChart]:
    """Completion against time, turns and PTE, a point for each setting."""
    levels, unit = len({s.measures.benchmark for s in found.settings}), UNITS[found.unit]
    return [
        PlaneChart(
            name=f"planning-{field.replace('_', '-')}",
            title=f"Completion against {word.format(unit=unit)}, by selection and scheduling",
            across=across.format(unit=unit),
            up="completion",
            points=[_point(s, getattr(s, field), levels) for s in found.settings],
            across_kind=AXES[found.unit] if field == "pte" else kind,
            half=True,
        )
        for field, word, across, kind in _PLANES
    ]


def _point(found: PlannedSetting, across: Estimate, levels: int) -> PlanePoint:
    s = found.measures
    name = f"{s.variant} {s.benchmark.removeprefix('tps_')}" if levels > 1 else f"{s.variant}"
    return PlanePoint(name, across, found.completion, group=s.model.rpartition("/")[2])


_JUDGE_COLUMNS: Heads = (
    ("judge", "text"),
    ("of", "text"),
    ("judged", "count"),
    ("by judge", "share"),
    ("by program", "share"),
    ("correlation of completion", "ratio"),
    ("correlation of parts and subtasks", "ratio"),
)


def judge_table(checks: Sequence[JudgeCheck]) -> TopicTable:
    """Every judge against the program, by the model that it marked."""
    return TopicTable(
        title="Judge against program",
        columns=[TopicColumn(*column) for column in _JUDGE_COLUMNS],
        rows=[_judge_row(check) for check in checks],
    )


def _judge_row(check: JudgeCheck) -> list[Value]:
    return [
        check.judge,
        f"{check.model.rpartition('/')[2]} · {check.benchmark}",
        check.attempts,
        check.by_judge,
        check.by_program,
        check.completion,
        check.subtasks,
    ]
