"""How hard it thought: what the tables `depth` and `layer_distances` of a ledger say.

The paper's thresholds come first where a ledger has several readings; the others are listed.
"""

from agentdyno.measures.depth import cut_layer
from agentdyno.records import plural
from agentdyno.reports.numbers import label, short_names
from agentdyno.reports.topic import HeatChart, Topic, TopicChart, TopicTable
from agentdyno_depth.reports.depth.charts import (
    bins_chart,
    calls_chart,
    outcome_chart,
    turns_chart,
)
from agentdyno_depth.reports.depth.tables import (
    bins_table,
    calls_table,
    correlations_table,
    name_setting,
    outcomes_table,
    readings_table,
    settings_table,
    turns_table,
)
from agentdyno_depth.reports.depth.wording import correlation, share, verdict
from agentdyno_depth.studies.depth.by_setting import TurnPoint
from agentdyno_depth.studies.depth.frames import DepthReading
from agentdyno_depth.studies.depth.report import Depth, TurnHeat

ALL = "all"
WRITERS = 3
"""Models that are named among those that wrote."""


def render_depth(depth: Depth) -> Topic:
    return Topic(
        anchor="depth",
        title="How hard it thought",
        lead=_lead(depth),
        notes=_notes(depth),
        charts=[*(_picture(heat, n, depth.reading) for n, heat in enumerate(depth.heats, 1)),
                *_charts(depth)],
        tables=[*_tables(depth), *([readings_table(depth.readings)] if len(depth.readings) > 1
                                   else [])],
    )  # fmt: skip


def _lead(depth: Depth) -> str:
    everything, model = depth.everything, label(depth.reading.model)
    sentences = [
        f"Of a trajectory's tokens, {share(everything.dtr)} settle only in the deepest layers of "
        f"{model}{', which did not write them' if depth.foreign else ''} "
        f"({plural(everything.trajectories, 'trajectory', 'trajectories')})."
    ]
    if everything.outcome_difference.value is not None:
        sentences.append(f"Unsolved minus solved: {verdict(everything.outcome_difference)}.")
    if depth.pooled is not None:
        r = correlation(depth.pooled.reading)
        sentences.append(f"Ratio and being solved, over five bins: {r}.")
    if everything.call_difference.value is not None:
        sentences.append(
            f"At the tokens of tool calls the ratio is {share(everything.call_dtr)}; calls minus "
            f"other tokens: {verdict(everything.call_difference)}."
        )
    return " ".join(sentences)


def _notes(depth: Depth) -> list[str]:
    pair, model = depth.reading, label(depth.reading.model)
    notes = []
    if depth.foreign:
        notes.append(
            f"{model} read these texts again and did not write them (written by "
            f"{_writers(depth)}). The numbers say how hard the texts are for {model}, not how "
            "hard the agent thought."
        )
    elif not depth.written_by:
        notes.append(f"The traces do not say who wrote them; if not {model}, the numbers are its.")
    notes.append(
        f"A token is deep when no layer before the last {_percent(1 - pair.rho)} comes within "
        f"{pair.g:g} bits of the last layer's prediction. A trajectory's ratio is over all its "
        "tokens; means are over trajectories, intervals resample tasks."
    )
    if depth.unread:
        notes.append(
            f"{plural(depth.unread, 'trajectory', 'trajectories')} of the ledger were not read "
            "by this model."
        )
    return notes


def _writers(depth: Depth) -> str:
    named = [label(name) for name in depth.foreign[:WRITERS]]
    more = len(depth.foreign) - len(named)
    return ", ".join(named) + (f" and {more} more" if more > 0 else "")


def _percent(part: float) -> str:
    return f"{100 * part:g} % of the layers"


def _charts(depth: Depth) -> list[TopicChart]:
    charts: list[TopicChart] = []
    if _has_outcomes(depth):
        charts.append(outcome_chart("depth-outcomes", depth.rows))
    if len(depth.bins) > 1:
        title = "Solved by deep-thinking ratio, five quantile bins"
        charts.append(bins_chart("depth-accuracy", title, "solved", {ALL: depth.bins}))
    if _has_calls(depth):
        charts.append(calls_chart("depth-calls", depth.rows))
    if len(depth.turns) > 1:
        charts.append(turns_chart("depth-turns", _lines(depth)))
    return charts


def _picture(heat: TurnHeat, number: int, reading: DepthReading) -> HeatChart:
    """One turn of each of the largest settings, with the reading's cut."""
    where = label(heat.trajectory_id, limit=60)
    title = f"{name_setting(heat.setting)}: turn {heat.turn + 1} of {where}"
    cut = cut_layer(max(map(len, heat.distances), default=1), reading.rho)
    return HeatChart(f"depth-thought-{number}", title, heat.tokens, heat.distances, reading.g, cut)


def _tables(depth: Depth) -> list[TopicTable]:
    tables = [settings_table(depth.rows)]
    if _has_outcomes(depth):
        tables.append(outcomes_table(depth.rows))
    if _has_calls(depth):
        tables.append(calls_table(depth.rows))
    if depth.pooled is not None:
        title = "Solved by deep-thinking ratio, in quantile bins"
        tables.append(bins_table(title, "solved", depth.bins))
        named = {ALL: depth.pooled, **{name_setting(s): c for s, c in depth.correlations}}
        tables.append(
            correlations_table("Correlation of the ratio with being solved", "setting", named)
        )
    if len(depth.turns) > 1:
        tables.append(turns_table(_lines(depth)))
    return tables


def _has_outcomes(depth: Depth) -> bool:
    return any(row.solved and row.unsolved for row in depth.rows)


def _has_calls(depth: Depth) -> bool:
    return any(row.call_dtr.value is not None for row in depth.rows)


def _lines(depth: Depth) -> dict[str, list[TurnPoint]]:
    """By turn: all trajectories, and the largest settings where there are several."""
    names = short_names([setting for setting, _ in depth.turns_of])
    by_setting = {name: points for name, (_, points) in zip(names, depth.turns_of, strict=True)}
    return {ALL: depth.turns} | by_setting
