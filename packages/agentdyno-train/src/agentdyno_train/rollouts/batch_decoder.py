"""Many episodes at once on one torch model.

Takes episodes, returns the turns of each with their token ids. Contexts only grow by what was
generated and what the world answered. With one slot, the seconds of a turn are its own and are
recorded.
"""

from collections.abc import Sequence
from typing import Any

from agentdyno_depth.engines.chat import chat_ids, continuation_ids, decode_text, end_tokens
from agentdyno_train.decoding import Decoder, Limits, decode_conversations
from agentdyno_train.models.recorded import RecordedTurn, chat_key
from agentdyno_train.rollouts.episodes import Episode
from agentdyno_train.sampling_copy import SamplingCopy


class Slot:
    """One episode in progress, in tokens."""

    def __init__(self, episode: Episode, tokenizer: Any, ends: list[int], window: int) -> None:
        self.episode, self._tokenizer, self._ends, self._window = episode, tokenizer, ends, window
        self.prompt = list(chat_ids(tokenizer, episode.messages))
        self.context = list(self.prompt)
        self.turns: list[RecordedTurn] = []
        self.starts: list[int] = []
        self.over = len(self.context) >= window

    def take(self, ids: list[int], seconds: float | None) -> list[int]:
        """Takes a turn; the tokens that the model reads next, none when it is over."""
        ids = ids[: self._window - len(self.context)]
        ended = bool(ids) and ids[-1] in self._ends
        text, key = decode_text(self._tokenizer, ids), chat_key(self.episode.messages)
        self.turns.append(RecordedTurn(key, text, ids, ended, seconds))
        self.starts.append(len(self.context))
        self.context += ids
        new = self.episode.take(text, ended)
        more = [] if ended else self._ends[:1]
        more = [*more, *continuation_ids(self._tokenizer, new)] if new else []
        self.over = not more or len(self.context) + len(more) >= self._window
        self.context += [] if self.over else more
        return [] if self.over else more


class BatchDecoder:
    """A model that decodes a fixed number of episodes together."""

    def __init__(
        self, model: Any, tokenizer: Any, slots: int, window: int, turn_tokens: int
    ) -> None:
        self.slots, self._tokenizer, self._window = slots, tokenizer, window
        self._turn_tokens = turn_tokens
        self._ends = list(end_tokens(tokenizer, model))
        self._copy = SamplingCopy(model)
        self._decoders: dict[int, Decoder] = {}

    def prepare(self) -> None:
        """Does what a GPU does at its first use; call it after a first episode, before timing."""
        for decoder in self._decoders.values():
            decoder.prepare()

    def run(
        self, episodes: Sequence[Episode], temperature: float = 0.0, seed: int = 0, turns: int = 64
    ) -> list[Slot]:
        """Runs episodes to their end."""
        self._copy.refresh()  # Another agent's weights may have been merged into the model.
        slots = [Slot(episode, self._tokenizer, self._ends, self._window) for episode in episodes]
        limits = Limits(turns, self._turn_tokens)
        decode_conversations(self._decoder_of, self.slots, slots, limits, temperature, seed)
        return slots

    def _decoder_of(self, rows: int) -> Decoder:
        if rows not in self._decoders:
            copy = self._copy
            self._decoders[rows] = Decoder(copy.model, self._ends, rows, self._window, copy.step)
        return self._decoders[rows]
