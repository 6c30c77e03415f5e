"""Whether a change worked, as a topic."""

from agentdyno.records import plural
from agentdyno.reports.numbers import UNITS, percent
from agentdyno.reports.topic import Topic
from agentdyno.studies.proof import Proof

VERDICTS = {
    "worked": "It worked",
    "cost more": "It did not work: sessions cost more",
    "no difference": "It made no difference",
    "inconclusive": "Inconclusive",
}


def render_proof(found: Proof) -> Topic:
    """The verdict, the figure with its interval, and what was compared."""
    kinds = plural(found.groups, "kind of session", "kinds of session")
    return Topic(
        anchor="proof",
        title="Before against after",
        lead=f"{VERDICTS[found.outcome]}: {_change(found)}.",
        notes=[
            f"{plural(found.before, 'session')} before and {found.after:,} after the change, "
            f"matched by project and number of prompts into {kinds}; {found.unmatched:,} have no "
            "counterpart and are left out.",
            *(
                []
                if found.predicted is None
                else [f"Predicted when the change was made: {_signed(found.predicted)} a session."]
            ),
            "Whatever else changed at that time is in the figure too.",
        ],
        charts=[],
        tables=[],
    )


def _change(found: Proof) -> str:
    ratio, unit = found.ratio, UNITS[found.unit]
    if not found.groups:
        return "no session before the change is like one after it"
    if ratio.value is None:
        return ratio.reason or "the two sides cannot be compared"
    sentence = f"{_signed(ratio.value)} {unit} a session"
    if ratio.low is None or ratio.high is None:
        return f"{sentence}, too few sessions to say more"
    return f"{sentence} (95 %: {_signed(ratio.low)} to {_signed(ratio.high)})"


def _signed(ratio: float) -> str:
    return f"{'+' if ratio >= 1 else '-'}{percent(abs(ratio - 1))}"
