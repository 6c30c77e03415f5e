"""Decodes the requests of many conversations together, on one torch model.

Requests join a batch that is already running and leave it when they are done: the rows of
a `Decoder` are theirs, the first ones, and the last row takes the place of one that leaves. What
prompts have in common is read once (`prefixes`). One thread owns the model.

Greedy where the temperature is 0; otherwise each request samples with a generator of its own, so
that its seed alone decides what it gets.
"""

import atexit
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any

from msgspec import Struct

from agentdyno.engines.local import processors
from agentdyno_depth.engines.chat import decode_text, end_tokens
from agentdyno_depth.engines.sampling import draw
from agentdyno_train.decoding import Decoder
from agentdyno_train.row_cache import Layers

# Tasks of one benchmark share their system message and tools, and every turn of a conversation
# begins with the turns before it: most of what an agent reads, it has read. Held in blocks of 32
# tokens, each under the block before it, so that what prompts share is held once; the blocks that
# were not used for the longest time make room for new ones.
BLOCK = 32
"""Tokens of a block."""
BUDGET = 1 << 30
"""Bytes that are held at most: 23,000 tokens of the embedded model in float32."""

Key = tuple[int, tuple[int, ...]]
"""The block before, by its number, and the tokens of this one."""


class Prefixes:
    """What is held, as a tree of blocks."""

    def __init__(self, budget: int = BUDGET) -> None:
        self._budget, self._used, self._count = budget, 0, 0
        self._blocks: OrderedDict[Key, tuple[int, Any]] = OrderedDict()

    def longest(self, ids: Sequence[int]) -> list[Any]:
        """The blocks that are held of a prompt's beginning. The last token is never among them:
        its logits are what a prompt is read for."""
        known = list(self._chain(ids, len(ids) - 1))
        self._touch(known)
        return [self._blocks[key][1] for key in known]

    def keep(self, ids: Sequence[int], read: Callable[[int], Layers]) -> None:
        """Holds what was read; asks for keys and values from the first token that is not held."""
        known = list(self._chain(ids, len(ids)))
        before = self._blocks[known[-1]][0] if known else 0
        first = len(known) * BLOCK
        layers = read(first) if first + BLOCK <= len(ids) else []
        for start in range(first, len(ids) - BLOCK + 1, BLOCK):
            key = (before, tuple(ids[start : start + BLOCK]))
            self._count += 1
            before = self._count
            self._blocks[key] = (before, _block(layers, start - first))
            self._used += self._blocks[key][1].nbytes
            known.append(key)
        self._touch(known)
        while self._used > self._budget:
            _, (_, block) = self._blocks.popitem(last=False)
            self._used -= block.nbytes

    def _chain(self, ids: Sequence[int], most: int) -> Iterator[Key]:
        """The keys of the held blocks that these tokens begin with."""
        before = 0
        for start in range(0, most - BLOCK + 1, BLOCK):
            key = (before, tuple(ids[start : start + BLOCK]))
            if key not in self._blocks:
                return
            before = self._blocks[key][0]
            yield key

    def _touch(self, keys: list[Key]) -> None:
        """Used just now; the first block of a chain goes last, since the others hang from it."""
        for key in reversed(keys):
            self._blocks.move_to_end(key)


def _block(layers: Layers, start: int) -> Any:
    import torch

    def part(states: Any) -> Any:
        return states[:, start : start + BLOCK]

    return torch.stack([torch.stack([part(keys), part(values)]) for keys, values in layers])


MAX_ROWS = 32
"""Requests decoded together."""
MAX_CELLS = 32 * 2048
"""Rows times columns of the batch: its keys and values must fit into memory."""
ROOM = 2048
"""Columns that there is room for at first."""
LONG = 256
"""Unread tokens from which a prompt is read by itself."""
MAX_THREADS = 4
"""More threads than this do not help a model of this size."""


class Request(Struct, frozen=True):
    """One prompt and how it is to be continued."""

    prompt: list[int]
    """Token ids of the prompt."""
    max_tokens: int
    """How many tokens may be generated."""
    temperature: float = 0.0
    """0 takes the most likely token."""
    top_p: float = 1.0
    """Sampling from the likeliest tokens that have this much probability together."""
    seed: int = 0
    """Seed of the request's own generator."""
    stop: tuple[str, ...] = ()
    """Texts that end the answer."""


class Continued(Struct, frozen=True):
    """What a request gave."""

    tokens: list[int]
    """Generated token ids, the ending token included."""
    text: str
    """Their text, up to where a stop text begins."""
    finish: str
    """Why it ended: `stop` or `max_tokens`."""
    queued_seconds: float
    """From asking to the start of the prefill."""
    first_token_seconds: float
    """From the start of the prefill to the first token."""
    seconds: float | None
    """From the start of the prefill to the last token; None where another machine took them."""
    reused_tokens: int | None = None
    """Tokens of the prompt that were known from before; None where another machine read them."""


class Batcher:
    """A model, a thread, and the requests that wait for it."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self._model = model
        self.window: int = model.config.max_position_embeddings
        self._waiting: deque[_Row] = deque()
        self._wake = threading.Condition()
        self._rows: list[_Row] = []
        self._decoder = Decoder(model, (), MAX_ROWS, ROOM)
        self._prefixes = Prefixes()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="agentdyno-batcher", daemon=True)
        self._thread.start()
        # A thread that is still inside torch when Python ends would abort the process.
        atexit.register(self.close)

    def submit(self, request: Request) -> "Future[Continued]":
        """The continuation, some time later; cancelling it frees its place, also once begun."""
        row = _Row(request, self._ends(), self.tokenizer)
        with self._wake:
            self._waiting.append(row)
            self._wake.notify()
        return row.future

    def close(self) -> None:
        """Ends the thread after the token that it is at; what is not done by then never will be."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        self._thread.join()

    def _ends(self) -> set[int]:
        return set(end_tokens(self.tokenizer, self._model))

    def _serve(self) -> None:
        import torch

        # The event loop wants a core of its own, and threads that wait for each other want theirs.
        torch.set_num_threads(max(1, min(MAX_THREADS, processors() - 1)))
        while not self._closed:
            with self._wake:
                while not (self._waiting or self._rows or self._closed):
                    self._wake.wait()
            try:
                with torch.inference_mode():
                    self._admit()
                    self._advance()
            except BaseException as error:
                self._fail(error)

    def _fail(self, error: BaseException) -> None:
        """What went wrong is everybody's in the batch; those who wait are not touched."""
        for row in self._rows:
            if not row.future.done() and row.future.set_running_or_notify_cancel():
                row.future.set_exception(error)
        self._rows = []

    def _admit(self) -> None:
        new = self._next_rows()
        while new:
            group, new = self._readable_together(new)
            self._read(group)
        self._cut()

    def _readable_together(self, rows: "list[_Row]") -> "tuple[list[_Row], list[_Row]]":
        """Rows that are read at once, and the rest. A row with much to read is read by itself:
        nothing is gained beside others, and what it has in common with them is known then."""
        for row in rows:
            row.known = self._prefixes.longest(row.request.prompt)
        long = [row for row in rows if row.unread > LONG]
        group = long[:1] or rows
        return group, [row for row in rows if row not in group]

    def _read(self, rows: "list[_Row]") -> None:
        started, decoder = time.perf_counter(), self._decoder
        numbered = dict(enumerate(rows, len(self._rows)))
        self._rows += rows
        decoder.make_room(max(len(row.request.prompt) for row in rows))
        for number, row in numbered.items():
            decoder.begin(number, row.known)
        decoder.read({n: row.request.prompt[-row.unread :] for n, row in numbered.items()})
        for number, row in numbered.items():
            self._prefixes.keep(row.request.prompt, partial(decoder.read_row, number))
            row.started, row.reused = started, BLOCK * len(row.known)
            row.take(decoder.logits(number))

    def _next_rows(self) -> "list[_Row]":
        width = max(self._decoder.lengths[: len(self._rows)], default=0)
        new: list[_Row] = []
        with self._wake:
            while self._waiting and len(self._rows) + len(new) < MAX_ROWS:
                row = self._waiting[0]
                width = max(width, len(row.request.prompt) + row.request.max_tokens)
                if self._rows + new and width * (len(self._rows) + len(new) + 1) > MAX_CELLS:
                    break
                self._waiting.popleft()
                if not row.future.cancelled():
                    new.append(row)
        return new

    def _advance(self) -> None:
        if not self._rows:
            return
        self._decoder.make_room(max(self._decoder.lengths[: len(self._rows)]) + 1)
        self._decoder.step([row.tokens[-1] for row in self._rows])
        for number, row in enumerate(self._rows):
            row.take(self._decoder.logits(number))
        self._cut()

    def _cut(self) -> None:
        """Rows that are done, or that nobody waits for any more, leave the batch."""
        for number in reversed(range(len(self._rows))):
            row = self._rows[number]
            if row.is_active:
                continue
            self._remember(number, row)
            # From here on it cannot be cancelled; until here it could, at any moment.
            if row.future.set_running_or_notify_cancel():
                row.future.set_result(row.result())
            last = self._rows.pop()
            if last is not row:
                self._decoder.move(len(self._rows), number)
                self._rows[number] = last

    def _remember(self, number: int, row: "_Row") -> None:
        """A conversation continues from its answer; the last token has not been read yet."""
        tokens = [*row.request.prompt, *row.tokens[:-1]]
        self._prefixes.keep(tokens, partial(self._decoder.read_row, number))


class _Row:
    """A request in progress."""

    def __init__(self, request: Request, ends: set[int], tokenizer: Any) -> None:
        self.request = request
        self.future: Future[Continued] = Future()
        self.known: list[Any] = []
        self.reused = 0
        self.tokens: list[int] = []
        self.finish: str | None = None
        self.asked = self.started = self.first = time.perf_counter()
        self._ends = ends
        self._tokenizer = tokenizer
        self._text: str | None = None
        self._generator: Any = None

    @property
    def unread(self) -> int:
        """Tokens of the prompt that must be read."""
        return len(self.request.prompt) - BLOCK * len(self.known)

    @property
    def is_active(self) -> bool:
        """Whether it is to be given another token."""
        return self.finish is None and not self.future.cancelled()

    def take(self, logits: Any) -> None:
        """One more token."""
        token = self._choose(logits)
        self.tokens.append(token)
        if len(self.tokens) == 1:
            self.first = time.perf_counter()
        if token in self._ends or self._has_stopped():
            self.finish = "stop"
        elif len(self.tokens) >= self.request.max_tokens:
            self.finish = "max_tokens"

    def _choose(self, logits: Any) -> int:
        import torch

        asked = self.request
        if self._generator is None:
            self._generator = torch.Generator().manual_seed(asked.seed)
        uniform = torch.rand(1, generator=self._generator, dtype=torch.float64)
        return int(draw(logits[None].float(), asked.temperature, asked.top_p, uniform))

    def _has_stopped(self) -> bool:
        if not self.request.stop:
            return False
        text = self._decode()
        found = [at for stop in self.request.stop if (at := text.find(stop)) >= 0]
        if found:
            self._text = text[: min(found)]
        return bool(found)

    def _decode(self) -> str:
        return decode_text(self._tokenizer, self.tokens)

    def result(self) -> Continued:
        return Continued(
            self.tokens,
            self._decode() if self._text is None else self._text,
            self.finish or "stop",
            self.started - self.asked,
            self.first - self.started,
            time.perf_counter() - self.started,
            self.reused,
        )
