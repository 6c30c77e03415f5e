"""What `measure` is to bring into a ledger: files with their formats, names and pieces.

Takes paths and an open ledger, returns a `Plan`. Reads no trace beyond what tells its format.
"""

from pathlib import Path

from msgspec import Struct, structs

from agentdyno.intake.discover import (
    Found,
    NotRead,
    Recall,
    discover,
    pieces_of,
    recall_nothing,
    write_name,
)  # fmt: skip
from agentdyno.intake.format import Format, load_formats
from agentdyno.intake.mirror import Mirror
from agentdyno.intake.opening import locate
from agentdyno.intake.session_folders import find_homes_in, list_agents
from agentdyno.intake.source import Source
from agentdyno.ledger.manifest import InputEntry, keeps_secrets
from agentdyno.ledger.writer import Expected, LedgerWriter
from agentdyno.pipelines.file_outcomes import Planned, outcome_of
from agentdyno.pipelines.known_files import KnownFiles
from agentdyno.pipelines.measure_options import MeasureOptions
from agentdyno.pipelines.source_access import SourceAccess
from agentdyno.pipelines.sources import piece_of
from agentdyno.records import InputError, plural, shortened
from agentdyno.records.files import count_files
from agentdyno.records.secrets.batch import find_changed_names


class Plan(Struct):
    """What is to be in the ledger."""

    inputs: dict[str, Expected] = {}
    """Every input as it is now."""
    sources: list[Source] = []
    """The pieces that they are read in."""
    files: dict[str, Planned] = {}
    unread: dict[str, str] = {}
    """Inputs that are gone, with the reason."""
    together: list[set[str]] = []
    """Inputs that can only be replaced all at once."""

    def add(
        self, inputs: dict[str, Expected], together: list[set[str]], sources: list[Source]
    ) -> None:
        """More inputs that are to be read."""
        self.inputs = self.inputs | inputs
        self.together, self.sources = self.together + together, self.sources + sources


def find_traces(
    paths: list[Path],
    formats: dict[str, Format],
    forced: Format | None,
    recall: Recall = recall_nothing,
) -> tuple[list[Found], list[NotRead]]:
    """The files to read, and those that are not read; says what was found where no file is one."""
    everything = list(discover(paths, formats, forced, recall))
    if not any(isinstance(item, Found) for item in everything) and (homes := _list_homes(paths)):
        everything = list(discover(homes, formats, forced, recall))
    files = [item for item in everything if isinstance(item, Found)]
    not_read = [item for item in everything if isinstance(item, NotRead)]
    if not files:
        where = ", ".join(str(path) for path in paths)
        counts = count_files(map(outcome_of, not_read))
        likely = sorted(not_read, key=lambda each: not each.is_bad)
        why = "".join(f"\n  {shortened(item.name, 70)}: {item.reason}" for item in likely[:5])
        raise InputError(
            f"{where}: expected traces in a known format, found none in "
            f"{plural(sum(counts.values()), 'file')} ({counts['skipped']:,} skipped, "
            f"{counts['bad']:,} bad).{why}\n"
            f"Known formats: {', '.join(formats)}. Choose one with --format NAME."
            + ("" if list_agents() else "\nSessions of coding agents need agentdyno[daily].")
        )
    return files, not_read


def _list_homes(paths: list[Path]) -> list[Path]:
    """The folders of agents' sessions in the home that somebody named; agents keep them hidden."""
    return [home.folder for path in paths if path.is_dir() for home in find_homes_in(path)]


def plan_inputs(
    files: list[Found],
    writer: LedgerWriter,
    options: MeasureOptions,
    mirror: Mirror,
    known_files: KnownFiles | None = None,
) -> Plan:
    """What reading the files would bring into the ledger, under names that are free there."""
    limit = options.max_record_mb * 2**20
    formats, stated = load_formats(), tuple(options.stated.items())
    known_files, plan = known_files or KnownFiles(None, {}), Plan()
    access = SourceAccess(writer.folder, writer.manifest.volumes)
    places = [mirror.place(file.origin or write_name(file.path)) for file in files]
    clean = {}
    if not keeps_secrets(writer.making):
        inputs = writer.manifest.inputs  # Looked at when the ledger was opened.
        new = [(f, place) for f, place in zip(files, places, strict=True) if f.name not in inputs]
        clean = find_changed_names([text for f, place in new for text in (f.name, place)])
    for file, place in zip(files, places, strict=True):
        try:
            entry = known_files.describe(file.path, clean.get(place, place), file.format)
        except OSError as error:
            plan.unread[clean.get(file.name, file.name)] = error.strerror or "cannot be read"
            continue
        expected = clean.get(file.name, file.name)
        name = _free_name(expected, entry, writer.manifest.inputs, plan.inputs, access)
        # The fingerprint's size: the file may have grown since it was found.
        now = structs.replace(file, name=name, size=entry.fingerprint.size)
        sources = [
            structs.replace(source, max_record_bytes=limit, stated=stated)
            for source in pieces_of(now)
        ]
        plan.inputs[name] = Expected(entry, [piece_of(source) for source in sources])
        plan.sources += sources
        plan.files[name] = Planned(file.format, file.damage, _beside(file, formats))
    return plan


def _beside(file: Found, formats: dict[str, Format]) -> str | None:
    format = formats.get(file.format)
    return format.read_with(file.path) if format else None


def _free_name(
    expected: str,
    entry: InputEntry,
    inputs: dict[str, InputEntry],
    planned: dict[str, Expected],
    access: SourceAccess,
) -> str:
    """Two folders may hold files of the same name; ids must differ all the same."""
    name, number = expected, 2
    while name in planned or (name in inputs and not _is_that_file(entry, inputs[name], access)):
        name, number = f"{expected}~{number}", number + 1
    return name


def _is_that_file(entry: InputEntry, stored: InputEntry, access: SourceAccess) -> bool:
    """The same place, or the same contents moved from a place where nothing is any more, or where
    only somebody else may look."""
    return entry.path == stored.path or (entry.is_same(stored) and not _is_there(stored, access))


def _is_there(entry: InputEntry, access: SourceAccess) -> bool:
    path = access.find_given(entry)
    try:
        return path is not None and locate(path).exists()
    except (OSError, InputError):
        return False
