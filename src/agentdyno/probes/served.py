"""Samples from any server that speaks OpenAI's HTTP API, for a local model to score.

Enter a prompt and how many responses are wanted, leave texts. Two ways: whole responses from
`/chat/completions`, or text that is continued from `/completions`, which alone allows to stop after
a prefix and to finish the kept samples later. The scoring model reads the texts with its own
tokenizer (`score_texts`): scores are exact where it is the model that is served, and an
approximation by a proxy where it is not. The HTTP library is imported when the first request is
made. Knows nothing of answers.
"""

import os
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

import numpy as np
from msgspec import Struct

from agentdyno.probes.loading import OpenModel
from agentdyno.probes.profiles import label_sequences
from agentdyno.probes.recording import TokenSequence
from agentdyno.records import InputError, printable
from agentdyno.records.depth import PAPER, Confidence, Thresholds
from agentdyno.records.thinking import PrefixScores

KEY_VARIABLE = "OPENAI_API_KEY"
ATTEMPTS = 4
RETRIED = (408, 409, 429, 500, 502, 503, 504)
TIMEOUT_SECONDS = 600.0
REACHED_SECONDS = 10.0
"""A server that takes longer to answer at all is not there."""


class Served(Struct, frozen=True):
    """A text that a server wrote."""

    text: str
    """What was generated."""
    ended: bool
    """Whether it stopped by itself and not at the limit."""


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
    """Passed on; servers may ignore it. None leaves it out."""


class Server:
    """An open connection."""

    def __init__(self, options: ServerOptions, client: Any = None) -> None:
        self._options = options
        self._client = client or _client(options.url)
        self._asked = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.close()

    def require_reachable(self) -> None:
        """`InputError` when nobody answers at the address; any answer will do."""
        import httpx

        try:
            self._client.get("models", timeout=REACHED_SECONDS)
        except httpx.TransportError as error:
            raise InputError(
                f"--server {printable(self._options.url)}: expected a server, found none that can "
                f"be reached ({printable(str(error), 150)}). Start it, or correct the address."
            ) from None

    def chat(self, turns: Sequence[dict[str, str]], n: int, max_tokens: int) -> list[Served]:
        """Whole responses to a conversation."""
        return self._gather("chat/completions", {"messages": list(turns)}, n, max_tokens)

    def complete(self, prompt: str, n: int, max_tokens: int) -> list[Served]:
        """Continuations of a text."""
        return self._gather("completions", {"prompt": prompt}, n, max_tokens)

    def _gather(self, path: str, ask: dict[str, Any], n: int, max_tokens: int) -> list[Served]:
        """Some servers give fewer choices than they are asked for: they are asked again."""
        found: list[Served] = []
        while len(found) < n:
            body = ask | self._settings(n - len(found), max_tokens)
            choices = self._posted(path, body).get("choices")
            if not isinstance(choices, list) or not choices:
                raise InputError(f"{self._options.url}/{path}: expected choices, found none.")
            found += [_served(choice) for choice in choices[: n - len(found)]]
        return found

    def _settings(self, n: int, max_tokens: int) -> dict[str, Any]:
        own = self._options
        settings = {
            "model": own.model,
            "n": n,
            "max_tokens": max_tokens,
            "temperature": own.temperature,
            "top_p": own.top_p,
        }
        if own.seed is not None:
            # Another number for every request, or a repeated one would give the same samples.
            settings["seed"] = own.seed + self._asked
        self._asked += 1
        return settings

    def _posted(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        import httpx

        for attempt in range(1, ATTEMPTS + 1):
            try:
                answer = self._client.post(path, json=body)
            except httpx.HTTPError as error:
                problem = f"{type(error).__name__} {error}"
            else:
                if answer.status_code == 200:
                    return _object(answer, f"{self._options.url}/{path}")
                problem = f"status {answer.status_code}: {answer.text}"
                if answer.status_code not in RETRIED:
                    break
            if attempt < ATTEMPTS:
                time.sleep(0.5 * 2**attempt)
        raise InputError(
            f"{self._options.url}/{path}: expected an answer, found {printable(problem, 300)}. "
            "Check --server and --server-model; a key is taken from the environment variable "
            f"{KEY_VARIABLE}."
        )


def score_texts(
    opened: OpenModel,
    prompts: Sequence[Sequence[int]],
    texts: Sequence[str],
    prefixes: Sequence[int | None],
    thresholds: Thresholds = PAPER,
) -> list[tuple[PrefixScores, ...]]:
    """The scores of every text at every prefix, by reading it with the model."""
    sequences = [
        TokenSequence(tuple(prompt), text_ids(opened, text))
        for prompt, text in zip(prompts, texts, strict=True)
    ]
    labelled = label_sequences(opened, sequences, [thresholds])
    return [
        tuple(_scores(own.deep[0], own.confidence, prefix) for prefix in prefixes)
        for own in labelled.labels
    ]


def text_ids(opened: OpenModel, text: str) -> tuple[int, ...]:
    """The text's tokens to the scoring model; an end token that the server left out is not one."""
    return tuple(opened.tokenizer(text, add_special_tokens=False)["input_ids"])


def _scores(
    deep: "np.typing.NDArray[np.bool_]", confidence: Confidence, prefix: int | None
) -> PrefixScores:
    tokens = len(deep[:prefix])
    if not tokens:
        return PrefixScores(prefix, 0, None, None, None, None)
    return PrefixScores(
        prefix=prefix,
        tokens=tokens,
        dtr=float(deep[:prefix].mean()),
        mean_log_prob=_mean(confidence.log_probs, prefix),
        entropy=_mean(confidence.entropies, prefix),
        self_certainty=_mean(confidence.self_certainties, prefix),
    )


def _mean(values: "np.typing.NDArray[np.float32]", prefix: int | None) -> float:
    return float(values[:prefix].astype(np.float64).mean())


def _client(url: str) -> Any:
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
        return httpx.Client(base_url=url, headers=headers, timeout=TIMEOUT_SECONDS)
    except httpx.InvalidURL as error:
        raise InputError(f"--server {printable(url)}: expected an address, {error}.") from None


def _served(choice: Any) -> Served:
    if not isinstance(choice, dict):
        return Served("", False)
    message = choice.get("message")
    text = message.get("content") if isinstance(message, dict) else choice.get("text")
    return Served(
        text=text if isinstance(text, str) else "", ended=choice.get("finish_reason") == "stop"
    )


def _object(answer: Any, where: str) -> dict[str, Any]:
    try:
        value = answer.json()
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise InputError(f"{where}: expected a JSON object, found {printable(answer.text)}.")
    return value
