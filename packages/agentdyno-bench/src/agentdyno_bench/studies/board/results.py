"""What the board found: a row for each model and harness of a benchmark."""

from msgspec import Struct

from agentdyno.estimates.estimate import Estimate


class BoardRow(Struct, frozen=True, kw_only=True):
    """The runs of one model in one harness, with one tool suite where several are compared."""

    source: str
    """The ledger that its runs are in."""
    benchmark: str
    model: str
    """As the runs name it; `unknown` where none does."""
    harness: str
    """The program, or else the title of the format."""
    variant: str
    """The tool suite; empty where variants are parts of a benchmark, or there is one."""
    runs: int
    tasks: int
    graded: int
    """Runs whose outcome is known."""
    solved: Estimate
    """Over graded runs: Wilson's interval, or one over tasks where these are repeated."""
    usd: Estimate
    """Dollars a run, over those whose cost is known."""
    unpriced: int
    """Runs of unknown cost."""
    zero_usd: int
    """Runs that say that they cost nothing."""
    usd_source: str
    """`stated` by the publication, or `list` price of the day."""
    usd_per_solved: Estimate
    """Of all graded runs, failed ones included, for each that was solved."""
    failed_share: Estimate
    """Of the money, what runs that failed cost."""
    tokens: Estimate
    """Sent and generated, a run."""
    tokens_per_solved: Estimate
    list_day: Estimate
    """Dollars a run by the list price of its day; unknown where runs have no day or no tokens."""
    list_today: Estimate
    """The same tokens by the list price of today."""
    cache_read: float | None
    """Of the tokens sent, those read from the cache, over turns that report it."""
    lost_usd: Estimate
    """Dollars a run paid again for tokens that the cache had held, more than reading them."""
    missed_turns: Estimate
    """Of turns with calls, those whose calls an earlier one could have made; texts say so."""
    turns: Estimate
    attempts: int
    """The most attempts at a task."""
    pass_all: Estimate
    """The chance that all of so many attempts at a task succeed."""
    pass_k: int
    dispersion: float | None
    """A task's dearest attempt over its cheapest, the median over tasks."""
    rank_low: int
    """One more than the rows of its benchmark that solve surely more."""
    rank_high: int
    """The rows of its benchmark less those that surely solve fewer."""


class HarnessPair(Struct, frozen=True, kw_only=True):
    """The same model in two harnesses, or with two tool suites, at the same tasks."""

    benchmark: str
    model: str
    first: str
    second: str
    tasks: int
    """Tasks that both have tried."""
    solved: Estimate
    """Difference of the shares solved, second less first."""
    cost: Estimate
    """Ratio of dollars a run, second to first."""


class BoardBenchmark(Struct, frozen=True):
    """A benchmark of the board."""

    name: str
    rows: list[BoardRow]
    """By the share solved, the largest first."""
    together: list[list[int]]
    """Places of rows that cannot be told apart, in success or in cost."""
    pairs: list[HarnessPair]


class Board(Struct, frozen=True):
    """Everything."""

    benchmarks: list[BoardBenchmark]
    runs: int
    sources: int
    priced_on: str
    """The day that is today for `list_today`."""
    listed_on: list[str]
    """The first and the last day on which those prices were listed; empty where none is known."""
