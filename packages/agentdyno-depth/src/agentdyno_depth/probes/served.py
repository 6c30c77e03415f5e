"""Samples from any server that speaks OpenAI's HTTP API, many at once.

Takes a chat or a text and how many responses are wanted, returns them as they come. Two ways: whole
responses from `/chat/completions`, or text that is continued from `/completions`, which alone
allows to stop after a prefix and to finish the kept samples later. What a model thinks is part of
its response: the fields `reasoning_content` and `reasoning`, and thinking between tags in the text.
Each sample is a request of its own, 64 at once unless told otherwise, with a seed of its own, asked
again when the server is busy. The HTTP library is imported when the first request is made. Knows
nothing of answers.
"""

import os
import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed, wait
from typing import Any, Self
from zlib import crc32

from msgspec import Struct

from agentdyno.records import InputError, printable
from agentdyno_depth.probes.paid_samples import PaidSamples

KEY_VARIABLE = "OPENAI_API_KEY"
ATTEMPTS = 6
RETRIED = (408, 409, 425, 429, 500, 502, 503, 504, 529)
TIMEOUT_SECONDS = 600.0
AT_ONCE = 64
"""Requests under way together."""
FIRST_WAIT = 0.5
"""Seconds before the second attempt; each later one waits twice as long."""
LONGEST_WAIT = 30.0
"""Seconds before another attempt, at most, unless the server asks for more."""
TOKEN_IDS = "return_token_ids"
"""What vLLM calls the option to see the token ids; other servers ignore or refuse it."""
LAST_SECONDS = 60.0
"""How long an interrupted run waits for requests under way: they are paid for."""
REACHED_SECONDS = 10.0
"""A server that takes longer to answer at all is not there."""


class Served(Struct, frozen=True):
    """A response that a server wrote."""

    text: str
    """What was generated; with the thinking between tags, where the server gives it so."""
    ended: bool
    """Whether it stopped by itself and not at the limit."""
    thinking: str = ""
    """What the server gave apart as thinking; empty when it gave none."""
    ids: tuple[int, ...] | None = None
    """The generated token ids, where the server tells."""
    prompt_ids: tuple[int, ...] | None = None
    """The prompt's token ids, where the server tells."""


class ServerOptions(Struct, frozen=True):
    """Where the server is and how it is asked."""

    url: str
    """Its base address, such as http://localhost:8000/v1."""
    model: str
    """The model's name there."""
    temperature: float = 1.0
    """What logits are divided by."""
    top_p: float = 1.0
    """Share of the probability that is drawn from."""
    seed: int | None = 0
    """Passed on, another number for each sample; servers may ignore it. None leaves it out."""
    at_once: int = AT_ONCE
    """Requests under way together."""


class ServerRequest(Struct, frozen=True):
    """One sample to request."""

    name: str
    """What it is a sample of; with the number it decides the seed."""
    number: int
    """Which of its samples."""
    max_tokens: int
    """Where it is cut."""
    messages: tuple[dict[str, str], ...] | None = None
    """A chat to answer…"""
    prompt: str | None = None
    """…or a text to continue."""


class Server:
    """An open connection, and the threads that use it."""

    def __init__(
        self,
        options: ServerOptions,
        client: Any = None,
        paid: PaidSamples[Served] | None = None,
    ) -> None:
        self._options = options
        self._paid = PaidSamples(None, Served) if paid is None else paid
        self._submitted: list[Future[Served]] = []
        self._client = client or _client(options)
        self._pool = ThreadPoolExecutor(options.at_once, thread_name_prefix="agentdyno-server")
        self._wants_ids = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            self._pool.shutdown(wait=kind is None, cancel_futures=True)
            wait([f for f in self._submitted if not f.cancelled()], LAST_SECONDS)
        finally:
            self._client.close()
        if kind is None:
            self._paid.remove()

    def require_reachable(self) -> None:
        """`InputError` without an answer from the address; any answer will do."""
        import httpx

        try:
            self._client.get("models", timeout=REACHED_SECONDS)
        except httpx.TransportError as error:
            raise InputError(
                f"--server {printable(self._options.url)}: expected a server, found none that can "
                f"be reached ({printable(str(error), 150)}). Start it, or correct the address."
            ) from None

    def each(self, requests: Sequence[ServerRequest]) -> Iterator[tuple[int, Served]]:
        """Every sample with its place among the asked ones, as they come."""
        futures: dict[Future[Served], int] = {
            self._pool.submit(self._serve_request, request): place
            for place, request in enumerate(requests)
        }
        self._submitted = list(futures)
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            for future in futures:
                future.cancel()

    def all(self, requests: Sequence[ServerRequest]) -> list[Served]:
        """Every sample, in the order they were asked for."""
        found = dict(self.each(requests))
        return [found[place] for place in range(len(requests))]

    def _serve_request(self, request: ServerRequest) -> Served:
        path = "completions" if request.messages is None else "chat/completions"
        own = (
            {"prompt": request.prompt}
            if request.messages is None
            else {"messages": list(request.messages)}
        )
        body = own | self._settings(request)
        key = (self._options.url, path, request.name, request.number, body)
        known = self._paid.find(key)
        if known is not None:
            return known
        answer = self._post(path, body)
        choices = answer.get("choices")
        if not isinstance(choices, list) or not choices:
            raise InputError(f"{self._options.url}/{path}: expected choices, found none.")
        served = _read_choice(choices[0], answer)
        self._paid.add(key, served)
        return served

    def _settings(self, request: ServerRequest) -> dict[str, Any]:
        own = self._options
        settings: dict[str, Any] = {
            "model": own.model,
            "n": 1,
            "max_tokens": request.max_tokens,
            "temperature": own.temperature,
            "top_p": own.top_p,
        }
        if own.seed is not None:
            settings["seed"] = crc32(f"{request.name} {request.number}".encode(), own.seed) >> 1
        return settings

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        problem = ""
        for attempt in range(1, ATTEMPTS + 1):
            found, problem, wait = self._attempt(path, body)
            if found is not None:
                return found
            if wait is None:
                break
            if attempt < ATTEMPTS:
                time.sleep(wait or _own_wait(attempt))
        raise InputError(
            f"{self._options.url}/{path}: expected an answer, found {printable(problem, 300)}. "
            "Check --server and --server-model; a key is taken from the environment variable "
            f"{KEY_VARIABLE}. What is recorded is not lost: the same command continues."
        )

    def _attempt(
        self, path: str, body: dict[str, Any]
    ) -> tuple[dict[str, Any] | None, str, float | None]:
        """The answer, or what went wrong and the seconds to wait: 0 for ours, None for no more."""
        import httpx

        extra = {TOKEN_IDS: True} if self._wants_ids else {}
        try:
            answer = self._client.post(path, json=body | extra)
            if extra and answer.status_code in (400, 422):
                self._wants_ids = False  # A strict server: the same without the option.
                answer = self._client.post(path, json=body)
        except httpx.HTTPError as error:
            return None, f"{type(error).__name__} {error}", 0.0
        if answer.status_code == 200:
            return _object(answer, f"{self._options.url}/{path}"), "", None
        problem = f"status {answer.status_code}: {answer.text}"
        return None, problem, _read_wait(answer) if answer.status_code in RETRIED else None


def _own_wait(attempt: int) -> float:
    """Not all at the same moment: those that were refused together come back apart."""
    return min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (attempt - 1)) * random.uniform(0.5, 1)


def _read_wait(answer: Any) -> float:
    try:
        seconds: float = min(120.0, float(answer.headers.get("retry-after")))
    except (TypeError, ValueError):
        return 0.0
    return seconds


def _client(options: ServerOptions) -> Any:
    try:
        import httpx
    except ImportError:
        raise InputError(
            "a server needs the package httpx, missing here. Install it: "
            'pip install "agentdyno[depth]"'
        ) from None
    key = os.environ.get(KEY_VARIABLE)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        return httpx.Client(
            base_url=options.url,
            headers=headers,
            timeout=httpx.Timeout(TIMEOUT_SECONDS, pool=None),
            limits=httpx.Limits(max_connections=options.at_once),
        )
    except httpx.InvalidURL as error:
        raise InputError(
            f"--server {printable(options.url)}: expected an address, {error}."
        ) from None


def _read_choice(choice: Any, answer: dict[str, Any]) -> Served:
    if not isinstance(choice, dict):
        return Served("", False)
    message = choice.get("message")
    message_fields = message if isinstance(message, dict) else {"content": choice.get("text")}
    return Served(
        text=_text(message_fields.get("content")),
        ended=choice.get("finish_reason") == "stop",
        thinking=_text(message_fields.get("reasoning_content"))
        or _text(message_fields.get("reasoning")),
        ids=_numbers(choice.get("token_ids")),
        prompt_ids=_numbers(choice.get("prompt_token_ids") or answer.get("prompt_token_ids")),
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _numbers(value: Any) -> tuple[int, ...] | None:
    if not isinstance(value, list) or not all(type(item) is int for item in value):
        return None
    return tuple(value) or None


def _object(answer: Any, where: str) -> dict[str, Any]:
    try:
        value = answer.json()
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise InputError(f"{where}: expected a JSON object, found {printable(answer.text)}.")
    return value
