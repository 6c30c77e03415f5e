"""The words of stances, loaded once from `cues.toml`."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def cues() -> dict[str, Any]:
    """The file as it is."""
    return tomllib.loads((files(__package__) / "cues.toml").read_text("utf-8"))


@cache
def pattern(name: str) -> re.Pattern[str]:
    """One of the named patterns."""
    return re.compile(cues()["patterns"][name], re.IGNORECASE)


@cache
def pairs(name: str) -> list[tuple[list[str], list[str]]]:
    """Pairs of word lists that exclude each other, each pair both ways round."""
    found = [(left.split(), right.split()) for left, right in cues()[name]]
    return [*found, *((right, left) for left, right in found)]
