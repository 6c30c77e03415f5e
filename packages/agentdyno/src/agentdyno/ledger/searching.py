"""Reads every byte of a folder for texts that should not be in it any more.

Takes a folder and texts, returns where one of them stands. A file is searched as it is on the disk,
as what its compressed parts unpack to (pages of Parquet with their dictionaries, kept texts), and,
if it is Parquet, column by column; each text as it is and as JSON escapes it. Changes nothing.
"""

import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path

import msgspec
import polars as pl
import zstandard
from msgspec import Struct

CHUNK = 8 * 2**20
"""Bytes that are searched at a time."""
MOST_CHUNKS = 128
"""Limit of one unpacked part: that of kept texts (`stored_texts`)."""
_ZSTD = b"\x28\xb5\x2f\xfd"
"""How whatever zstd has packed begins."""


class Searched(Struct, frozen=True):
    files: int
    """Files that were read to their last byte."""
    bytes: int
    unpacked: int
    """Bytes that their compressed parts and columns came to."""
    texts: int
    """Texts that were looked for."""
    hits: dict[str, int]
    """By file: how many of the texts still stand in it or in its name."""

    def join(self, other: "Searched") -> "Searched":
        """The search of two folders for the same texts."""
        return Searched(
            self.files + other.files,
            self.bytes + other.bytes,
            self.unpacked + other.unpacked,
            self.texts,
            self.hits | other.hits,
        )


def search_folder(folder: Path, texts: Collection[str]) -> Searched:
    """Where the texts stand in the files of a folder, and in their names."""
    forms = {form: text for text in texts if text for form in _list_forms(text)}
    files = size = unpacked = 0
    hits: dict[str, int] = {}
    for path in sorted(folder.rglob("*")):
        matches = {text for text in texts if text and text in path.name}
        if path.is_file() and not path.is_symlink():
            data = path.read_bytes()
            files, size = files + 1, size + len(data)
            matches |= {forms[form] for form in _find(data, forms)}
            for part in _unpack(path, data):
                unpacked += len(part)
                matches |= {forms[form] for form in _find(part, forms)}
        if matches:
            hits[str(path)] = len(matches)
    return Searched(files, size, unpacked, len({*texts} - {""}), hits)


def _list_forms(text: str) -> set[str]:
    """The forms that a text may be written in, with a character for each byte: as it is, and in a
    JSON string once or twice, since arguments are JSON within JSON.
    """
    once = msgspec.json.encode(text).decode()[1:-1]
    twice = msgspec.json.encode(once).decode()[1:-1]
    plain = text.encode("unicode_escape").decode()  # \u00e9, as others write it.
    forms = {text, once, twice, *([plain] if not text.isascii() else [])}
    return {form.encode("utf-8", "surrogatepass").decode("latin-1") for form in forms}


def _find(data: bytes, forms: Collection[str]) -> set[str]:
    """The forms that occur in the bytes; all are looked for in one pass."""
    if not forms:
        return set()
    patterns, overlap = list(forms), max(map(len, forms))
    matches: set[str] = set()
    for start in range(0, max(len(data), 1), CHUNK):
        piece = pl.Series([data[start : start + CHUNK + overlap].decode("latin-1")])
        matches.update(piece.str.extract_many(patterns, overlapping=True)[0])
    return matches


def _unpack(path: Path, data: bytes) -> Iterator[bytes]:
    at = data.find(_ZSTD)
    while at >= 0:
        yield _decompress(data, at)
        at = data.find(_ZSTD, at + 1)
    try:
        if path.suffix == ".parquet":
            for column in pl.read_parquet(path).select(pl.col(pl.String)).iter_columns():
                yield "\n".join(column.drop_nulls().unique()).encode("utf-8", "surrogatepass")
        elif zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                yield from (archive.read(member) for member in archive.infolist())
    except (pl.exceptions.PolarsError, OSError, zipfile.BadZipFile, NotImplementedError):
        return  # A damaged file: its bytes and what zstd packed in it were searched.


def _decompress(data: bytes, at: int) -> bytes:
    """The bytes packed there; nothing where they only look packed."""
    pieces: list[bytes] = []
    reader = zstandard.ZstdDecompressor().stream_reader(memoryview(data)[at:])
    try:
        while len(pieces) < MOST_CHUNKS and (piece := reader.read(CHUNK)):
            pieces.append(piece)
    except zstandard.ZstdError:
        pass  # Whatever came before it went wrong is searched all the same.
    return b"".join(pieces)
