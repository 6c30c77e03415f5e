"""How the numbers came about: definitions, assumptions, gammas."""

from agentdyno.reports.html.cells import name
from agentdyno.reports.html.markup import Cell, Html, columns, details, foreign, plain, table, tag
from agentdyno.reports.html.sections.frame import section
from agentdyno.reports.numbers import UNKNOWN
from agentdyno.studies.cost.summary_results import Summary

CACHES = {
    "evicted": "every turn prefills its whole context",
    "reported": "a turn prefills what the provider did not read from its cache",
    "ideal": "a turn prefills only what is new since the turn before",
}


def method(summary: Summary) -> Html:
    """Definitions first, then the gamma of every model."""
    told = (
        ("PTE", "Prefill-token equivalents: per turn, tokens prefilled + gamma × tokens in context "
                "× tokens generated. Gamma says what reading one cached token for one generated "
                "token costs, in prefilled tokens; it depends on the model and the accelerator."),
        ("Cache", f"{summary.cache}: {CACHES.get(summary.cache, 'as named')}."),
        ("Shares", "A token pays for each prefill of itself; every pair of a context token and a "
                   "generated token is split evenly between the two. Shares are not savings."),
        ("Intervals", "95 %. Attempts at the same task count as one unit; shares of single "
                      "attempts by Wilson, means and ratios by bootstrap-t over tasks, "
                      "correlations by Fisher's z."),
        ("Setting", "Model, benchmark and variant (the tool suite)."),
    )  # fmt: skip
    items = [tag("div", tag("dt", plain(term)), tag("dd", plain(text))) for term, text in told]
    heads = columns("model:", "gamma", "source:")
    seen = {row.model: row for row in summary.settings}
    rows = [
        [name(model), Cell(plain(UNKNOWN if row.gamma is None else f"{row.gamma:.5f}"), row.gamma),
         Cell(foreign(row.gamma_source))]
        for model, row in seen.items()
    ]  # fmt: skip
    return section(
        "method",
        "How it was computed",
        tag("dl", *items, class_="method"),
        details("Gamma by model", table("Gamma by model", heads, rows)),
    )
