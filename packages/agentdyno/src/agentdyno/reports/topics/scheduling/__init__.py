"""Was it scheduled well? The ledger's tables of schedules as a topic of the report.

Takes a ledger; returns the topic, or None when nobody looked at its schedules or nothing made a
call.
"""

from collections.abc import Sequence

from agentdyno.records import plural
from agentdyno.records.cost_unit import CostUnit
from agentdyno.reports.numbers import LESS, UNITS, figure, in_words, label
from agentdyno.reports.topic import (
    Cell,
    ChartRow,
    LanesChart,
    Place,
    RowsChart,
    Topic,
    TopicTable,
    table_of,
)
from agentdyno.studies.scheduling.parallelism import SettingSchedule
from agentdyno.studies.scheduling.report import MissedSchedule, Scheduling

SHORTEST = 1.0
"""Seconds of a schedule that is worth a picture."""


def render_scheduling(study: Scheduling) -> Topic:
    return Topic(
        anchor="scheduling",
        title="Calls that ran together, and that could have",
        lead=" ".join(_lead(study)),
        notes=_notes(study),
        charts=[
            *([_draw_joined(study.settings)] if study.whole.missed_turns.value else ()),
            *(
                _picture(schedule, number)
                for number, schedule in enumerate(_worth_drawing(study), 1)
            ),
        ],
        tables=[
            _build_table(
                "Parallelism taken and missed, by setting",
                study.settings,
                _SETTINGS if study.known else _TAKEN,
                study.unit,
            ),
            *(
                [_build_table("Trajectories that missed the most", study.worst, _WORST, study.unit)]
                if study.worst
                else ()
            ),
        ],
    )


# Words -------------------------------------------------------------------------------------------


def _lead(study: Scheduling) -> list[str]:
    total = study.whole
    sentences = [
        f"In {plural(total.trajectories, 'trajectory', 'trajectories')} with calls, agents made "
        f"{in_words(total.calls_per_turn, 'ratio')} calls a turn."
    ]
    if total.missed_turns.value is None:
        return sentences
    if not total.missed_turns.value:
        return [*sentences, "No turn could have been part of an earlier one."]
    share = in_words(total.joined, "share")
    sentences.append(
        f"{share} of the turns with calls could have been part of an earlier one: their calls used "
        "nothing that came back in between."
    )
    saved = []
    if total.missed_share.value is not None and study.unit != "usd":
        saved.append(f"cost {in_words(total.missed_share, 'share')} {LESS[study.unit]}")
    if total.tool_seconds.value:
        saved.append(f"wait {in_words(total.tool_seconds, 'seconds')} less for tools")
    if saved:
        both = " and ".join(saved)
        sentences.append(f"With those turns joined, a trajectory would on average {both}.")
    return sentences


def _notes(study: Scheduling) -> list[str]:
    recorded, inferred = study.known, study.inferred
    notes = []
    if inferred:
        notes.append(
            "What depends on what is inferred for "
            f"{plural(inferred, 'trajectory', 'trajectories')}: a call waits for an "
            "earlier one when its result showed something that the arguments name. Calls that "
            "touch what another wrote, or try again what failed, are not seen, so nothing is said "
            "of turns that could have been one."
        )
    if recorded:
        notes.append(
            f"The dependencies of {plural(recorded, 'trajectory', 'trajectories')} are known: the "
            "task's graph of work came with the log."
        )
    if recorded and study.unit == "pte":
        notes.append(
            f"{UNITS[study.unit]}: the prefill that joining makes needless, and decoding over the "
            "shorter context; what the turns wrote would still be written."
        )
    if study.timeless:
        named = plural(study.timeless, "trajectory has", "trajectories have")
        notes.append(f"{named} no times for all calls; their overlap is unknown.")
    if study.unread:
        files = plural(study.unread, "file")
        notes.append(f"{files} could not be read again, so their schedules are not in it.")
    return notes


# Charts and tables -------------------------------------------------------------------------------


def _draw_joined(settings: list[SettingSchedule]) -> RowsChart:
    rows = [
        ChartRow(label(s.name, limit=110), s.joined, f"{figure(s.joined.value, 'share')} of turns")
        for s in sorted(settings, key=lambda s: -(s.joined.value or 0.0))
    ]
    return RowsChart(
        name="schedule-joined",
        title="Turns that could have been part of an earlier one",
        axis="share of the turns with calls",
        rows=rows,
        kind="share",
    )


def _worth_drawing(study: Scheduling) -> list[MissedSchedule]:
    """Schedules of some length; in money only those with times, since boxes of equal width say
    nothing of waiting."""
    with_times = [
        drawing for drawing in study.drawn
        if drawing.lanes is not None and (drawing.lanes.axis == "seconds" or study.unit != "usd")
    ]  # fmt: skip
    return [
        drawing for drawing in with_times
        if drawing.lanes is not None
        and (drawing.lanes.axis != "seconds" or max(b.end for b in drawing.lanes.bars) >= SHORTEST)
    ]  # fmt: skip


def _picture(missed: MissedSchedule, number: int) -> LanesChart:
    """Of each setting the trajectory that missed the most, the settings that missed most first."""
    assert missed.lanes is not None
    bare = (missed.setting.model or "").rpartition("/")[2]
    of = missed.task_id or missed.trajectory_id
    name = label(of, bare or None, missed.setting.variant, limit=60)
    title = f"{name}: {plural(missed.calls, 'call')} in {plural(missed.call_turns, 'turn')}"
    if missed.missed_turns is not None:
        title += f", {missed.missed_turns} of which could have been joined"
    title += f" ({missed.edge_source} dependencies)"
    lanes = missed.lanes
    return LanesChart(f"schedule-{number}", title, lanes.bars, lanes.turns, lanes.axis)


_TAKEN: dict[str, Cell] = {
    "setting": lambda s: label(s.name, limit=110),
    "trajectories:count": "trajectories",
    "calls a turn:ratio": "calls_per_turn",
    "overlap in time:ratio": "overlap",
}
_SETTINGS: dict[str, Cell] = {
    **_TAKEN,
    "turns to join:share": "joined",
    "turns to join, each:ratio": "missed_turns",
    "{unit} gone:share": "missed_share",
    "{unit} gone, each:amount": "missed_cost",
    "tool time gone, each:seconds": "tool_seconds",
    "model time gone at most, each:seconds": "model_seconds",
}
_WORST: dict[str, Cell] = {
    "trajectory": lambda w: Place(w.trajectory_id),
    "calls:count": "calls",
    "turns with calls:count": "call_turns",
    "turns to join:count": "missed_turns",
    "{unit} gone:amount": "missed_cost",
    "of its {unit}:share": "missed_share",
    "tool time gone:seconds": "missed_tool_seconds",
    "model time gone at most:seconds": "missed_model_seconds",
}


def _build_table(
    title: str, rows: Sequence[object], cells: dict[str, Cell], unit: CostUnit
) -> TopicTable:
    """Without columns of money, which joining has none of."""
    visible_cells = {
        head: cell for head, cell in cells.items() if unit != "usd" or "{unit}" not in head
    }
    named = {head.format(unit=UNITS[unit]): cell for head, cell in visible_cells.items()}
    return table_of(title, rows, named)
