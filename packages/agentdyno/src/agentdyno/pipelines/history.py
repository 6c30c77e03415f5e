"""What a ledger said before, and why it says something else now.

Takes a ledger's folder, returns its kept generations with their totals, or what two of them do not
have in common, by source and reason. Reads tables and manifests, no trace.
"""

from datetime import UTC, datetime
from pathlib import Path

import polars as pl
from msgspec import Struct

from agentdyno.ledger.checks import sources_of
from agentdyno.ledger.generations import list_generations
from agentdyno.ledger.manifest import Manifest
from agentdyno.ledger.reader import Ledger
from agentdyno.records.secrets import clean_name

_SUMS = ("usd", "pte", "turns", "calls")


class Snapshot(Struct, frozen=True):
    """A generation that is kept."""

    generation: int
    published_at: str
    """When it was published, in UTC."""
    software: str
    """The version of AgentDyno that did."""
    trajectories: int
    turns: int
    usd: float | None
    """What they cost; None where none has a price."""


class Change(Struct, frozen=True):
    """A source whose sums differ between two generations."""

    source: str
    reason: str
    turns: int
    """Turns in the later one less those in the earlier one."""
    usd: float
    """The same for money; turns without a price count as 0 here."""
    pte: float


class Difference(Struct, frozen=True):
    """What two generations do not have in common."""

    before: Snapshot
    after: Snapshot
    changes: list[Change]
    """Every source whose sums differ, the largest difference first."""


def list_history(folder: Path) -> list[Snapshot]:
    """The last generation of each day that can be read, oldest first."""
    last = {each.day: each.number for each in list_generations(folder) if each.is_deduplicated}
    return [_describe(Ledger(folder, as_of=str(number))) for number in last.values()]


def _describe(ledger: Ledger) -> Snapshot:
    sums = ledger.scan("trajectories").select(pl.len().alias("n"), *_SUMS)
    total = sums.select(pl.col("n").first(), *(pl.col(name).sum() for name in _SUMS)).collect()
    row, manifest = total.row(0, named=True), ledger.manifest
    priced = ledger.scan("trajectories").select(pl.col("usd").count()).collect().item()
    when = datetime.fromtimestamp(manifest.published_at, UTC).isoformat(" ", "seconds")
    usd = row["usd"] if priced else None
    return Snapshot(
        manifest.generation, when, manifest.software, row["n"] or 0, row["turns"] or 0, usd
    )


def compare_generations(folder: Path, before: str, after: str | None = None) -> Difference:
    """Why the totals of two generations differ; each is a number or a day, `after` the newest."""
    old, new = Ledger(folder, as_of=before), Ledger(folder, as_of=after)
    then, now = _by_source(old), _by_source(new)
    zero = dict.fromkeys(_SUMS, 0.0)
    changes = []
    for source in {*then, *now}:
        was, is_now = then.get(source, zero), now.get(source, zero)
        if was != is_now:
            less = {name: (is_now[name] or 0) - (was[name] or 0) for name in _SUMS}
            reason = _find_reason(source, old.manifest, new.manifest)
            changes.append(Change(source, reason, int(less["turns"]), less["usd"], less["pte"]))
    changes.sort(key=lambda each: (-abs(each.usd), -abs(each.pte), each.source))
    return Difference(_describe(old), _describe(new), changes)


def _by_source(ledger: Ledger) -> dict[str, dict[str, float]]:
    rows = ledger.scan("trajectories").group_by("source").agg(pl.col(*_SUMS).sum()).collect()
    return {row.pop("source"): row for row in rows.iter_rows(named=True)}


def _find_reason(source: str, old: Manifest, new: Manifest) -> str:
    was, now = _find_input(source, old), _find_input(source, new)
    if was is None:
        return "a new file"
    if now is None:
        return "taken out"
    known, current = old.inputs[was].fingerprint, new.inputs[now].fingerprint
    if known != current:
        return f"the file changed ({known.size:,} to {current.size:,} bytes)"
    versions, latest = _versions(old, was), _versions(new, now)
    if raised := [stage for stage, version in latest.items() if versions.get(stage) != version]:
        return f"read again by newer rules ({', '.join(raised)})"
    return "other responses of it count, as duplicates elsewhere came or went"


def _find_input(source: str, manifest: Manifest) -> str | None:
    """The input behind a name in the tables, which hold no secret."""
    if source in manifest.inputs:
        return source
    return next((name for name in manifest.inputs if clean_name(name) == source), None)


def _versions(manifest: Manifest, name: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for volume, entry in manifest.volumes.items():
        if name in sources_of(manifest, volume):
            found |= entry.making.versions
    return found
