"""Three sentences from the numbers: what it costs, where it goes, what to change.

They say so when the data cannot: no cost, no grades, or no change that stands out.
"""

from agentdyno.records import counted
from agentdyno.reports.costs import seconds, total
from agentdyno.reports.numbers import dollars, label, percent, short
from agentdyno.studies.cost.conclusions import Conclusion, Lever
from agentdyno.studies.cost.results import Standing
from agentdyno.studies.cost.summary_results import Summary

KINDS = {
    "system": "system prompts",
    "schema": "tool schemas",
    "user": "user messages",
    "reasoning": "reasoning",
    "text": "the model's own text",
    "request": "tool requests",
    "result": "tool results",
    "unseen": "context that the traces do not show",
}
WORTH_NAMING = 0.02


def conclude(summary: Summary, standings: list[Standing], levers: list[Lever]) -> Conclusion:
    """The sentences."""
    return Conclusion(_cost(summary, standings), _place(summary), _change(summary, levers))


def _cost(s: Summary, standings: list[Standing]) -> str:
    many = counted(s.trajectories, "trajectory", "trajectories")
    if not s.pte:
        return f"The cost of {many} is unknown under the {s.cache} cache assumption."
    money = f" and {dollars(s.usd)}" if s.usd is not None else ""
    with_price = f"{s.trajectories - s.unpriced:,} with a price"
    priced = f" for the {with_price}" if s.usd is not None and s.unpriced else ""
    known = s.trajectories - s.unmeasured
    amount, unit = total(s)
    each = s.gpu_seconds if unit == "GPU-seconds" else s.pte
    shown = seconds if unit == "GPU-seconds" else short
    mean = f"{shown((each or 0.0) / known)} {unit} each" if known > 1 else ""
    return (
        f"{many} cost {amount} {unit}{money}{priced}"
        f"{f', {mean} on average' if mean else ''}; {_solved(standings)}."
    )


def _solved(standings: list[Standing]) -> str:
    graded = sum(row.graded for row in standings)
    if not graded:
        return "what a solved task costs cannot be said, because nothing is graded"
    solved = sum(row.solved for row in standings)
    if not solved:
        return f"none of the {graded:,} graded ones was solved"
    spent = [row.graded_pte for row in standings]
    known = [pte for pte in spent if pte is not None]
    cost = f", {short(sum(known) / solved)} PTE for each one solved"
    return f"{solved:,} of the {graded:,} graded ones were solved{cost if known == spent else ''}"


def _place(s: Summary) -> str:
    if not s.pte:
        return "Where it goes cannot be said without a cost."
    if not s.kinds:
        return "Where it goes cannot be said: the ledger holds no parts of any context."
    top = [k for k in s.kinds if (k.pte_share or 0.0) >= WORTH_NAMING][:3]
    shares = [f"{percent(k.pte_share, 0)} to {KINDS.get(k.kind, k.kind)}" for k in top]
    return f"{_listed(shares).replace(' to ', ' went to ', 1)}{_tool(s)}."


def _tool(s: Summary) -> str:
    first = s.tools[0] if s.tools else None
    if first is None or (first.pte_share or 0.0) < WORTH_NAMING:
        return "; no single tool bears much" if s.tools else "; there are no tools"
    parts = {"schema": first.schema_pte, "requests": first.request_pte, "results": first.result_pte}
    most = max(parts, key=lambda part: parts[part] or 0.0)
    return (
        f"; the most expensive tool is {label(first.tool)} with {percent(first.pte_share)}, "
        f"mostly its {most}"
    )


def _change(s: Summary, levers: list[Lever]) -> str:
    if not s.pte:
        return "What to change cannot be said without a cost."
    own = [lever for lever in levers if lever.name != "cache"]
    cache = next((lever for lever in levers if lever.name == "cache"), None)
    if not own and cache is None:
        return "The data show no single change on which 1 % or more of the cost hangs."
    if not own:
        assert cache is not None
        return f"{cache.sentence} (at most); nothing else stands out."
    if cache is None:
        return f"{own[0].sentence}."
    most = percent(cache.pte_share, 0)
    return f"{own[0].sentence}; a cache that outlives the pauses would save at most {most}."


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
