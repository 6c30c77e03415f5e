"""Tables of depth as values: settings, outcomes, calls, bins, other readings.

Takes rows that others computed, returns tables for any renderer. Computes nothing.
"""

from collections.abc import Mapping, Sequence

from agentdyno.estimates.estimate import Estimate
from agentdyno.records.settings import SettingName
from agentdyno.reports.numbers import label
from agentdyno.reports.topic import TopicColumn, TopicTable, Value
from agentdyno_depth.studies.depth.accuracy import Bin, Correlation
from agentdyno_depth.studies.depth.by_setting import SettingDepth, TurnPoint
from agentdyno_depth.studies.depth.frames import DepthReading


def settings_table(rows: Sequence[SettingDepth]) -> TopicTable:
    """How much of each setting was read, and what it says on average."""
    return TopicTable(
        title="Depth and confidence by setting",
        columns=[
            TopicColumn("setting"),
            TopicColumn("trajectories", "count"),
            TopicColumn("turns", "count"),
            TopicColumn("tokens", "count"),
            TopicColumn("deep-thinking ratio", "share"),
            TopicColumn("log-probability of a token", "ratio"),
            TopicColumn("entropy (nats)", "ratio"),
            TopicColumn("self-certainty (nats)", "ratio"),
        ],
        rows=[
            [
                name_setting(row.setting),
                row.trajectories,
                row.turns,
                row.tokens,
                row.dtr,
                row.mean_log_prob,
                row.entropy,
                row.self_certainty,
            ]
            for row in rows
        ],
        folded=False,
    )


def outcomes_table(rows: Sequence[SettingDepth]) -> TopicTable:
    """Solved against unsolved."""
    return TopicTable(
        title="Solved against unsolved trajectories",
        columns=[
            TopicColumn("setting"),
            TopicColumn("solved", "count"),
            TopicColumn("unsolved", "count"),
            TopicColumn("ratio, solved", "share"),
            TopicColumn("ratio, unsolved", "share"),
            TopicColumn("unsolved minus solved", "share"),
            TopicColumn("p (Holm)", "p"),
        ],
        rows=[
            [
                name_setting(row.setting),
                row.solved,
                row.unsolved,
                row.solved_dtr,
                row.unsolved_dtr,
                row.outcome_difference,
                row.outcome_difference.p,
            ]
            for row in rows
            if row.solved or row.unsolved
        ],
    )


def calls_table(rows: Sequence[SettingDepth]) -> TopicTable:
    """The tokens of calls against all others, in trajectories that have both."""
    return TopicTable(
        title="Tokens of tool calls against all others",
        columns=[
            TopicColumn("setting"),
            TopicColumn("tokens of calls", "count"),
            TopicColumn("other tokens", "count"),
            TopicColumn("ratio, calls", "share"),
            TopicColumn("ratio, other tokens", "share"),
            TopicColumn("calls minus others", "share"),
            TopicColumn("p (Holm)", "p"),
        ],
        rows=[
            [
                name_setting(row.setting),
                row.call_tokens,
                row.tokens - row.call_tokens,
                row.call_dtr,
                row.rest_dtr,
                row.call_difference,
                row.call_difference.p,
            ]
            for row in rows
        ],
    )


def bins_table(title: str, right: str, bins: Sequence[Bin]) -> TopicTable:
    """Accuracy over the ratio."""
    return TopicTable(
        title=title,
        columns=[
            TopicColumn("bin"),
            TopicColumn("how many", "count"),
            TopicColumn("mean ratio", "share"),
            TopicColumn(right, "share"),
        ],
        rows=[
            [f"{place} of {len(bins)}", each.responses, each.score, each.right]
            for place, each in enumerate(bins, 1)
        ],
    )


def correlations_table(title: str, head: str, rows: dict[str, Correlation]) -> TopicTable:
    """How something goes with being right."""
    return TopicTable(
        title=title,
        columns=[
            TopicColumn(head),
            TopicColumn("how many", "count"),
            TopicColumn("correlation over five bins", "ratio"),
        ],
        rows=[[name, row.responses, row.reading] for name, row in rows.items()],
    )


def turns_table(groups: Mapping[str, Sequence[TurnPoint]]) -> TopicTable:
    """The ratio from turn to turn; turns are counted from 1 for people."""
    longest = max(len(points) for points in groups.values())
    rows: list[list[Value]] = []
    for place in range(longest):
        cells = [points[place].dtr if place < len(points) else None for points in groups.values()]
        rows.append([str(place + 1), *cells])
    columns = [TopicColumn("turn"), *(TopicColumn(name, "share") for name in groups)]
    return TopicTable("Deep-thinking ratio by turn", columns, rows)


def readings_table(rows: Sequence[tuple[DepthReading, Estimate]]) -> TopicTable:
    """Every model and pair of thresholds that the ledger has rows of."""
    return TopicTable(
        title="Other models and thresholds",
        columns=[
            TopicColumn("reading model"),
            TopicColumn("g", "ratio"),
            TopicColumn("rho", "ratio"),
            TopicColumn("trajectories", "count"),
            TopicColumn("deep-thinking ratio", "share"),
        ],
        rows=[[label(r.model), r.g, r.rho, r.trajectories, dtr] for r, dtr in rows],
    )


def name_setting(setting: SettingName | None) -> str:
    """A setting in a line."""
    if setting is None:
        return "all"
    return label(setting.model, setting.benchmark, setting.variant)
