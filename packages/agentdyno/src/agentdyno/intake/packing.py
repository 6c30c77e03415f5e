"""Compressed files and archives: their contents laid out in a folder.

Takes a file, returns a folder with what was in it. Packed files are hostile: a member's name never
leaves the folder, links and devices are skipped, and unpacking stops when more comes out than a
trace could hold. An archive inside an archive stays packed. Knows nothing of formats.
"""

import bz2
import errno
import gzip
import lzma
import os
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

import zstandard

from agentdyno.intake.packed import BZIP2, GZIP, XZ, ZSTD, Left, inner_name, is_archive
from agentdyno.records import printable

MOST_MEMBERS = 100_000
FREE_BYTES = 256 * 2**20
"""Any file may unpack to this much…"""
MOST_TIMES = 300
"""…and beyond that to so many times its own size. Traces shrink 5 to 40 times, seldom 100."""
LONGEST_FOLDER = 1000
"""Bytes of a folder's path; members with a longer one are laid out without theirs."""
LINK = "a link or a device, which is not followed"
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}
"""Errors of the disk, not of one member."""
_CHUNK = 1 << 20

_BROKEN = (
    OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, zstandard.ZstdError,
    zipfile.BadZipFile, tarfile.TarError, NotImplementedError, RuntimeError,
)  # fmt: skip
"""Errors that the libraries raise for a damaged, foreign or encrypted file."""


class _TooMuchError(Exception):
    """More comes out than the limit."""


_Opener = Callable[[Path], IO[bytes]]

_STREAMS: tuple[tuple[bytes, _Opener], ...] = (
    (GZIP, cast(_Opener, gzip.GzipFile)),
    (ZSTD, lambda path: _zstd(path)),
    (BZIP2, cast(_Opener, bz2.BZ2File)),
    (XZ, cast(_Opener, lzma.LZMAFile)),
)


def _zstd(path: Path) -> IO[bytes]:
    reader: Any = zstandard.ZstdDecompressor().stream_reader(
        path.open("rb"), read_across_frames=True, closefd=True
    )
    return cast(IO[bytes], reader)


def _stream(beginning: bytes) -> _Opener | None:
    return next((opener for magic, opener in _STREAMS if beginning.startswith(magic)), None)


def unpack(path: Path, into: Path) -> list[Left]:
    """Lays out what the file holds under the folder; returns what was left out, and why."""
    job = _Unpacking(into, FREE_BYTES + MOST_TIMES * path.stat().st_size, path.stat().st_mtime_ns)
    try:
        job.take(path, PurePosixPath(path.name))
    except _TooMuchError:
        job.left.append(
            Left("", f"unpacks to more than {job.limit / 2**20:,.0f} MB, which no trace does")
        )
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        where = f"{into.parent} ({error.strerror}); make room there, or set TMPDIR"
        job.left.append(Left("", f"cannot be unpacked into {where}"))
    return job.left


class _Unpacking:
    def __init__(self, into: Path, limit: int, modified_ns: int) -> None:
        self.into, self.limit, self._modified_ns = into, limit, modified_ns
        self.left: list[Left] = []
        self._written = 0
        self._members = 0

    def take(self, path: Path, name: PurePosixPath, inside: bool = False) -> None:
        """A packed file: decompressed, and if that is an archive, taken apart."""
        beginning = _read_beginning(path)
        opener = _stream(beginning)
        if opener is None:
            self._archive(path, beginning)
            return
        target = self._place(str(name.with_name(inner_name(name.name))))
        with opener(path) as file:
            self._copy(file, target)
        if not inside and is_archive(_read_beginning(target)):
            self._archive(target, _read_beginning(target))
            target.unlink()

    def _archive(self, path: Path, beginning: bytes) -> None:
        members = _zip_members if beginning.startswith(b"PK") else _tar_members
        try:
            for name, opened in members(path):
                self._member(name, opened)
        except _BROKEN as error:
            if isinstance(error, OSError) and error.errno in _NO_ROOM:
                raise
            self.left.append(Left("", f"the archive is damaged ({_describe(error)})"))

    def _member(self, name: str, opened: "IO[bytes] | Left") -> None:
        self._members += 1
        if self._members > MOST_MEMBERS:
            raise _TooMuchError
        if isinstance(opened, Left):
            self.left.append(opened)
            return
        with opened as file:
            if ".." in _parts(name):
                self.left.append(Left(name, "its name leads out of the archive"))
                return
            try:
                self._lay_out(file, name)
            except OSError as error:
                if error.errno in _NO_ROOM:
                    raise
                self.left.append(Left(name, f"it cannot be unpacked ({_describe(error)})"))

    def _lay_out(self, file: IO[bytes], name: str) -> None:
        target = self._place(name)
        self._copy(file, target)
        if _stream(_read_beginning(target)) is not None:
            packed = target.rename(self.into / f".{self._members}.packed")
            try:
                self.take(packed, PurePosixPath(target.relative_to(self.into)), inside=True)
            finally:
                packed.unlink()

    def _place(self, name: str) -> Path:
        """A free path inside the folder, whatever the name says."""
        *folders, file = [_safe(part) for part in _parts(name)] or ["_"]
        folder = self.into.joinpath(*folders)
        if len(os.fsencode(folder)) > LONGEST_FOLDER or not _may_hold_files(folder, self.into):
            folder = self.into / f"_{self._members}"
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / file
        if target.exists():
            target = target.with_name(f"{self._members}~{file}")
        return target

    def _copy(self, file: IO[bytes], target: Path) -> None:
        try:
            with target.open("wb") as out:
                while chunk := self._next(file, target):
                    self._written += len(chunk)
                    if self._written > self.limit:
                        raise _TooMuchError
                    out.write(chunk)
        except (_TooMuchError, OSError):
            target.unlink(missing_ok=True)
            raise
        # The packed file's own time: the same on every unpacking.
        os.utime(target, ns=(self._modified_ns, self._modified_ns))

    def _next(self, file: IO[bytes], target: Path) -> bytes:
        """The next bytes; what came before a damaged place is kept."""
        try:
            # `read` would wait for a whole chunk, and lose it where the file ends in the middle.
            return cast(BufferedReader, file).read1(_CHUNK)
        except _BROKEN as error:
            name = target.relative_to(self.into).as_posix()
            reason = f"it ends early or is damaged ({_describe(error)})"
            self.left.append(Left(name, reason, is_partial=True))
            return b""


def _read_beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(512)


def _parts(name: str) -> list[str]:
    return [p for p in PurePosixPath(name.replace("\\", "/")).parts if p != "/"]


def _safe(part: str) -> str:
    """A part of a path that every file system takes; the ending stays, which formats go by."""
    safe = part.replace("\x00", "").replace(":", "_") or "_"
    return safe if len(os.fsencode(safe)) <= 200 else f"{safe[:20]}~{safe[-25:]}"


def _may_hold_files(folder: Path, root: Path) -> bool:
    """True when it can be made: no file is where the name of a member has a folder."""
    within = (folder, *folder.parents)
    return not any(outer.is_file() for outer in within if outer.is_relative_to(root))


def _zip_members(path: Path) -> Iterator[tuple[str, IO[bytes] | Left]]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            kind = (info.external_attr >> 16) & 0o170000
            if kind not in (0, 0o100000):
                yield info.filename, Left(info.filename, LINK, is_bad=False)
            elif info.flag_bits & 1:
                yield info.filename, Left(info.filename, "it is encrypted")
            else:
                try:
                    yield info.filename, archive.open(info)
                except _BROKEN as error:
                    reason = f"it cannot be unpacked ({_describe(error)})"
                    yield info.filename, Left(info.filename, reason)


def _tar_members(path: Path) -> Iterator[tuple[str, IO[bytes] | Left]]:
    with tarfile.open(path, "r:") as archive:
        for info in archive:
            if info.isdir():
                continue
            opened = archive.extractfile(info) if info.isreg() else None
            yield info.name, opened or Left(info.name, LINK, is_bad=False)


def _describe(error: BaseException) -> str:
    return printable(str(error).split("\n")[0], 80) or type(error).__name__
