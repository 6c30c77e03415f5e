"""How hard it thought: what the tables `depth` and `thought` of a ledger say.

The paper's thresholds come first where a ledger has several readings; the others are listed.
"""

import polars as pl
from msgspec import Struct

from agentdyno.records import counted
from agentdyno.reports.numbers import label
from agentdyno.reports.topic import HeatChart, Topic, TopicChart, TopicTable
from agentdyno.reports.topics.depth.charts import (
    bins_chart,
    calls_chart,
    outcome_chart,
    thought_chart,
    turns_chart,
)
from agentdyno.reports.topics.depth.tables import (
    bins_table,
    calls_table,
    correlations_table,
    outcomes_table,
    readings_table,
    setting_name,
    settings_table,
    turns_table,
)
from agentdyno.reports.topics.depth.wording import correlation, share, short_names, verdict
from agentdyno.studies.depth.accuracy import (
    BINS,
    Bin,
    Correlation,
    correlate,
    quantile_bins,
)
from agentdyno.studies.depth.by_setting import (
    SettingDepth,
    TurnPoint,
    depth_by_setting,
    depth_by_turn,
    setting_depth,
    share_mean,
)
from agentdyno.studies.depth.frames import DepthFrames, depth_readings, load_depth
from agentdyno.studies.tables import Tables

PICTURES = 2
"""Heat maps, of the settings with the most trajectories."""
LINES = 4
"""Settings with a line of their own over turns."""
ALL = "all"
WRITERS = 3
"""Models that are named among those that wrote."""


class _Found(Struct, frozen=True):
    """What one reading says, before it is told."""

    frames: DepthFrames
    rows: list[SettingDepth]
    everything: SettingDepth
    pooled: Correlation | None
    bins: list[Bin]
    turns: dict[str, list[TurnPoint]]

    @property
    def has_outcomes(self) -> bool:
        return any(row.solved and row.unsolved for row in self.rows)

    @property
    def has_calls(self) -> bool:
        return any(row.call_dtr.value is not None for row in self.rows)


def depth_topic(ledger: Tables) -> Topic | None:
    """The topic; None when nobody measured depth."""
    readings = depth_readings(ledger)
    if not readings:
        return None
    frames = load_depth(ledger, readings[0])
    if frames.trajectories["dtr"].drop_nulls().is_empty():
        return None
    found = _find(frames)
    others = [(r, share_mean(load_depth(ledger, r).trajectories, "dtr")) for r in readings[1:]]
    listed = [(readings[0], found.everything.dtr), *others]
    return Topic(
        anchor="depth",
        title="How hard it thought",
        lead=_lead(found),
        notes=_notes(frames),
        charts=[*_pictures(ledger, frames), *_charts(found)],
        tables=[*_tables(found), *([readings_table(listed)] if others else [])],
    )


def _find(frames: DepthFrames) -> _Found:
    known = _known(frames)
    return _Found(
        frames=frames,
        rows=depth_by_setting(frames),
        everything=setting_depth(None, frames.trajectories),
        pooled=_correlation(known),
        bins=quantile_bins(
            known["dtr"].to_list(), known["correct"].to_list(), known["task"].to_list()
        ),
        turns=_turns(frames),
    )


def _turns(frames: DepthFrames) -> dict[str, list[TurnPoint]]:
    """By turn: all trajectories, and the largest settings where there are several."""
    names = short_names(frames.settings)[:LINES] if len(frames.settings) > 1 else []
    own = {name: depth_by_turn(frames, place) for place, name in enumerate(names)}
    return {ALL: depth_by_turn(frames)} | own


def _known(frames: DepthFrames) -> pl.DataFrame:
    rows = frames.trajectories
    return rows.filter(pl.col("correct").is_not_null() & pl.col("dtr").is_not_null())


def _lead(found: _Found) -> str:
    everything, model = found.everything, label(found.frames.reading.model)
    said = [
        f"Of a trajectory's tokens, {share(everything.dtr)} settle only in the deepest layers of "
        f"{model}{', which did not write them' if found.frames.foreign else ''} "
        f"({counted(everything.trajectories, 'trajectory', 'trajectories')})."
    ]
    if everything.outcome_difference.value is not None:
        said.append(f"Unsolved minus solved: {verdict(everything.outcome_difference)}.")
    if found.pooled is not None:
        r = correlation(found.pooled.reading)
        said.append(f"Being solved goes with the ratio by {r} over five bins.")
    if everything.call_difference.value is not None:
        said.append(
            f"At the tokens of tool calls the ratio is {share(everything.call_dtr)}; calls minus "
            f"other tokens: {verdict(everything.call_difference)}."
        )
    return " ".join(said)


def _notes(frames: DepthFrames) -> list[str]:
    pair, model = frames.reading, label(frames.reading.model)
    notes = []
    if frames.foreign:
        notes.append(
            f"{model} read these texts again and did not write them (written by "
            f"{_writers(frames)}). The numbers say how hard the texts are for {model}, not how "
            "hard the agent thought."
        )
    elif not frames.written_by:
        notes.append(f"The traces do not say who wrote them; if not {model}, the numbers are its.")
    notes.append(
        f"A token is deep when no layer before the last {_percent(1 - pair.rho)} comes within "
        f"{pair.g:g} bits of the last layer's prediction. A trajectory's ratio is over all its "
        "tokens; means are over trajectories, intervals resample tasks."
    )
    if frames.unread:
        notes.append(
            f"{counted(frames.unread, 'trajectory', 'trajectories')} of the ledger were not read "
            "by this model."
        )
    return notes


def _writers(frames: DepthFrames) -> str:
    named = [label(name) for name in frames.foreign[:WRITERS]]
    left = len(frames.foreign) - len(named)
    return ", ".join(named) + (f" and {left} more" if left > 0 else "")


def _percent(part: float) -> str:
    return f"{100 * part:g} % of the layers"


def _charts(found: _Found) -> list[TopicChart]:
    charts: list[TopicChart] = []
    if found.has_outcomes:
        charts.append(outcome_chart("depth-outcomes", found.rows))
    if len(found.bins) > 1:
        title = "Solved by deep-thinking ratio, five quantile bins"
        charts.append(bins_chart("depth-accuracy", title, "solved", {ALL: found.bins}))
    if found.has_calls:
        charts.append(calls_chart("depth-calls", found.rows))
    if len(found.turns[ALL]) > 1:
        charts.append(turns_chart("depth-turns", found.turns))
    return charts


def _pictures(ledger: Tables, frames: DepthFrames) -> list[HeatChart]:
    """One turn of each of the largest settings, where the model that read it is this one."""
    thought = ledger.read("thought").filter(depth_model=frames.reading.model)
    keyed = thought.join(frames.trajectories.select("trajectory_id", "setting"), on="trajectory_id")
    parts = keyed.sort("setting", maintain_order=True).partition_by("setting", maintain_order=True)
    found = []
    for place, part in enumerate(parts[:PICTURES], 1):
        first = part.row(0, named=True)
        of = setting_name(frames.settings[first["setting"]])
        title = f"{of}: turn {first['turn'] + 1} of {label(first['trajectory_id'], limit=60)}"
        found.append(thought_chart(f"depth-thought-{place}", title, _one(part)))
    return found


def _one(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of the first turn, should two processes have kept one each."""
    first = rows.row(0, named=True)
    return rows.filter(trajectory_id=first["trajectory_id"], turn=first["turn"])


def _tables(found: _Found) -> list[TopicTable]:
    tables = [settings_table(found.rows)]
    if found.has_outcomes:
        tables.append(outcomes_table(found.rows))
    if found.has_calls:
        tables.append(calls_table(found.rows))
    if found.pooled is not None:
        title = "Solved by deep-thinking ratio, in quantile bins"
        tables.append(bins_table(title, "solved", found.bins))
        named = {ALL: found.pooled} | _by_setting(found.frames)
        tables.append(correlations_table("How the ratio goes with being solved", "setting", named))
    if len(found.turns[ALL]) > 1:
        tables.append(turns_table(found.turns))
    return tables


def _by_setting(frames: DepthFrames) -> dict[str, Correlation]:
    if len(frames.settings) < 2:
        return {}
    parts = {
        setting_name(name): _correlation(_known(frames).filter(setting=place))
        for place, name in enumerate(frames.settings)
    }
    return {name: found for name, found in parts.items() if found is not None}


def _correlation(known: pl.DataFrame) -> Correlation | None:
    """None with fewer trajectories than bins."""
    if len(known) < BINS:
        return None
    scores, right = known["dtr"].to_list(), known["correct"].to_list()
    return correlate(scores, right, tasks=known["task"].to_list())
