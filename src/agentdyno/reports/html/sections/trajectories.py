"""The drill-down: an empty list with its controls, which the page's script fills from its data."""

from agentdyno.reports.html.markup import Html, join, plain, tag
from agentdyno.reports.html.sections.frame import note, section
from agentdyno.studies.cost.drilldown import Drilldown


def trajectories(drilldown: Drilldown, held: int, data: Html) -> Html:
    """Controls, list, data."""
    left = drilldown.total - held
    told = (
        f"The {held:,} most expensive of {drilldown.total:,} trajectories; {left:,} are left out "
        "to keep this file small. The ledger holds them all."
        if left
        else f"All {held:,}, the most expensive first. Open one to see it turn by turn."
    )
    return section(
        "trajectories",
        "Trajectories",
        note(told),
        tag("noscript", tag("p", plain("The list needs JavaScript; everything above does not."))),
        _controls(),
        tag("p", class_="note", id="found", aria_live="polite"),
        tag("ol", id="trajectory-list", class_="trajectory-list"),
        tag("button", plain("Show more"), type="button", id="more", class_="more", hidden="hidden"),
        data,
    )


def _controls() -> Html:
    search = tag("label", plain("Filter"), Html(
        '<input id="filter" type="search" autocomplete="off" placeholder="name, task, model, tool">'
    ))  # fmt: skip
    outcome = _select("outcome", "Outcome", (
        ("", "any"), ("solved", "solved"), ("unsolved", "unsolved"), ("ungraded", "not graded"),
        ("pattern", "with a pattern"), ("error", "with an error"),
    ))  # fmt: skip
    order = _select("order", "Order", (
        ("pte", "cost"), ("turns", "turns"), ("calls", "calls"), ("name", "name"),
    ))  # fmt: skip
    return tag("div", search, outcome, order, class_="controls", role="search")


def _select(name: str, title: str, options: tuple[tuple[str, str], ...]) -> Html:
    inside = [tag("option", plain(text), value=value) for value, text in options]
    return tag("label", plain(title), join(tag("select", *inside, id=name)))
