"""What a pool says as topics of a page: accuracy against cost of the ways to choose among samples.

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


def think_topics(found: Thinking | ThinkAnswers) -> list[Topic]:
    """The topics of a page."""
    if isinstance(found, ThinkAnswers):
        return [_answers(found)]
    return [_methods(found), _sweeps(found)]


def _methods(found: Thinking) -> Topic:
    return Topic(
        anchor="methods",
        title="Which way of choosing pays",
        lead=_lead(found),
        notes=[
            f"{plural(found.problems, 'problem')}, {plural(found.samples, 'sample')} of each by "
            f"{label(found.model)}; {plural(found.trials, 'trial')} draw n of them. "
            f"{100 * found.pass_rate:.1f} % of the samples are right, "
            f"{100 * found.answered:.1f} % give an answer, {found.mean_tokens:.0f} tokens each.",
            "Cost is in generated tokens of a problem by the paper's accounting; written is what "
            "was generated. Intervals resample problems.",
            *found.notes,
        ],
        charts=[
            PlaneChart(
                name="think-plane",
                title="Accuracy against cost of each way to choose",
                across="generated tokens for a problem",
                up="problems right",
                points=[_point(row, found.problems, _kind(row)) for row in found.methods],
            )
        ],
        tables=[_table("Every way to choose", found.methods, found.problems, folded=False)],
    )


def _lead(found: Thinking) -> str:
    by_name = {row.method: row for row in found.methods}
    think, cons = by_name["think"], by_name["cons"]
    lead = Estimate(think.lead, think.lead_low, think.lead_high, found.problems)
    change = f"{abs(100 * think.cost_change):.0f} % {'less' if think.cost_change < 0 else 'more'}"
    return (
        f"{_name(think)} answers {share(_accuracy(think, found.problems))} of the problems right "
        f"for {short(think.cost_tokens)} tokens each, {change} than {_name(cons)}, which answers "
        f"{share(_accuracy(cons, found.problems))}. Lead of {_name(think)}: {verdict(lead)}."
    )


def _sweeps(found: Thinking) -> Topic:
    ranked = [row for row in found.by_n if row.method != "cons"]
    sizes = [row.n for row in found.by_n]
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
                points=[_point(row, found.problems, _name(row, "n")) for row in found.by_n],
                lines=True,
                named=False,
            )
        ],
        tables=[
            _table("By number of samples", found.by_n, found.problems),
            _table("By share of the samples that votes", found.by_keep, found.problems),
            _table("By prefix", found.by_prefix, found.problems),
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


def _answers(found: ThinkAnswers) -> Topic:
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
            f"{label(found.model)} answers {100 * found.accuracy:.1f} % of "
            f"{plural(len(found.answers), 'problem')} right and writes "
            f"{short(found.generated_tokens)} tokens for each: of {found.n} samples, the "
            f"{100 * found.keep:g} % with the highest {found.rank} after {found.prefix} tokens are "
            "finished."
        ),
        notes=[],
        charts=[],
        tables=[table_of("Answers", found.answers, cells, folded=False)],
    )
