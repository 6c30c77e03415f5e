"""`-M KEY=VALUE` of a model: words of the command line in, values by name out."""

from typing import Any

import msgspec

from agentdyno.records.problems import InputError


def read_arguments(words: list[str]) -> dict[str, Any]:
    """Values by name; a value is JSON where it can be read as that."""
    given: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise InputError(f"-M {word}: expected KEY=VALUE, found no '='.")
        given[key] = _value(value)
    return given


def _value(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
