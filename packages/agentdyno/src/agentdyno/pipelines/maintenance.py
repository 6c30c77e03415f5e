"""Care for a ledger: is it whole, mend it, bring it up to date, make it compact.

    verify     every byte, every row, every source: says, changes nothing
    repair     damaged volumes are read again from their sources
    migrate    volumes of another version are read again, or sealed as they are
    compact    many small volumes become few

Takes a ledger's folder, returns what was found or done as a value. Nothing is taken out of a ledger
here unless `drop_lost` asks for it.
"""

from pathlib import Path

import msgspec
from msgspec import Struct

from agentdyno.cost.engines import MeterOptions
from agentdyno.engines.local import processors
from agentdyno.ledger.checks import Damage, all_files, damage_in_words, find_damaged
from agentdyno.ledger.compaction import join_volumes
from agentdyno.ledger.consistency import contradictions
from agentdyno.ledger.file_names import FORMER_COPY, GENERATIONS, NAME
from agentdyno.ledger.generations import find_newest, release
from agentdyno.ledger.manifest import Manifest, load, read_manifest
from agentdyno.ledger.sealing import seal_older
from agentdyno.ledger.whole_folder import check_folder, drop_generations_of
from agentdyno.ledger.writer import LedgerWriter
from agentdyno.pipelines.deduplicate import deduplicate_ledger
from agentdyno.pipelines.forget import Forgotten
from agentdyno.pipelines.forget import forget as _forget
from agentdyno.pipelines.forget.choice import Choice
from agentdyno.pipelines.measure import Progress, jobs_for, run_jobs
from agentdyno.pipelines.measure_options import refuse_closed_files
from agentdyno.pipelines.meter import build_meter
from agentdyno.pipelines.repair import (
    drop_rederivable,
    find_damaged_volumes,
    is_paid_for,
    read_again,
)
from agentdyno.pipelines.source_access import SourceAccess, keep_access
from agentdyno.pipelines.sources import find_missing_traces
from agentdyno.pipelines.versions import current_versions, old_rows, old_volumes
from agentdyno.records import InputError
from agentdyno.studies.outdated import OldRows


class Health(Struct, frozen=True):
    """What `verify` found."""

    ledger: Path
    files: int
    """Files that were read to their last byte."""
    damaged: list[str]
    """Files that are not what was written, each with its problem."""
    contradictions: list[str]
    """Where the tables contradict each other or the manifest."""
    not_covered: dict[str, str]
    """Files that no digest covers, by their place in the folder, with the reason."""
    unsealed: int
    """Files of an older version that have no digest to be checked against."""
    sources_missing: dict[str, str]
    """Inputs that are gone or changed, with the reason; their rows stay."""
    makings: dict[str, int]
    """Volumes by what made them."""
    old: OldRows | None
    """What an older version measured; None where nothing is old. No damage."""

    @property
    def is_sound(self) -> bool:
        """Whether every figure of the ledger rests on what was written."""
        return not self.damaged and not self.contradictions


class RepairResult(Struct, frozen=True):
    """What `repair` or `migrate` did."""

    ledger: Path
    volumes: int
    """Volumes that were read again."""
    lost: dict[str, str]
    """Inputs whose rows could not be read again, with the reason."""
    dropped: bool
    """Whether their rows were taken out, as was asked."""
    sealed: int
    """Volumes of an older version that were sealed as they are."""


class Compacted(Struct, frozen=True):
    """What `compact` did."""

    ledger: Path
    before: int
    after: int
    forgotten: Forgotten | None = None
    """What was forgotten, where that was asked for."""


def verify(folder: Path) -> Health:
    """Reads everything the ledger holds and compares it with what was written."""
    manifest = load(folder)
    files = all_files(folder, manifest)
    damages = find_damaged(files)
    problems = [f"{d.file.path}: {d.problem}" for d in damages]
    check = check_folder(folder, manifest)
    problems += [f"{damage.path}: {damage.problem}" for damage in check.damaged]
    return Health(
        ledger=folder,
        files=len(files) + check.files,
        damaged=[*_manifest_problems(folder, manifest), *problems],
        contradictions=[] if damages else contradictions(folder, manifest),
        not_covered=check.not_covered,
        unsealed=sum(file.seal is None for file in files),
        sources_missing=find_missing_traces(manifest, SourceAccess(folder, manifest.volumes)),
        makings=_makings(manifest),
        old=old_rows(manifest),
    )


def _manifest_problems(folder: Path, manifest: Manifest) -> list[str]:
    problems = []
    copies = {1: [], 2: [FORMER_COPY], 3: [FORMER_COPY]}.get(manifest.layout)
    newest = [find_newest(folder)] if copies is None else [folder / name for name in copies]
    for path in (folder / NAME, *newest):
        try:
            if path is None:
                raise FileNotFoundError
            read_manifest(path)
        except FileNotFoundError:
            problems.append(f"{path or folder / GENERATIONS}: expected the file, found none")
        except (InputError, OSError) as error:
            problems.append(str(error))
    return problems


def _makings(manifest: Manifest) -> dict[str, int]:
    counted: dict[str, int] = {}
    for volume in manifest.volumes.values():
        reading = msgspec.json.encode(volume.making.reading).decode()
        key = f"{volume.making.software}, schema {volume.making.schema_version}, {reading}"
        counted[key] = counted.get(key, 0) + 1
    return counted


def repair(folder: Path, drop_lost: bool = False, progress: Progress | None = None) -> RepairResult:
    """Reads damaged volumes again; what cannot be is named, and taken out only when asked."""
    release()  # What this process has read may go when it is read again.
    manifest = load(folder)
    for damage in check_folder(folder, manifest).damaged:
        if damage.remedy == "rebuild":
            damage.path.unlink(missing_ok=True)
    damages = find_damaged(all_files(folder, manifest))
    volumes = find_damaged_volumes(damages)
    lost = {} if not volumes else read_again(folder, manifest, volumes).lost
    result = _read_groups(folder, [v for v in volumes if v not in lost], progress)
    if drop_lost or not lost:
        _take_out(folder, damages, set(lost), drop_lost)
    paid = {f"{d.file.table}/{d.file.path.name}": d.problem for d in damages if is_paid_for(d)}
    beside = _find_lost_files(folder, drop_lost)
    gone = {name: why for reasons in lost.values() for name, why in reasons.items()} | paid | beside
    return RepairResult(folder, result, gone, drop_lost and bool(gone), 0)


def _find_lost_files(folder: Path, drop_lost: bool) -> dict[str, str]:
    """Damaged texts and earlier generations, which nothing can be read again for."""
    damaged = check_folder(folder, load(folder)).damaged
    lost = {damage.path: damage.problem for damage in damaged if damage.remedy == "drop"}
    if drop_lost and lost:
        drop_generations_of(folder, lost)
        for path in lost:
            path.unlink(missing_ok=True)
    return {path.relative_to(folder).as_posix(): problem for path, problem in lost.items()}


def _take_out(folder: Path, damages: list[Damage], lost: set[str], drop_lost: bool) -> None:
    manifest = load(folder)
    with LedgerWriter(folder, manifest.options) as writer, keep_access(writer):
        drop_rederivable(writer, damages)
        if drop_lost:
            writer.drop({volume for volume in lost if volume in manifest.volumes})
            writer.drop_derived((d.file.table, d.file.path.name) for d in damages if is_paid_for(d))
            # What counted in them may stand elsewhere, too.
            deduplicate_ledger(writer, manifest.options.get("cache", "evicted"))


def migrate(folder: Path, progress: Progress | None = None) -> RepairResult:
    """Reads volumes of another version again; those whose sources are gone are sealed as is."""
    manifest = load(folder)
    if damages := find_damaged(all_files(folder, manifest)):
        raise InputError(damage_in_words(folder, manifest, damages))
    old = old_volumes(manifest)
    lost = read_again(folder, manifest, old).lost
    result = _read_groups(folder, [v for v in old if v not in lost], progress)
    gone = {name: why for reasons in lost.values() for name, why in reasons.items()}
    return RepairResult(folder, result, gone, False, seal_older(folder))


def _read_groups(folder: Path, volumes: list[str], progress: Progress | None) -> int:
    """Volumes read again, each with the options it was read with; returns how many."""
    manifest = load(folder)
    by_reading: dict[bytes, list[str]] = {}
    for volume in volumes:
        key = msgspec.json.encode(manifest.volumes[volume].making.reading)
        by_reading.setdefault(key, []).append(volume)
    for group in by_reading.values():
        _read_group(folder, group, progress)
    return len(volumes)


def _read_group(folder: Path, volumes: list[str], progress: Progress | None) -> None:
    from agentdyno.pipelines.up_to_date import derive_what_changed

    manifest = load(folder)
    reading = manifest.volumes[volumes[0]].making.reading
    refuse_closed_files(manifest, folder, manifest.options | reading)
    meter = _meter_options(manifest, reading)
    build_meter(meter)  # A price table that is gone is said before anything is written.
    writing = LedgerWriter(folder, manifest.options, reading, current_versions())
    with writing as writer, keep_access(writer):
        present = [volume for volume in volumes if volume in writer.manifest.volumes]
        again = read_again(folder, writer.manifest, present)
        missing = writer.expect(again.inputs, again.groups)
        workers = processors()
        jobs = jobs_for(again.sources, missing, writer, meter, workers=workers)
        unread = run_jobs(jobs, writer, workers, progress).unread
        deduplicate_ledger(writer, meter.cache)
    derive_what_changed(folder)
    if unread:
        name, why = next(iter(unread.items()))
        raise InputError(f"{name}: {why}; it vanished while it was read. Run the command again.")


def _meter_options(manifest: Manifest, reading: dict[str, object]) -> MeterOptions:
    options = manifest.options | reading
    meter = {f: options[f] for f in MeterOptions.__struct_fields__ if options.get(f) is not None}
    return msgspec.convert(meter, MeterOptions)


def compact(folder: Path, forget: bool = False) -> Compacted:
    """Joins small volumes of the same making into large ones; with `forget` earlier generations go,
    and with them rows and kept texts that no volume has any more, and what the rules of today take
    for secrets, unless it was measured with its secrets."""
    manifest = load(folder)
    if damages := find_damaged(all_files(folder, manifest)):
        raise InputError(damage_in_words(folder, manifest, damages))
    before = len(all_files(folder, manifest))
    with LedgerWriter(folder, manifest.options) as writer, keep_access(writer):
        join_volumes(writer)
    forgotten = _forget(folder, Choice(secrets=True, spares_kept=True)) if forget else None
    return Compacted(folder, before, len(all_files(folder, load(folder))), forgotten)
