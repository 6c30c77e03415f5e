"""Decodes the requests of many conversations together, on one torch model.

Requests that wait at the same time are one batch of the library's `generate`; those that come
meanwhile are the next. A request is answered as soon as its own tokens are there. One thread owns
the model.

Greedy where the temperature is 0; otherwise each request samples with a generator of its own, so
that its seed alone decides what it gets.
"""

import atexit
import threading
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from msgspec import Struct

from agentdyno.engines.local import processors
from agentdyno_depth.engines.chat import decode_text, end_tokens
from agentdyno_depth.engines.sampling import draw
from agentdyno_train.generation import Beginnings, continue_rows

MAX_ROWS = 32
"""Requests decoded together."""
MAX_CELLS = 32 * 2048
"""Rows times columns of the batch: its keys and values must fit into memory."""
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
    """Result of a request."""

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
    """A model, and the requests that wait for it."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self._model = model
        self.window: int = model.config.max_position_embeddings
        self._ends = frozenset(end_tokens(tokenizer, model))
        self._waiting: deque[_Row] = deque()
        self._wake = threading.Condition()
        self._beginnings = Beginnings(model)
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="agentdyno-batcher", daemon=True)
        self._thread.start()
        # A thread that is still inside torch when Python ends would abort the process.
        atexit.register(self.close)

    def submit(self, request: Request) -> "Future[Continued]":
        """The continuation, some time later; cancelling it frees its place, also once begun."""
        row = _Row(request, self)
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

    def is_over(self, row: "_Row") -> bool:
        """True when nobody waits for the row any more."""
        return self._closed or row.future.cancelled()

    def is_end(self, token: int) -> bool:
        """True for a token that ends the model's answer."""
        return token in self._ends

    def _serve(self) -> None:
        import torch

        # The event loop wants a core of its own, and threads that wait for each other want theirs.
        torch.set_num_threads(max(1, min(MAX_THREADS, processors() - 1)))
        while not self._closed:
            with self._wake:
                while not (self._waiting or self._closed):
                    self._wake.wait()
            rows = self._next_rows()
            try:
                if rows:
                    self._answer(rows)
            except BaseException as error:
                _fail(rows, error)

    def _next_rows(self) -> "list[_Row]":
        width, rows = 0, list[_Row]()
        with self._wake:
            while self._waiting and len(rows) < MAX_ROWS:
                row = self._waiting[0]
                width = max(width, len(row.prompt) + row.request.max_tokens)
                if rows and width * (len(rows) + 1) > MAX_CELLS:
                    break
                self._waiting.popleft()
                if not row.future.cancelled():
                    rows.append(row)
        return rows

    def _answer(self, rows: "list[_Row]") -> None:
        started = time.perf_counter()
        prompts = [row.prompt for row in rows]
        shared, reused = self._beginnings.match(prompts)
        for number, row in enumerate(rows):
            row.started, row.reused = started, shared if number else reused
        most = max(row.request.max_tokens for row in rows)
        continue_rows(
            self._model, rows, most, lambda scores: _choose(rows, scores), self._beginnings
        )


def _choose(rows: "Sequence[_Row]", scores: Any) -> Any:
    import torch

    return torch.cat(
        [row.choose(row_scores[None]) for row, row_scores in zip(rows, scores, strict=True)]
    )


def _fail(rows: "Sequence[_Row]", error: BaseException) -> None:
    """Fail all rows of the batch; those still waiting are not touched."""
    for row in rows:
        if not row.future.done() and row.future.set_running_or_notify_cancel():
            row.future.set_exception(error)


class _Row:
    """A request in progress."""

    def __init__(self, request: Request, batcher: Batcher) -> None:
        self.request, self.prompt = request, request.prompt
        self.future: Future[Continued] = Future()
        self.reused = 0
        self.started = self._asked = self._first = time.perf_counter()
        self._tokens: list[int] = []
        self._batcher = batcher
        self._text: str | None = None
        self._generator: Any = None

    def choose(self, scores: Any) -> Any:
        """The next token, by its own random numbers."""
        import torch

        request = self.request
        if self._generator is None:
            self._generator = torch.Generator().manual_seed(request.seed)
        uniform = torch.rand(1, generator=self._generator, dtype=torch.float64)
        return draw(scores.float(), request.temperature, request.top_p, uniform)

    def take(self, token: int) -> bool:
        """One more token; answers when it is the last."""
        if self._batcher.is_over(self):
            return True
        self._tokens.append(token)
        if len(self._tokens) == 1:
            self._first = time.perf_counter()
        if self._batcher.is_end(token) or self._has_stopped():
            self._finish("stop")
        elif len(self._tokens) >= self.request.max_tokens:
            self._finish("max_tokens")
        return self.future.done()

    def _has_stopped(self) -> bool:
        if not self.request.stop:
            return False
        text = self._decode()
        positions = [at for stop in self.request.stop if (at := text.find(stop)) >= 0]
        if positions:
            self._text = text[: min(positions)]
        return bool(positions)

    def _decode(self) -> str:
        return decode_text(self._batcher.tokenizer, self._tokens)

    def _finish(self, why: str) -> None:
        # From here on it cannot be cancelled; until here it could, at any moment.
        if self.future.set_running_or_notify_cancel():
            self.future.set_result(
                Continued(
                    self._tokens,
                    self._decode() if self._text is None else self._text,
                    why,
                    self.started - self._asked,
                    self._first - self.started,
                    time.perf_counter() - self.started,
                    self.reused,
                )
            )
