"""Finds the files to read under the paths that were given, and which format each one is."""

import os
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from itertools import pairwise
from pathlib import Path

from msgspec import Struct, structs

from agentdyno.intake.format import Format, choose_format
from agentdyno.intake.head import HEAD_BYTES, Head
from agentdyno.intake.packed import SUFFIXES, Left, inner_name, is_packed
from agentdyno.intake.source import Source
from agentdyno.records import InputError


# Takes the beginning of a file, returns what a person calls its format, or None. Asked only after
# every installed format has declined; reads nothing.
def find_known_format(head: Head) -> str | None:
    """The name of the format that the file looks like."""
    return next((name for name, looks in _KNOWN if looks(head)), None)


def _has(*keys: str) -> Callable[[Head], bool]:
    """A test whether the first object has all of these keys."""
    expected = frozenset(keys)
    return lambda head: head.keys >= expected


def _is_gemini_stream(head: Head) -> bool:
    return any(
        isinstance(line, dict) and {"tool_name", "tool_id", "parameters"} <= line.keys()
        for line in head.lines
    )


def _is_managed_agent(head: Head) -> bool:
    return b'"span.model_request_end"' in head.data and b'"model_usage"' in head.data


_KNOWN: tuple[tuple[str, Callable[[Head], bool]], ...] = (
    ("a SWE-bench report", _has("resolved_ids", "completed_ids")),
    (
        "stream-json output of Gemini CLI; measure its session file, which has every response",
        _is_gemini_stream,
    ),
    ("events of a Claude managed agent", _is_managed_agent),
)


TRACE_SUFFIXES = {".json", ".jsonl", ".ndjson", ".eval", ".traj", ".log", ".db", ".csv", ".har", ""}
ARCHIVED = re.compile(r".+\.jsonl\.(reset|deleted|bak)([.-].+)?")
"""OpenClaw's names of sessions that were begun anew, deleted or saved."""
CREDENTIALS = ("auth-profiles.json", "auth.json", "oauth_creds.json", ".credentials.json", "*.key")
"""Never opened, whoever names them."""
SMALLEST_PIECE, LARGEST_PIECE = 4 * 2**20, 32 * 2**20
"""Large files of one trajectory per line are read in pieces, of bytes between these."""
PIECES = 128
"""A file is cut into about so many, where that makes no piece too small or too large. Only its size
decides: a file that is cut otherwise is another one to a ledger."""
AIDER, CRUSH = ".aider.chat.history.md", ".crush"
"""Files of agents in a project, hidden or not."""
LEDGER, HIDDEN = "a ledger, not a trace", "a hidden folder, read only when it is named"
LINK = "a link to a folder elsewhere, read only when it is named"
DEVICE = "a pipe or a device; write what comes out of it to a file, and measure that"
_PARTS = {"events": "base_state.json", "payloads": "trace.jsonl", "sessions": "state.db"}
"""Folders that hold parts of a session, by the file beside them that stands for it: events of an
OpenHands conversation, bodies of a Codex trace, logs of Hermes' sessions."""
_UTF_16_STARTS = (BOM_UTF16_LE, BOM_UTF16_BE, b"{\0", b"[\0", b"\0{", b"\0[")
UTF_16 = "UTF-16 text; traces are UTF-8, convert it with iconv"


class Found(Struct, frozen=True):
    """A file that a format recognised."""

    path: Path
    """Where its bytes are."""
    name: str
    """Its name in ids: relative to the parent of the path that was given."""
    size: int
    format: str
    """The format that reads it."""
    by_line: bool
    """True when it can be read in pieces."""
    origin: str | None = None
    """The packed file it comes from and its place in there; None for a file of its own."""
    damage: str | None = None
    """Why it is read only in part; None when it is read to its end."""


class NotRead(Struct, frozen=True):
    """A file that is not read, or a folder of such."""

    name: str
    reason: str
    is_bad: bool = False
    """True when it should have been read and cannot be; False for what is skipped."""
    files: int = 1
    """How many files it stands for: those of a folder that is skipped."""


Recall = Callable[[Path], tuple[str, bool, int] | None]
"""The format of a file that was read before and has not changed since, whether it can be read in
pieces, and its size; None for any other file."""


def recall_nothing(path: Path) -> None:
    """Of a ledger that holds no file yet."""


def discover(
    paths: Sequence[Path],
    formats: Mapping[str, Format],
    forced: Format | None = None,
    recall: Recall = recall_nothing,
    only: Collection[Path] | None = None,
    likely: Sequence[Format] = (),
) -> Iterator[Found | NotRead]:
    """Every file to read, in a stable order, and every file that is not read; or `only` some. Asks
    the `likely` formats first."""
    known_files = _KnownFiles()
    search = _Search(formats, forced, recall, likely)
    for root in paths:
        _expect_path(root)
        for item in _files(root):
            if isinstance(item, NotRead):
                yield item
                continue
            path, name = item
            if only is not None and path not in only:
                continue
            if (first := known_files.first_name(path, name)) is None:
                yield from search.recognise(path, name, explicit=not root.is_dir())
            elif first:
                yield NotRead(name, f"the same file as {first}")


def recognise(path: Path, name: str, formats: Mapping[str, Format]) -> Iterator[Found | NotRead]:
    """The format of a file that `discover` found before, under this name."""
    return _Search(formats).recognise(path, name, explicit=False)


def _expect_path(root: Path) -> None:
    if str(root) == "-":
        raise InputError(
            "-: expected a file or a folder, found a pipe. Write what comes out of it to a file, "
            "and measure that."
        )
    if not os.path.lexists(root):
        raise InputError(f"{root}: no such file or folder.")


class _KnownFiles:
    """Files that were met already, whatever path led to them: links, hard links, paths given
    twice."""

    def __init__(self) -> None:
        self._entries: set[str] = set()
        self._names: dict[object, str] = {}

    def first_name(self, path: Path, name: str) -> str | None:
        """The name under which the file was met; None the first time, empty for the same path."""
        entry = os.path.abspath(path)
        if entry in self._entries:
            return ""
        self._entries.add(entry)
        first = self._names.setdefault(_identity(path), name)
        return None if first is name else first


def _identity(path: Path) -> object:
    """A value that all paths to a file share."""
    try:
        stat = path.stat()
    except OSError:
        return os.path.abspath(path)
    # Some file systems number nothing.
    return (stat.st_dev, stat.st_ino) if stat.st_ino else os.path.realpath(path)


def _files(root: Path) -> Iterator[tuple[Path, str] | NotRead]:
    if not root.is_dir():
        resolved = Path(os.path.realpath(root))
        yield resolved, write_name(resolved.name)
        return
    resolved = root.resolve()
    walked = list(_walk(resolved))
    # A link beside the file that it leads to must not decide the file's name.
    for path, skipped in sorted(walked, key=lambda each: each[0].is_symlink()):
        name = write_name(path.relative_to(resolved.parent).as_posix())
        yield structs.replace(skipped, name=name) if skipped else (path, name)


def write_name(name: str | Path) -> str:
    """Names on disk need not be valid text; ids must."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _walk(root: Path) -> Iterator[tuple[Path, NotRead | None]]:
    """Every file under the folder; with a reason where it, or a folder of them, is not read."""
    denied: list[OSError] = []
    for folder, folders, files in os.walk(root, onerror=denied.append):
        current = Path(folder)
        if "manifest.json" in files and (current / "trajectories").is_dir():
            folders[:] = []
            yield current, NotRead("", LEDGER, files=_count_files(current))
            continue
        if (owner := _read_with(current)) is not None:
            folders[:] = []
            yield current, NotRead("", f"read with {owner}", files=_count_files(current))
            continue
        hidden = [f for f in folders if (f.startswith(".") and f != CRUSH) or f == "__pycache__"]
        for path in (current / name for name in sorted(hidden)):
            yield path, NotRead("", HIDDEN, files=_count_files(path))
        folders[:] = sorted(set(folders) - set(hidden))
        for path in (current / name for name in folders if _leads_out(current / name, root)):
            yield path, NotRead("", LINK)
        yield from ((current / file, None) for file in sorted(files))
    for error in denied:
        yield Path(error.filename), NotRead("", error.strerror or "cannot be read", is_bad=True)


def _read_with(folder: Path) -> str | None:
    """The file beside a folder whose format reads what the folder holds."""
    if folder.name in ("message", "part") and (folder.parent / "session").is_dir():
        return "the files of its folder session"  # OpenCode's.
    owner = _PARTS.get(folder.name)
    return owner if owner and (folder.parent / owner).is_file() else None


def _count_files(folder: Path) -> int:
    return sum(len(files) for _, _, files in os.walk(folder))


def _leads_out(folder: Path, root: Path) -> bool:
    """True for a link to a folder that is not walked already. None is followed: they loop."""
    return folder.is_symlink() and not folder.resolve().is_relative_to(root)


class _Search:
    """Asks the formats what a file is."""

    def __init__(
        self,
        formats: Mapping[str, Format],
        forced: Format | None = None,
        recall: Recall = recall_nothing,
        likely: Sequence[Format] = (),
    ) -> None:
        self._formats, self._forced, self._recall, self._likely = formats, forced, recall, likely
        self._last: Format | None = None

    def recognise(
        self, path: Path, name: str, explicit: bool, inside: bool = False
    ) -> Iterator[Found | NotRead]:
        """The file's format; a packed one is opened, unless it is `inside` another."""
        if reason := _no_trace(path, explicit):
            yield NotRead(name, reason)
            return
        try:
            if path.exists() and not path.is_file():
                yield NotRead(name, DEVICE)
                return  # A pipe would wait for a writer for ever.
            if not inside and (recalled := self._recall(path)):
                format, by_line, size = recalled
                yield Found(path, name, size, format, by_line)
                return
            yield from self._look(path, name, Head(path), inside)
        except OSError as error:
            yield NotRead(name, error.strerror or "cannot be read", is_bad=True)

    def _look(self, path: Path, name: str, head: Head, inside: bool) -> Iterator[Found | NotRead]:
        if not head.data.strip() and head.size <= HEAD_BYTES:
            yield NotRead(name, "the file is empty")
            return
        if head.data.startswith(_UTF_16_STARTS):
            yield NotRead(name, UTF_16, is_bad=True)
            return
        packed = is_packed(head.data)
        format = self._choose(head, packed)
        if format is not None:
            self._last = format
            yield Found(path, name, head.size, format.name, format.by_line(head))
        elif packed and inside:
            yield NotRead(name, "an archive inside an archive, which is not opened")
        elif packed:
            yield from self._inside(path, name)
        elif called := find_known_format(head):
            yield NotRead(name, f"looks like {called}, a known format that is not read yet")
        else:
            yield NotRead(name, "no format recognises it")

    def _choose(self, head: Head, packed: bool) -> Format | None:
        """A zip may be a log itself; of other packed files only the contents are looked at."""
        if not packed:
            likely = (self._last, *self._likely) if self._last else self._likely
            return self._forced or choose_format(head, self._formats, likely)
        return choose_format(head, self._formats) if head.is_zip else None

    def _inside(self, packed: Path, name: str) -> Iterator[Found | NotRead]:
        """The files in a packed file; one compressed file keeps its name, others get the archive's
        before theirs."""
        from agentdyno.intake.opening import unpack_file

        contents = unpack_file(packed)
        root = contents.folder
        walked = {entry[0].relative_to(root).as_posix(): entry for entry in _walk(root)}
        damage = {unread.name: unread.reason for unread in contents.left if unread.is_partial}
        yield from _left_out(name, contents.left, walked)
        if not walked and not contents.left:
            yield NotRead(name, "the archive holds no file")
        alone = list(walked) == [inner_name(packed.name)]
        for inner, (path, skipped) in walked.items():
            called = name if alone else f"{name}/{write_name(inner)}"
            if skipped:
                yield structs.replace(skipped, name=called)
                continue
            for item in self.recognise(path, called, explicit=alone, inside=True):
                yield _from_inside(item, packed, root, damage.get(inner))


def _left_out(name: str, unread: list[Left], walked: Collection[str]) -> Iterator[NotRead]:
    """Members of a packed file that were not unpacked at all."""
    for item in unread:
        if item.is_partial and item.name in walked:
            continue  # Said of the file itself.
        is_member = item.name and not item.is_partial
        called = f"{name}/{write_name(item.name)}" if is_member else name
        yield NotRead(called, item.reason, item.is_bad)


def _from_inside(
    item: Found | NotRead, packed: Path, folder: Path, damage: str | None
) -> Found | NotRead:
    if isinstance(item, NotRead):
        return item if damage is None else NotRead(item.name, damage, is_bad=True)
    from agentdyno.intake.opening import origin

    location = write_name(origin(item.path, packed, folder))
    return structs.replace(item, origin=location, damage=damage)


def _no_trace(path: Path, explicit: bool) -> str | None:
    """Why a file is not even looked at."""
    if any(fnmatch(path.name.lower(), name) for name in CREDENTIALS):
        return "a file of credentials, which is never opened"
    if path.name == AIDER:
        return None
    if path.name.startswith("."):
        return "a hidden file"
    suffix = path.suffix.lower()
    if explicit or suffix in TRACE_SUFFIXES or ARCHIVED.fullmatch(path.name):
        return None
    if suffix in SUFFIXES and _ends_like_a_trace(inner_name(path.name), suffix):
        return None
    return f"its ending {suffix} is not one that traces have"


def _ends_like_a_trace(inner: str, suffix: str) -> bool:
    ending = Path(inner).suffix.lower()
    return ending in TRACE_SUFFIXES or ending == ".tar" or suffix in (".zip", ".tar")


def pieces_of(file: Found, piece_bytes: int | None = None) -> list[Source]:
    """The file as one source, or as several that can be read side by side."""
    if piece_bytes is None:
        piece_bytes = max(SMALLEST_PIECE, min(LARGEST_PIECE, file.size // PIECES))
    if not file.by_line or file.size <= piece_bytes:
        return [Source(file.path, file.name, 0, file.size, file.format)]
    edges = [*range(0, file.size, piece_bytes), file.size]
    return [Source(file.path, file.name, *ends, file.format) for ends in pairwise(edges)]
