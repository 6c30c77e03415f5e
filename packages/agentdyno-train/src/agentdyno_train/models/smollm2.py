"""`agentdyno/smollm2`: the embedded model as an Inspect provider, in this process, offline.

Conversations that wait at the same time are decoded together. Tokens and times are the model's
own: the time of a call begins when its prompt is read, not when it was asked for. A call of 40
prompt tokens that waited 2 s and was decoded in 3 s takes 3 s, with 2 s in `queued_seconds`.
"""

import asyncio
import threading
from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelCall,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from agentdyno.records import InputError, printable
from agentdyno_bench.shared.models.replies import WrittenCall, answer
from agentdyno_depth.engines.chat import ChatMessage as PlainMessage
from agentdyno_depth.engines.chat import ChatTool, chat_ids, plain_messages
from agentdyno_depth.engines.smollm2 import load_smollm2
from agentdyno_train.models.batcher import Batcher, Continued, Request
from agentdyno_train.models.tool_prompt import WRITTEN, chat_of, read_calls, tools_of

DEFAULT_MAX_TOKENS = 512
"""Tokens of an answer when the request has no limit; small models often do not stop."""
WINDOW = 8192
"""Tokens that the model was made for."""
DTYPES = ("float32", "bfloat16")
"""The second is faster on processors that multiply it (prefill five times, with AMX), and answers
otherwise now and then."""


class SmolLM2API(ModelAPI):
    """The provider."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        dtype: str = "float32",
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        if dtype not in DTYPES:
            raise InputError(f"dtype: expected {' or '.join(DTYPES)}, found {printable(dtype)}.")
        self._dtype = dtype

    def max_connections(self) -> int:
        """Those beyond the batch wait in it."""
        return 256

    async def count_text_tokens(self, text: str) -> int:
        """By the model's own tokenizer."""
        return len(self._batcher().tokenizer.encode(text))

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput | tuple[ModelOutput | Exception, ModelCall]:
        """One answer."""
        batcher = await asyncio.to_thread(self._batcher)
        chat, offered = self._prompt(input, tools)
        ids = list(chat_ids(batcher.tokenizer, chat, offered))
        request = _request(ids, config, self._window())
        messages = plain_messages(chat, offered)
        if request.max_tokens < 1:
            return ModelOutput.from_content(
                self.model_name, "", "model_length", f"the context holds {self._window()} tokens"
            )
        reply = await asyncio.wrap_future(batcher.submit(request))
        return self._answer(reply, request, messages, input, bool(tools) and tool_choice != "none")

    def _batcher(self) -> Batcher:
        return load_embedded(self._dtype)

    def _window(self) -> int:
        return WINDOW

    def _prompt(
        self, input: Sequence[ChatMessage], tools: Sequence[ToolInfo]
    ) -> tuple[list[PlainMessage], list[ChatTool]]:
        """The chat and the tools, as the model is asked."""
        return chat_of(input), tools_of(tools)

    def _read(self, text: str, turn: int) -> tuple[str, list[WrittenCall], str]:
        """Text, calls and thought of what the model wrote."""
        return *read_calls(text, turn), ""

    def _answer(
        self,
        reply: Continued,
        request: Request,
        messages: list[dict[str, str]],
        input: list[ChatMessage],
        may_call: bool,
    ) -> tuple[ModelOutput, ModelCall]:
        turn = sum(message.role == "assistant" for message in input)
        text, calls, thought = self._read(reply.text, turn)
        if calls and not may_call:
            text, calls, thought = reply.text.strip(), [], ""
        generated, prompt_tokens = len(reply.tokens), len(request.prompt)
        reused = reply.reused_tokens
        usage = ModelUsage(
            input_tokens=prompt_tokens - (reused or 0),
            input_tokens_cache_read=reused,
            output_tokens=generated,
            total_tokens=prompt_tokens + generated,
        )
        ended = "max_tokens" if reply.finish == "max_tokens" else "tool_calls" if calls else "stop"
        output, exchange = answer(
            self.model_name,
            text,
            calls,
            usage,
            ended,  # type: ignore[arg-type]
            thought,
            request={"messages": messages},
            seconds=reply.seconds,
        )
        output.message.metadata = {WRITTEN: reply.text} if calls or thought else None
        if reply.seconds is not None:
            times = {
                "first_token_seconds": round(reply.first_token_seconds, 6),
                "queued_seconds": round(reply.queued_seconds, 6),
            }
            output.metadata = {"agentdyno": times}
        return output, exchange


LOADING = threading.Lock()


def load_embedded(dtype: str = "float32") -> Batcher:
    """The model of this process; concurrent first calls wait for the one that loads it."""
    with LOADING:
        return _load(dtype)


@lru_cache(maxsize=2)
def _load(dtype: str) -> Batcher:
    """The model, once for each process and type."""
    import torch

    model, tokenizer = load_smollm2(getattr(torch, dtype))
    return Batcher(model, tokenizer)


def _request(prompt: list[int], config: GenerateConfig, window: int) -> Request:
    room = window - len(prompt)
    return Request(
        prompt=prompt,
        max_tokens=min(config.max_tokens or DEFAULT_MAX_TOKENS, room),
        temperature=config.temperature or 0.0,
        top_p=1.0 if config.top_p is None else config.top_p,
        # Conversations with one seed would otherwise all sample alike.
        seed=crc32(repr(prompt).encode(), config.seed or 0),
        stop=tuple(config.stop_seqs or ()),
    )
