"""Replays answers that a model gave elsewhere: a GPU generates, this machine measures.

Takes a file of rollouts (a JSON object a line, with the turns of an attempt; compressed or not),
returns for a chat the answer that was recorded for exactly this chat. The key is a digest of roles
and texts, so a chat that went otherwise (another world, another prompt) finds nothing. Needs no
Inspect and no torch; knows nothing of tasks.
"""

import gzip
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from agentdyno.records import InputError, printable
from agentdyno_depth.engines.chat import ChatMessage


class RecordedTurn(Struct, frozen=True):
    """One answer."""

    key: str
    """Digest of the chat that it answers."""
    text: str
    """What was written, without special tokens."""
    ids: list[int]
    """Its token ids, the end token included."""
    ended: bool
    """Whether the model ended it; False when it was cut off."""
    seconds: float | None = None
    """What it took alone on its machine; None where many were decoded together."""


class RecordedAttempt(Struct, frozen=True):
    """The part of a rollout that is replayed."""

    agent: str
    attempt: int
    """0 for the greedy one."""
    turns: list[RecordedTurn]
    """Its answers in order."""


Row = TypeVar("Row", bound=Struct)
PIECE = 256
"""Bytes that are decompressed at once; what a damaged piece held is lost with it."""


def chat_key(messages: Sequence[ChatMessage]) -> str:
    """A digest of the chat as the model reads it."""
    encoded = msgspec.json.encode([(message.role, message.text) for message in messages])
    return blake2b(encoded, digest_size=12).hexdigest()


@lru_cache(maxsize=8)
def read_recorded(file: Path, agent: str) -> dict[str, RecordedTurn]:
    """The greedy answers of an agent by the chats that they answer."""
    found: dict[str, RecordedTurn] = {}
    attempts, damaged = read_rows(file, RecordedAttempt)
    for attempt in attempts:
        if attempt.agent == agent and attempt.attempt == 0:
            found |= {turn.key: turn for turn in attempt.turns}
    if not found:
        skipped = f" ({len(damaged)} lines cannot be read)" if damaged else ""
        raise InputError(
            f"{file}: expected greedy attempts of {printable(agent, 40)}, found none{skipped}. "
            "Generate them with bench/gpu_training/sheet.py, or name an agent of this file."
        )
    return found


def read_rows(file: Path, kind: type[Row]) -> tuple[list[Row], list[str]]:
    """The rows of a file of JSON lines, and what is wrong where some were skipped."""
    rows, damaged = list[Row](), list[str]()
    data, is_complete = read_unpacked(file)
    for number, line in _lines(data):
        try:
            rows.append(msgspec.json.decode(line, type=kind))
        except (ValueError, RecursionError) as error:  # Also what is no UTF-8.
            damaged.append(f"{file}:{number}: {printable(str(error), 120)}")
    if not is_complete:
        damaged.append(f"{file}: damaged or cut off after {len(rows) + len(damaged)} lines")
    return rows, damaged


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    complete, _, _ = data.rpartition(b"\n")
    return ((number, line) for number, line in enumerate(complete.split(b"\n"), 1) if line)


def read_unpacked(file: Path) -> tuple[bytes, bool]:
    """What a file has, compressed or not, and whether that is all of it: of a damaged one, what
    comes before the damage."""
    try:
        data = file.read_bytes()
        return _decompress(data) if file.suffix == ".gz" else (data, True)
    except (OSError, zlib.error) as error:
        raise InputError(f"{file}: expected a file of rollouts, found {error}.") from None


def _decompress(data: bytes) -> tuple[bytes, bool]:
    """A killed writer leaves no end mark: complete lines are read all the same."""
    found, opened = list[bytes](), zlib.decompressobj(16 + zlib.MAX_WBITS)
    for start in range(0, len(data), PIECE):
        try:
            found.append(opened.decompress(data[start : start + PIECE]))
        except zlib.error:
            if not found:
                raise
            break
    return b"".join(found), opened.eof


def write_compressed(file: Path) -> Path:
    """The same lines in a compressed file beside it."""
    compressed = file.with_name(f"{file.name}.gz")
    compressed.write_bytes(gzip.compress(file.read_bytes(), mtime=0))
    return compressed
