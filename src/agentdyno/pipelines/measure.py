"""The main job: traces on disk -> trajectories -> costs -> ledger.

Read this first; everything else hangs from it.

    discover   which files, which format each                      intake.discover
    plan       what of it is not in the ledger yet                 ledger.writer
    jobs       in one process or several: read, measure, draft     intake, metrics.cost
    commit     a draft becomes part of the ledger                  ledger.writer
    settle     a response that stands in several places counts once   pipelines.settle
"""

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Literal

import polars as pl
from msgspec import Struct, structs

from agentdyno.engines.local import processors, run
from agentdyno.intake.discover import Found, Unrecognised, discover, pieces_of
from agentdyno.intake.format import Format, Source, load_formats, named_format
from agentdyno.intake.identity import identify
from agentdyno.ledger.manifest import InputEntry, Piece, fingerprint
from agentdyno.ledger.writer import Draft, Expected, LedgerWriter, start_draft
from agentdyno.metrics.cost.engines import MeterOptions
from agentdyno.metrics.cost.metering import Meter
from agentdyno.metrics.cost.pte import CacheAssumption
from agentdyno.metrics.cost.tables import measure_costs, table
from agentdyno.pipelines.meter import build_meter
from agentdyno.pipelines.settle import settle
from agentdyno.records import BadRecord, InputError, Trajectory, printable

JOB_BYTES = 32 * 2**20
"""Small files are read together until they are this large."""
BATCH_PARTS = 12_000
"""Trajectories are measured together until they have this many parts."""
BATCH_CHARACTERS = 8 * 2**20
"""…or this much text."""

Progress = Callable[[int, int], None]
"""Called with bytes done and bytes to do."""


class MeasureOptions(Struct, frozen=True):
    """What the user may choose."""

    format: str | None = None
    """Read every file as this format; None detects it."""
    hardware: str = "h100-pcie"
    """Name of a known hardware, or a TOML file."""
    arch: str = "auto"
    """`auto`, the name of an architecture, or a config.json."""
    cache: CacheAssumption = "evicted"
    """The cache assumption behind `pte`."""
    count: Literal["fast", "exact"] = "fast"
    """Whether texts are counted also where the provider reported totals."""
    tokenizer: str | None = None
    """A tokenizer.json that counts every model's tokens; None takes the family's own."""
    prices: str | None = None
    """A TOML price table that goes before the bundled one."""
    workers: int | None = None
    """Processes; None for one per processor."""
    max_record_mb: int = 64
    """Larger records are reported as bad."""


class Measured(Struct, frozen=True):
    """What a run did."""

    ledger: Path
    """Where the ledger is."""
    files: int
    """Files recognised under the paths."""
    new_files: int
    """Files of these that were read now, whole or in part."""
    unrecognised: list[Unrecognised]
    """Files that look like traces and were not recognised."""
    started_over: bool
    """Whether an older ledger with other options was replaced."""
    repeats: int
    """Responses in the ledger's files that count elsewhere, and so were left out."""
    gone: list[str]
    """Sources that are in the ledger and no longer on disk; their rows stay."""


class Job(Struct, frozen=True):
    """Pieces of files to be read into one volume."""

    sources: list[tuple[Source, str]]
    """Each with its format's name."""
    aside: Path
    """Where the volume is drafted."""
    options: MeterOptions
    """What tokens cost."""
    bytes: int
    """Size of the pieces together."""


def measure(
    paths: list[Path],
    ledger: Path,
    options: MeasureOptions | None = None,
    progress: Progress | None = None,
) -> Measured:
    """Brings the ledger up to date with the files under the paths."""
    options = options or MeasureOptions()
    formats = load_formats()
    forced = named_format(options.format, formats) if options.format else None
    found, unrecognised = _look(paths, formats, forced)
    meter_options = _meter_options(options)
    build_meter(meter_options)  # Wrong names are said before anything is written.
    with LedgerWriter(ledger, _ledger_options(options)) as writer:
        jobs = _plan(found, writer, options, meter_options)
        names = {source.name for job in jobs for source, _ in job.sources}
        _work(jobs, writer, options.workers or processors(), progress)
        repeats = settle(writer, options.cache)
        gone = [n for n, e in writer.manifest.inputs.items() if not Path(e.path).exists()]
        over = writer.started_over
        return Measured(ledger, len(found), len(names), unrecognised, over, repeats, gone)


def _look(
    paths: list[Path], formats: dict[str, Format], forced: Format | None
) -> tuple[list[Found], list[Unrecognised]]:
    everything = list(discover(paths, formats, forced))
    found = [item for item in everything if isinstance(item, Found)]
    unrecognised = [item for item in everything if isinstance(item, Unrecognised)]
    if not found:
        where = ", ".join(str(path) for path in paths)
        why = "".join(f"\n  {u.name}: {u.reason}" for u in unrecognised[:5])
        raise InputError(
            f"{where}: expected traces in a known format, found none.{why}\n"
            f"Known formats: {', '.join(formats)}. Choose one with --format NAME."
        )
    return found, unrecognised


def _meter_options(options: MeasureOptions) -> MeterOptions:
    shared = {f: getattr(options, f) for f in MeterOptions.__struct_fields__}
    return MeterOptions(**shared)


def _ledger_options(options: MeasureOptions) -> dict[str, object]:
    """What decides the numbers; how they were computed (workers) does not."""
    chosen = {k: v for k, v in structs.asdict(options).items() if k != "workers"}
    # The same path with other contents is another choice.
    files = {k: Path(v) for k in _MAY_BE_FILES if (v := chosen[k]) and Path(v).is_file()}
    return chosen | {"files": {k: _digest(path) for k, path in files.items()}}


_MAY_BE_FILES = ("hardware", "arch", "tokenizer", "prices")


def _digest(path: Path) -> str:
    return blake2b(path.read_bytes(), digest_size=16).hexdigest()


def _plan(
    found: list[Found], writer: LedgerWriter, options: MeasureOptions, meter: MeterOptions
) -> list[Job]:
    """Jobs for the pieces that the ledger does not hold yet, or holds in an older version."""
    limit = options.max_record_mb * 2**20
    inputs: dict[str, Expected] = {}
    sources: list[tuple[Source, str]] = []
    for item in found:
        entry = InputEntry(_written(item.path), item.format, fingerprint(item.path))
        name = _free_name(item.name, entry, writer.manifest.inputs, inputs)
        # The fingerprint's size: the file may have grown since it was found.
        pieces = pieces_of(structs.replace(item, name=name, size=entry.fingerprint.size))
        inputs[name] = Expected(entry, [_piece(source) for source in pieces])
        sources += [(structs.replace(s, max_record_bytes=limit), item.format) for s in pieces]
    lacking = writer.expect(inputs)
    waiting = [pair for pair in sources if _piece(pair[0]) in lacking]
    return [Job(group, writer.aside, meter, sum(map(_size, group))) for group in _grouped(waiting)]


def _written(path: Path) -> str:
    """A path as text; names on disk need not be valid text."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _free_name(
    wanted: str,
    entry: InputEntry,
    held: dict[str, InputEntry],
    planned: dict[str, Expected],
) -> str:
    """Two folders may hold files of the same name; ids must differ all the same."""
    name, number = wanted, 2
    while name in planned or (name in held and not _is_that_file(entry, held[name])):
        name, number = f"{wanted}~{number}", number + 1
    return name


def _is_that_file(entry: InputEntry, known: InputEntry) -> bool:
    """The same place, or the same contents moved from a place where nothing is any more."""
    return entry.path == known.path or (entry.is_same(known) and not Path(known.path).exists())


def _grouped(waiting: list[tuple[Source, str]]) -> Iterator[list[tuple[Source, str]]]:
    group: list[tuple[Source, str]] = []
    size = 0
    for pair in waiting:
        group.append(pair)
        size += _size(pair)
        if size >= JOB_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def _piece(source: Source) -> Piece:
    return Piece(source.name, source.start, source.stop or 0)


def _size(pair: tuple[Source, str]) -> int:
    return (pair[0].stop or 0) - pair[0].start


def _work(jobs: list[Job], writer: LedgerWriter, workers: int, progress: Progress | None) -> None:
    total, done = sum(job.bytes for job in jobs), 0
    # Starting a process costs more than reading a small file.
    workers = workers if total > JOB_BYTES else 1
    sizes = {_piece(job.sources[0][0]): job.bytes for job in jobs}
    with closing(run(do_job, jobs, workers)) as drafts:
        for draft in drafts:
            writer.commit(draft)
            done += sizes[draft.pieces[0]]
            if progress:
                progress(done, total)


def do_job(job: Job) -> Draft:
    """Reads the job's pieces, measures what they hold and drafts a volume. Runs in any process."""
    meter = build_meter(job.options)
    draft = start_draft(job.aside, [_piece(source) for source, _ in job.sources])
    with _no_cycle_search():
        for trajectories, bad in _batches(_read(job)):
            frames, failed = _measured(trajectories, meter)
            draft.add({**frames, "bad_records": _bad_table(bad + failed)})
    return draft


@contextmanager
def _no_cycle_search() -> Iterator[None]:
    """Records hold no cycles; looking for some took a quarter of the time of a large job."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _read(job: Job) -> Iterator[Trajectory | BadRecord]:
    formats = _formats()
    for source, name in job.sources:
        try:
            for item in formats[name].read(source):
                yield identify(item, source) if isinstance(item, Trajectory) else item
        except Exception as error:
            if isinstance(error, InputError) or getattr(error, "errno", None) is not None:
                raise  # The disk failed, not the file: what is lost can be read another time.
            yield BadRecord(source.name, "file", f"{name} to the end", _said(error), name)


@lru_cache(maxsize=1)
def _formats() -> dict[str, Format]:
    return load_formats()


def _batches(
    items: Iterator[Trajectory | BadRecord],
) -> Iterator[tuple[list[Trajectory], list[BadRecord]]]:
    """Groups large enough to be measured at once and small enough to be held; at least one."""
    good: list[Trajectory] = []
    bad: list[BadRecord] = []
    parts = characters = 0
    for item in items:
        if isinstance(item, BadRecord):
            bad.append(item)
            continue
        good.append(item)
        parts += len(item.parts)
        characters += sum([len(part.text) for part in item.parts])
        if parts >= BATCH_PARTS or characters >= BATCH_CHARACTERS:
            yield good, bad
            good, bad, parts, characters = [], [], 0, 0
    yield good, bad


def _measured(
    trajectories: list[Trajectory], meter: Meter
) -> tuple[dict[str, pl.DataFrame], list[BadRecord]]:
    """The batch's tables. A trajectory with impossible values costs only itself."""
    try:
        return measure_costs(trajectories, meter), []
    except InputError:
        raise
    except Exception as error:
        if len(trajectories) == 1:
            return measure_costs([], meter), [_unmeasured(trajectories[0], error)]
    middle = len(trajectories) // 2
    first, bad = _measured(trajectories[:middle], meter)
    second, more = _measured(trajectories[middle:], meter)
    return {name: pl.concat([first[name], second[name]]) for name in first}, bad + more


def _unmeasured(trajectory: Trajectory, error: Exception) -> BadRecord:
    place = f"trajectory {trajectory.trajectory_id.rpartition('#')[2]}"
    return BadRecord(
        trajectory.source, place, "values that can be measured", _said(error), trajectory.format
    )


def _said(error: Exception) -> str:
    return printable(f"{type(error).__name__}: {error}", 200)


def _bad_table(bad: list[BadRecord]) -> pl.DataFrame:
    columns = {f: [getattr(b, f) for b in bad] for f in BadRecord.__struct_fields__}
    return table("bad_records", columns)


__all__ = ["MeasureOptions", "Measured", "Meter", "measure"]
