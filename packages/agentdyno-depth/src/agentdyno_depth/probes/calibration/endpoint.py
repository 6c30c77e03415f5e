"""Any OpenAI-compatible server, asked in the first way that it takes.

Takes an address; returns an engine. Ways to ask, from the exact to the rough:

- token ids to /completions with `ignore_eos`, as vLLM and SGLang take them,
- texts to /completions, the prompt's tokens as the server counts them, with and without
  `ignore_eos`, since some servers refuse fields that they do not know,
- texts to /chat/completions without it, the template's tokens counted with the rest.

Answers to texts may end before they are as long as was asked, and would time nothing then: other
texts are sent instead, and where those end early, too, the error says so.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from agentdyno.records import InputError, printable
from agentdyno_depth.probes.calibration.engine import EndedEarlyError, Engine

KEY_VARIABLE = "OPENAI_API_KEY"
TIMEOUT_SECONDS = 600.0
TRIED_TOKENS = 24
"""Tokens asked for when a way is tried: most servers that end early do so within these."""
_TEXT = (
    "river stone window apple yellow quiet north seven garden letter winter paper silver morning "
    "bridge copper singer valley ticket lemon orange rabbit candle forest mirror pepper sailor "
    "tunnel velvet wagon button castle dragon engine feather guitar hammer island jacket kettle"
)
WORDS = _TEXT.split()
"""What texts are made of; most are one token of most vocabularies."""


class Way(NamedTuple):
    """One way to ask for tokens."""

    name: str
    """Name of the way for the user."""
    path: str
    prompt: Callable[[Sequence[int], float], dict[str, object]]
    """The request's prompt, from token ids and the tokens that a word comes to."""
    counts: bool
    """Whether the prompt's tokens are known only from the answer."""
    lengthens: bool
    """Whether the request makes the server generate as many tokens as asked for, and no end
    before."""


def _text(ids: Sequence[int], tokens_a_word: float) -> str:
    many = max(round(len(ids) / tokens_a_word), 1)
    return " ".join(WORDS[ids[place % len(ids)] % len(WORDS)] for place in range(many))


def _of_text(ids: Sequence[int], tokens_a_word: float) -> dict[str, object]:
    return {"prompt": _text(ids, tokens_a_word)}


def _of_chat(ids: Sequence[int], tokens_a_word: float) -> dict[str, object]:
    return {"messages": [{"role": "user", "content": _text(ids, tokens_a_word)}]}


WAYS = (
    Way("token ids", "/completions", lambda ids, _: {"prompt": list(ids)}, False, True),
    Way("texts", "/completions", _of_text, True, True),
    Way("texts without ignore_eos", "/completions", _of_text, True, False),
    Way("texts of a chat", "/chat/completions", _of_chat, True, False),
)


class EndpointEngine(Engine):
    """A server behind an address."""

    keeps_prefixes = None

    def __init__(self, url: str, model: str, vocabulary: int) -> None:
        try:
            import httpx
        except ImportError:
            raise InputError(
                "--endpoint: expected the package httpx, found none. Install it: pip install httpx"
            ) from None
        key = os.environ.get(KEY_VARIABLE)
        self._failure: Any = httpx.HTTPError
        self._client = httpx.AsyncClient(
            base_url=url.rstrip("/"),
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=TIMEOUT_SECONDS,
            limits=httpx.Limits(max_connections=256),
        )
        self._url, self._model, self.vocabulary = url, model, vocabulary
        self.way = WAYS[0]
        self._tokens_a_word = 1.0
        self._counted: dict[tuple[int, ...], int] = {}
        self.version: str | None = None

    async def prepare(self) -> list[str]:
        """Find the way that this server takes; returns why the ways before it were not taken."""
        self.longest_tokens = await self._longest()
        properties = await self._ask_root("/props")
        slots = properties.get("total_slots")
        self.most_at_once = slots if isinstance(slots, int) and slots > 0 else None
        version = properties.get("build_info") or (await self._ask_root("/version")).get("version")
        self.version = printable(version, 60) if isinstance(version, str) else None
        refused: list[str] = []
        for self.way in WAYS:
            self.may_end = self.way.counts
            try:
                await self._try_way()
                return refused
            except EndedEarlyError as error:
                if self.way.counts:  # Another text may last.
                    return refused
                refused.append(f"{self.way.name}: {error}")
            except InputError as error:
                refused.append(f"{self.way.name}: {error}")
        raise InputError(
            f"{printable(self._url)}: expected an OpenAI-compatible server that generates as many "
            "tokens as it is asked for; every way was refused: " + " · ".join(refused)
        )

    async def generate(self, prompt: Sequence[int], tokens: int) -> list[int]:
        """Ask for exactly this many tokens; the ids themselves are not needed."""
        counts = await self._request(self.way.prompt(prompt, self._tokens_a_word), tokens)
        generated, read = counts.get("completion_tokens"), counts.get("prompt_tokens")
        if not isinstance(generated, int) or not isinstance(read, int):
            raise InputError("expected `usage` with the tokens read and generated, found none.")
        self._counted[tuple(prompt)] = read
        if generated != tokens:
            raise EndedEarlyError(
                f"{printable(self._url)}: expected {tokens} generated tokens, found {generated}: "
                "the server must take `ignore_eos` or `min_tokens`, or its answers must be longer."
            )
        return [0] * tokens

    def count_prompt(self, prompt: Sequence[int]) -> int:
        """Tokens of the prompt, as the server counted them where it was sent as a text."""
        return self._counted.get(tuple(prompt), len(prompt)) if self.way.counts else len(prompt)

    def close(self) -> None:
        """Connections close with the event loop."""

    async def _try_way(self) -> None:
        """One request; a text also shows how many tokens a word comes to."""
        self._tokens_a_word = 1.0
        ids = list(range(11, 11 + 3 * len(WORDS)))
        try:
            await self.generate(ids, TRIED_TOKENS)
        finally:
            self._tokens_a_word = max(self.count_prompt(ids) / len(ids), 0.1)

    async def _request(self, prompt: Mapping[str, object], tokens: int) -> Mapping[str, Any]:
        """The `usage` of an answer."""
        body = {
            "model": self._model,
            **prompt,
            "max_tokens": tokens,
            **({"min_tokens": tokens, "ignore_eos": True} if self.way.lengthens else {}),
            # A text whose answer was long enough once is to be so again.
            "temperature": 0.0 if self.way.counts else 1.0,
        }
        try:
            answer = await self._client.post(self.way.path, json=body)
            parsed = answer.json() if answer.is_success else None
        except (self._failure, ValueError) as error:
            raise InputError(f"found {type(error).__name__} {printable(str(error), 200)}") from None
        if parsed is None:
            raise InputError(
                f"found HTTP {answer.status_code} at {self.way.path}: {printable(answer.text, 200)}"
            )
        usage = parsed.get("usage") if isinstance(parsed, dict) else None
        return usage if isinstance(usage, dict) else {}

    async def _longest(self) -> int | None:
        """The served model's longest context, where the list of models says it: vLLM's does, and
        llama.cpp's gives that of one slot."""
        try:
            listed = (await self._client.get("/models")).json()["data"]
            own = next(model for model in listed if model.get("id") == self._model)
            longest = own.get("max_model_len") or (own.get("meta") or {}).get("n_ctx")
        except (self._failure, ValueError, KeyError, TypeError, AttributeError, StopIteration):
            return None
        return longest if isinstance(longest, int) else None

    async def _ask_root(self, path: str) -> Mapping[str, Any]:
        """What a server says of itself outside the OpenAI paths; empty where it says nothing."""
        try:
            answer = await self._client.get(self._url.rstrip("/").removesuffix("/v1") + path)
            root = answer.json() if answer.is_success else None
        except (self._failure, ValueError):
            return {}
        return root if isinstance(root, dict) else {}
