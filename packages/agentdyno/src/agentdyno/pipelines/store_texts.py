"""Keeps the texts of a ledger's traces: traces in, files beside the ledger out.

With them patterns, schedules, judges, excerpts and the page of a session need no trace, also when
its agent has deleted it. Secrets that the rules find are replaced first, unless the ledger keeps
them. What is kept already is not read again; what no volume has any more is removed.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from agentdyno.engines.anonymous_files import AnonymousFile
from agentdyno.engines.local import no_cycle_search, processors, run
from agentdyno.ledger.manifest import keeps_secrets
from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.stored_texts import StoredTexts, text_key
from agentdyno.pipelines.kept_texts import KeptTexts, open_kept_volume
from agentdyno.pipelines.sources import (
    clean_together,
    find_missing_inputs,
    open_access,
    read_piece,
)
from agentdyno.records import Trajectory


class TextJob(Struct, frozen=True):
    """A volume whose texts are to be kept."""

    folder: Path
    volume: str
    places: list[int]
    kept: AnonymousFile | None
    """Where this run has what it read of the volume."""


def store_texts(
    folder: Path, workers: int | None = None, texts: KeptTexts | None = None
) -> dict[str, str]:
    """Keeps what the ledger lacks; returns inputs that cannot be read any more, with the reason."""
    ledger, stored = Ledger(folder), StoredTexts(folder)
    volumes, missing = ledger.manifest.volumes, find_missing_inputs(ledger)
    keys = {v: [text_key(ledger.manifest, v, p) for p in volumes[v].pieces] for v in volumes}
    jobs = []
    for volume, volume_keys in keys.items():
        pieces = volumes[volume].pieces
        absent = [at for at, key in enumerate(volume_keys) if key and key not in stored.keys]
        places = [at for at in absent if pieces[at].name not in missing]
        if places:
            kept = texts.find(pieces) if texts else None
            jobs.append(TextJob(folder, volume, places, kept))
    with closing(run(do_text_job, jobs, workers or processors(), join_in=True)) as finished:
        for _ in finished:
            pass
    StoredTexts(folder).drop_others([key for own in keys.values() for key in own if key])
    return missing


def do_text_job(job: TextJob) -> int:
    """Keeps the texts of some pieces of a volume; returns how many. Runs in any process."""
    ledger, stored = Ledger(job.folder), StoredTexts(job.folder)
    with no_cycle_search():
        for key, trajectories in _read_clean(job, ledger, stored):
            stored.write(key, trajectories)
    return len(job.places)


def _read_clean(
    job: TextJob, ledger: Ledger, stored: StoredTexts
) -> Iterator[tuple[str, list[Trajectory]]]:
    """The trajectories of each piece by its key, cleaned many pieces at a time."""
    manifest, kept = ledger.manifest, open_kept_volume(job.kept)
    pieces = manifest.volumes[job.volume].pieces
    is_clean = keeps_secrets(manifest.volumes[job.volume].making)
    access = open_access(ledger)
    read = (
        [*read_piece(manifest, access, job.volume, pieces[at], stored, kept)] for at in job.places
    )
    cleaned = read if is_clean else clean_together(read)
    for at, trajectories in zip(job.places, cleaned, strict=True):
        if key := text_key(manifest, job.volume, pieces[at]):
            yield key, trajectories
