"""What every section looks like: a heading, what the numbers say, the pictures, the numbers."""

from agentdyno.estimates.values import Estimate
from agentdyno.reports.html.markup import Html, join, plain, tag


def section(anchor: str, title: str, *inside: Html) -> Html:
    """A section that the table of contents can point to."""
    heading = tag("h2", plain(title), id=f"{anchor}-title")
    return tag("section", heading, *inside, id=anchor, aria_labelledby=f"{anchor}-title")


def lead(*parts: Html) -> Html:
    """What the numbers say, in a sentence or two."""
    return tag("p", join(*parts), class_="lead")


def note(text: str) -> Html:
    """What to know about the numbers."""
    return tag("p", plain(text), class_="note")


def absent(reason: str | None) -> Html:
    """Why a section is empty."""
    return tag("p", plain(f"Nothing to show: {reason or 'the ledger has no data for it'}."),
               class_="absent")  # fmt: skip


def times(found: Estimate) -> str:
    """A ratio in words, with its interval where there is one."""
    if found.value is None:
        return "an unknown multiple"
    if found.low is None or found.high is None:
        return f"{found.value:.2f} times"
    return f"{found.value:.2f} times (95 %: {found.low:.2f} to {found.high:.2f})"


def is_clear(found: Estimate, middle: float = 1.0) -> bool:
    """Whether the interval leaves no effect out."""
    if found.low is None or found.high is None:
        return False
    return found.low > middle or found.high < middle
