"""Every response of a ledger counts once: settles what a run added, or a killed run left."""

from pathlib import Path

import polars as pl

from agentdyno.cost.counted import without_turns
from agentdyno.cost.filled_facts import fill_facts
from agentdyno.cost.pte import CacheAssumption
from agentdyno.ledger.connections import Connections
from agentdyno.ledger.counted_rows import FilledFacts, Frames
from agentdyno.ledger.counted_rows import deduplicate as settle_tables
from agentdyno.ledger.manifest import load
from agentdyno.ledger.writer import LedgerWriter
from agentdyno.records import InputError


def deduplicate_ledger(
    writer: LedgerWriter, cache: CacheAssumption, connections: Connections | None = None
) -> int:
    """Brings the ledger's tables in line with its volumes; returns how many turns are left out."""

    def without(frames: Frames, gone: pl.DataFrame, facts: FilledFacts) -> Frames:
        return without_turns(fill_facts(frames, facts.turns, facts.calls), gone, cache)

    return settle_tables(writer, without, connections)


def finish_deduplication(folder: Path) -> bool:
    """Settles a ledger whose last run was killed before it could; whether it is settled now.

    It is not where that run is still going on, or where nothing may be written.
    """
    manifest = load(folder)
    if manifest.settled:
        return True
    try:
        with LedgerWriter(folder, manifest.options) as writer:
            deduplicate_ledger(writer, writer.manifest.options.get("cache", "evicted"))
    except (InputError, OSError):
        return False
    return True
