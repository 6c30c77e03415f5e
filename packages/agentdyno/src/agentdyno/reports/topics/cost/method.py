"""How the numbers came about, and single trajectories: the end of every report."""

from agentdyno.records import plural
from agentdyno.records.cost_unit import CostUnit
from agentdyno.reports.numbers import cost_column, label, name_setting
from agentdyno.reports.topic import Cell, Place, Term, Topic, table_of
from agentdyno.studies.cost.drilldown import Drilldown
from agentdyno.studies.cost.summary_results import Summary

CACHES = {
    "observed": "a turn prefills what the provider did not read from its cache; all of its context "
    "where the provider reports no cache",
    "evicted": "every turn prefills its whole context",
    "reported": "a turn prefills what the provider did not read from its cache",
    "kept": "a turn prefills only what is new since the turn before",
    "served": "a turn prefills what a server of your own would no longer have in memory, by "
    "replaying all sessions on it",
}
LEADS: dict[CostUnit, str] = {
    "usd": "Costs are in US dollars at list prices.",
    "pte": "Costs are in prefill-token equivalents.",
    "gpu_seconds": "Costs are in GPU-seconds: prefill-token equivalents (PTE) of several "
    "architectures have different units.",
}
SECONDS = (
    "What a trajectory takes from a server that runs nothing else: the ledger's trajectories are "
    "replayed through a batching engine, as recorded or so many at once. A turn pays for its "
    "prefill, its share of the steps it decodes in, and reading its own cache. What a part or a "
    "call takes is priced by replaying the ledger with fewer tokens of each sort; savings are "
    "replayed with the change. A trajectory without GPU-seconds is left out."
)
MONEY = (
    "Every turn is billed at the list price of its day, its service tier and its context length. "
    "A context is billed in three stretches: read from the cache, written to it, and the rest; a "
    "part pays in every turn for the stretch that it stands in, and once for being generated. A "
    "trajectory without a price is left out."
)
OUTCOMES = {None: "not graded", True: "solved", False: "unsolved"}


def render_method(summary: Summary) -> Topic:
    """Definitions first, then the gamma of every model."""
    seen = {row.model: row for row in summary.settings}
    unit = summary.unit
    cells: dict[str, Cell] = {
        "model": lambda row: label(row.model),
        "gamma:gamma": "gamma",
        "of": lambda row: label(row.architecture),
        "source": "gamma_source",
    }
    return Topic(
        anchor="method",
        title="How it was computed",
        lead=LEADS[unit],
        notes=[],
        charts=[],
        tables=[table_of("Gamma by model", seen.values(), cells)],
        terms=[
            Term("PTE", "Per turn, tokens prefilled + gamma × tokens in context × tokens "
                 "generated. Gamma says what reading one cached token for one generated token "
                 "costs, in prefilled tokens; it depends on the model and the accelerator. Without "
                 "a further word it is the paper's gamma, and the cache is evicted before every "
                 "turn; `--gamma width` and `--cache` choose otherwise and stand in the name."),
            Term("Cache", f"{summary.cache}: {CACHES.get(summary.cache, 'as named')}."),
            Term("Shares", "A token pays for each prefill of itself; every pair of a context token "
                 "and a generated token is split evenly between the two. Shares are not savings."),
            Term("Intervals", "95 %. Attempts at the same task count as one unit; shares of single "
                 "attempts by Wilson, means and ratios by bootstrap-t over tasks, correlations by "
                 "Fisher's z."),
            *([Term("Money", MONEY)] if unit == "usd" else []),
            *([Term("GPU-seconds", SECONDS)] if unit == "gpu_seconds" else []),
            Term("Setting", "Model, benchmark and variant (the tool suite)."),
        ],
    )  # fmt: skip


def render_trajectories(drilldown: Drilldown) -> Topic:
    """The most expensive ones; a page opens them turn by turn."""
    displayed = len(drilldown.trajectories)
    all_of = plural(drilldown.total, "trajectory", "trajectories")
    lead = (
        f"All of {all_of}, the most expensive first."
        if displayed == drilldown.total
        else f"The {displayed:,} most expensive of {all_of}; the ledger holds them all."
    )
    cells: dict[str, Cell] = {
        "trajectory": lambda t: Place(t.trajectory_id),
        "setting": lambda t: name_setting(t.setting),
        "outcome": lambda t: OUTCOMES[t.correct],
        "turns:count": lambda t: len(t.turns),
        "calls:count": "calls",
        cost_column(drilldown.unit): "cost",
        "cost:money": "usd",  # The same column, where money is the unit.
    }
    return Topic(
        anchor="trajectories",
        title="Trajectories",
        lead=lead,
        notes=[],
        charts=[],
        tables=[table_of("The most expensive trajectories", drilldown.trajectories, cells)],
        drilldown=drilldown,
    )
