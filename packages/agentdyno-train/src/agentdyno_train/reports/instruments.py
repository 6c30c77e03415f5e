"""What the measures say of agents and of each other: takes `Instruments`, returns topics."""

from agentdyno.estimates.estimate import Estimate
from agentdyno.records import printable
from agentdyno.reports.topic import ChartRow, RowsChart, Topic, TopicTable, Value, columns
from agentdyno_train.studies.instruments.depths import Separation
from agentdyno_train.studies.instruments.predictors import SecondsFit
from agentdyno_train.studies.instruments.study import Instruments
from agentdyno_train.studies.instruments.worth import Agreement, ToolWorth

FEWEST = 5
"""Attempts with a pattern, and without, that a sentence about it needs."""


def render_instruments(found: Instruments) -> list[Topic]:
    """A topic for each question that something is known of."""
    renderers = (_depths, _separations, _choices, _worths, _habits, _seconds)
    return [topic for render in renderers if (topic := render(found)) is not None]


def _depths(found: Instruments) -> Topic | None:
    if not found.depths:
        return None
    overall = [x for x in found.depths if x.part == "whole attempt"]
    heads = columns("tasks", "part", "agent", "DTR:share", "change:share", "tokens:count")
    rows: list[list[Value]] = [
        [x.level, x.part, printable(x.agent, 40), x.dtr, x.change, x.tokens] for x in found.depths
    ]
    marks = [ChartRow(f"{x.level}: {printable(x.agent, 40)}", x.dtr) for x in overall]
    return Topic(
        anchor="depth-of-acting",
        title="How deep the agent thinks where it acts",
        lead=" ".join(
            f"{x.level}, {printable(x.agent, 40)}: {_share(x.dtr)} of tokens are deep."
            for x in overall
        ),
        notes=[
            "Greedy attempts; g = 0.5, rho = 0.85; clustered by task. Changes are from the first "
            "agent, paired by task.",
        ],
        charts=[RowsChart("depth-of-acting", "Deep tokens", "DTR", marks, "share", "points")],
        tables=[TopicTable("by part and turn", heads, rows)],
    )


def _separations(found: Instruments) -> Topic | None:
    if not found.separations:
        return None
    heads = columns("agent", "tasks", "right means", "measure", "AUC:ratio",
                    "AUC within tasks:ratio",
                    "right:count", "wrong:count")  # fmt: skip
    rows: list[list[Value]] = [
        [
            printable(x.agent, 40),
            x.level,
            x.outcome,
            x.measure,
            x.pooled,
            x.within,
            x.right,
            x.wrong,
        ]
        for x in found.separations
    ]
    deep = [x for x in found.separations if x.measure == "DTR"]
    return Topic(
        anchor="depth-and-right",
        title="Does depth tell right attempts from wrong ones?",
        lead=" ".join(map(_describe_separation, deep)),
        notes=[
            "An AUC of 0.5 tells nothing; above it the higher value is the right one's. Pooled "
            "over tasks it also sees how hard they are. Intervals resample tasks."
        ],
        charts=[
            RowsChart(
                "depth-and-right", "DTR of right against wrong attempts", "AUC",
                [ChartRow(f"{printable(x.agent, 40)}, {x.level}, {x.outcome}", x.pooled)
                 for x in deep], "ratio",
                "points", 0.5,
            )
        ],
        tables=[TopicTable("right against wrong", heads, rows, False)],
    )  # fmt: skip


def _describe_separation(x: Separation) -> str:
    return (
        f"{printable(x.agent, 40)}, {x.level}, {x.outcome}: AUC of DTR {_number(x.pooled)} pooled, "
        f"{_number(x.within)} within tasks, {x.right} right and {x.wrong} wrong attempts."
    )


def _choices(found: Instruments) -> Topic | None:
    if not found.choices:
        return None
    heads = columns("agent", "tasks", "kept", "mean mark:share", "gain over all:share",
                    "tokens over all:ratio")  # fmt: skip
    rows: list[list[Value]] = [
        [printable(x.agent, 40), x.level, x.method, x.mark, x.gain, x.tokens_over_all]
        for x in found.choices
    ]
    deep = [x for x in found.choices if x.method == "highest DTR"]
    return Topic(
        anchor="own-samples",
        title="Think@n over its own samples",
        lead=" ".join(
            f"{printable(x.agent, 40)}, {x.level}: the half with the highest DTR after 50 tokens "
            f"is worth {_share(x.mark)}, {_change(x.gain)} against all, for "
            f"{x.tokens_over_all:.0%} of the tokens."
            for x in deep
        ),
        notes=["An act in a world leaves nothing to vote on: a choice is worth the mean mark of "
               "what it keeps."],
        charts=[],
        tables=[TopicTable("which half is kept", heads, rows, False)],
    )  # fmt: skip


def _worths(found: Instruments) -> Topic | None:
    if not found.worths:
        return None
    heads = columns("agent", "tool", "calls:count", "change of the mark:share",
                    "change of solving:share", "useful by rule:share")  # fmt: skip
    rows: list[list[Value]] = [
        [printable(x.agent, 40), printable(x.tool, 60), x.calls, x.delta, x.solved, x.useful]
        for x in found.worths
    ]
    raters = columns("agent", "calls:count", "both:count", "continuations alone:count",
                     "rule alone:count", "neither:count", "kappa:ratio",
                     "AUC of delta:ratio")  # fmt: skip
    rated: list[list[Value]] = [
        [printable(x.agent, 40), x.calls, x.both, x.only_continuations, x.only_rule, x.neither,
         x.kappa, x.auc]
        for x in found.agreements
    ]  # fmt: skip
    overall = [x for x in found.worths if x.tool == "all tools"]
    return Topic(
        anchor="worth-of-tools",
        title="What each tool's calls are worth, by continuations",
        lead=" ".join([*map(_worth, overall), *map(_describe_agreement, found.agreements)]),
        notes=[
            "The agent itself goes on from just before and from just after each call; the change "
            "of the mean mark is the call's worth. No capable language model was asked: the second "
            "rater is a rule that reads which step of the reference plan a call did first."
        ],
        charts=[],
        tables=[
            TopicTable("by tool", heads, rows, False),
            TopicTable("continuations against the rule", raters, rated, False),
        ],
    )


def _worth(x: ToolWorth) -> str:
    name, change = printable(x.agent, 40), _change(x.delta)
    return f"{name}: a call changes the mark by {change} ({x.calls} calls)."


def _describe_agreement(x: Agreement) -> str:
    return (
        f"{printable(x.agent, 40)}: continuations and the rule agree on {x.both + x.neither} of "
        f"{x.calls} calls (kappa {_number(x.kappa)})."
    )


def _habits(found: Instruments) -> Topic | None:
    if not found.habits:
        return None
    heads = columns("agent", "tasks", "pattern", "with it:count", "failed:count", "without:count",
                    "failed:count", "difference:share", "change of the mark:share")  # fmt: skip
    rows: list[list[Value]] = [
        [printable(x.agent, 40), x.level, x.pattern, x.shown, x.failed_with, x.others,
         x.failed_others, x.difference, x.mark]
        for x in found.habits
    ]  # fmt: skip
    sentences = [
        f"{printable(x.agent, 40)}, {x.level}: with {x.pattern} {_change(reading)} {what}."
        for x in found.habits
        if min(x.shown, x.others) >= FEWEST
        for reading, what in ((x.difference, "failures"), (x.mark, "of the mark"))
        if reading.low is not None
        and reading.high is not None
        and (reading.low > 0 or reading.high < 0)
    ]
    return Topic(
        anchor="habits-and-failure",
        title="Do wasteful patterns predict failure?",
        lead=" ".join(sentences) or "No pattern's failures or marks differ for certain.",
        notes=["Greedy attempts; failures and mean marks with a pattern minus without, by task."],
        charts=[],
        tables=[TopicTable("failures with and without", heads, rows, False)],
    )


def _seconds(found: Instruments) -> Topic | None:
    if not found.seconds:
        return None
    heads = columns("agent", "predictor", "Pearson:correlation", "Spearman:correlation",
                    "attempts:count", "seconds:seconds")  # fmt: skip
    rows: list[list[Value]] = [
        [printable(x.agent, 40), x.predictor, x.pearson, x.spearman, x.attempts, x.seconds]
        for x in found.seconds
    ]
    best = max(found.seconds, key=_strength)
    return Topic(
        anchor="what-predicts-seconds",
        title="What predicts the seconds of this model on its machine?",
        lead=f"Best by Pearson's r: {best.predictor} for {printable(best.agent, 40)}, "
        f"{_number(best.pearson)}.",
        notes=[
            f"Attempts one at a time on: {printable(found.machine, 80) or 'unknown'}. PTE "
            f"and GPU-seconds by {printable(found.hardware, 40)}."
        ],
        charts=[],
        tables=[TopicTable("predictors of seconds", heads, rows, False)],
    )


def _strength(x: SecondsFit) -> float:
    return -2.0 if x.pearson.value is None else x.pearson.value


def _share(x: Estimate) -> str:
    return "unknown" if x.value is None else f"{x.value:.1%}"


def _number(x: Estimate) -> str:
    if x.value is None:
        return "unknown"
    ends = "" if x.low is None or x.high is None else f" [{x.low:.2f}, {x.high:.2f}]"
    return f"{x.value:.2f}{ends}"


def _change(x: Estimate | None) -> str:
    if x is None or x.value is None:
        return "an unknown amount"
    ends = "" if x.low is None or x.high is None else f" [{x.low:+.1%}, {x.high:+.1%}]"
    return f"{x.value:+.1%}{ends}"
