"""The scenes of the four TOML files, whose form `scene` describes.

The order of the chains decides what a seed draws."""

import tomllib
from pathlib import Path

from msgspec import convert

from agentdyno_bench.tps.tasks.scenes.scene import Scene


def _read(name: str) -> dict[str, Scene]:
    written = tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))
    return {scene.name: scene for scene in convert(written["scene"], list[Scene])}


SMALL = _read("small")
CHAINS = _read("chains")
CLOSINGS = _read("closings")
PURPOSES = _read("purposes")


def small_for(test: bool) -> list[str]:
    """Small scenes of the tests, or of the training: every other one by name, none in both."""
    return sorted(SMALL)[0 if test else 1 :: 2]


def chains_for(test: bool) -> list[str]:
    """Chains of the tests, or of the training."""
    return [name for name, scene in CHAINS.items() if scene.held_out == test]


def closings_for(test: bool) -> list[str]:
    """Closings of the tests, or of the training."""
    return [name for name, scene in CLOSINGS.items() if scene.held_out == test]


def outcome_words(chains: list[str]) -> str:
    """Words for the outcomes of these chains, for the last sentence."""
    called = {name: CHAINS[name].outcome for name in chains}
    words = [phrases[chains.count(name) > 1] for name, phrases in called.items() if phrases]
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


__all__ = [
    "CHAINS",
    "CLOSINGS",
    "PURPOSES",
    "SMALL",
    "chains_for",
    "closings_for",
    "outcome_words",
    "small_for",
]
