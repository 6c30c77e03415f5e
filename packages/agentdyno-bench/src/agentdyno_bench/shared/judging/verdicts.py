"""Verdicts in and out of a ledger: each once, and for every call what its judges say together."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import polars as pl

from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.reader import Ledger
from agentdyno.records.schema import schema_of
from agentdyno.records.verdicts import VERDICTS
from agentdyno_bench.shared.records.verdicts import Verdict
from agentdyno_bench.shared.verdicts.current import KEY, TABLE, current_verdicts

Identity = tuple[str, int | None, int | None, str, str, str]
"""The place, the kind and who judged: of several verdicts with the same, the latest counts."""


def add_verdicts(folder: Path, verdicts: Iterable[tuple[str, Verdict]]) -> int:
    """Adds those that are not in force, by volume; how many these were.

    One that was in force before another came is added again: it is what the judge says now.
    """
    latest = {_identity(verdict): (volume, verdict) for volume, verdict in verdicts}
    digests = _digests(Ledger(folder))
    groups: dict[str, list[Verdict]] = defaultdict(list)
    for identity, (volume, verdict) in latest.items():
        if digests.get(identity) != verdict.digest:
            groups[volume].append(verdict)
    for volume, group in sorted(groups.items()):
        add_derived(folder, TABLE, _frame(group), volume)
    return sum(map(len, groups.values()))


def volumes_of(ledger: Ledger) -> dict[str, str]:
    """The volume of every trajectory."""
    places = {}
    for volume in ledger.manifest.volumes:
        rows = ledger.scan_volume("trajectories", volume).select("trajectory_id").collect()
        places.update(dict.fromkeys(rows["trajectory_id"].to_list(), volume))
    return places


def _identity(v: Verdict) -> Identity:
    return v.trajectory_id, v.turn, v.call, v.kind, v.judge, v.model


def _digests(ledger: Ledger) -> dict[Identity, str]:
    """Digests of the verdicts in force."""
    rows = current_verdicts(ledger).select(*KEY, "digest")
    return {row[:-1]: row[-1] for row in rows.iter_rows()}


def _frame(verdicts: list[Verdict]) -> pl.DataFrame:
    columns = {c.name: [getattr(v, c.name) for v in verdicts] for c in VERDICTS}
    return pl.DataFrame(columns, schema=schema_of(VERDICTS))
