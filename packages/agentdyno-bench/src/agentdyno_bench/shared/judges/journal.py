"""The journal of answers: every answer that was paid for, once, whatever happens to the process.

One JSON line per answer, handed to the system before the answer is used, so that no kill can take
it; a power cut may take the last second's. Verdicts are read off it and can be read off again. A
line that was cut short is removed on opening, and its question is asked again. The key is a digest
of everything that decides an answer, so the journal is also the cache: the same question is never
asked twice, in whichever ledger it comes up.
"""

import os
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from agentdyno.engines.locking import hold
from agentdyno.records import InputError
from agentdyno.records.secrets import clean_text
from agentdyno_bench.shared.judges.asking import Answer, Ask, Message
from agentdyno_bench.shared.judges.digests import digest
from agentdyno_bench.shared.judges.forms import Form

NAME = "answers.jsonl"
SYNC_SECONDS = 1.0


class Entry(Struct, frozen=True):
    """One line."""

    key: str
    """Digest of the conversation, the form of the answer, the model with its settings and the
    repeat."""
    model: str
    text: str
    input_tokens: int | None = None
    """Tokens of the question."""
    output_tokens: int | None = None
    """Tokens of the answer."""


def key_of(conversation: Sequence[Message], form: Form, ask: Ask, repeat: int = 1) -> str:
    """Names a question; repeats of one are different questions."""
    fields = (msgspec.json.encode(form).decode(), ask.name, ask.settings, str(repeat))
    return digest(*fields, *(text for message in conversation for text in message))


class Journal:
    """Answers on disk; one process writes at a time. Use as a context manager."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / NAME
        self._file = self.path.open("ab+")
        # Two processes would pay for the same answers.
        hold(self._file, f"{self.path}: another process is judging with these answers.")
        self.entries: dict[str, Entry] = {}
        self._synced = time.monotonic()
        self._read()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self._sync()
        self._file.close()

    def get(self, key: str) -> Entry | None:
        """The answer, if it was given before."""
        return self.entries.get(key)

    def add(self, key: str, model: str, answer: Answer) -> Entry:
        """Keeps an answer; when this returns, it survives."""
        # A judge quotes what it was given, and the journal outlives the ledger.
        text = clean_text(answer.text.encode("utf-8", "replace").decode())
        entry = Entry(key, model, text, answer.input_tokens, answer.output_tokens)
        self._file.write(msgspec.json.encode(entry) + b"\n")
        self._file.flush()
        if time.monotonic() - self._synced > SYNC_SECONDS:
            self._sync()
        self.entries[key] = entry
        return entry

    def _sync(self) -> None:
        os.fsync(self._file.fileno())
        self._synced = time.monotonic()

    def _read(self) -> None:
        decoder = msgspec.json.Decoder(Entry)
        self._file.seek(0)
        complete_bytes = 0
        for number, line in enumerate(self._file, 1):
            if not line.endswith(b"\n"):
                break  # A kill cut it short.
            try:
                entry = decoder.decode(line)
            except msgspec.MsgspecError as error:
                raise InputError(
                    f"{self.path}: line {number}: expected an answer, found {error}. "
                    "Remove that line; its question will be asked again."
                ) from None
            self.entries[entry.key] = entry
            complete_bytes += len(line)
        self._file.truncate(complete_bytes)
        self._file.seek(0, os.SEEK_END)
