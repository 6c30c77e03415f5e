"""Continues many conversations at once on one torch model, over several turns, without reading a
token twice.

`Decoder` has so many rows, each with keys and values of its own; `decode_conversations` plays in
them. A conversation goes on as soon as its own turn is over, and its row goes to the next one when
it ends: nobody waits for the slowest turn of a batch. On a GPU the decoding step is recorded as
a CUDA graph, one for each width in steps of 1,024 columns: a small model spends most of its time on
launches otherwise. Weights may change between uses; a recorded step reads them where they are.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, Protocol

from msgspec import Struct

from agentdyno_train.lean_step import LeanStep
from agentdyno_train.row_cache import Layers, RowCache

PIECE = 512
"""Columns that are read at once."""
BUCKET = 1024
"""Columns by which a recorded step grows."""
SHRINK, SMALLEST = 4, 8
"""By how much a decoder gets smaller when rows are over, and from how few rows on it does not."""
CHECK_EVERY = 8
"""Steps between looks at which rows are done, where looking means waiting for a GPU."""
PATIENCE = 8
"""Decoding stops for others to be read when one of so many rows is done."""


class Decoder:
    """A model, and what it remembers of so many rows."""

    def __init__(
        self,
        model: Any,
        ends: Sequence[int],
        rows: int,
        capacity: int,
        step: LeanStep | None = None,
    ) -> None:
        import torch

        self._torch, self._model, self.ends, self.rows = torch, model, list(ends), rows
        self._lean = step
        self.device = next(model.parameters()).device
        self._on_gpu = self.device.type == "cuda"
        self.capacity = -(-capacity // BUCKET) * BUCKET if self._on_gpu else capacity
        long = {"dtype": torch.long, "device": self.device}
        self.lengths = [0] * rows
        self._lengths = torch.zeros(rows, **long)  # The same where the model is.
        self._ids = torch.zeros(rows, 1, **long)
        self._all_rows = torch.arange(rows, device=self.device)
        self._columns = torch.arange(self.capacity, device=self.device)
        self._end_ids = torch.tensor(self.ends, **long)
        self._memory = RowCache(model, rows, self.capacity)
        self._graphs: dict[int, tuple[Any, Any]] = {}
        self._logits: Any = None

    def begin(self, row: int, known: Sequence[Any] = ()) -> None:
        """Empties a row for another conversation, whose first blocks may have been read before."""
        self.lengths[row] = 0
        for layers in known:
            self._memory.fill(row, self.lengths[row], layers)
            self.lengths[row] += layers[0][0].shape[1]

    def read_row(self, row: int, start: int) -> Layers:
        """Keys and values of a row from a token on."""
        return self._memory.read_row(row, start, self.lengths[row])

    def move(self, source: int, goal: int) -> None:
        """Gives a row another number."""
        self._memory.move(source, goal, self.lengths[source])
        self.lengths[goal] = self.lengths[source]

    def make_room(self, columns: int) -> None:
        """Lets rows be so long, on a CPU, where nothing is recorded."""
        if columns > self.capacity:
            self.capacity = max(columns, 2 * self.capacity)
            self._memory.grow(self.capacity, self.lengths)
            self._columns = self._torch.arange(self.capacity, device=self.device)

    def read(self, texts: Mapping[int, Sequence[int]]) -> None:
        """Reads more tokens of these rows; each can be decoded afterwards."""
        torch, rows = self._torch, sorted(texts)
        counts = [len(texts[row]) for row in rows]
        self._check_room(rows, counts)
        longest = max(counts)
        ids = torch.tensor([[0] * (longest - len(texts[row])) + list(texts[row]) for row in rows])
        starts = [self.lengths[row] + n - longest for row, n in zip(rows, counts, strict=True)]
        places = torch.tensor(starts)[:, None] + torch.arange(longest)
        real = torch.arange(longest) >= longest - torch.tensor(counts)[:, None]
        ids, places, real = (part.to(self.device) for part in (ids, places, real))
        chosen, leads = torch.tensor(rows, device=self.device), rows[-1] == len(rows) - 1
        with torch.inference_mode():
            for at in range(0, longest, PIECE):
                piece = slice(at, at + PIECE)
                limit = max(1, max(starts) + min(at + PIECE, longest))
                # What fills up a row on the left goes where nobody looks.
                columns = torch.where(real[:, piece], places[:, piece], self.capacity)
                self._memory.aim(chosen, columns, limit, leads)
                # And sees the first column: a token that sees nothing would turn to NaN.
                seen_by = places[:, piece].clamp(min=0)
                logits = self._forward(ids[:, piece], seen_by, self._up_to(seen_by, limit))
            if self._logits is None:
                self._logits = logits.new_zeros(self.rows, logits.shape[-1])
            self._logits[chosen] = logits
            for row, count in zip(rows, counts, strict=True):
                self.lengths[row] += count
            self._lengths.copy_(torch.tensor(self.lengths))

    def _check_room(self, rows: Sequence[int], counts: Sequence[int]) -> None:
        for row, count in zip(rows, counts, strict=True):
            if not 0 < count <= (room := self.capacity - self.lengths[row]):
                raise ValueError(f"row {row}: expected 1 to {room} tokens, found {count}")

    def _up_to(self, places: Any, limit: int) -> Any:
        """A mask of what tokens at these places see: themselves and all before."""
        return (self._columns[:limit] <= places[..., None])[:, None]

    def logits(self, row: int) -> Any:
        """After the last token that was read."""
        return self._logits[row]

    def step(self, tokens: Sequence[int]) -> None:
        """Reads one more token of the first rows."""
        torch, rows = self._torch, len(tokens)
        limit = max(self.lengths[:rows]) + 1
        with torch.inference_mode():
            places = torch.tensor(self.lengths[:rows], device=self.device)[:, None]
            self._memory.aim(self._all_rows[:rows], places, limit, leads=True)
            ids = torch.tensor(tokens, device=self.device)[:, None]
            self._logits[:rows] = self._forward(ids, places, self._up_to(places, limit))
        for row in range(rows):
            self.lengths[row] += 1

    def decode(
        self, budgets: Mapping[int, int], temperature: float = 0.0, generator: Any = None
    ) -> dict[int, list[int]]:
        """Samples until an eighth of these rows, or the only one, is done: it has an end token, or
        as many tokens as it may have. The last token of a row that is done has not been read."""
        torch = self._torch
        left = torch.tensor([budgets.get(row, 0) for row in range(self.rows)], device=self.device)
        going, enough = left > 0, len(budgets) - max(1, len(budgets) // PATIENCE)
        longest, sampled = max(self.lengths[row] for row in budgets), []
        with torch.inference_mode():
            for step in range(max(budgets.values())):
                tokens = self._sample(temperature, generator)
                sampled.append(torch.where(going, tokens, -1))
                going = going & ~torch.isin(tokens, self._end_ids) & (left > step + 1)
                looks = not self._on_gpu or step % CHECK_EVERY == CHECK_EVERY - 1
                left_over = int(going.sum()) if looks else len(budgets)
                if left_over:
                    self._step(tokens, going, longest + step + 1)
                if left_over <= enough:
                    break
        found = torch.stack(sampled, 1).tolist()
        generated = {row: [token for token in found[row] if token >= 0] for row in budgets}
        for row, ids in generated.items():
            self.lengths[row] += len(ids) - self.is_done(ids, budgets[row])
        return generated

    def random_numbers(self, seed: int) -> Any:
        """A generator for `decode`."""
        return self._torch.Generator(self.device).manual_seed(seed)

    def is_done(self, ids: Sequence[int], budget: int) -> bool:
        """Whether what a row said is all that it may say."""
        return ids[-1] in self.ends or len(ids) >= budget

    def _sample(self, temperature: float, generator: Any) -> Any:
        logits = self._logits.float()
        if temperature <= 0:
            return logits.argmax(-1)
        probs = (logits / temperature).softmax(-1)
        return self._torch.multinomial(probs, 1, generator=generator)[:, 0]

    def _step(self, tokens: Any, going: Any, limit: int) -> None:
        """Reads the token of every row that goes on. The others write where their next token will
        stand, so that nothing of theirs is lost."""
        self._ids.copy_(tokens[:, None])
        self._logits = self._replay_graph(limit) if self._on_gpu else self._run_step(limit)
        self._lengths += going

    def _run_step(self, limit: int) -> Any:
        places = self._lengths[:, None]
        self._memory.aim(self._all_rows, places, limit, leads=True)
        if self._lean is None:
            return self._forward(self._ids, places, self._up_to(places, limit))
        return self._lean(self._ids, places, self._up_to(places, limit), self._memory.cache)

    def _replay_graph(self, limit: int) -> Any:
        """The step as a recorded graph, recorded when it is first needed."""
        limit = -(-limit // BUCKET) * BUCKET
        if limit not in self._graphs:
            self._graphs[limit] = self._record(limit)
        graph, out = self._graphs[limit]
        graph.replay()
        return out

    def _record(self, limit: int) -> tuple[Any, Any]:
        cuda = self._torch.cuda
        stream = cuda.Stream()
        stream.wait_stream(cuda.current_stream())
        with cuda.stream(stream):
            for _ in range(2):
                self._run_step(limit)
        cuda.current_stream().wait_stream(stream)
        graph = cuda.CUDAGraph()
        with cuda.graph(graph):
            out = self._run_step(limit)
        return graph, out

    def _forward(self, ids: Any, places: Any, mask: Any) -> Any:
        with self._autocast():
            out = self._model(
                input_ids=ids,
                attention_mask=mask,
                position_ids=places,
                past_key_values=self._memory.cache,
                use_cache=True,
                logits_to_keep=1,
            )
        return out.logits[:, -1]

    def _autocast(self) -> Any:
        if not self._on_gpu:
            return nullcontext()
        # Around each step anew: casts of weights that are kept would be stale in a recorded step.
        return self._torch.autocast("cuda", dtype=self._torch.bfloat16, cache_enabled=False)


class Conversation(Protocol):
    context: list[int]
    """Every token so far."""
    over: bool
    """Whether nothing is left to decode."""

    def take(self, ids: list[int], seconds: float | None) -> list[int]:
        """Takes a turn; returns the tokens that the model reads next, none when it is over."""
        ...


class Limits(Struct, frozen=True):
    """How far conversations go."""

    turns: int
    """Turns of the model in each."""
    turn_tokens: int
    """Tokens of a turn, the end token included."""


def decode_conversations(
    decoder_of: Callable[[int], Decoder],
    rows: int,
    conversations: Sequence[Conversation],
    limits: Limits,
    temperature: float,
    seed: int,
) -> None:
    """Plays all conversations to their end, so many at once; one at a time are given the seconds of
    their turns. Once few are left, they go on in a smaller decoder."""
    decoder = decoder_of(rows)
    generator = decoder.random_numbers(seed)
    waiting = [_Turn(one) for one in reversed(conversations) if not one.over]
    playing: dict[int, _Turn] = {}
    while waiting or playing:
        if (size := _size_for(len(waiting) + len(playing), decoder.rows)) < decoder.rows:
            waiting += playing.values()
            decoder, playing = decoder_of(size), {}
        for row in [row for row in range(decoder.rows) if row not in playing]:
            if waiting:
                playing[row] = waiting.pop()
                playing[row].begin()
                decoder.begin(row)
        if unread := {row: turn.unread for row, turn in playing.items() if turn.unread}:
            decoder.read(unread)
        budgets = {
            row: turn.budget(limits.turn_tokens, decoder.capacity) for row, turn in playing.items()
        }
        for row, ids in decoder.decode(budgets, temperature, generator).items():
            playing[row].hear(ids, decoder.is_done(ids, budgets[row]), rows == 1)
        playing = {row: turn for row, turn in playing.items() if turn.goes_on(limits.turns)}


class _Turn:
    """Where a conversation stands."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self.unread: list[int] = []
        self._said: list[int] = []
        self._turns, self._began = 0, 0.0

    def begin(self) -> None:
        """Goes on in a row that knows nothing of it."""
        self.unread = [*self._conversation.context, *self._said]
        self._began = time.perf_counter()

    def budget(self, turn_tokens: int, capacity: int) -> int:
        """Tokens that the turn may still have."""
        room = capacity - len(self._conversation.context)
        return min(turn_tokens, room) - len(self._said)

    def hear(self, ids: list[int], is_done: bool, is_timed: bool) -> None:
        """Takes what the model said."""
        self.unread = []
        self._said += ids
        if not is_done:
            return
        seconds = time.perf_counter() - self._began if is_timed else None
        more = self._conversation.take(self._said, seconds)
        self.unread = [self._said[-1], *more]
        self._said, self._turns = [], self._turns + 1
        self._began = time.perf_counter()

    def goes_on(self, turns: int) -> bool:
        return not self._conversation.over and self._turns < turns


def _size_for(left: int, rows: int) -> int:
    """Rows of the decoder that so many go on in: a quarter while they fit, since every size has
    a memory and recorded steps of its own."""
    while rows > SMALLEST and left <= rows // SHRINK:
        rows //= SHRINK
    return rows
