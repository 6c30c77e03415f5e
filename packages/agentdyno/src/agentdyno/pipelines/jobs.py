"""A job of `measure`: pieces of files -> trajectories -> costs -> a draft of a volume.

    read      each piece by its format, every turn identified       intake
    measure   in batches that are held while their texts are        metrics.cost
    derive    patterns and schedules, while the texts are at hand   pipelines.deriving
    draft     the rows of a job, one file a table                   ledger.drafts

Takes a `Job`, returns a `Draft`. Runs in any process, and knows nothing of the ledger's manifest.
"""

import shutil
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
from msgspec import Struct, structs

from agentdyno.cost.columns import Joined
from agentdyno.cost.engines import MeterOptions
from agentdyno.cost.metering import Meter
from agentdyno.cost.tables import Frames, measure_rows, table
from agentdyno.engines.anonymous_files import AnonymousFile
from agentdyno.engines.local import no_cycle_search
from agentdyno.intake.format import Format, load_formats
from agentdyno.intake.growing import GrowingFiles
from agentdyno.intake.identity import identify
from agentdyno.intake.source import Source
from agentdyno.intake.stated_fields import state_fields
from agentdyno.intake.streams import is_empty
from agentdyno.ledger.drafts import Draft, start_draft
from agentdyno.pipelines.kept_texts import TextKeeper
from agentdyno.pipelines.meter import build_meter
from agentdyno.pipelines.sources import piece_of
from agentdyno.records import BadRecord, InputError, Trajectory, printable

if TYPE_CHECKING:
    from agentdyno.pipelines.deriving import Deriving

BATCH_PARTS = 24_000
"""Trajectories are measured together until they have this many parts."""
COSTS_PARTS = 48_000
"""The same where only costs are asked for, and texts are mostly let go."""
BATCH_CHARACTERS = 16 * 2**20
"""…or hold this much text."""
FILE_PARTS = 400_000
"""Rows are held until there are so many of parts; a job's are mostly fewer, and make one file."""


class Job(Struct, frozen=True):
    """Pieces of files to be read into one volume."""

    sources: list[Source]
    staging: Path
    """Where the volume is drafted."""
    options: MeterOptions
    """What tokens cost."""
    bytes: int
    """Size of the pieces together."""
    keep_secrets: bool = False
    """Whether texts are written as they came."""
    derive: bool = False
    """Whether patterns and schedules are worked out as well."""
    keep_equal: bool = False
    """Whether byte-equal files without ids or times are samples, each counted."""
    growing: GrowingFiles | None = None
    """What is known of files that grow, where one process reads them again and again."""
    kept: AnonymousFile | None = None
    """Where what was read is held for the rest of the run."""


def do_job(job: Job) -> tuple[Draft, int]:
    """Reads the job's pieces, measures what they hold and drafts a volume. Runs in any process.

    A file that vanishes under our eyes, or that the disk refuses, costs only itself.
    """
    sources, unread = job.sources, {}
    while True:
        pieces = [piece_of(source) for source in sources]
        draft = start_draft(job.staging, pieces, job.keep_secrets)
        try:
            # Around it all, so that no batch is left to be searched at its end.
            with no_cycle_search():
                _fill(draft, sources, job)
        except _UnreadError as problem:
            unread[problem.name] = problem.reason
            sources = [source for source in sources if source.name != problem.name]
            shutil.rmtree(draft.folder, ignore_errors=True)
            continue
        draft.unread = unread
        return draft, job.bytes


def _fill(draft: Draft, sources: list[Source], job: Job) -> None:
    """Texts are held for a batch; numbers until there are enough of them for a file."""
    meter = build_meter(job.options)
    deriving = _derive(sources, job)
    held: list[Frames] = []
    texts_needed = job.derive or meter.exact
    keeper = TextKeeper(job.kept)
    for batch, bad in _batches(_read(sources, job, keeper), texts_needed):
        frames, failed = _measure(batch, meter)
        deriving.add(batch.items, frames)
        held.append({**frames, "bad_records": _bad_table(bad + failed)})
        if sum(len(frame["parts"]) for frame in held) >= FILE_PARTS:
            draft.add(_together(held))
            held = []
    if held:
        draft.add(_together(held))
    deriving.write(draft)
    keeper.finish()


def _derive(sources: list[Source], job: Job) -> "Deriving | Nothing":
    if not job.derive:
        return Nothing()
    # Its patterns of words take a third of a second to compile, in every process.
    from agentdyno.pipelines.deriving import Deriving
    from agentdyno.studies.derivation import Ground

    inputs = {source.name: (str(source.path), source.format) for source in sources}
    return Deriving(Ground(job.options.cache, inputs), job.keep_secrets)


class Nothing:
    """Where only costs are asked for."""

    def add(self, trajectories: list[Trajectory], frames: Frames) -> None:
        """Works nothing out."""

    def write(self, draft: Draft) -> None:
        """Writes nothing."""


def _together(all_frames: list[Frames]) -> Frames:
    if len(all_frames) == 1:
        return all_frames[0]
    return {table: pl.concat([frames[table] for frames in all_frames]) for table in all_frames[0]}


class _UnreadError(Exception):
    """The disk failed, not the file: what is lost can be read another time."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason)
        self.name, self.reason = name, reason


def _read(sources: list[Source], job: Job, keeper: TextKeeper) -> Iterator[Trajectory | BadRecord]:
    formats, growing, ids = _formats(), job.growing, set[str]()
    for source in _in_one_go(sources):
        name, format = source.format, formats[source.format]
        try:
            for item in growing.read(source, format) if growing else format.read(source):
                if isinstance(item, Trajectory) and item.trajectory_id in ids:
                    location = f"trajectory {item.trajectory_id.rpartition('#')[2]}"
                    expected = "one trajectory of an id"
                    yield BadRecord(source.name, location, expected, "another one of it", name)
                elif isinstance(item, Trajectory):
                    ids.add(item.trajectory_id)
                    item = state_fields(item, source.stated)
                    keeper.take(source, item)
                    yield identify(item, source, job.keep_equal)
                elif not is_empty(item):
                    yield item
        except InputError:
            raise
        except Exception as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise _UnreadError(source.name, error.strerror or "cannot be read") from None
            yield BadRecord(source.name, "file", f"{name} to the end", _describe(error), name)


def _in_one_go(sources: list[Source]) -> Iterator[Source]:
    """Pieces of a file that follow each other as one: a format looks at the file's head first."""
    before: Source | None = None
    for source in sources:
        if before is not None and (before.path, before.stop) == (source.path, source.start):
            before = structs.replace(before, stop=source.stop)
            continue
        if before is not None:
            yield before
        before = source
    if before is not None:
        yield before


@lru_cache(maxsize=1)
def _formats() -> dict[str, Format]:
    return load_formats()


def _batches(
    items: Iterator[Trajectory | BadRecord], texts_needed: bool
) -> Iterator[tuple[Joined, list[BadRecord]]]:
    """Groups large enough to be measured at once and small enough to be held; at least one."""
    most = BATCH_PARTS if texts_needed else COSTS_PARTS
    good, bad = Joined(texts_needed=texts_needed), list[BadRecord]()
    for item in items:
        if isinstance(item, BadRecord):
            bad.append(item)
            continue
        good.add(item)
        if len(good.lengths) >= most or good.characters >= BATCH_CHARACTERS:
            yield good, bad
            good, bad = Joined(texts_needed=texts_needed), []
    yield good, bad


def _measure(batch: Joined, meter: Meter) -> tuple[Frames, list[BadRecord]]:
    """The batch's tables. A trajectory with impossible values costs only itself."""
    items = batch.items
    try:
        return measure_rows(batch, meter), []
    except InputError:
        raise
    except Exception as error:
        if len(items) == 1:
            return measure_rows(Joined(), meter), [_report_unmeasured(items[0], error)]
    middle = len(items) // 2
    first, bad = _measure(batch.slice_items(0, middle), meter)
    second, more = _measure(batch.slice_items(middle, len(items)), meter)
    return {name: pl.concat([first[name], second[name]]) for name in first}, bad + more


def _report_unmeasured(trajectory: Trajectory, error: Exception) -> BadRecord:
    location = f"trajectory {trajectory.trajectory_id.rpartition('#')[2]}"
    return BadRecord(
        trajectory.source,
        location,
        "values that can be measured",
        _describe(error),
        trajectory.format,
    )


def _describe(error: Exception) -> str:
    return printable(f"{type(error).__name__}: {error}", 200)


def _bad_table(bad: list[BadRecord]) -> pl.DataFrame:
    columns = {f: [getattr(b, f) for b in bad] for f in BadRecord.__struct_fields__}
    return table("bad_records", columns)
