"""The vocabulary that counts a model's tokens, and whether it is the model's own.

Vocabularies come inside the splintr wheel, so counting needs no network. A closed model without a
public vocabulary (Claude, Gemini, Grok) is counted with the nearest one and flagged `estimated`.
"""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, Protocol

from msgspec import Struct

from agentdyno.records import InputError


class Vocabulary(Struct, frozen=True):
    """A vocabulary and how far its counts can be trusted for a model."""

    name: str
    """Name within splintr, or the path of a `tokenizer.json`."""
    source: Literal["counted", "estimated"]
    """`counted` when it is the model's own, `estimated` when it is a stand-in."""


FALLBACK = Vocabulary("o200k_base", "estimated")

# Tried in order on the model's name without its provider; the first that matches decides.
_RULES: list[tuple[str, str, Literal["counted", "estimated"]]] = [
    (r"gpt-?oss", "gpt_oss", "counted"),
    (r"gpt-?(4o|4\.1|4\.5|5)|chatgpt|\bo[134](-|$|\b)|codex", "o200k_base", "counted"),
    (r"gpt-?(4|3\.5)|text-embedding", "cl100k_base", "counted"),
    (r"llama-?3|llama-3", "llama3", "counted"),
    (r"llama-?2|vicuna|tinyllama", "llama2", "counted"),
    (r"code-?llama", "codellama", "counted"),
    (r"qwen|qwq|tongyi", "qwen3", "counted"),
    (r"deepseek.*(llama)", "llama3", "counted"),
    (r"deepseek", "deepseek_v3", "counted"),
    (r"glm-?4|glm-?5", "glm4", "counted"),
    (r"kimi|moonlight", "kimi_k2", "counted"),
    (r"gemma-?2", "gemma2", "counted"),
    (r"gemma", "gemma3", "counted"),
    (r"gemini", "gemma3", "estimated"),
    (r"nemo|pixtral|mistral-(small|medium|large)|\w+stral-", "mistral_v3", "counted"),
    (r"mistral|mixtral", "mistral_v2", "counted"),
    (r"phi-?4", "phi4", "counted"),
    (r"olmo-?2", "olmo2", "counted"),
]  # fmt: skip
_COMPILED = [(re.compile(pattern), Vocabulary(name, source)) for pattern, name, source in _RULES]


@lru_cache(maxsize=1024)
def vocabulary_of(model: str | None) -> Vocabulary:
    """The vocabulary that counts this model's tokens."""
    if not model:
        return FALLBACK
    name = model.lower().rsplit("/", 1)[-1]
    return next((vocabulary for pattern, vocabulary in _COMPILED if pattern.search(name)), FALLBACK)


class _Tokenizer(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...


class _FromFile:
    """A `tokenizer.json`, with the same face as splintr's vocabularies."""

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer

        try:
            self._inner = Tokenizer.from_file(str(path))
        except Exception as error:
            raise InputError(f"{path}: expected a tokenizer.json, found: {error}") from None

    def encode_ordinary(self, text: str) -> list[int]:
        ids: list[int] = self._inner.encode(text, add_special_tokens=False).ids
        return ids


@lru_cache(maxsize=8)
def load_tokenizer(name: str) -> _Tokenizer:
    """A tokenizer by vocabulary name or by path."""
    if name.endswith(".json"):
        return _FromFile(Path(name))
    from splintr import Tokenizer

    tokenizer: Any = Tokenizer.from_pretrained(name)
    loaded: _Tokenizer = tokenizer
    return loaded
