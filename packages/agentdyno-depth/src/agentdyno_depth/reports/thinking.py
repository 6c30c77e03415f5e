"""Renders a pool's results as topics: accuracy against cost of the ways to choose among samples.

Takes a comparison, or answers with early stopping; returns topics for any renderer. Computes
nothing.
"""

from collections.abc import Sequence

from agentdyno.estimates.estimate import Estimate
from agentdyno.records import plural
from agentdyno.reports.numbers import label, short
from agentdyno.reports.topic import Cell, PlaneChart, PlanePoint, Topic, TopicTable, table_of
from agentdyno_depth.records.thinking import MethodResult, ThinkAnswers, Thinking
from agentdyno_depth.reports.depth.wording import share, verdict

NAMES = {
    "cons": "Cons",
    "mean": "Mean",
    "long": "Long",
    "short": "Short",
    "self_certainty": "Self-Certainty",
    "think": "Think",
}
"""The paper's names; other ranks go by their own."""


def think_topics(result: Thinking | ThinkAnswers) -> list[Topic]:
    """The topics of a page."""
    if isinstance(result, ThinkAnswers):
        return [_answers(result)]
    return [_methods(result), _sweeps(result)]


def _methods(study: Thinking) -> Topic:
    return Topic(
        anchor="methods",
        title="Which way of choosing pays",
        lead=_lead(study),
        notes=[
            f"{plural(study.problems, 'problem')}, {plural(study.samples, 'sample')} of each by "
            f"{label(study.model)}; {plural(study.trials, 'trial')} draw n of them. "
            f"{100 * study.pass_rate:.1f} % of the samples are right, "
            f"{100 * study.answered:.1f} % give an answer, {study.mean_tokens:.0f} tokens each.",
            "Cost is in generated tokens of a problem by the paper's accounting; written is what "
            "was generated. Intervals resample problems.",
            *study.notes,
        ],
        charts=[
            PlaneChart(
                name="think-plane",
                title="Accuracy against cost of each way to choose",
                across="generated tokens for a problem",
                up="problems right",
                points=[_point(row, study.problems, _kind(row)) for row in study.methods],
            )
        ],
        tables=[_table("Every way to choose", study.methods, study.problems, folded=False)],
    )


def _lead(study: Thinking) -> str:
    by_name = {row.method: row for row in study.methods}
    think, cons = by_name["think"], by_name["cons"]
    lead = Estimate(think.lead, think.lead_low, think.lead_high, study.problems)
    change = f"{abs(100 * think.cost_change):.0f} % {'less' if think.cost_change < 0 else 'more'}"
    return (
        f"{_name(think)} answers {share(_accuracy(think, study.problems))} of the problems right "
        f"for {short(think.cost_tokens)} tokens each, {change} than {_name(cons)}, which answers "
        f"{share(_accuracy(cons, study.problems))}. Lead of {_name(think)}: {verdict(lead)}."
    )


def _sweeps(study: Thinking) -> Topic:
    ranked = [row for row in study.by_n if row.method != "cons"]
    sizes = [row.n for row in study.by_n]
    return Topic(
        anchor="sweeps",
        title="More samples, other shares, other prefixes",
        lead=(
            f"With {min(sizes)} to {max(sizes)} samples, {_name(ranked[0], 'n')} goes from "
            f"{100 * ranked[0].accuracy:.1f} % to {100 * ranked[-1].accuracy:.1f} %."
        ),
        notes=[],
        charts=[
            PlaneChart(
                name="think-samples",
                title=f"Accuracy against cost from {min(sizes)} to {max(sizes)} samples",
                across="generated tokens for a problem",
                up="problems right",
                points=[_point(row, study.problems, _name(row, "n")) for row in study.by_n],
                lines=True,
                named=False,
            )
        ],
        tables=[
            _table("By number of samples", study.by_n, study.problems),
            _table("By share of the samples that votes", study.by_keep, study.problems),
            _table("By prefix", study.by_prefix, study.problems),
        ],
    )


def _point(row: MethodResult, problems: int, group: str) -> PlanePoint:
    cost = Estimate(row.cost_tokens, row.cost_low, row.cost_high, problems)
    return PlanePoint(_name(row), cost, _accuracy(row, problems), group)


def _kind(row: MethodResult) -> str:
    return "ranked by depth" if row.method == "think" else "other ways"


def _name(row: MethodResult, n: str | None = None) -> str:
    return f"{NAMES.get(row.method, row.method)}@{n or row.n}"


def _accuracy(row: MethodResult, problems: int) -> Estimate:
    return Estimate(row.accuracy, row.accuracy_low, row.accuracy_high, problems)


def _table(
    title: str, rows: Sequence[MethodResult], problems: int, folded: bool = True
) -> TopicTable:
    cells: dict[str, Cell] = {
        "method": _name,
        "votes:share": "keep",
        "stopped after": lambda r: "never" if r.prefix is None else plural(r.prefix, "token"),
        "accuracy:share": lambda r: _accuracy(r, problems),
        "sd of trials:share": "accuracy_sd",
        "cost:amount": lambda r: Estimate(r.cost_tokens, r.cost_low, r.cost_high, problems),
        "cost over Cons@n:share": lambda r: 1 + r.cost_change,
        "written:amount": "generated_tokens",
        "lead over Cons@n:share": lambda r: Estimate(r.lead, r.lead_low, r.lead_high, problems),
    }
    return table_of(title, rows, cells, folded)


def _answers(study: ThinkAnswers) -> Topic:
    cells: dict[str, Cell] = {
        "problem": "problem_id",
        "answer": "answer",
        "right": lambda row: "yes" if row.correct else "no",
        "votes:count": "votes",
        "finished:count": "selected",
        "stopped:count": "rejected",
        "tokens written:count": "generated_tokens",
    }
    return Topic(
        anchor="answers",
        title="Answers with early stopping",
        lead=(
            f"{label(study.model)} answers {100 * study.accuracy:.1f} % of "
            f"{plural(len(study.answers), 'problem')} right and writes "
            f"{short(study.generated_tokens)} tokens for each: of {study.n} samples, the "
            f"{100 * study.keep:g} % with the highest {study.rank} after {study.prefix} tokens are "
            "finished."
        ),
        notes=[],
        charts=[],
        tables=[table_of("Answers", study.answers, cells, folded=False)],
    )
