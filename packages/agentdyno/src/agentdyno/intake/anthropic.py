"""Anthropic content blocks into builder events, for the formats that are made of them.

Takes decoded blocks, in order, returns parts and calls in a `TrajectoryBuilder`. Knows nothing
of files, of requests or of how a format finds out which lines belong together.

Thinking: the API takes it back within a tool loop. Claude models before Opus 4.5 and version 4.6
lose it at the next prompt: behind a 323-token answer of Sonnet 4.5 (about 200 of them thinking)
the context was seen to grow by 146 tokens, behind an answer of Opus 4.5 by thinking and text.

Server-side tools: call and result stand in one response, and the reported input tokens count
every inner sampling, so the result stands in the context of the very turn that asked for it.
"""

import re
from functools import lru_cache
from typing import Any

from msgspec import Struct

from agentdyno.intake.anthropic_results import error_of, is_refusal, references, result_text
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.texts import compact_json, whole
from agentdyno.records import read_reported
from agentdyno.records.problems import printable_name


class Block(Struct, gc=False):
    """A content block of any type; only what some type needs is read."""

    type: str = "text"
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    input: Any = None
    tool_use_id: str | None = None
    content: Any = None
    is_error: bool | None = None
    tool: Any = None


Content = str | list[Block | str] | None
"""Content of a message: text, or blocks."""


class OutputDetails(Struct, gc=False):
    """Finer counts of what was generated."""

    thinking_tokens: int | None = None


class CacheCreation(Struct, gc=False):
    """Tokens written to the cache, by how long they are to be kept."""

    ephemeral_5m_input_tokens: int | None = None
    ephemeral_1h_input_tokens: int | None = None


class ServerToolUse(Struct, gc=False):
    """Uses of the provider's own tools."""

    web_search_requests: int | None = None


class Usage(Struct, gc=False):
    """Token counts of one response; `input_tokens` leaves out what the cache took or gave."""

    input_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_creation: CacheCreation | None = None
    output_tokens: int | None = None
    output_tokens_details: OutputDetails | None = None
    service_tier: str | None = None
    speed: str | None = None
    inference_geo: str | None = None
    server_tool_use: ServerToolUse | None = None


def cache_miss_reason(diagnostics: Any) -> str | None:
    """Why the cache was missed, in the provider's word (beta `cache-diagnosis`); None where it
    found no difference or was not asked."""
    miss = diagnostics.get("cache_miss_reason") if isinstance(diagnostics, dict) else None
    word = miss.get("type") if isinstance(miss, dict) else None
    return printable_name(word, 40) if isinstance(word, str) else None


def usage_fields(usage: Usage | None) -> dict[str, Any]:
    """Token counts as fields of a `Turn`; zero with an answer means that nobody counted."""
    if usage is None:
        return {}
    prompt, read, written, hour = count_prompt(usage)
    return {
        "prefill": read_reported(prompt),
        "cached_tokens": read,
        "cache_write_tokens": written,
        "cache_write_hour_tokens": hour,
        "service_tier": billing_terms(usage),
        "web_searches": count_searches(usage),
        "decode": read_reported(whole(usage.output_tokens) or None),
        "reasoning_tokens": read_thinking_tokens(usage),
    }


def count_prompt(usage: Usage) -> tuple[int | None, int | None, int | None, int | None]:
    """Tokens of the prompt, and how many of them were read from the cache, written to it, and
    written for an hour; None for each where nobody counted."""
    read, fresh = whole(usage.cache_read_input_tokens), whole(usage.input_tokens)
    written, hour = cache_writes(usage)
    prompt = None if fresh is None else fresh + (read or 0) + (written or 0)
    return (prompt, read, written, hour) if prompt else (None, None, None, None)


def count_searches(usage: Usage) -> int | None:
    """Web searches that are charged for."""
    used = usage.server_tool_use
    return None if used is None else whole(used.web_search_requests)


ANYWHERE = (None, "", "global", "not_available")
"""Values of `inference_geo` where a response was not kept to a region."""


def billing_terms(usage: Usage) -> str | None:
    """The service tier, with the speed and the region where these are charged for."""
    return _name_terms(usage.service_tier, usage.speed, usage.inference_geo)


@lru_cache(maxsize=64)
def _name_terms(tier: str | None, speed: str | None, geo: str | None) -> str | None:
    region = geo if geo not in ANYWHERE else None
    fast = speed if speed != "standard" else None
    extra_terms = [term for term in (fast, region) if term]
    usual = extra_terms and tier in (None, "standard")
    return "+".join(extra_terms if usual else [*filter(None, (tier,)), *extra_terms]) or None


def cache_writes(usage: Usage) -> tuple[int | None, int | None]:
    """Tokens written to the cache, and how many of them to be kept for an hour."""
    written, kinds = whole(usage.cache_creation_input_tokens), usage.cache_creation
    if kinds is None:
        return written, None
    hour = whole(kinds.ephemeral_1h_input_tokens)
    if written is None:
        minutes = whole(kinds.ephemeral_5m_input_tokens)
        if hour is not None or minutes is not None:
            written = (hour or 0) + (minutes or 0)
    return written, hour if hour is None or written is None else min(hour, written)


def read_thinking_tokens(usage: Usage | None) -> int | None:
    """Generated tokens that were thinking, where the response says so."""
    details = usage.output_tokens_details if usage is not None else None
    return whole(details.thinking_tokens) if details is not None else None


def as_blocks(content: Content) -> list[Block]:
    """Content as blocks, whichever way it was written."""
    if not content:
        return []
    if isinstance(content, str):
        return [Block(text=content)]
    return [Block(text=block) if isinstance(block, str) else block for block in content]


def is_thinking(block: Block) -> bool:
    """True for reasoning, readable or not."""
    return block.type in ("thinking", "redacted_thinking")


def is_call(block: Block) -> bool:
    return block.type.endswith("tool_use")


def is_result(block: Block) -> bool:
    return block.type.endswith("tool_result")


def arguments_of(block: Block) -> str:
    """The arguments of a call as JSON text; as they are when they are no JSON."""
    return compact_json({} if block.input is None else block.input)


class BlockWriter:
    """Writes blocks into a trajectory and follows which thinking is still sent."""

    def __init__(self, builder: TrajectoryBuilder) -> None:
        self.builder = builder
        self.thinking: list[int] = []
        self.loaded: set[str] = set()

    # What the model wrote -----------------------------------------------------------------------

    def answer(self, blocks: list[Block], thought: int | None = None) -> None:
        """Add the last turn's output; `thought` is the number of its thinking tokens."""
        seen = sum(map(is_thinking, blocks))
        if thought and not seen:
            self._think("", thought)
        for block in blocks:
            if is_thinking(block):
                self._think(block.thinking or "", thought if seen == 1 else None)
            elif is_call(block):
                self.builder.call(block.name or "", arguments_of(block), block.id)
            elif is_result(block):
                self._server_result(block)
            elif block.text:
                self.builder.text(block.text)

    def _think(self, text: str, tokens: int | None) -> None:
        self.thinking.append(self.builder.reasoning(text, tokens=tokens))

    def _server_result(self, block: Block) -> None:
        self.result(block)
        self.builder.given_within(len(self.builder.parts) - 1)

    # What the model was given -------------------------------------------------------------------

    def prompted(self, model: str | None) -> None:
        """Somebody asks something new; from here on some models do not see earlier thinking."""
        if self.thinking and not keeps_thinking(model or ""):
            self.builder.retire(self.thinking)
            self.thinking.clear()

    def ask(self, blocks: list[Block], model: str | None) -> None:
        """A user's message: results of tools, a prompt, or both."""
        if any(not is_result(block) for block in blocks):
            self.prompted(model)
        for block in blocks:
            if is_result(block):
                self.result(block)
            elif block.text:
                self.builder.user(block.text)

    def instruct(self, blocks: list[Block]) -> None:
        """A system prompt, or an addition to it."""
        for block in blocks:
            self.loaded.update(references(block.tool))
            if block.text:
                self.builder.system(block.text)

    def history(self, blocks: list[Block]) -> None:
        """An answer put into the context by the caller: cost, but no turn and no call."""
        for block in blocks:
            if is_thinking(block):
                self.thinking.append(self.builder.given("reasoning", block.thinking or ""))
            elif is_call(block):
                written = f"{block.name or ''} {arguments_of(block)}"
                self.builder.given("request", written, block.name)
            elif is_result(block):
                self.builder.given("result", result_text(block.content), block.name)
            elif block.text:
                self.builder.given("text", block.text)

    def result(self, block: Block) -> None:
        text = result_text(block.content)
        error = error_of(block.content, block.is_error, text)
        ran = not (block.is_error and is_refusal(text))
        self.loaded.update(references(block.content))
        self.builder.result(text, block.tool_use_id, error=error, executed=ran)


@lru_cache(maxsize=256)
def keeps_thinking(model: str) -> bool:
    """True when thinking of earlier prompts stays in the context; of unknown models, what is
    sent.
    """
    match = _CLAUDE.search(model)
    if not match:
        return True
    family = match[1] or match[4]
    version = (int(match[2]), int(match[3] or 0))
    return version >= (4, 6) or (family == "opus" and version >= (4, 5))


_FAMILY = "(opus|sonnet|haiku)"
_CLAUDE = re.compile(rf"claude-(?:{_FAMILY}-)?(\d)(?:[.-](\d{{1,2}}))?(?!\d)(?:-{_FAMILY})?")
