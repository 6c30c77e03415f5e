"""What could be changed, told: every lever with its amount, its unit and how sure it is."""

from agentdyno.intake.session_folders import name_agent
from agentdyno.records import plural
from agentdyno.records.cost_unit import CostUnit
from agentdyno.reports.numbers import cost_column, dollars, label, percent, short
from agentdyno.reports.topic import Term, Topic, TopicTable, columns
from agentdyno.studies.levers import Lever

OF_THE = {
    "pte": "of the PTE",
    "gpu_seconds": "of the GPU-seconds",
    "usd": "of the money",
    "seconds": "of the time",
}
KINDS = ("setting", "file", "habit")
NAMED = 3


def render_levers(levers: list[Lever]) -> Topic:
    return Topic(
        anchor="levers",
        title="What could be changed",
        lead=f"{plural(len(levers), 'change')} would save at least 1 %, the largest first"
        f"{_by_kind(levers)}. Amounts overlap and do not add up.",
        notes=[
            f"Each amount is a sum over rows{_stretch(levers)}, its interval what 95 % of the sums "
            "are when whole sessions are drawn again. agentdyno compare measures what a change "
            "did.",
            *(["agentdyno apply NUMBER makes a change of settings or of a file, and agentdyno "
               "apply --undo takes it back."] if any(lever.edits for lever in levers) else []),
        ],
        terms=[
            Term(f"{number}. {short_sentence(lever)}", _explain(lever))
            for number, lever in enumerate(levers, 1)
        ],
        charts=[],
        tables=[
            TopicTable(
                title="Levers",
                columns=columns("what", "kind", cost_column(_unit(levers)), "interval",
                                "saves:share", "agent", "scope", "rows:count"),
                rows=[
                    [lever_name(lever), lever.kind, lever.amount, _interval(lever), lever.share,
                     name_agent(lever.agent) if lever.agent else None, lever.scope, lever.rows]
                    for lever in levers
                ],
            )
        ],
    )  # fmt: skip


def _by_kind(levers: list[Lever]) -> str:
    """`: 2 settings, 1 file, 1 habit`."""
    many = {kind: sum(lever.kind == kind for lever in levers) for kind in KINDS}
    return ": " + ", ".join(plural(count, kind) for kind, count in many.items() if count)


def _stretch(levers: list[Lever]) -> str:
    first = levers[0] if levers else None
    if first is None or first.days is None:
        return " for the ledger"
    return f" for the {plural(first.sessions, 'session')} of each agent's last {first.days} days"


def _explain(lever: Lever) -> str:
    """What to change exactly, what it moves, what speaks for it and what it takes for granted."""
    change = f"{lever.change[:1].upper()}{lever.change[1:]}"
    change += "" if not change or change.endswith('."') else "."
    if lever.kind == "habit" and change:
        change = f"A habit: {lever.change}."
    sentences = [
        change,
        f"It moves {lever.applies_to}." if lever.applies_to else "",
        f"Evidence: {lever.evidence}." if lever.evidence else "",
        f"Assumes {lever.assumption}." if lever.assumption else "",
    ]
    return " ".join(filter(None, sentences))


def short_sentence(lever: Lever) -> str:
    """What to do and what it saves, in one line."""
    what = lever_name(lever)
    most = "at most " if lever.certainty == "at most" else ""
    amount = f"{percent(lever.share)} {OF_THE[lever.unit]}"
    if lever.unit == "usd":
        amount = f"{dollars(lever.amount)} ({percent(lever.share)})"
    return f"{what[:1].upper()}{what[1:]}: saves {most}{amount}."


def _interval(lever: Lever) -> str | None:
    if lever.low is None or lever.high is None:
        return None
    write = dollars if lever.unit == "usd" else short
    return f"{write(lever.low)} to {write(lever.high)}"


def _unit(levers: list[Lever]) -> CostUnit:
    """What amounts are counted in."""
    return next((lever.unit for lever in levers if lever.unit != "seconds"), "pte")


def lever_name(lever: Lever) -> str:
    """What to do, and the tools that it concerns."""
    if not lever.where:
        return lever.what
    names = ", ".join(label(name) for name in lever.where[:NAMED])
    remaining = len(lever.where) - NAMED
    more = f" and {remaining:,} more" if remaining > 0 else ""
    return f"{lever.what} ({names}{more})"
