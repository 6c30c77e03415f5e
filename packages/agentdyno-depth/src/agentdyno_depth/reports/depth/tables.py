"""Tables of depth as values: settings, outcomes, calls, bins, other readings.

Takes rows that others computed, returns tables for any renderer. Computes nothing.
"""

from collections.abc import Mapping, Sequence

from agentdyno.estimates.estimate import Estimate
from agentdyno.records.settings import SettingName
from agentdyno.reports.numbers import label
from agentdyno.reports.topic import Cell, TopicTable, Value, columns, table_of
from agentdyno_depth.studies.depth.accuracy import Bin, Correlation
from agentdyno_depth.studies.depth.by_setting import SettingDepth, TurnPoint
from agentdyno_depth.studies.depth.frames import DepthReading


def settings_table(rows: Sequence[SettingDepth]) -> TopicTable:
    """How much of each setting was read, and what it says on average."""
    return table_of(
        "Depth and confidence by setting",
        rows,
        {
            "setting": _setting,
            "trajectories:count": "trajectories",
            "turns:count": "turns",
            "tokens:count": "tokens",
            "deep-thinking ratio:share": "dtr",
            "log-probability of a token:ratio": "mean_log_prob",
            "entropy (nats):ratio": "entropy",
            "self-certainty (nats):ratio": "self_certainty",
        },
        folded=False,
    )


def outcomes_table(rows: Sequence[SettingDepth]) -> TopicTable:
    """Solved against unsolved."""
    return table_of(
        "Solved against unsolved trajectories",
        [row for row in rows if row.solved or row.unsolved],
        {
            "setting": _setting,
            "solved:count": "solved",
            "unsolved:count": "unsolved",
            "ratio, solved:share": "solved_dtr",
            "ratio, unsolved:share": "unsolved_dtr",
            "unsolved minus solved:share": "outcome_difference",
            "p (Holm):p": "outcome_difference.p",
        },
    )


def calls_table(rows: Sequence[SettingDepth]) -> TopicTable:
    """The tokens of calls against all others, in trajectories that have both."""
    return table_of(
        "Tokens of tool calls against all others",
        rows,
        {
            "setting": _setting,
            "tokens of calls:count": "call_tokens",
            "other tokens:count": lambda row: row.tokens - row.call_tokens,
            "ratio, calls:share": "call_dtr",
            "ratio, other tokens:share": "rest_dtr",
            "calls minus others:share": "call_difference",
            "p (Holm):p": "call_difference.p",
        },
    )


def bins_table(title: str, right: str, bins: Sequence[Bin]) -> TopicTable:
    """Accuracy over the ratio."""
    rows: list[list[Value]] = [
        [f"{number} of {len(bins)}", quantile.responses, quantile.score, quantile.right]
        for number, quantile in enumerate(bins, 1)
    ]
    heads = columns("bin", "how many:count", "mean ratio:share", f"{right}:share")
    return TopicTable(title, heads, rows)


def correlations_table(title: str, head: str, rows: dict[str, Correlation]) -> TopicTable:
    """How something goes with being right."""
    cells: dict[str, Cell] = {
        head: lambda row: row[0],
        "how many:count": lambda row: row[1].responses,
        "correlation over five bins:ratio": lambda row: row[1].reading,
    }
    return table_of(title, rows.items(), cells)


def turns_table(groups: Mapping[str, Sequence[TurnPoint]]) -> TopicTable:
    """The ratio from turn to turn; turns are counted from 1 for people."""
    longest = max(len(points) for points in groups.values())
    rows: list[list[Value]] = []
    for index in range(longest):
        cells = [points[index].dtr if index < len(points) else None for points in groups.values()]
        rows.append([str(index + 1), *cells])
    heads = columns("turn", *(f"{name}:share" for name in groups))
    return TopicTable("Deep-thinking ratio by turn", heads, rows)


def readings_table(rows: Sequence[tuple[DepthReading, Estimate]]) -> TopicTable:
    """Every model and pair of thresholds that the ledger has rows of."""
    heads = columns("reading model", "g:ratio", "rho:ratio", "trajectories:count",
                    "deep-thinking ratio:share")  # fmt: skip
    cells: list[list[Value]] = [
        [label(r.model), r.g, r.rho, r.trajectories, dtr] for r, dtr in rows
    ]
    return TopicTable("Other models and thresholds", heads, cells)


def _setting(row: SettingDepth) -> str:
    return name_setting(row.setting)


def name_setting(setting: SettingName | None) -> str:
    """A setting in a line."""
    if setting is None:
        return "all"
    return label(setting.model, setting.benchmark, setting.variant)
