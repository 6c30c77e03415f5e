"""Was it scheduled well? The ledger's tables of schedules as a topic of the report.

Enters a ledger; leaves the topic, or None when nobody looked at its schedules or nothing made a
call. The numbers come from `parallelism`, those of our own tasks from `planning`.
"""

import polars as pl

from agentdyno.records import counted
from agentdyno.reports.numbers import figure, label
from agentdyno.reports.topic import (
    CellKind,
    ChartRow,
    LanesChart,
    RowsChart,
    Topic,
    TopicColumn,
    TopicTable,
)
from agentdyno.reports.topics.scheduling.planning_tables import (
    judge_table,
    planning_charts,
    planning_tables,
)
from agentdyno.reports.topics.scheduling.planning_words import (
    JUDGED,
    in_words,
    planning_lead,
    planning_notes,
)
from agentdyno.studies.scheduling.attempts import attempts
from agentdyno.studies.scheduling.judge_check import check_judges, judged_attempts
from agentdyno.studies.scheduling.lanes import schedule_lanes
from agentdyno.studies.scheduling.parallelism import (
    SETTING,
    SettingSchedule,
    measure_schedules,
    schedule_rows,
)
from agentdyno.studies.tables import Tables

TABLE = "scheduling"
WORST = 10
"""Trajectories listed."""
DRAWN = 3
"""Schedules drawn."""
FEWEST_CALLS, MOST_CALLS = 2, 60
"""Calls of a schedule that is worth a picture and can be read in one."""


def scheduling_topic(ledger: Tables) -> Topic | None:
    """The topic."""
    if not ledger.has(TABLE):
        return None
    rows = schedule_rows(ledger)
    if rows.is_empty():
        return None
    whole = measure_schedules("all", rows)
    parts = rows.partition_by(SETTING, maintain_order=True)
    settings = [measure_schedules(_name(part), part) for part in parts]
    own = _own_tasks(ledger)
    return Topic(
        anchor="scheduling",
        title="Was it scheduled well?",
        lead=" ".join([*([own.lead] if own else ()), *_lead(whole, _all_known(rows))]),
        notes=[*(own.notes if own else ()), *_notes(ledger, rows)],
        charts=[
            *(own.charts if own else ()),
            *([_joined_chart(settings)] if whole.missed_turns.value else ()),
            *_pictures(ledger, parts),
        ],
        tables=[
            *(own.tables if own else ()),
            _setting_table(settings),
            *_worst_table(rows),
        ],
    )


def _own_tasks(ledger: Tables) -> Topic | None:
    """What is known besides of attempts at our own tasks."""
    planned = attempts(ledger)
    if planned.is_empty():
        return None
    judged = judged_attempts(ledger, planned)
    checks = [judge_table(check_judges(judged))] if len(judged) else []
    return Topic(
        anchor="planning",
        title="",
        lead=planning_lead(planned),
        notes=[*planning_notes(planned), *([JUDGED] if len(judged) else ())],
        charts=[*planning_charts(planned)],
        tables=[*planning_tables(planned), *checks],
    )


def _name(part: pl.DataFrame) -> str:
    model, benchmark, variant = part.select(SETTING).row(0)
    return label((model or "").rpartition("/")[2] or None, benchmark, variant)


# Words -------------------------------------------------------------------------------------------


def _all_known(rows: pl.DataFrame) -> bool:
    return bool((rows["edge_source"] == "known").all())


def _lead(whole: SettingSchedule, known: bool) -> list[str]:
    said = [
        f"In {counted(whole.trajectories, 'trajectory', 'trajectories')} with calls, agents made "
        f"{in_words(whole.calls_per_turn, 'ratio')} calls a turn."
    ]
    if not whole.missed_turns.value:
        return [*said, "No turn could have been part of an earlier one."]
    share = in_words(whole.joined, "share")
    could = "of the turns with calls could have been part of an earlier one"
    said.append(
        f"{share} {could}: their calls used nothing that came back in between."
        if known
        else f"Up to {share} {could}: nothing that came back in between shows in their calls."
    )
    saved = []
    if whole.missed_share.value is not None:
        saved.append(f"cost {in_words(whole.missed_share, 'share')} less PTE")
    if whole.tool_seconds.value:
        saved.append(f"wait {in_words(whole.tool_seconds, 'seconds')} less for tools")
    if saved:
        both = " and ".join(saved)
        said.append(f"With those turns joined, a trajectory would on average {both}.")
    return said


def _notes(ledger: Tables, rows: pl.DataFrame) -> list[str]:
    known = int((rows["edge_source"] == "known").sum())
    inferred = len(rows) - known
    notes = []
    if inferred:
        notes.append(
            "What depends on what is inferred for "
            f"{counted(inferred, 'trajectory', 'trajectories')}: a call waits for an "
            "earlier one when a value, a word or a new number of its "
            "arguments may have come from that result. That a result led to a call without being "
            "quoted cannot be seen, so this is the most that joining can save. Calls of one turn "
            "are taken to run in their order, so that side effects still follow each other."
        )
    if known:
        notes.append(
            f"The dependencies of {counted(known, 'trajectory', 'trajectories')} are known: the "
            "task's graph of work came with the log."
        )
    notes.append(
        "PTE: the prefill that joining makes needless, and decoding over the shorter context; what "
        "the turns wrote would still be written. `whatif --batch-independent` joins the same turns "
        "where dependencies are inferred."
    )
    timeless = int(rows["overlap"].is_null().sum())
    if timeless:
        named = counted(timeless, "trajectory has", "trajectories have")
        notes.append(f"{named} no times for all calls; their overlap is unknown.")
    unread = ledger.missing(TABLE)
    if unread:
        files = counted(len(unread), "file")
        notes.append(f"{files} could not be read again; nobody looked at the schedules in there.")
    return notes


# Charts and tables -------------------------------------------------------------------------------


def _joined_chart(settings: list[SettingSchedule]) -> RowsChart:
    rows = [
        ChartRow(s.name, s.joined, f"{figure(s.joined.value, 'share')} of turns")
        for s in sorted(settings, key=lambda s: -(s.joined.value or 0.0))
    ]
    return RowsChart(
        name="schedule-joined",
        title="Turns that could have been part of an earlier one",
        axis="share of the turns with calls",
        rows=rows,
        kind="share",
    )


def _pictures(ledger: Tables, parts: list[pl.DataFrame]) -> list[LanesChart]:
    """Of each setting the trajectory that missed the most, the settings that missed most first."""
    worst = [w for part in parts if len(w := _by_missed(_drawable(part)).head(1))]
    chosen = _by_missed(pl.concat(worst)).head(DRAWN) if worst else pl.DataFrame()
    charts = []
    for number, row in enumerate(chosen.iter_rows(named=True), 1):
        said = "known" if row["edge_source"] == "known" else "inferred"
        bare = (row["model"] or "").rpartition("/")[2]
        name = label(row["task_id"] or row["trajectory_id"], bare or None, row["variant"], limit=60)
        title = (
            f"{name}: {counted(row['calls'], 'call')} in "
            f"{counted(row['call_turns'], 'turn')}, {row['missed_turns']} of which could have been "
            f"joined ({said} dependencies)"
        )
        lanes = schedule_lanes(ledger, row["trajectory_id"])
        if lanes is not None:
            name = f"schedule-{number}"
            charts.append(LanesChart(name, title, lanes.bars, lanes.turns, lanes.axis))
    return charts


def _drawable(part: pl.DataFrame) -> pl.DataFrame:
    return part.filter(pl.col("calls").is_between(FEWEST_CALLS, MOST_CALLS))


def _by_missed(rows: pl.DataFrame) -> pl.DataFrame:
    order = ["missed_turns", "missed_pte", "calls", "trajectory_id"]
    return rows.sort(order, descending=[True, True, True, False], nulls_last=True)


_SETTINGS: tuple[tuple[str, CellKind], ...] = (
    ("setting", "text"),
    ("trajectories", "count"),
    ("calls a turn", "ratio"),
    ("overlap in time", "ratio"),
    ("turns to join", "share"),
    ("turns to join, each", "ratio"),
    ("PTE gone", "share"),
    ("PTE gone, each", "amount"),
    ("tool time gone, each", "seconds"),
    ("model time gone at most, each", "seconds"),
)


def _setting_table(settings: list[SettingSchedule]) -> TopicTable:
    return TopicTable(
        title="Parallelism taken and missed, by setting",
        columns=[TopicColumn(*column) for column in _SETTINGS],
        rows=[
            [s.name, s.trajectories, s.calls_per_turn, s.overlap, s.joined, s.missed_turns,
             s.missed_share, s.missed_pte, s.tool_seconds, s.model_seconds]
            for s in settings
        ],
    )  # fmt: skip


_WORST: tuple[tuple[str, CellKind], ...] = (
    ("trajectory", "text"),
    ("calls", "count"),
    ("turns with calls", "count"),
    ("turns to join", "count"),
    ("PTE gone", "amount"),
    ("of its PTE", "share"),
    ("tool time gone", "seconds"),
    ("model time gone at most", "seconds"),
    ("dependencies", "text"),
)
_OF_WORST = ("trajectory_id", "calls", "call_turns", "missed_turns", "missed_pte", "missed_share",
             "missed_tool_seconds", "missed_model_seconds", "edge_source")  # fmt: skip


def _worst_table(rows: pl.DataFrame) -> list[TopicTable]:
    order = ["missed_pte", "missed_turns", "trajectory_id"]
    worst = (
        rows.filter(pl.col("missed_turns") > 0)
        .sort(order, descending=[True, True, False], nulls_last=True)
        .head(WORST)
    )
    if worst.is_empty():
        return []
    return [
        TopicTable(
            title="Trajectories that missed the most",
            columns=[TopicColumn(*column) for column in _WORST],
            rows=[list(row) for row in worst.select(_OF_WORST).iter_rows()],
        )
    ]
