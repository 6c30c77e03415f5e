"""Attempts at our own tasks as tables and charts of a report's topic.

Enters attempts; leaves what was done and what it cost by selection and scheduling, and the two
ablations. The words stand in `planning_words`.
"""

from collections.abc import Sequence

import polars as pl

from agentdyno.reports.topic import (
    CellKind,
    PlaneChart,
    PlanePoint,
    TopicColumn,
    TopicTable,
    Value,
)
from agentdyno.studies.readings import mean_of, share_of
from agentdyno.studies.scheduling.ablations import Ablation, compare_ways
from agentdyno.studies.scheduling.attempts import SETTING
from agentdyno.studies.scheduling.judge_check import JudgeCheck
from agentdyno.studies.scheduling.settings import (
    SettingMeasures,
    compare_settings,
    completion_of,
)

_DONE: tuple[tuple[str, CellKind], ...] = (
    ("setting", "text"),
    ("tasks", "count"),
    ("completion", "share"),
    ("all done", "share"),
    ("by judge", "share"),
    ("tools that serve", "share"),
    ("subtasks served", "share"),
    ("judge on selection", "ratio"),
)
_SCHEDULED: tuple[tuple[str, CellKind], ...] = (
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
_COST: tuple[tuple[str, CellKind], ...] = (
    ("setting", "text"),
    ("input tokens", "amount"),
    ("output tokens", "amount"),
    ("model time", "seconds"),
    ("tool time", "seconds"),
    ("wall time", "seconds"),
    ("PTE", "amount"),
    ("PTE per completed task", "amount"),
    ("cost", "money"),
    ("cost per completed task", "money"),
)
_ABLATION: tuple[tuple[str, CellKind], ...] = (
    ("compared", "text"),
    ("model", "text"),
    ("tasks", "count"),
    ("completion, difference", "share"),
    ("tokens, times", "ratio"),
    ("turns, times", "ratio"),
    ("time, times", "ratio"),
    ("PTE, times", "ratio"),
)


def planning_tables(attempts: pl.DataFrame) -> list[TopicTable]:
    """What was done, how it was scheduled, what it cost; and the ablations."""
    parts = attempts.partition_by(SETTING, maintain_order=True)
    settings = compare_settings(attempts)
    ways = compare_ways(attempts)
    tables = [
        _table("What was done, by selection and scheduling", _DONE,
               [_done(s, p) for s, p in zip(settings, parts, strict=True)], folded=False),
        _table("How it was scheduled, a task", _SCHEDULED,
               [_scheduled(s, p) for s, p in zip(settings, parts, strict=True)]),
        _table("What it cost, a task", _COST, [_cost(s) for s in settings]),
    ]  # fmt: skip
    if ways:
        rows = [_ablation(way) for way in ways]
        tables.append(_table("Other things equal", _ABLATION, rows, folded=False))
    return tables


def _table(
    title: str,
    columns: tuple[tuple[str, CellKind], ...],
    rows: list[list[Value]],
    folded: bool = True,
) -> TopicTable:
    return TopicTable(title, [TopicColumn(*column) for column in columns], rows, folded)


def setting_name(s: SettingMeasures) -> str:
    """Model without its provider, level, selection and scheduling."""
    return f"{s.model.rpartition('/')[2]} · {s.benchmark} · {s.variant or 'default'}"


def _done(s: SettingMeasures, part: pl.DataFrame) -> list[Value]:
    return [
        setting_name(s),
        s.tasks,
        completion_of(part),
        share_of(part, "correct"),
        s.judged_completion,
        s.selection_precision,
        s.selection_recall,
        s.judged_selection,
    ]


def _scheduled(s: SettingMeasures, part: pl.DataFrame) -> list[Value]:
    return [
        setting_name(s),
        mean_of(part, "call_turns"),
        mean_of(part, "turns_over_best"),
        mean_of(part, "makespan_over_critical"),
        mean_of(part, "speedup_taken"),
        s.speedup_available,
        s.calls,
        s.early_calls,
        s.repeated_calls,
        s.unneeded_calls,
        s.failed_calls,
    ]


def _cost(s: SettingMeasures) -> list[Value]:
    return [
        setting_name(s),
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
    ("pte", "PTE", "PTE a task", "amount"),
)


def planning_charts(attempts: pl.DataFrame) -> list[PlaneChart]:
    """Completion against time, turns and PTE, a point for each setting."""
    parts = attempts.partition_by(SETTING, maintain_order=True)
    levels = attempts["benchmark"].n_unique()
    return [
        PlaneChart(
            name=f"planning-{column.replace('_', '-')}",
            title=f"Completion against {word}, by selection and scheduling",
            across=across,
            up="completion",
            points=[_point(part, column, levels) for part in parts],
            across_kind=kind,
            half=True,
        )
        for column, word, across, kind in _PLANES
    ]


def _point(part: pl.DataFrame, column: str, levels: int) -> PlanePoint:
    benchmark, model, variant = part.select(SETTING).row(0)
    bare = model.rpartition("/")[2]
    name = f"{variant} {benchmark.removeprefix('tps_')}" if levels > 1 else f"{variant}"
    return PlanePoint(name, mean_of(part, column), completion_of(part), group=bare)


_JUDGE_COLUMNS: tuple[tuple[str, CellKind], ...] = (
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
