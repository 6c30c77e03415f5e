"""The head of the page: three sentences, the main figures, and what to be wary of."""

from agentdyno.reports.costs import basis, total
from agentdyno.reports.html.cells import amount, share, words
from agentdyno.reports.html.markup import Html, columns, details, plain, table, tag
from agentdyno.reports.html.sections.frame import note, section
from agentdyno.reports.numbers import dollars, percent
from agentdyno.reports.terminal import caveats
from agentdyno.studies.cost.conclusions import Lever
from agentdyno.studies.cost.results import Analyses
from agentdyno.studies.cost.summary_results import Summary


def top(summary: Summary, found: Analyses) -> Html:
    """Everything before the first chart."""
    return tag("div", _sentences(found), _figures(summary, found), _caveats(summary), class_="top")


def _sentences(found: Analyses) -> Html:
    told = found.conclusion
    rows = (
        ("What it costs", told.cost),
        ("Where it goes", told.place),
        ("What to change", told.change),
    )
    inside = [tag("div", tag("dt", plain(title)), tag("dd", plain(text))) for title, text in rows]
    return tag("dl", *inside, class_="told")


def _figures(s: Summary, found: Analyses) -> Html:
    solved = sum(row.solved for row in found.standings)
    graded = sum(row.graded for row in found.standings)
    shown = [
        (total(s)[0], f"{total(s)[1]} in all"),
        (f"{s.trajectories:,}", "trajectory" if s.trajectories == 1 else "trajectories"),
        (f"{s.turns:,}", "turn" if s.turns == 1 else "turns"),
        (f"{s.calls:,}", "tool call" if s.calls == 1 else "tool calls"),
        (f"{solved:,} / {graded:,}" if graded else "–", "solved of graded"),
        (dollars(s.usd), "where priced" if s.unpriced else "at list prices"),
    ]
    items = [
        tag("li", tag("strong", plain(value)), tag("span", plain(what))) for value, what in shown
    ]
    return tag("ul", *items, class_="figures-row")


def _caveats(s: Summary) -> Html:
    lines = [
        f"PTE assumes the {s.cache} cache on {s.hardware}; one PTE is the work of prefilling one "
        "token of that trajectory's own model.",
        *([_capital(f"{basis(s)}.")] if basis(s) else []),
        *(line if line.startswith(" ") else _capital(line) for line in caveats(s)),
    ]
    items = [tag("li", plain(line.strip())) for line in lines]
    title = tag("h2", plain("Before you rely on it"), id="caveats-title")
    return tag("aside", title, tag("ul", *items), class_="caveats", aria_labelledby="caveats-title")


def changes(found: Analyses) -> Html:
    """Everything that could be changed, not only the first."""
    if not found.levers:
        return Html("")
    items = [
        tag(
            "li",
            tag("strong", plain(percent(lever.pte_share))),
            tag("p", plain(f"{lever.sentence}."), tag("small", plain(_granted(lever)))),
        )
        for lever in found.levers
    ]
    return section(
        "changes",
        "What could be changed",
        note(
            "Everything on which at least 1 % of the PTE hangs. Shares overlap and do not add up."
        ),
        tag("ol", *items, class_="levers"),
    )


def _granted(lever: Lever) -> str:
    return _capital(lever.assumption.replace("`", "")) + "."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def kinds_table(summary: Summary) -> Html:
    """The numbers behind the picture of where the fuel went."""
    heads = columns("kind of part:", "tokens", "PTE", "share")
    rows = [[words(k.kind), amount(k.tokens), amount(k.pte), share(k.pte_share)]
            for k in summary.kinds]  # fmt: skip
    return details("Numbers by kind", table("PTE by kind of part", heads, rows))
