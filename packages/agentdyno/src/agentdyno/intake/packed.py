"""Recognises packed files by their first bytes and names. Loads nothing that unpacks."""

from pathlib import PurePosixPath

from msgspec import Struct

SUFFIXES = {
    ".gz", ".zst", ".zstd", ".bz2", ".xz", ".zip", ".tar", ".tgz", ".tbz2", ".txz", ".tzst",
}  # fmt: skip
GZIP, ZSTD, BZIP2, XZ = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ\x00"
"""How compressed files begin."""


class Left(Struct, frozen=True):
    """Something in a packed file that was not laid out, or not to its end."""

    name: str
    """The member, or its path in the folder where `is_partial`; empty for the file itself."""
    reason: str
    is_bad: bool = True
    """True when it should have been unpacked; False for what is no file: links, devices."""
    is_partial: bool = False
    """True when it is unpacked up to where it is damaged."""


def is_packed(beginning: bytes) -> bool:
    """True when a file that begins like this is compressed or an archive."""
    return beginning.startswith((GZIP, ZSTD, BZIP2, XZ)) or is_archive(beginning)


def is_archive(beginning: bytes) -> bool:
    return beginning.startswith(b"PK\x03\x04") or beginning[257:262] == b"ustar"


def inner_name(name: str) -> str:
    """A compressed file's name without the ending that says so: `a.jsonl.gz` -> `a.jsonl`."""
    path = PurePosixPath(name)
    endings = {".tgz": ".tar", ".tbz2": ".tar", ".txz": ".tar", ".tzst": ".tar"}
    if path.suffix.lower() not in SUFFIXES:
        return name
    return path.stem + endings.get(path.suffix.lower(), "") or name
