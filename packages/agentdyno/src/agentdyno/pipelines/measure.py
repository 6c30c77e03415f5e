"""The main job: traces on disk -> trajectories -> costs -> ledger.

Read this first; everything else hangs from it.

    discover   which files, which format each                      pipelines.input_plan
    plan       what of it is not in the ledger yet, or is damaged  ledger.writer
    jobs       in one process or several: read, measure, draft     pipelines.jobs
    commit     a draft becomes part of the ledger                  ledger.writer
    deduplicate   a response in several places counts once         pipelines.deduplicate
    derive     patterns and schedules of what counts               pipelines.rederive
"""

from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Literal

from msgspec import Struct, structs

from agentdyno.cost.engines import MeterOptions
from agentdyno.cost.metering import Meter
from agentdyno.engines.local import processors, run, same_processes
from agentdyno.engines.storage import is_there, url_of
from agentdyno.intake.discover import Found
from agentdyno.intake.format import find_format, load_formats
from agentdyno.intake.growing import GrowingFiles
from agentdyno.intake.mirror import Mirror, mirror_paths
from agentdyno.intake.opening import INSIDE, locate
from agentdyno.intake.source import Source
from agentdyno.ledger.connections import Connections
from agentdyno.ledger.drafts import Draft
from agentdyno.ledger.given_paths import OPTION_FILES
from agentdyno.ledger.manifest import InputEntry, Piece, keeps_equal, keeps_secrets
from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.retiring import forget
from agentdyno.ledger.working_copy import open_working_copy
from agentdyno.ledger.writer import LedgerWriter
from agentdyno.pipelines.commits import Commits
from agentdyno.pipelines.deduplicate import deduplicate_ledger
from agentdyno.pipelines.file_outcomes import describe_files, keep_outcomes
from agentdyno.pipelines.input_plan import Plan, find_traces, plan_inputs
from agentdyno.pipelines.jobs import Job, do_job
from agentdyno.pipelines.kept_texts import KeptTexts
from agentdyno.pipelines.known_files import find_known_files
from agentdyno.pipelines.measure_options import (
    MeasureOptions,
    ledger_options,
    meter_options,
    own_meter_options,
    select_reading_options,
)
from agentdyno.pipelines.meter import build_meter
from agentdyno.pipelines.repair import find_damaged_inputs
from agentdyno.pipelines.source_access import SourceAccess, keep_access
from agentdyno.pipelines.sources import piece_of
from agentdyno.pipelines.store_texts import store_texts
from agentdyno.pipelines.versions import current_versions
from agentdyno.records import InputError, plural, printable
from agentdyno.records.files import FileOutcome, FileState, count_files
from agentdyno.records.secrets.cleaning import is_marked

JOB_BYTES = 64 * 2**20
"""Small files are read together until they are this large."""
SMALLEST = 2
"""A job takes at most a worker's share of what is left, so that all end about together, but no
smaller a part of `JOB_BYTES` than this, since every job makes files of its own."""
ALONE = 2
"""Jobs that one process has done about when another is started and has done its share."""
DERIVED = 8
"""To work out patterns and schedules takes at least so many times as long as to measure."""

Progress = Callable[[int, int, str], None]
"""Called with bytes done, bytes to do, and what is being done; first before anything is read."""


class Measured(Struct, frozen=True):
    """What a run did."""

    ledger: Path
    outcomes: list[FileOutcome]
    """Every file under the paths: read, skipped or bad, with the reason."""
    new_files: int
    """Files that were read now, whole or in part, and not in an earlier run."""
    read_again: int
    """Files that were in the ledger and were read again: changed, damaged, or of other making."""
    apart: int
    """Files in the ledger that another version or other options measured, and that stand beside."""
    secrets: dict[str, int]
    """Secrets that were replaced in what was read now, by kind."""
    repeats: int
    """Responses in the ledger's files that count elsewhere, and so were left out."""
    gone: list[str]
    """Sources that are in the ledger and no longer on disk; their rows stay."""
    underived: str | None = None
    """Why patterns and schedules could not be derived; None where they were, or were not asked."""

    @property
    def counts(self) -> dict[FileState, int]:
        """How many files were read, empty, skipped and bad."""
        return count_files(self.outcomes)

    @property
    def files(self) -> int:
        """How many files were given."""
        return sum(self.counts.values())


class RemoteRun(Struct, frozen=True):
    """What jobs need that are not done in a process of this machine on files of its disk."""

    engine: Literal["local", "ray"]
    mirror: Mirror
    packed: dict[str, str]
    """Where files stand that were unpacked here, by their path."""


class JobResult(Struct, frozen=True):
    """What jobs came to, besides the volumes."""

    unread: dict[str, str]
    """Inputs that could not be read, with the reason."""
    secrets: dict[str, int]
    """Secrets that were replaced, by kind."""
    names: set[str] = set()
    """Inputs that were to be read."""
    repeats: int = 0
    """Responses in the ledger that count elsewhere."""


class FollowState(Struct, frozen=True):
    """What a process that measures again and again knows of a ledger and its files."""

    connections: Connections
    """Between trajectories of the ledger."""
    growing: GrowingFiles
    """Files that were read, and may go on."""


def measure(
    paths: list[Path],
    ledger: Path,
    options: MeasureOptions | None = None,
    progress: Progress | None = None,
) -> Measured:
    """Brings the ledger up to date with the files under the paths; each may be a URL."""
    options_used = options or MeasureOptions()
    with same_processes():
        texts = None if options_used.costs_only and not options_used.keep_texts else KeptTexts()
        measured = measure_costs_first(paths, ledger, options_used, progress, texts)
        if options_used.keep_texts:
            store_texts(ledger, options_used.workers, texts)
        problem = (
            None if options_used.costs_only else derive_rest(ledger, options_used.workers, texts)
        )
    return structs.replace(measured, underived=problem)


def measure_costs_first(
    paths: list[Path],
    ledger: Path,
    options: MeasureOptions,
    progress: Progress | None = None,
    texts: KeptTexts | None = None,
    last: Collection[str] = (),
) -> Measured:
    """The same without patterns and schedules, which `derive_rest` adds: costs need not wait for
    them, and they are derived once, when it is known which responses count. Only where traces are
    far away are they derived while the texts are at hand. What is read is kept in `texts`. `last`:
    files that are read after all others, since nothing in them counts: whoever stops a run has what
    the others cost."""
    if options.keep_texts and (url := url_of(str(ledger))):
        raise InputError(f"{url}: texts are kept beside a ledger on a disk, not in a storage.")
    with mirror_paths(paths) as mirror, open_working_copy(ledger) as copy:
        is_near = options.engine == "local" and not mirror
        copy_options = structs.replace(options, costs_only=options.costs_only or is_near)
        stored_texts = texts if is_near else None
        measured = _measure(paths, mirror, copy, copy_options, progress, stored_texts, last)
        keep_outcomes(copy, measured.outcomes)
        return measured


def derive_rest(
    ledger: Path, workers: int | None = None, texts: KeptTexts | None = None
) -> str | None:
    """Patterns and schedules of all that the ledger holds and nobody derived yet, volume by volume:
    a run that is stopped has what it finished. What fails here costs no row of costs: it returns
    what went wrong, and the next report tries again."""
    from agentdyno.pipelines.rederive import rederive_tables
    from agentdyno.studies.derivation import load_derivations

    with open_working_copy(ledger) as copy:
        try:
            rederive_tables(copy, load_derivations(), workers, texts=texts)
        except InputError as error:
            return str(error)
        except Exception as error:
            return printable(f"{type(error).__name__}: {error}", 300)
    return None


def _measure(
    paths: list[Path],
    mirror: Mirror,
    ledger: Path,
    options: MeasureOptions,
    progress: Progress | None,
    texts: KeptTexts | None,
    last: Collection[str],
) -> Measured:
    formats = load_formats()
    forced = find_format(options.format, formats) if options.format else None
    known_files = find_known_files(ledger, {} if forced else formats)
    files, not_read = find_traces(mirror.paths, formats, forced, known_files.recall)
    files.sort(key=lambda each: each.name in last)
    build_meter(meter_options(options))  # Wrong names are said before anything is written.
    stored_options = ledger_options(options)
    writing = LedgerWriter(
        ledger, stored_options, select_reading_options(stored_options), current_versions()
    )
    with writing as writer, keep_access(writer, _list_given(paths, stored_options)):
        had_secrets = _has_secrets(writer)
        if not keeps_secrets(writer.making):
            had_secrets |= writer.clean_input_names()
        plan = plan_inputs(files, writer, options, mirror, known_files)
        plan.add(*find_damaged_inputs(writer, set(plan.inputs)))
        far = RemoteRun(options.engine, mirror, _find_packed(files, mirror))
        result = carry_out(plan, writer, options, progress, far, texts=texts)
        if had_secrets and not _has_secrets(writer):
            forget(ledger, writer.manifest)  # Earlier generations hold them still.
        written, problems = Ledger(ledger, writer.manifest), plan.unread | result.unread
        return Measured(
            ledger=ledger,
            outcomes=describe_files(written, plan.files, problems, not_read),
            new_files=len(result.names - result.unread.keys()),
            read_again=len(writer.replaced),
            apart=len(writer.of_other_making()),
            secrets=result.secrets,
            repeats=result.repeats,
            gone=_find_gone(writer, mirror),
        )


def _list_given(paths: list[Path], options: dict[str, object]) -> list[str]:
    """What the user typed, in full: traces, and files that options name."""
    files = (str(value) for name in OPTION_FILES if (value := options.get(name)))
    return [*map(str, paths), *(file for file in files if Path(file).exists())]


def measure_files(
    files: list[Found],
    writer: LedgerWriter,
    options: MeasureOptions,
    mirror: Mirror,
    memory: FollowState,
) -> dict[str, InputEntry]:
    """Brings an open ledger up to date with some files, and looks at no other; returns them by the
    names that they have in the ledger."""
    plan = plan_inputs(files, writer, options, mirror)
    carry_out(plan, writer, options, memory=memory)
    return {name: expected.entry for name, expected in plan.inputs.items()}


def carry_out(
    plan: Plan,
    writer: LedgerWriter,
    options: MeasureOptions,
    progress: Progress | None = None,
    far: RemoteRun | None = None,
    memory: FollowState | None = None,
    texts: KeptTexts | None = None,
) -> JobResult:
    """Reads what the ledger lacks of a plan, and counts duplicates once."""
    missing = writer.expect(plan.inputs, plan.together)
    meter = own_meter_options(writer.manifest, writer.folder, options)
    workers = options.workers or processors()
    derive = not options.costs_only
    jobs = jobs_for(plan.sources, missing, writer, meter, derive, workers, memory)
    if texts is not None:
        jobs = [_keep_texts(job, texts, writer.folder) for job in jobs]
    # An addition of one job is one step; of more each is kept as soon as it is done.
    is_small = len(jobs) < 2 and bool(writer.counted)
    with writer.in_one_step() if is_small else nullcontext():
        result = run_jobs(jobs, writer, workers, progress, far)
        connections = memory.connections if memory else None
        repeats = deduplicate_ledger(writer, meter.cache, connections)
    names = {source.name for job in jobs for source in job.sources}
    return structs.replace(result, names=names, repeats=repeats)


def _has_secrets(writer: LedgerWriter) -> bool:
    """Whether rows were written without redaction."""
    return any(keeps_secrets(volume.making) for volume in writer.manifest.volumes.values())


def _find_gone(writer: LedgerWriter, mirror: Mirror) -> list[str]:
    """Of those that may be looked at: where another's traces are is nobody's business here."""
    access = SourceAccess(writer.folder, writer.manifest.volumes)
    inputs = writer.manifest.inputs.items()
    places = {name: access.find_given(entry) for name, entry in inputs}
    gone = [n for n, path in places.items() if path and not _is_still_there(path, mirror)]
    return [*gone, *(n for n, e in inputs if is_marked(e.path) and places[n] is None)]


def _is_still_there(path: str, mirror: Mirror) -> bool:
    url = url_of(path)
    if url is None:
        return locate(path).exists()
    outer = url.partition(INSIDE)[0]
    return outer in mirror.urls or is_there(outer)


def _find_packed(files: list[Found], mirror: Mirror) -> dict[str, str]:
    """Where files stand that were unpacked here, for machines that unpack them themselves."""
    return {str(item.path): mirror.place(item.origin) for item in files if item.origin}


def jobs_for(
    sources: list[Source],
    missing: set[Piece],
    writer: LedgerWriter,
    meter: MeterOptions,
    derive: bool = True,
    workers: int = 1,
    memory: FollowState | None = None,
) -> list[Job]:
    """Jobs for those of the pieces that the ledger lacks; `derive`: patterns and schedules too."""
    sources = [source for source in sources if piece_of(source) in missing]
    workers = _useful(workers, sum(map(_size, sources)), derive)
    secrets, equal = keeps_secrets(writer.making), keeps_equal(writer.making)
    growing = memory.growing if memory else None
    return [
        Job(
            group, writer.unfinished, meter, sum(map(_size, group)), secrets, derive, equal, growing
        )
        for group in _group(sources, workers)
    ]


def _keep_texts(job: Job, texts: KeptTexts, folder: Path) -> Job:
    pieces = [piece_of(source) for source in job.sources]
    return structs.replace(job, kept=texts.create(folder, pieces))


def _group(sources: list[Source], workers: int) -> Iterator[list[Source]]:
    remaining = sum(map(_size, sources))
    group: list[Source] = []
    size = 0
    for source in sources:
        group.append(source)
        size += _size(source)
        if size >= _job_bytes(remaining, workers):
            yield group
            remaining -= size
            group, size = [], 0
    if group:
        yield group


def _job_bytes(left: int, workers: int) -> int:
    share = max(left // workers, JOB_BYTES // SMALLEST)
    return JOB_BYTES if workers == 1 else min(JOB_BYTES, share)


def _useful(workers: int, total: int, derive: bool) -> int:
    """How many workers are of use: starting a process costs more than reading a small file."""
    alone = ALONE * JOB_BYTES // (DERIVED if derive else 1)
    return workers if total > alone else 1


def _size(source: Source) -> int:
    return (source.stop or 0) - source.start


def run_jobs(
    jobs: list[Job],
    writer: LedgerWriter,
    workers: int,
    progress: Progress | None = None,
    far: "RemoteRun | None" = None,
) -> JobResult:
    """Does the jobs and commits what they made."""
    total, done = sum(job.bytes for job in jobs), 0
    unread: dict[str, str] = {}
    secrets: Counter[str] = Counter()
    workers = _useful(workers, total, any(job.derive for job in jobs))
    files = plural(len({source.name for job in jobs for source in job.sources}), "file")
    if progress:
        progress(0, total, f"reading {files}")
    with closing(_run(jobs, workers, far)) as finished, Commits(writer) as commits:
        for draft, size in finished:
            commits.add(draft)
            unread |= draft.unread
            secrets.update(draft.secrets)
            done += size
            if progress:
                progress(done, total, f"reading {files}")
    return JobResult(unread, dict(secrets))


def _run(
    jobs: list[Job], workers: int, far: "RemoteRun | None"
) -> Generator[tuple[Draft, int], None, None]:
    """On this machine with its disk, or as parcels where either is not enough."""
    if far is None or (far.engine == "local" and not far.mirror):
        return run(do_job, jobs, workers, join_in=True)
    from agentdyno.pipelines.remote_jobs import run_remote_jobs

    return run_remote_jobs(jobs, workers, far.engine, far.mirror, far.packed)


__all__ = ["Job", "MeasureOptions", "Measured", "Meter", "do_job", "measure"]
