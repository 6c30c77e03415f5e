"""Was it scheduled well? The ledger's tables of schedules as a topic of the report.

Enters a ledger; leaves the topic, or None when nobody looked at its schedules or nothing made a
call. Known edges count where a trajectory has them, inferred ones otherwise.

    joined share = turns that could have been part of an earlier one / turns with calls

Worked: 4 turns with calls of which 1 could have joined, and 6 of which none could: 10 %.
"""

import polars as pl
from msgspec import Struct

from agentdyno.estimates.means import clustered_mean
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.analyses.readings import mean_of, reading
from agentdyno.pipelines.lanes import schedule_chart
from agentdyno.pipelines.planning.attempts import attempts
from agentdyno.pipelines.planning.shown import planning_charts, planning_lead, planning_tables
from agentdyno.pipelines.second_look import unread_inputs
from agentdyno.records.analyses import Reading
from agentdyno.records.topics import (
    CellKind,
    ChartRow,
    LanesChart,
    RowsChart,
    Topic,
    TopicColumn,
    TopicTable,
)
from agentdyno.reports.numbers import figure, label, plural

TABLE = "scheduling"
SETTING = ("model", "benchmark", "variant")
WORST = 10
"""Trajectories listed."""
DRAWN = 3
"""Schedules drawn."""
FEWEST_CALLS, MOST_CALLS = 2, 60
"""Calls of a schedule that is worth a picture and can be read in one."""


class SettingSchedule(Struct, frozen=True):
    """Schedules of one setting, or of all."""

    name: str
    """The setting."""
    trajectories: int
    """Those with calls."""
    calls_per_turn: Reading
    """Mean over trajectories."""
    overlap: Reading
    """Summed call times over the time in which any ran, mean over trajectories with times."""
    joined: Reading
    """Share of the turns with calls that could have been part of an earlier one."""
    missed_turns: Reading
    """Such turns a trajectory."""
    missed_share: Reading
    """Share of a trajectory's PTE that would be gone, mean over trajectories."""
    missed_pte: Reading
    """PTE that would be gone, a trajectory."""
    tool_seconds: Reading
    """Waiting that would be gone, a trajectory."""
    model_seconds: Reading
    """Generation time of such turns, a trajectory: at most this would be gone."""


def scheduling_topic(ledger: Ledger) -> Topic | None:
    """The topic."""
    if not ledger.manifest.derived.get(TABLE):
        return None
    rows = schedule_rows(ledger)
    if rows.is_empty():
        return None
    whole = measure_schedules("all", rows)
    parts = rows.partition_by(SETTING, maintain_order=True)
    settings = [measure_schedules(_name(part), part) for part in parts]
    planned = attempts(ledger)
    return Topic(
        anchor="scheduling",
        title="Was it scheduled well?",
        lead=" ".join([*_lead(whole), *(planning_lead(planned) if len(planned) else ())]),
        notes=_notes(ledger, rows),
        charts=[
            *(planning_charts(planned) if len(planned) else ()),
            _joined_chart(settings),
            *_pictures(ledger, parts),
        ],
        tables=[
            *(planning_tables(planned) if len(planned) else ()),
            _setting_table(settings),
            *_worst_table(rows),
        ],
    )


def schedule_rows(ledger: Ledger) -> pl.DataFrame:
    """A row per trajectory with calls, the dearest setting first; known edges before inferred."""
    about = ledger.read("trajectories").select(
        "trajectory_id",
        *SETTING,
        "pte",
        "calls",
        # Task 7 of one benchmark is not task 7 of another.
        task=pl.coalesce(
            pl.concat_str(pl.col("benchmark").fill_null(""), "task_id", separator="\0"),
            "trajectory_id",
        ),
    )
    best = (
        ledger.read(TABLE)
        .filter(pl.col("call_turns") > 0)
        .sort("edge_source", descending=True, maintain_order=True)
        .unique("trajectory_id", keep="first", maintain_order=True)
    )
    rows = best.join(about, on="trajectory_id").with_columns(
        missed_share=pl.when(pl.col("pte") > 0).then(pl.col("missed_pte") / pl.col("pte")),
        total=pl.col("pte").sum().over(SETTING),
    )
    order = ("total", *SETTING, "trajectory_id")
    return rows.sort(order, descending=[True, *[False] * 4], nulls_last=True)


def measure_schedules(name: str, rows: pl.DataFrame) -> SettingSchedule:
    """The readings of some trajectories."""
    return SettingSchedule(
        name=name,
        trajectories=len(rows),
        calls_per_turn=mean_of(rows, "calls_per_turn"),
        overlap=mean_of(rows, "overlap"),
        joined=_joined(rows),
        missed_turns=mean_of(rows, "missed_turns"),
        missed_share=mean_of(rows, "missed_share"),
        missed_pte=mean_of(rows, "missed_pte"),
        tool_seconds=mean_of(rows, "missed_tool_seconds"),
        model_seconds=mean_of(rows, "missed_model_seconds"),
    )


def _joined(rows: pl.DataFrame) -> Reading:
    """Every turn with calls is one trial of its task."""
    trials: dict[str, list[float]] = {}
    for task, missed, turns in rows.select("task", "missed_turns", "call_turns").iter_rows():
        trials.setdefault(task, []).extend([1.0] * missed + [0.0] * (turns - missed))
    found = reading(clustered_mean(trials))
    if found.low is None or found.high is None:
        return found
    return Reading(
        found.value, max(0.0, found.low), min(1.0, found.high), found.n, method=found.method
    )


def _name(part: pl.DataFrame) -> str:
    model, benchmark, variant = part.select(SETTING).row(0)
    return label((model or "").rpartition("/")[2] or None, benchmark, variant)


# Words -------------------------------------------------------------------------------------------


def _lead(whole: SettingSchedule) -> list[str]:
    said = [
        f"In {plural(whole.trajectories, 'trajectory', 'trajectories')} with calls, agents made "
        f"{_with_interval(whole.calls_per_turn, 'ratio')} calls a turn."
    ]
    if not whole.missed_turns.value:
        return [*said, "No turn could have been part of an earlier one."]
    said.append(
        f"{_with_interval(whole.joined, 'share')} of the turns with calls could have been part of "
        "an earlier one: their calls used nothing that came back in between."
    )
    saved = []
    if whole.missed_share.value is not None:
        saved.append(f"cost {_with_interval(whole.missed_share, 'share')} less PTE")
    if whole.tool_seconds.value:
        saved.append(f"wait {_with_interval(whole.tool_seconds, 'seconds')} less for tools")
    if saved:
        said.append(f"With those turns joined, a trajectory would on average {_and(saved)}.")
    return said


def _and(parts: list[str]) -> str:
    return " and ".join(parts)


def _with_interval(found: Reading, kind: CellKind) -> str:
    value = figure(found.value, kind)
    if found.low is None or found.high is None:
        return value
    return f"{value} (95 % interval {figure(found.low, kind)} to {figure(found.high, kind)})"


def _notes(ledger: Ledger, rows: pl.DataFrame) -> list[str]:
    known = int((rows["edge_source"] == "known").sum())
    inferred = len(rows) - known
    notes = []
    if inferred:
        notes.append(
            f"What depends on what is inferred for {plural(inferred, 'trajectory', 'trajectories')}"
            ": a call waits for an earlier one when a value, a word or a new number of its "
            "arguments may have come from that result. That a result led to a call without being "
            "quoted cannot be seen, so this is the most that joining can save."
        )
    if known:
        notes.append(
            f"The dependencies of {plural(known, 'trajectory', 'trajectories')} are known: the "
            "task's graph of work came with the log."
        )
    notes.append(
        "PTE: the prefill that joining makes needless, and decoding over the shorter context; what "
        "the turns wrote would still be written. `whatif --batch-independent` joins the same turns "
        "where dependencies are inferred."
    )
    timeless = int(rows["overlap"].is_null().sum())
    if timeless:
        named = plural(timeless, "trajectory has", "trajectories have")
        notes.append(f"{named} no times for all calls; their overlap is unknown.")
    unread = unread_inputs(ledger, TABLE)
    if unread:
        files = plural(len(unread), "file")
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


def _pictures(ledger: Ledger, parts: list[pl.DataFrame]) -> list[LanesChart]:
    """Of each setting the trajectory that missed the most, the settings that missed most first."""
    worst = [w for part in parts if len(w := _by_missed(_drawable(part)).head(1))]
    chosen = _by_missed(pl.concat(worst)).head(DRAWN) if worst else pl.DataFrame()
    charts = []
    for number, row in enumerate(chosen.iter_rows(named=True), 1):
        said = "known" if row["edge_source"] == "known" else "inferred"
        title = (
            f"{label(row['trajectory_id'], limit=60)}: {row['calls']} calls in "
            f"{plural(row['call_turns'], 'turn')}, {row['missed_turns']} of which could have been "
            f"joined ({said} dependencies)"
        )
        chart = schedule_chart(ledger, row["trajectory_id"], f"schedule-{number}", title)
        charts += [] if chart is None else [chart]
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
