"""Answers that a model gave elsewhere, to be given again: a GPU plays, this machine measures.

Takes a file of plays (a JSON object a line, with the turns of an attempt; compressed or not),
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

import msgspec
from msgspec import Struct

from agentdyno.engines.chat import ChatMessage
from agentdyno.records import InputError, printable


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
    """What is read of a play."""

    agent: str
    """Who played."""
    attempt: int
    """0 for the greedy one."""
    turns: list[RecordedTurn]
    """Its answers in order."""


def chat_key(messages: Sequence[ChatMessage]) -> str:
    """A digest of the chat as the model reads it."""
    told = msgspec.json.encode([(message.role, message.text) for message in messages])
    return blake2b(told, digest_size=12).hexdigest()


@lru_cache(maxsize=8)
def read_recorded(file: Path, agent: str) -> dict[str, RecordedTurn]:
    """The greedy answers of an agent by the chats that they answer."""
    found: dict[str, RecordedTurn] = {}
    for line in lines_of(file):
        play = msgspec.json.decode(line, type=RecordedAttempt)
        if play.agent == agent and play.attempt == 0:
            found |= {turn.key: turn for turn in play.turns}
    if not found:
        raise InputError(
            f"{file}: expected greedy attempts of {printable(agent, 40)}, found none. Play them: "
            "agentdyno sheet --play-only, or bench/gpu_training/sheet.py on a GPU."
        )
    return found


def lines_of(file: Path) -> Iterator[bytes]:
    """Whole lines of a file of JSON lines; one that was cut off by a kill is left out."""
    try:
        data = file.read_bytes()
        if file.suffix == ".gz":
            # A killed writer leaves no end mark: what was written whole is read all the same.
            data = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(data)
    except (OSError, zlib.error) as error:
        raise InputError(f"{file}: expected a file of plays, found {error}.") from None
    whole, _, _ = data.rpartition(b"\n")
    yield from (line for line in whole.split(b"\n") if line)


def write_compressed(file: Path) -> Path:
    """The same lines in a compressed file beside it."""
    made = file.with_name(f"{file.name}.gz")
    made.write_bytes(gzip.compress(file.read_bytes(), mtime=0))
    return made
