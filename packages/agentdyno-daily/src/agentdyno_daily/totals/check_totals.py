"""Compares first totals with the ledger of the same files, response by response.

Takes a `Scan` and a ledger, returns where they differ: the scan is a second implementation of what
a response is, and one that nobody checks would go wrong without a sound. Files that were left to
the reader are not compared, nor responses that count in one of them.
"""

import math
from pathlib import Path

import polars as pl
from msgspec import Struct

from agentdyno.intake.totals import Response
from agentdyno.ledger.reader import Ledger
from agentdyno.records import plural, printable
from agentdyno.records.local_days import name_day
from agentdyno.records.secrets import clean_name
from agentdyno_daily.totals.first_totals import Scan, name_local_day

COMPARED = ("context_tokens", "cached_tokens", "cache_write_tokens", "decode_tokens", "usd", "day")
ESTIMATED = ("cached_tokens", "cache_write_tokens", "usd")
"""Of these, what the ledger estimates for a response that the provider did not count."""


class Difference(Struct, frozen=True):
    """A response of which a scan and the ledger say different things."""

    source: str
    identity: str
    field: str
    """What differs; `response` where only one of them has it."""
    scanned: float | str | None
    ledger: float | str | None


def compare_scan(scan: Scan, ledger: Path) -> list[Difference]:
    """Every difference, by file."""
    held = Ledger(ledger)
    rows = _read(held, {clean_name(name) for name in scan.names})
    # To look for secrets in every id takes ten times as long as the rest here.
    scanned = {
        each.identity if each.identity in rows else clean_name(each.identity): each
        for each in scan.responses
    }
    found: list[Difference] = []
    for identity, (source, values) in rows.items():
        each = scanned.get(identity)
        if each is None:
            found.append(Difference(source, identity, "response", None, identity))
        else:
            found += _compare(each, source, identity, values)
    if unknown := scanned.keys() - rows:
        elsewhere = _read(held, None)
        found += [
            Difference(scanned[identity].talk.source, identity, "response", identity, None)
            for identity in unknown - elsewhere.keys()
        ]
    return sorted(found, key=lambda each: (each.source, each.identity, each.field))


def _compare(
    each: Response, source: str, identity: str, values: list[float | str | None]
) -> list[Difference]:
    if each.context is None:
        return []  # Only the reader sizes it, and with it what it costs.
    at = values[-1]
    values[-1] = name_day(at) if isinstance(at, float) else None
    own = (
        each.context, each.cached, each.written, each.output, each.usd, name_local_day(each),
    )  # fmt: skip
    # What nobody counted has the cache of its neighbours, which a scan does not know.
    left_out = ESTIMATED if each.is_prompt_sized and each.cached is None else ()
    return [
        Difference(source, identity, field, mine, theirs)
        for field, mine, theirs in zip(COMPARED, own, values, strict=True)
        if field not in left_out and not _is_same(mine, theirs)
    ]


def _is_same(mine: float | str | None, theirs: float | str | None) -> bool:
    if isinstance(mine, str) or isinstance(theirs, str):
        return mine == theirs
    return math.isclose(mine or 0.0, theirs or 0.0, rel_tol=1e-9, abs_tol=1e-9) and (
        (mine is None) == (theirs is None)
    )


_Row = tuple[str, list[float | str | None]]
"""The file of a response, and what the ledger says of it."""


def _read(ledger: Ledger, names: set[str] | None) -> dict[str, _Row]:
    """Responses that count in these files, or in any, by their identity."""
    at = pl.coalesce("started_at", "ended_at").alias("at")
    owners = ledger.scan("trajectories").select("trajectory_id", "source")
    if names is not None:
        owners = owners.filter(pl.col("source").is_in(list(names)))
    turns = ledger.scan("turns").drop_nulls("identity").join(owners, on="trajectory_id")
    rows = turns.select("identity", "source", *COMPARED[:-1], at).collect()
    return {identity: (source, values) for identity, source, *values in rows.iter_rows()}


def describe_differences(found: list[Difference], responses: int) -> str:
    """One sentence with the first of them."""
    first, many = found[0], len({each.identity for each in found})
    return (
        f"First totals and the ledger differ in {many:,} of {plural(responses, 'response')}: "
        f"{printable(first.source, 80)}: {printable(first.identity, 60)}: {first.field} "
        f"{first.scanned}, in the ledger {first.ledger}. The ledger is right; please report it."
    )
