"""When drafts become part of a ledger: drafts in, as few commits as their pace allows out."""

import time

from agentdyno.ledger.drafts import Draft
from agentdyno.ledger.writer import LedgerWriter

REST = 5.0
"""Between two commits at least so many times as long as the last one took."""


class Commits:
    """Commits drafts as they come, together where they come faster than the ledger takes them.

    A commit writes the whole manifest, which grows with every volume: one for each volume of a
    large ledger would take longer than measuring it.
    """

    def __init__(self, writer: LedgerWriter) -> None:
        self._writer = writer
        self._waiting: list[Draft] = []
        self._not_before = 0.0

    def add(self, draft: Draft) -> None:
        self._waiting.append(draft)
        if time.monotonic() >= self._not_before:
            self._commit()

    def _commit(self) -> None:
        drafts, self._waiting = self._waiting, []
        began = time.monotonic()
        self._writer.commit(*drafts)
        ended = time.monotonic()
        self._not_before = ended + REST * (ended - began)

    def __enter__(self) -> "Commits":
        return self

    def __exit__(self, *_: object) -> None:
        # What is done is kept, also where something else failed.
        if self._waiting:
            self._commit()
