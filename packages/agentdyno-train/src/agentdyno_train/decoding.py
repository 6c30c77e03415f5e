"""Continues many conversations at once on one torch model, over several turns, without reading a
token twice.

Takes token ids of each row, returns sampled ids. All rows share columns: a column in which a row
has no token is masked for it. Between turns results are appended like a prompt, so keys and values
stay. On a GPU the decoding step is recorded as a CUDA graph, one for each width in steps of 1,024
columns: a small model spends most of its time on launches otherwise. Weights may change between
calls of `begin`; a recorded step reads them where they are.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any, Protocol

from agentdyno_train.lean_step import LeanStep

PIECE = 512
"""Columns that are read at once."""
BUCKET = 1024
"""Columns by which a recorded step grows."""
SHRINK, SMALLEST = 4, 8
"""By how much a decoder gets smaller when rows are over, and from how few rows on it does not."""
CHECK_EVERY = 8
"""Steps between looks whether all rows are done, where looking means waiting for a GPU."""


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

        self._torch, self._model, self.ends = torch, model, list(ends)
        self._lean = step
        self.device = next(model.parameters()).device
        self._on_gpu = self.device.type == "cuda"
        self.rows, self.capacity = (
            rows,
            -(-capacity // BUCKET) * BUCKET if self._on_gpu else capacity,
        )
        long = {"dtype": torch.long, "device": self.device}
        self._visible = torch.zeros(rows, self.capacity, dtype=torch.bool, device=self.device)
        self._lengths = torch.zeros(rows, **long)
        self._ids, self._places = torch.zeros(rows, 1, **long), torch.zeros(rows, 1, **long)
        self._board = _Board(torch.zeros(1, **long), self.capacity)
        self._end_ids = torch.tensor(self.ends, **long)
        self._cache = _cache(model, self._board, rows)
        self._graphs: dict[int, tuple[Any, Any]] = {}
        self._logits: Any = None
        self._pending: list[list[int]] = [[] for _ in range(rows)]
        self.width = 0

    def begin(self, prompts: Sequence[Sequence[int]]) -> None:
        """Forgets everything and reads the prompts."""
        if len(prompts) != self.rows:
            raise ValueError(f"expected {self.rows} prompts, found {len(prompts)}")
        self.width = 0
        self._visible.zero_()
        self._lengths.zero_()
        self._pending = [[] for _ in prompts]
        self._logits = None
        self.feed(prompts)

    def has_room(self, chunks: Sequence[Sequence[int]], more: int) -> bool:
        """Whether so much can still be read and generated."""
        longest = max(map(len, chunks), default=0) + 1
        return self.width + longest + more <= self.capacity

    def feed(self, chunks: Sequence[Sequence[int]]) -> None:
        """Reads more tokens of each row; a row without any stays as it is."""
        torch = self._torch
        texts = [[*p, *c] if c else [] for p, c in zip(self._pending, chunks, strict=True)]
        longest = max(map(len, texts))
        ids = torch.tensor([[0] * (longest - len(t)) + t for t in texts], device=self.device)
        real = torch.tensor(
            [[0] * (longest - len(t)) + [1] * len(t) for t in texts], device=self.device
        ).bool()
        for start in range(0, longest, PIECE):
            self._read(ids[:, start : start + PIECE], real[:, start : start + PIECE])
        self._pending = [
            [] if text else old for text, old in zip(texts, self._pending, strict=True)
        ]

    def decode(
        self, active: Sequence[bool], most: int, temperature: float = 0.0, seed: int = 0
    ) -> list[list[int]]:
        """Samples until each active row has ended or has so many tokens, the end token included."""
        torch = self._torch
        generator = torch.Generator(self.device).manual_seed(seed)
        alive = torch.tensor(list(active), device=self.device)
        sampled = []
        with torch.inference_mode():
            for step in range(most):
                tokens = self._sample(temperature, generator)
                sampled.append(torch.where(alive, tokens, -1))
                alive = alive & ~torch.isin(tokens, self._end_ids)
                looks = not self._on_gpu or step % CHECK_EVERY == CHECK_EVERY - 1
                if step == most - 1 or (looks and not bool(alive.any())):
                    break
                self._step(tokens, alive)
        rows = torch.stack(sampled, 1).tolist()
        found = [[token for token in row if token >= 0] for row in rows]
        for row, tokens_of_row in enumerate(found):
            self._pending[row] = tokens_of_row[-1:] or self._pending[row]
        return found

    def _sample(self, temperature: float, generator: Any) -> Any:
        logits = self._logits.float()
        if temperature <= 0:
            return logits.argmax(-1)
        probs = (logits / temperature).softmax(-1)
        return self._torch.multinomial(probs, 1, generator=generator)[:, 0]

    def _read(self, ids: Any, real: Any) -> None:
        """A piece of a prompt; logits of rows that have their last token in it are kept."""
        torch, count = self._torch, ids.shape[1]
        start, end = self.width, self.width + count
        places = (self._lengths[:, None] + real.cumsum(1) - 1).clamp(min=0)
        earlier = self._visible[:, None, :start].expand(-1, count, -1)
        order = torch.ones(count, count, dtype=torch.bool, device=self.device).tril()
        own = (order & real[:, None, :]) | torch.eye(count, dtype=torch.bool, device=self.device)
        mask = torch.cat([earlier & real[:, :, None], own], -1)[:, None]
        self._board.columns = torch.arange(start, end, device=self.device)
        self._board.limit = end
        with torch.inference_mode():
            logits = self._forward(ids, places, mask)
        self._visible[:, start:end] = real
        self._lengths += real.sum(1)
        self.width = end
        new = real[:, -1:]
        self._logits = logits if self._logits is None else torch.where(new, logits, self._logits)

    def _step(self, tokens: Any, alive: Any) -> None:
        """Reads the token of every row that goes on."""
        self._ids.copy_(tokens[:, None])
        self._places.copy_(self._lengths[:, None])
        # A row that is done must see something, or its numbers turn to NaN.
        self._visible[:, self.width] = True
        limit = -(-(self.width + 1) // BUCKET) * BUCKET if self._on_gpu else self.width + 1
        self._logits = self._replay_graph(limit) if self._on_gpu else self._plain_step(limit)
        self._visible[:, self.width] = alive
        self._lengths += alive
        self.width += 1

    def _plain_step(self, limit: int) -> Any:
        self._board.columns = self._torch.tensor([self.width], device=self.device)
        self._board.limit = limit
        return self._run_step(self._visible[:, None, None, :limit])

    def _run_step(self, mask: Any) -> Any:
        if self._lean is None:
            return self._forward(self._ids, self._places, mask)
        return self._lean(self._ids, self._places, mask, self._cache)

    def _replay_graph(self, limit: int) -> Any:
        """The step as a recorded graph, recorded when it is first needed."""
        self._board.column.fill_(self.width)
        self._board.columns, self._board.limit = self._board.column, limit
        if limit not in self._graphs:
            self._graphs[limit] = self._record(limit)
        graph, out = self._graphs[limit]
        graph.replay()
        return out

    def prepare(self) -> None:
        """Records the step for every width, so that none is recorded while somebody measures time.
        To be called after a first use and before `begin`: what is remembered is lost."""
        if not self._on_gpu:
            return
        self._visible[:, 0] = True  # A row that sees nothing would leave NaN behind.
        self._board.column.fill_(0)
        with self._torch.inference_mode():  # As what is remembered was made in it.
            for limit in range(BUCKET, self.capacity + 1, BUCKET):
                if limit not in self._graphs:
                    self._board.columns, self._board.limit = self._board.column, limit
                    self._graphs[limit] = self._record(limit)

    def _record(self, limit: int) -> tuple[Any, Any]:
        cuda, mask = self._torch.cuda, self._visible[:, None, None, :limit]
        stream = cuda.Stream()
        stream.wait_stream(cuda.current_stream())
        with cuda.stream(stream):
            for _ in range(2):
                self._run_step(mask)
        cuda.current_stream().wait_stream(stream)
        graph = cuda.CUDAGraph()
        with cuda.graph(graph):
            out = self._run_step(mask)
        return graph, out

    def _forward(self, ids: Any, places: Any, mask: Any) -> Any:
        with self._autocast():
            out = self._model(
                input_ids=ids,
                attention_mask=mask,
                position_ids=places,
                past_key_values=self._cache,
                use_cache=True,
                logits_to_keep=1,
            )
        return out.logits[:, -1]

    def _autocast(self) -> Any:
        if not self._on_gpu:
            return nullcontext()
        # Around each step anew: casts of weights that are kept would be stale in a recorded step.
        return self._torch.autocast("cuda", dtype=self._torch.bfloat16, cache_enabled=False)


class DecodingRow(Protocol):
    """One conversation of a batch."""

    context: list[int]
    """Every token so far."""
    over: bool
    """Whether nothing is left to decode."""

    def take(self, ids: list[int], seconds: float | None) -> list[int]:
        """Takes a turn; returns the tokens that the model reads next, none when it is over."""
        ...


def decode_rows(
    decoder_of: Callable[[int], Decoder],
    rows: Sequence[DecodingRow],
    turns: int,
    turn_tokens: int,
    temperature: float,
    seed: int,
) -> None:
    """Decodes every turn of all rows together, until they are over. A row that is alone in its
    batch is given the seconds of its turns. Once most rows are over, the others go on in a smaller
    decoder: a few long attempts would otherwise drag every row along."""
    batch, decoder = list(rows), decoder_of(len(rows))
    chunks: list[list[int]] = []
    for turn in range(turns):
        left = [row for row in batch if not row.over]
        if not left:
            return
        if (size := _size_for(len(left), len(batch))) < len(batch):
            over = [row for row in batch if row.over]
            batch, decoder, chunks = (left + over)[:size], decoder_of(size), []
        active = [not row.over for row in batch]
        start = time.perf_counter()
        if chunks and decoder.has_room(chunks, turn_tokens):
            decoder.feed(chunks)
        else:  # At the start, and when columns that only some rows use have filled the room.
            decoder.begin([decoder.ends[:1] if row.over else row.context for row in batch])
        generated = decoder.decode(active, turn_tokens, temperature, seed * 1009 + turn)
        seconds = time.perf_counter() - start if len(rows) == 1 else None
        chunks = [
            row.take(ids, seconds) if on else []
            for row, ids, on in zip(batch, generated, active, strict=True)
        ]


def _size_for(left: int, rows: int) -> int:
    """Rows of the decoder that so many go on in: a quarter while they fit, since every size has
    a memory and recorded steps of its own."""
    while rows > SMALLEST and left <= rows // SHRINK:
        rows //= SHRINK
    return rows


class _Board:
    """Where the next keys and values are written, for all layers."""

    def __init__(self, column: Any, capacity: int) -> None:
        self.column = self.columns = column
        self.capacity = self.limit = capacity


def _cache(model: Any, board: _Board, rows: int) -> Any:
    from transformers import Cache
    from transformers.cache_utils import DynamicLayer

    class FixedLayer(DynamicLayer):  # type: ignore[no-untyped-call,unused-ignore]
        """Keys and values of one layer in a room that never moves."""

        keys: Any
        values: Any

        def update(self, key_states: Any, value_states: Any, *_: Any, **__: Any) -> Any:
            if not self.is_initialized:
                shape = (rows, key_states.shape[1], board.capacity, key_states.shape[3])
                # Keys come wider than values where rotations are computed in float32.
                self.keys, self.values = (value_states.new_zeros(shape) for _ in range(2))
                self.dtype, self.device = value_states.dtype, value_states.device
                self.is_initialized = True
            self.keys.index_copy_(2, board.columns, key_states.to(self.keys.dtype))
            self.values.index_copy_(2, board.columns, value_states.to(self.values.dtype))
            return self.keys[:, :, : board.limit], self.values[:, :, : board.limit]

    layers: list[Any] = [
        FixedLayer()  # type: ignore[no-untyped-call,unused-ignore]
        for _ in range(model.config.num_hidden_layers)
    ]
    return Cache(layers=layers)
