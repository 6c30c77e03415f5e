"""Many games at once on one torch model: every turn of all of them is decoded together.

Takes games and a decoder's room, returns the turns of each with their token ids. Contexts only grow
by what was generated and what the world answered. A table has a fixed number of seats, so that what
a GPU recorded for one batch serves all; empty seats are idle. With one seat a turn's time is its
own and is kept.
"""

import time
from collections.abc import Sequence
from typing import Any

from agentdyno_depth.engines.chat import chat_ids, end_tokens, following_ids, shown_text
from agentdyno_train.decoding import Decoder
from agentdyno_train.merged import SamplingCopy
from agentdyno_train.models.recorded import RecordedTurn, chat_key
from agentdyno_train.play.games import Game


class Seat:
    """One game in progress, in tokens."""

    def __init__(self, game: Game, tokenizer: Any, ends: list[int], window: int) -> None:
        self.game, self._tokenizer, self._ends, self._window = game, tokenizer, ends, window
        self.prompt = list(chat_ids(tokenizer, game.messages))
        self.context = list(self.prompt)
        self.turns: list[RecordedTurn] = []
        self.starts: list[int] = []
        self.over = len(self.context) >= window

    def take(self, ids: list[int], seconds: float | None) -> list[int]:
        """Takes a turn; the tokens that the model reads next, none when it is over."""
        ids = ids[: self._window - len(self.context)]
        ended = bool(ids) and ids[-1] in self._ends
        text, key = shown_text(self._tokenizer, ids), chat_key(self.game.messages)
        self.turns.append(RecordedTurn(key, text, ids, ended, seconds))
        self.starts.append(len(self.context))
        self.context += ids
        new = self.game.take(text, ended)
        more = [] if ended else self._ends[:1]
        more = [*more, *following_ids(self._tokenizer, new)] if new else []
        self.over = not more or len(self.context) + len(more) >= self._window
        self.context += [] if self.over else more
        return [] if self.over else more


class Table:
    """A model and its seats."""

    def __init__(
        self, model: Any, tokenizer: Any, seats: int, window: int, turn_tokens: int
    ) -> None:
        self.seats, self._tokenizer, self._window = seats, tokenizer, window
        self._turn_tokens = turn_tokens
        self._ends = list(end_tokens(tokenizer, model))
        self._copy = SamplingCopy(model)
        room = window * 3 // 2
        self._decoder = Decoder(self._copy.model, self._ends, seats, room, self._copy.step)

    def prepare(self) -> None:
        """Does once what a GPU does at a first use; after a first game, before times are taken."""
        self._decoder.prepare()

    def play(
        self, games: Sequence[Game], temperature: float = 0.0, seed: int = 0, turns: int = 64
    ) -> list[Seat]:
        """Plays games to their end, as many at once as there are seats."""
        if len(games) > self.seats:
            raise ValueError(f"expected {self.seats} games at most, found {len(games)}")
        self._copy.refresh()  # Another agent's weights may have been laid onto the model.
        taken = [Seat(game, self._tokenizer, self._ends, self._window) for game in games]
        idle = [self._ends[:1]] * (self.seats - len(taken))
        chunks = [self._ends[:1] if seat.over else seat.context for seat in taken] + idle
        began = True
        for turn in range(turns):
            active = [not seat.over for seat in taken] + [False] * len(idle)
            if not any(active):
                break
            start = time.perf_counter()
            self._read(taken, chunks, len(idle), began)
            said = self._decoder.decode(active, self._turn_tokens, temperature, seed * 1009 + turn)
            took = time.perf_counter() - start if self.seats == 1 else None
            chunks = [
                seat.take(ids, took) if on else []
                for seat, ids, on in zip(taken, said, active, strict=False)
            ] + [[] for _ in idle]
            began = False
        return taken

    def _read(self, seats: list[Seat], chunks: list[list[int]], idle: int, began: bool) -> None:
        if not began and self._decoder.has_room(chunks, self._turn_tokens):
            self._decoder.feed(chunks)
            return
        # At the start, and when columns that only some rows use have filled the room.
        first = self._ends[:1]
        whole = [first if seat.over else seat.context for seat in seats]
        self._decoder.begin([*whole, *([first] * idle)])
