"""Which rows of a ledger an older version measured.

Takes a manifest, returns volumes and counts of files. What is old is read again by `measure` where
its file is given, and by `agentdyno ledger migrate`; until then every verb that shows its figures
names it.
"""

from agentdyno.intake.format import load_formats
from agentdyno.ledger.checks import sources_of
from agentdyno.ledger.manifest import Manifest
from agentdyno.ledger.reader import Ledger
from agentdyno.records.stages import STAGES, older_stages, reader_stage, stages_of
from agentdyno.studies.outdated import OldRows, describe_old


def current_versions() -> dict[str, int]:
    """Of every stage, the readers of all installed formats included."""
    readers = {reader_stage(f.name): f.version for f in load_formats().values()}
    return STAGES | readers


def old_volumes(manifest: Manifest) -> dict[str, list[str]]:
    """Volumes that an older version measured, each with the stages that have changed since."""
    now = current_versions()
    found = {v: older_stages(e.making.versions, _now(manifest, v, now))
             for v, e in manifest.volumes.items()}  # fmt: skip
    return {volume: stages for volume, stages in found.items() if stages}


def _now(manifest: Manifest, volume: str, now: dict[str, int]) -> dict[str, int]:
    entries = (manifest.inputs.get(name) for name in sources_of(manifest, volume))
    return stages_of(now, {entry.format for entry in entries if entry is not None})


def describe_age(ledger: Ledger) -> list[str]:
    """A sentence on what an older version measured; none where nothing is old."""
    old = old_rows(ledger.manifest)
    return [] if old is None else [describe_old(old, ledger.name)]


def old_rows(manifest: Manifest) -> OldRows | None:
    """The files whose rows an older version measured; None where there are none."""
    volumes, now = old_volumes(manifest), current_versions()
    files = {name for volume in volumes for name in sources_of(manifest, volume)}
    if not files:
        return None
    stages = sorted({stage for changed in volumes.values() for stage in changed})
    made = [manifest.volumes[volume].making.versions for volume in volumes]
    every = {name for volume in manifest.volumes for name in sources_of(manifest, volume)}
    return OldRows(
        files=len(files),
        of=len(every),
        made={stage: min(versions.get(stage, 0) for versions in made) for stage in stages},
        now={stage: now[stage] for stage in stages},
    )
