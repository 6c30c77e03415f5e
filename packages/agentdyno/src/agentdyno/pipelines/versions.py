"""Which rows of a ledger an older version measured.

Takes a manifest, returns volumes and counts of files. What is old is read again by `measure` where
its file is given; until then every verb that shows its figures names it.
"""

from collections.abc import Callable
from importlib.util import find_spec

from msgspec import Struct

from agentdyno.cost.user_prices import read_table, user_table
from agentdyno.intake.format import load_formats
from agentdyno.ledger.checks import sources_of
from agentdyno.ledger.manifest import Manifest
from agentdyno.ledger.reader import Ledger
from agentdyno.plugins import load_plugins
from agentdyno.records.stages import STAGES, older_stages, reader_stage, stages_of
from agentdyno.studies.outdated import OldRows, OldTable, describe_old

VERSION_CHECKS = "agentdyno.version_checks"
RECORDED_BY = {
    "bench": ("failures", "verdicts", "rollouts", "planning"),
    "depth": ("depth", "layer_distances"),
}
"""Tables of a ledger that another package of ours fills and reports."""


class VersionCheck(Struct, frozen=True):
    """How a package finds rows that an older version of its rules recorded in a ledger."""

    name: str
    find: Callable[[Ledger], list[OldTable]]
    """The tables with such rows."""


def current_versions() -> dict[str, int]:
    """Of every stage, the readers of all installed formats included."""
    readers = {reader_stage(f.name): f.version for f in load_formats().values()}
    user_prices = read_table(user_table())[2]
    return STAGES | readers | ({"own prices": user_prices} if user_prices else {})


def old_inputs(manifest: Manifest) -> dict[str, dict[str, int]]:
    """Inputs whose rows an older version measured, each with the stages that have changed since and
    their versions then."""
    now, outdated = current_versions(), dict[str, dict[str, int]]()
    for volume, entry in manifest.volumes.items():
        produced = entry.making.versions
        for name in sources_of(manifest, volume):
            known = manifest.inputs.get(name)
            due = stages_of(now, [] if known is None else [known.format])
            if stages := older_stages(produced, due):
                outdated[name] = {stage: produced.get(stage, 0) for stage in stages}
    return outdated


def describe_age(ledger: Ledger) -> list[str]:
    """A sentence on what an older version measured; none where nothing is old."""
    old = old_rows(ledger.manifest)
    return [] if old is None else [describe_old(old, ledger.name)]


def old_rows(manifest: Manifest) -> OldRows | None:
    """The files whose rows an older version measured; None where there are none."""
    old, now = old_inputs(manifest), current_versions()
    if not old:
        return None
    stages = sorted({stage for created in old.values() for stage in created})
    every = {name for volume in manifest.volumes for name in sources_of(manifest, volume)}
    return OldRows(
        files=len(old),
        of=len(every),
        made={s: min(created[s] for created in old.values() if s in created) for s in stages},
        now={stage: now[stage] for stage in stages},
    )


def find_old_recorded(ledger: Ledger) -> list[OldTable]:
    """Recorded tables with rows of older rules, as the packages that wrote them find them."""
    checks = load_plugins(VERSION_CHECKS, VersionCheck)[0].values()
    return [table for check in checks for table in check.find(ledger)]


def describe_unshown(manifest: Manifest) -> list[str]:
    """Recorded tables of packages that are not here, with how to get them."""
    notes = []
    for package, tables in RECORDED_BY.items():
        present = [table for table in tables if manifest.derived.get(table)]
        if present and find_spec(f"agentdyno_{package}") is None:
            named = ", ".join(present)
            extra = f"pip install 'agentdyno[{package}]'"
            notes.append(f"the tables {named} are kept, and not in this report: {extra}")
    return notes
