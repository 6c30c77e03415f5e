"""How far off estimated counts may be: one sentence for every topic that rests on them."""

from agentdyno.records import plural
from agentdyno.reports.numbers import UNITS, percent, short
from agentdyno.studies.cost.estimated import EstimatedTokens


def estimate_line(found: EstimatedTokens) -> str:
    """What was estimated, and within what share of the truth at 95 %."""
    whole = (
        ""
        if found.cost_error is None
        else f", which moves the total {UNITS[found.unit]} by at most {percent(found.cost_error)}"
    )
    return (
        f"Generated tokens of {plural(found.turns, 'turn')} are estimates: {short(found.tokens)}, "
        f"within {percent(found.tokens_error)}{whole} (95 %)."
    )
