"""Opens files that are not the trace itself: settings, git pointers, price tables, side files.

Whoever wrote a repository or a trace chose what stands there. A pipe would be waited for, a device
may have an effect or no end, and a file of many gigabytes fills the memory: only a regular file of
a limited size is read. Imports only what Python has at hand: the status hook waits for it.
"""

import errno
import os
import stat
from typing import BinaryIO

LARGEST = 64 * 2**20
"""Bytes of a file that is read, unless the caller says otherwise."""


def read_regular(
    path: "str | os.PathLike[str]", limit: int = LARGEST, *, follow_link: bool = True
) -> bytes:
    """What the file holds. An OSError says why it cannot be read."""
    with open_regular(path, follow_link=follow_link) as file:
        size = os.fstat(file.fileno()).st_size
        if size > limit:
            why = f"expected at most {limit:,} bytes, found {size:,}"
            raise OSError(errno.EFBIG, why, str(path))
        return file.read(size)


def read_end(path: "str | os.PathLike[str]", limit: int) -> tuple[bytes, bool]:
    """The last bytes of a file of any size, and whether they are all of it."""
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        file.seek(max(size - limit, 0))
        return file.read(limit), size <= limit


def open_regular(path: "str | os.PathLike[str]", *, follow_link: bool = True) -> BinaryIO:
    """The file for reading, of any size."""
    if not follow_link and os.path.islink(path):  # Where the platform has no O_NOFOLLOW.
        raise OSError(errno.ELOOP, "expected a regular file, found a link", str(path))
    names = ("O_NONBLOCK", "O_BINARY", "O_CLOEXEC", "O_NOCTTY", *_refuse_link(follow_link))
    handle = os.open(path, os.O_RDONLY | sum(getattr(os, name, 0) for name in names))
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            why = f"expected a regular file, found {_describe(mode)}"
            raise OSError(errno.EINVAL, why, str(path))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def _refuse_link(follow_link: bool) -> tuple[str, ...]:
    return () if follow_link else ("O_NOFOLLOW",)


def _describe(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISFIFO(mode):
        return "a pipe"
    return "a device"
