"""Any OpenAI-compatible server of completions: prompts as token ids, no early end.

The server must take token ids as prompts and `ignore_eos`, as vLLM and SGLang do: an answer that is
shorter than asked would time nothing, so it is an error.
"""

import os
from collections.abc import Sequence
from typing import Any

from agentdyno.probes.calibration.engine import Engine
from agentdyno.records import InputError, printable

KEY_VARIABLE = "OPENAI_API_KEY"
TIMEOUT_SECONDS = 600.0


class EndpointEngine(Engine):
    """A server behind an address."""

    def __init__(self, url: str, model: str, vocabulary: int, keeps_prefixes: bool = True) -> None:
        try:
            import httpx
        except ImportError:
            raise InputError(
                "--endpoint: expected the package httpx, found none. Install it: pip install httpx"
            ) from None
        key = os.environ.get(KEY_VARIABLE)
        self._errors: Any = httpx.HTTPError
        self._client = httpx.AsyncClient(
            base_url=url.rstrip("/"),
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=TIMEOUT_SECONDS,
            limits=httpx.Limits(max_connections=256),
        )
        self._url, self._model = url, model
        self.vocabulary, self.keeps_prefixes = vocabulary, keeps_prefixes

    async def generate(self, prompt: Sequence[int], tokens: int) -> list[int]:
        """Ask for exactly this many tokens; the ids themselves are not needed."""
        body = {
            "model": self._model,
            "prompt": list(prompt),
            "max_tokens": tokens,
            "min_tokens": tokens,
            "ignore_eos": True,
            "temperature": 1.0,
        }
        try:
            answer = await self._client.post("/completions", json=body)
            answer.raise_for_status()
            said = answer.json()
        except (self._errors, ValueError) as error:
            raise InputError(
                f"{printable(self._url)}: expected an OpenAI-compatible server of completions; "
                f"found: {printable(str(error), 200)}"
            ) from None
        made = (
            (said.get("usage") or {}).get("completion_tokens") if isinstance(said, dict) else None
        )
        if made != tokens:
            raise InputError(
                f"{printable(self._url)}: expected {tokens} generated tokens, found {made}: the "
                "server must take `ignore_eos`."
            )
        return [0] * tokens

    def close(self) -> None:
        """Connections close with the event loop."""
