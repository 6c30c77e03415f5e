"""How complete a ledger is, by agent: responses found, priced, estimated, without a price, unread.

Takes a ledger's turns, bad records and outcomes of files; returns counts. A response whose output
or prompt nobody counted is estimated; an agent none of whose responses were counted writes no
counts at all.
"""

from collections import Counter, defaultdict

import polars as pl
from msgspec import Struct

from agentdyno.cost.price_lookup import unlisted_seller
from agentdyno.records import printable
from agentdyno.records.files import REPEATED
from agentdyno.studies.tables import Tables

SAME, CENT = 0.05, 0.01
"""Sums that differ by less than 5 % of them, or by part of a cent, say the same."""


class AgentCompleteness(Struct, frozen=True):
    """What is known of one agent's sessions."""

    agent: str
    """The format of its files."""
    responses: int
    """Responses that were found, each once."""
    priced: int
    """How many of these have a price."""
    estimated: int
    """How many have tokens that nobody counted."""
    read: int
    empty: int
    """Sessions in which no model answered."""
    unread: int
    """Files that should have been read, and of which nothing could be."""
    in_part: int
    """Files that were read in part."""
    bad_records: int
    at_makers_price: int = 0
    """Priced responses that somebody sold whose prices no list has."""
    unlisted_sellers: tuple[str, ...] = ()
    """These, as the models' names have them."""
    stated_usd: float = 0.0
    """What the agent says that those of its responses cost that also have a list price."""
    listed_usd: float = 0.0
    """The same responses at list prices."""

    @property
    def unpriced(self) -> int:
        """Responses without a price."""
        return self.responses - self.priced

    @property
    def states_otherwise(self) -> bool:
        """Whether its own records say another sum than list prices do."""
        return abs(self.stated_usd - self.listed_usd) > SAME * max(self.stated_usd, CENT)

    @property
    def has_no_counts(self) -> bool:
        """Whether its files say of no response how many tokens it had."""
        return self.estimated == self.responses > 0

    @property
    def is_complete(self) -> bool:
        """Whether everything was read and has a price; output may be estimated."""
        missing = self.unpriced or self.unread or self.in_part or self.bad_records
        return not (missing or self.has_no_counts)


def study_completeness(tables: Tables) -> list[AgentCompleteness]:
    """Every agent of the ledger, the one with the most responses first."""
    agents = tables.scan("trajectories").select("trajectory_id", "format")
    is_estimated = pl.any_horizontal(
        pl.col(name).is_in(["counted", "estimated"]) for name in ("prefill_source", "decode_source")
    )
    has_both = pl.col("reported_usd").is_not_null() & (pl.col("usd_source") == "list")
    turns = tables.scan("turns").join(agents, on="trajectory_id").group_by("format", "model")
    sums = turns.agg(
        responses=pl.len(),
        priced=pl.col("usd").count(),
        estimated=is_estimated.sum(),
        stated_usd=pl.col("reported_usd").filter(has_both).sum(),
        listed_usd=pl.col("usd").filter(has_both).sum(),
    ).collect()
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    money: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    sellers: defaultdict[str, set[str]] = defaultdict(set)
    for row in sums.iter_rows(named=True):
        format, model = row.pop("format"), row.pop("model")
        for column in ("stated_usd", "listed_usd"):
            money[format][column] += row.pop(column)
        counts[format].update(row)
        if row["priced"] and (seller := unlisted_seller(model or "")):
            counts[format]["at_makers_price"] += row["priced"]
            sellers[format].add(printable(seller, 40))
    files: Counter[tuple[str, str]] = Counter()
    bad: Counter[str] = Counter()
    columns = ("format", "state", "files", "reason", "bad_records")
    for format, state, many, reason, records in tables.read("files").select(columns).rows():
        if format is not None:
            is_cut = state == "read" and reason not in (None, REPEATED)
            files[format, "in part" if is_cut else state] += many
            bad[format] += records
    names = {*counts, *(name for name, _ in files)}
    found = [
        AgentCompleteness(
            agent=name,
            responses=counts[name]["responses"],
            priced=counts[name]["priced"],
            estimated=counts[name]["estimated"],
            read=files[name, "read"],
            empty=files[name, "empty"],
            unread=files[name, "bad"],
            in_part=files[name, "in part"],
            bad_records=bad[name],
            at_makers_price=counts[name]["at_makers_price"],
            unlisted_sellers=tuple(sorted(sellers[name])),
            stated_usd=money[name]["stated_usd"],
            listed_usd=money[name]["listed_usd"],
        )
        for name in names
    ]
    return sorted(found, key=lambda each: (-each.responses, each.agent))
