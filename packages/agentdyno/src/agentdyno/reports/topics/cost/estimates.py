"""How far off estimated counts may be: one sentence for every topic that rests on them."""

from agentdyno.records import plural
from agentdyno.reports.numbers import UNITS, percent, short
from agentdyno.studies.cost.estimated import EstimatedTokens


def estimate_line(estimated: EstimatedTokens) -> str:
    """What was estimated, and within what share of the truth at 95 %."""
    total_note = (
        ""
        if estimated.cost_error is None
        else f", which moves the total {UNITS[estimated.unit]} by at most "
        f"{percent(estimated.cost_error)}"
    )
    return (
        f"Generated tokens of {plural(estimated.turns, 'turn')} are estimates: "
        f"{short(estimated.tokens)}, within {percent(estimated.tokens_error)}{total_note} (95 %)."
    )
