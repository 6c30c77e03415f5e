"""The bytes of a manifest with their digest, worked out anew only where they are new.

To encode and digest many inputs takes longer than anything else about a small addition, and mostly
the last of them change; so how a manifest began the last time is remembered, with its digest so
far.
"""

from collections.abc import Mapping
from hashlib import blake2b

import msgspec
from msgspec import Struct

from agentdyno.ledger.disk import start_digest

_INPUTS, _NO_DIGEST = b'"inputs":{', b'"settled":%s,"digest":"'
AT_FIRST, AT_MOST = 32, 1_000
"""Inputs at the end that are encoded each time."""


class _Beginning(Struct, frozen=True):
    """The encoded beginning of a manifest, up to some of its inputs."""

    head: bytes
    """The bytes before the inputs."""
    names: list[str]
    entries: list[Struct]
    data: bytes
    """All of it, encoded."""
    hashed: blake2b
    """The digest of that."""

    def begins(self, head: bytes, names: list[str], entries: list[Struct]) -> bool:
        """True when a manifest begins like this, and does not go on for long."""
        many = len(self.names)
        same = (self.head, self.names) == (head, names[:many]) and self.entries == entries[:many]
        return same and len(names) - many <= AT_MOST


_latest: list[_Beginning] = []


def encode_with_digest(
    bare: bytes, inputs: Mapping[str, Struct], settled: bool
) -> tuple[str, bytes]:
    """A digest of all fields but itself, and the manifest's bytes with it. `bare` is the manifest
    without both."""
    # No text can look like these marks: its quotes would be escaped.
    before, mark, after = bare.partition(_INPUTS)
    names, entries = list(inputs), list(inputs.values())
    beginning = _find_beginning(before + mark, names, entries)
    many = len(beginning.names)
    last = _encode(names[many:], entries[many:])
    middle = b"," + last if many and last else last
    hashed = beginning.hashed.copy()
    hashed.update(middle + after)
    manifest_digest = hashed.hexdigest()
    before, mark, after = after.rpartition(_NO_DIGEST % (b"true" if settled else b"false"))
    return manifest_digest, b"".join(
        [beginning.data, middle, before, mark, manifest_digest.encode(), after]
    )


def _find_beginning(head: bytes, names: list[str], entries: list[Struct]) -> _Beginning:
    if not _latest or not _latest[0].begins(head, names, entries):
        many = max(len(names) - AT_FIRST, 0)
        data = head + _encode(names[:many], entries[:many])
        _latest[:] = [_Beginning(head, names[:many], entries[:many], data, start_digest(data))]
    return _latest[0]


def _encode(names: list[str], entries: list[Struct]) -> bytes:
    return msgspec.json.encode(dict(zip(names, entries, strict=True)))[1:-1]
