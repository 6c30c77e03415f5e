"""Jobs of `measure` that travel: to another machine, with all they need, and back with the rows.

Takes jobs, returns what `measure` would have drafted itself. A parcel holds the contents of the
files that options name, and says where in the storage the traces are; the worker fetches those,
drafts on its own disk and sends the files back. No disk is shared, but for traces that are no URLs.

A job that kills its workers is cut into single files; a file that does so alone becomes a bad
record, and the run goes on.
"""

import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, structs

from agentdyno.cost.engines import MeterOptions
from agentdyno.cost.tables import measure_costs, table
from agentdyno.engines import local
from agentdyno.engines.storage import CHUNK, Stored, fetch, fetch_lines, read_stretch
from agentdyno.intake.mirror import Mirror
from agentdyno.intake.opening import locate
from agentdyno.intake.source import Source
from agentdyno.ledger.disk import digest, make_folder, replace_synced, write_synced
from agentdyno.ledger.drafts import Draft, start_draft
from agentdyno.pipelines.jobs import Job, do_job
from agentdyno.pipelines.meter import build_meter
from agentdyno.pipelines.sources import piece_of
from agentdyno.pipelines.versions import current_versions
from agentdyno.records import BadRecord, InputError
from agentdyno.records.stages import stages_of
from agentdyno.version import __version__

EngineName = Literal["local", "ray"]
FILES = ("hardware", "arch", "tokenizer", "prices")
"""Options that may name a file."""


class RemoteJob(Struct, frozen=True):
    """A job with what it needs."""

    job: Job
    """What to do; its paths are those of the machine that sent it."""
    files: dict[str, tuple[str, bytes]]
    """Options that name a file: its name and its contents."""
    stored: dict[str, tuple[str, dict[str, Stored]]]
    """By the path of a source that is in object storage: its path in a mirror, and the files to
    fetch by theirs."""
    packed: dict[str, str]
    """By the path of a source that was unpacked where the parcel was sent from: how the ledger
    writes its place."""
    software: str
    """The version that sent it."""
    versions: dict[str, int]
    """Those of its stages: the same name of a version may stand for other code."""
    killed: str | None = None
    """How the job killed its workers; None for one that did not."""


class Returned(Struct, frozen=True):
    """A volume as it came back."""

    draft: Draft
    """What was drafted, on the other machine's disk."""
    size: int
    """Bytes of the traces in it."""
    files: dict[str, bytes]
    """The contents of its files, by name."""


def run_remote_jobs(
    jobs: Sequence[Job],
    workers: int,
    engine: EngineName,
    mirror: Mirror,
    packed: dict[str, str],
) -> Generator[tuple[Draft, int], None, None]:
    """Does the jobs on the engine; drafts come out as if they had been made here."""
    if not jobs:
        return
    run = _engine(engine)
    jobs = _number(jobs, mirror, run, workers)
    remote_jobs = [_pack(job, mirror, packed) for job in jobs]
    for returned in run(run_remote_job, remote_jobs, workers):
        yield _write_draft(returned, jobs[0].staging), returned.size


def _engine(name: EngineName) -> Callable[..., Generator[Returned, None, None]]:
    if name == "local":
        return local.run
    from agentdyno.engines import ray

    return partial(ray.run, instead=instead)


def _pack(job: Job, mirror: Mirror, packed: dict[str, str]) -> RemoteJob:
    paths = {source.path for source in job.sources}
    return RemoteJob(
        job=job,
        files=_option_files(job.options),
        stored={
            str(p): (mirror.relative(p), mirror.needed(p)) for p in paths & mirror.stored.keys()
        },
        packed={str(p): packed[str(p)] for p in paths if str(p) in packed},
        software=__version__,
        versions=stages_of(current_versions(), {source.format for source in job.sources}),
    )


def _option_files(options: MeterOptions) -> dict[str, tuple[str, bytes]]:
    named = {name: getattr(options, name) for name in FILES}
    paths = {name: Path(value) for name, value in named.items() if value}
    return {n: (path.name, path.read_bytes()) for n, path in paths.items() if path.is_file()}


def instead(remote_job: RemoteJob, how: str) -> list[RemoteJob]:
    """What to do in the place of a job that killed its workers: its files, one at a time; a file
    alone is noted as bad."""
    sources = remote_job.job.sources
    if len(sources) == 1:
        return [structs.replace(remote_job, killed=how)]
    return [structs.replace(remote_job, job=_of_one(remote_job.job, s)) for s in sources]


def _of_one(job: Job, source: Source) -> Job:
    return structs.replace(job, sources=[source], bytes=(source.stop or 0) - source.start)


def _write_draft(returned: Returned, staging: Path) -> Draft:
    """The draft with its files on this disk, synced."""
    draft = returned.draft
    folder = staging / draft.volume
    make_folder(folder)
    for name, data in returned.files.items():
        write_synced(folder / name, data)
    return structs.replace(draft, folder=str(folder))


# Numbers of lines in files that are not here ------------------------------------------------------


Stretch = tuple[str, int, int]
"""A URL, and from where to where."""


def _number(
    jobs: Sequence[Job], mirror: Mirror, run: Callable[..., Any], workers: int
) -> list[Job]:
    """The jobs with the right numbers of lines where a piece of a stored file begins."""
    starts: dict[str, set[int]] = {}
    for source in (s for job in jobs for s in job.sources if s.start):
        if source.path in mirror.stored:
            starts.setdefault(mirror.stored[source.path].url, set()).add(source.start)
    if not starts:
        return list(jobs)
    lines = {s: n for url, at in starts.items() for s, n in _lines_at(url, at, run, workers)}
    return [
        structs.replace(job, sources=[_with_line(source, mirror, lines) for source in job.sources])
        for job in jobs
    ]


def _lines_at(
    url: str, starts: set[int], run: Callable[..., Any], workers: int
) -> Iterator[tuple[tuple[str, int], int]]:
    """The number of the first line that begins at or after each place."""
    # The line that holds the byte before a start belongs to the piece before.
    edges = [0, *sorted(start - 1 for start in starts)]
    stretches = [(url, a, b) for a, b in pairwise(edges)]
    counts = dict(run(newlines_in, stretches, workers))
    passed = 0
    for stretch in stretches:
        passed += counts[stretch]
        yield (url, stretch[2] + 1), passed + 2


def newlines_in(stretch: Stretch) -> tuple[Stretch, int]:
    """How many lines end in a stretch of a stored file. Runs in any process of any machine."""
    url, start, stop = stretch
    chunks = range(start, stop, CHUNK)
    return stretch, sum(read_stretch(url, a, min(a + CHUNK, stop)).count(b"\n") for a in chunks)


def _with_line(source: Source, mirror: Mirror, lines: dict[tuple[str, int], int]) -> Source:
    stored = mirror.stored.get(source.path)
    if stored is None or not source.start:
        return source
    return structs.replace(source, first_line=lines[stored.url, source.start])


# On the other machine -----------------------------------------------------------------------------


def run_remote_job(remote_job: RemoteJob) -> Returned:
    """Does the job of a parcel and packs up what it made. Runs in any process of any machine."""
    local_stages = stages_of(
        current_versions(), {source.format for source in remote_job.job.sources}
    )
    if (remote_job.software, remote_job.versions) != (__version__, local_stages):
        raise InputError(
            f"A worker has agentdyno {__version__}, the command is of {remote_job.software}"
            f"{'' if remote_job.software != __version__ else ', with other stages'}. Install "
            "the same version on every machine of the cluster, and the same table of prices if "
            "`agentdyno about prices` has one of yours."
        )
    folder = Path(tempfile.mkdtemp(prefix="agentdyno-job-"))
    try:
        return _do_job(remote_job, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _do_job(remote_job: RemoteJob, folder: Path) -> Returned:
    options = structs.replace(remote_job.job.options, **_options_here(remote_job.files))
    job = structs.replace(remote_job.job, options=options, staging=folder / "ledger" / "aside")
    if remote_job.killed is not None:
        draft, size = _draft_as_bad(job, remote_job.killed), job.bytes
    else:
        sources = [_here(remote_job, source, folder / "traces") for source in job.sources]
        draft, size = do_job(structs.replace(job, sources=sources))
    produced = sorted(Path(draft.folder).iterdir())
    return Returned(draft, size, {path.name: path.read_bytes() for path in produced})


def _options_here(files: dict[str, tuple[str, bytes]]) -> dict[str, str]:
    """Files that options name, each in a folder by its contents: the next job finds it there."""
    local_options = {}
    for option, (name, data) in files.items():
        path = Path(tempfile.gettempdir()) / f"agentdyno-{digest(data)}" / name
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            replace_synced(path, data)
        local_options[option] = str(path)
    return local_options


def _here(remote_job: RemoteJob, source: Source, folder: Path) -> Source:
    """The source with what is read of it on this machine."""
    path = str(source.path)
    if path in remote_job.packed:
        return structs.replace(source, path=locate(remote_job.packed[path]))
    if path not in remote_job.stored:
        return source
    own, expected = remote_job.stored[path]
    for name, stored in expected.items():
        target, piece = folder / name, name == own and (source.start or source.stop != stored.size)
        if piece:
            fetch_lines(stored.url, target, stored.size, source.start, source.stop or stored.size)
        elif not target.exists():
            fetch(stored.url, target)
    return structs.replace(source, path=folder / own)


def _draft_as_bad(job: Job, how: str) -> Draft:
    """A volume without rows, whose one file is noted as bad."""
    source, *_ = job.sources
    draft = start_draft(job.staging, [piece_of(source)], job.keep_secrets)
    bad = BadRecord(
        source.name,
        "file",
        f"{source.format} to the end",
        f"it ended its worker: {how}",
        source.format,
    )
    columns = {field: [getattr(bad, field)] for field in BadRecord.__struct_fields__}
    nothing = measure_costs([], build_meter(job.options))
    draft.add({**nothing, "bad_records": table("bad_records", columns)})
    return draft
