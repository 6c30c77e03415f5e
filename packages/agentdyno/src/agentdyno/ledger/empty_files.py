"""The file without rows in every table's folder. No manifest names it: it carries its own digest.

Takes a table's name, returns Parquet whose metadata holds a digest of the file's bytes, taken with
zeros in its place.
"""

import re
from functools import cache
from io import BytesIO
from pathlib import Path

from agentdyno.ledger.disk import DIGEST_LENGTH, digest
from agentdyno.ledger.reader import empty_table
from agentdyno.regular_files import read_regular

KEY = "agentdyno.digest"
_PLACEHOLDER = "0" * DIGEST_LENGTH
_DIGEST = re.compile(re.escape(KEY.encode()) + rb"\x18.([0-9a-f]{%d})" % DIGEST_LENGTH, re.DOTALL)
"""As Parquet's metadata has it: the key, the mark of a text, its length, the text."""


@cache
def encode_empty(table: str) -> bytes:
    written = BytesIO()
    empty_table(table).write_parquet(written, metadata={KEY: _PLACEHOLDER})
    data = written.getvalue()
    match = _DIGEST.search(data)
    assert match is not None
    return data[: match.start(1)] + digest(data).encode() + data[match.end(1) :]


def is_whole_empty(path: Path) -> bool:
    """True when the file is as it was written."""
    try:
        data = read_regular(path)
    except OSError:
        return False
    match = _DIGEST.search(data)
    if match is None:
        return False
    bare = data[: match.start(1)] + _PLACEHOLDER.encode() + data[match.end(1) :]
    return digest(bare).encode() == match[1]


def has_no_digest(path: Path) -> bool:
    """True when an older version wrote it; no single damaged byte hides both halves of the key."""
    data = read_regular(path)
    return not any(half.encode() in data for half in KEY.split("."))
