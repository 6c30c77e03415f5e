"""Reads values out of a Hugging Face `config.json`, and says which one is missing or wrong.

Takes a path or an already decoded object, returns a `ConfigReader` over the part that describes
the language model. Nothing of the file is executed; it does not know what the values mean.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from agentdyno.cost.quantization import Precision, read_precision
from agentdyno.records import InputError, printable, shortened
from agentdyno.regular_files import read_regular

LARGEST_BYTES = 10_000_000
"""A config is a few kilobytes; anything beyond this is another kind of file."""
LARGEST_VALUE = 10**9
"""No dimension comes near this; a larger one is a broken or hostile file."""

_NESTED = ("text_config", "llm_config", "language_config")
# What the published Gemma 3 files leave to the defaults of their model class.
_GEMMA3 = {
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "head_dim": 256,
    "vocab_size": 262208,
    "sliding_window": 4096,
    "sliding_window_pattern": 6,
}
_CLASS_DEFAULTS: dict[str, dict[str, int]] = {"gemma3": _GEMMA3, "gemma3_text": _GEMMA3}


class ConfigReader:
    """Typed access to one config; every error names the file and the key."""

    def __init__(self, config: Mapping[str, Any], label: str) -> None:
        candidates = (config.get(key) for key in _NESTED)
        nested = next((value for value in candidates if isinstance(value, Mapping)), None)
        outer = {} if nested is None else {"tie_word_embeddings": config.get("tie_word_embeddings")}
        self._values: dict[str, Any] = {**outer, **(config if nested is None else nested)}
        self.label = label
        self.decoded = config
        named = self._values.get("model_type") or config.get("model_type") or "unknown"
        self.model_type = printable(str(named), 60)
        self._stated = {**config, **self._values}
        self._defaults = _CLASS_DEFAULTS.get(self.model_type, {})

    @property
    def precision(self) -> Precision:
        """Bits of the weights and of the cache, stated beside the language model or inside it."""
        return read_precision(self._stated, self.label)

    def required(self, key: str) -> int:
        """A positive whole number that must be there."""
        value = self.optional(key)
        if value is None or value == 0:
            problem = "nothing" if value is None else "zero"
            raise InputError(
                f"{self.label}: expected a positive whole number at '{key}', found {problem}. "
                "Is this the config.json of a language model?"
            )
        return value

    def optional(self, key: str) -> int | None:
        """A whole number of at least zero, or None when the key is absent or null."""
        value = self._values.get(key)
        if value is None:
            return self._defaults.get(key)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST_VALUE:
            displayed = printable(repr(value), 40)
            raise InputError(
                f"{self.label}: expected a whole number at '{key}', found {displayed}."
            )
        return value

    def first(self, *keys: str) -> int | None:
        """The first of several keys that is there: names differ between families."""
        return next((value for key in keys if (value := self.optional(key)) is not None), None)

    def flag(self, key: str, default: bool) -> bool:
        """A truth value, or the default when the key is absent or of another type."""
        value = self._values.get(key)
        return value if isinstance(value, bool) else default

    def items(self, key: str) -> list[Any] | None:
        """A list, or None when the key is absent or of another type."""
        value = self._values.get(key)
        return value if isinstance(value, list) else None


def read_config(config: Path | str | Mapping[str, Any]) -> ConfigReader:
    """Open a config.json, the folder that holds one, or take a decoded object as it is."""
    if isinstance(config, Mapping):
        return ConfigReader(config, "config")
    path = Path(config)
    path = path / "config.json" if path.is_dir() else path
    label = shortened(path, 120)
    decoded = _decode(path, label)
    if not isinstance(decoded, dict):
        raise InputError(f"{label}: expected a JSON object, found {type(decoded).__name__}.")
    return ConfigReader(decoded, label)


def _decode(path: Path, label: str) -> Any:
    try:
        return msgspec.json.decode(read_regular(path, LARGEST_BYTES))
    except OSError as error:
        raise InputError(f"{label}: cannot be read ({error.strerror}).") from error
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise InputError(f"{label}: expected JSON, found {printable(str(error))}.") from error
