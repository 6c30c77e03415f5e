"""A trace format: how to recognise it and how to read it.

Built-in formats and those of third parties register under the same entry point group,
`agentdyno.formats`; each names a `Format`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.plugins import load_place, load_plugins
from agentdyno.quick_entries import list_quick_entries
from agentdyno.records import BadRecord, InputError, Trajectory

if TYPE_CHECKING:
    from agentdyno.intake.streams import LineReader
    from agentdyno.intake.totals import Response

GROUP = "agentdyno.formats"


Reader = Callable[[Source], Iterator[Trajectory | BadRecord]]


class Format(Struct, frozen=True):
    name: str
    """Its name for `--format`."""
    title: str
    """Its name for people."""
    detect: Callable[[Head], float]
    """How sure we are that the file is of this format, from 0 (no) to 1 (certain)."""
    read: Reader
    """Yields trajectories, and a `BadRecord` for each one that could not be read."""
    by_line: Callable[[Head], bool] = lambda head: False
    """True when every line is a trajectory of its own, so that pieces can be read in parallel."""
    follow: "Callable[[Source], LineReader] | None" = None
    """A reader that is fed the lines of a file as they are written (`intake.growing`); None where
    files do not grow by lines."""
    totals: "Callable[[Source], list[Response] | None] | None" = None
    """Usage, many times as fast as `read`: responses, with texts only of those that nobody
    counted. None for a file that needs the reader, as the
    field is for a format all of whose files do."""
    read_with: Callable[[Path], str | None] = lambda path: None
    """The file beside it that a file is read with; None for one that is read by itself."""
    version: int = 1
    """One more whenever the reader makes other records of the same file than before: rows of an
    older version are then read again, or named as old. The first is 1."""
    has_real_file: bool = True
    """True when a file that a real run wrote has been read with it. Otherwise the reader follows
    the writer's source or documentation alone, and `agentdyno about formats` says so."""
    description: str = ""
    """The fields that are read, those that the format does not record, and how these are counted,
    estimated or left unknown. `agentdyno about formats` prints it."""


def reader_in(module: str) -> Reader:
    """The `read` of a module, imported when the first file is read: a run knows many formats and
    mostly reads one."""

    def read(source: Source) -> Iterator[Trajectory | BadRecord]:
        reader: Reader = import_module(module).read
        return reader(source)

    return read


def follower_in(module: str, name: str) -> "Callable[[Source], LineReader]":
    """The same for a reader that is fed lines."""

    def follow(source: Source) -> "LineReader":
        follower: LineReader = getattr(import_module(module), name)(source)
        return follower

    return follow


def scanner_in(module: str) -> "Callable[[Source], list[Response] | None]":
    """The same for the `scan` of a module, which reads no more of a file than what was used."""

    def totals(source: Source) -> "list[Response] | None":
        responses: list[Response] | None = import_module(module).scan(source)
        return responses

    return totals


def load_formats() -> dict[str, Format]:
    """Every installed format by name, built-in ones first; `about doctor` lists failures."""
    return load_plugins(GROUP, Format)[0]


class FormatsInUse(Mapping[str, Format]):
    """The same, loaded when a file is none of the likely formats: those take a tenth of the
    time."""

    def __init__(self) -> None:
        places = list_quick_entries(LIKELY_GROUP).values()
        self.likely: list[Format] = [load_place(place) for place in places]

    @cached_property
    def _all(self) -> dict[str, Format]:
        return load_formats()

    def __getitem__(self, name: str) -> Format:
        matching = (format for format in self.likely if format.name == name)
        return next(matching, None) or self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


LIKELY_GROUP = "agentdyno.likely_formats"
"""The most common formats that have a scan, registered a second time."""
SURE = 0.97
"""Where nobody else need be asked."""


def choose_format(
    head: Head, formats: Mapping[str, Format], likely: Iterable[Format] = ()
) -> Format | None:
    """The format that is surest of the file; None when none recognises it. Those that are `likely`
    are asked first: the files of a folder are mostly of one format."""
    for format in likely:
        if _sureness(format, head) >= SURE:
            return format
    scored = [(_sureness(format, head), format) for format in formats.values()]
    best = max(scored, key=lambda pair: pair[0], default=(0.0, None))
    return best[1] if best[0] > 0 else None


def _sureness(format: Format, head: Head) -> float:
    # A detector of a third party must not be able to stop the others.
    try:
        return format.detect(head)
    except Exception:
        return 0.0


def find_format(name: str, formats: dict[str, Format]) -> Format:
    """The format that the user asked for."""
    if name not in formats:
        raise InputError(f"No format {name!r}. Known: {', '.join(formats)}.")
    return formats[name]
