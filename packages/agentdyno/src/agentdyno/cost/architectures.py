"""The known architectures, and which one a model's name stands for.

Takes a model's name and the `--arch` option, returns an `Architecture` and how it was found. It
knows nothing of hardware or prices. The registry is read at the first question, not at import.

Closed models publish no shape. They get the proxy `frontier-moe`: for each quantity that enters
gamma, the median over the registry's mixtures of experts of at least 100B parameters, each shape
once. Gamma is linear in the hardware, so the proxy's gamma is the median of theirs on any hardware.
Worked, on the H100 PCIe: ten shapes, from 0.00076 (DeepSeek V3) to 0.00594 (GLM-4.5-Air); the fifth
and sixth are 0.002242 (Mixtral 8x22B) and 0.002856 (Qwen3-Coder): 0.002549.
"""

import difflib
import math
from functools import cache, lru_cache
from pathlib import Path
from statistics import median, median_high
from typing import Literal

from msgspec import Struct

from agentdyno.cost.hf_config import architecture_from_config
from agentdyno.cost.model_names import (
    WEIGHT_DECORATIONS,
    has_size,
    name_variants,
    only_a_nickname,
)
from agentdyno.cost.shape import Architecture, StandIn
from agentdyno.plugins import load_plugins
from agentdyno.records import InputError, printable

__all__ = [
    "AUTO",
    "PROXY",
    "Architecture",
    "ArchitectureSource",
    "ResolvedArchitecture",
    "StandIn",
    "architecture_from_config",
    "frontier_moe",
    "load_architectures",
    "match_architecture",
    "resolve_architecture",
]

GROUP = "agentdyno.architectures"
"""The entry points that name an `Architecture`, or several."""
AUTO = "auto"
"""The model's own architecture when its name is known, else the proxy."""
PROXY = "frontier-moe"
"""The name of the stand-in for closed models."""
LARGE_PARAMS = 100e9
"""From here on a mixture of experts counts as large."""

ArchitectureSource = Literal["model", "proxy", "user"]
"""`model`: found by the model's name · `proxy`: the stand-in · `user`: asked for."""


class ResolvedArchitecture(Struct, frozen=True):
    """An architecture, and how it came to be the one used."""

    architecture: Architecture
    """The shape."""
    source: ArchitectureSource


@lru_cache(maxsize=4096)
def resolve_architecture(model: str | None, arch: str = AUTO) -> ResolvedArchitecture:
    """The architecture that stands for a model: its own, the proxy, or the one the user asked
    for.
    """
    if arch == AUTO:
        matched = match_architecture(model) if model else None
        if matched is None:
            return ResolvedArchitecture(frontier_moe(), "proxy")
        return ResolvedArchitecture(matched, "model")
    if arch == PROXY:
        return ResolvedArchitecture(frontier_moe(), "proxy")
    literal = load_architectures().get(arch)
    if literal is None and _is_config(Path(arch)):
        return ResolvedArchitecture(architecture_from_config(arch), "user")
    named = literal or match_architecture(arch)
    if named is None:
        raise InputError(_unknown(arch))
    return ResolvedArchitecture(named, "user")


def _is_config(path: Path) -> bool:
    return path.suffix == ".json" or path.is_file() or (path / "config.json").is_file()


@cache
def load_architectures() -> dict[str, Architecture]:
    """Every known one by name: ours in the order of their file, then those of plug-ins. The proxy
    is not among them."""
    return load_plugins(GROUP, Architecture)[0]


@lru_cache(maxsize=4096)
def match_architecture(model: str) -> Architecture | None:
    """The registry's entry for a model's name however it is spelled; None for an unknown model."""
    if (exact_name := _whole_names().get(model.strip().lower())) is not None:
        return exact_name
    index = _index()
    variants = list(name_variants(model, WEIGHT_DECORATIONS))
    exact = next((index[tokens] for tokens in variants if tokens in index), None)
    return exact if exact is not None else _find_nickname(variants[-1])


@cache
def frontier_moe() -> Architecture:
    """The proxy for closed models, computed from the registry."""
    members = _large_mixtures()
    active = median(member.active_params for member in members)
    published = median(member.published_active_params or 0.0 for member in members)
    stand_in = StandIn(
        members=tuple(member.name for member in members),
        growing_numbers=active * median(m.growing_numbers / m.active_params for m in members),
        windowed_numbers=active * median(m.windowed_numbers / m.active_params for m in members),
        paper_numbers=published
        * median(m.paper_numbers / (m.published_active_params or math.inf) for m in members),
    )
    layers = median_high(member.layers for member in members)
    return Architecture(
        name=PROXY,
        family="proxy",
        layers=layers,
        full_attention_layers=layers,
        hidden_size=median_high(member.hidden_size for member in members),
        query_heads=median_high(member.query_heads for member in members),
        kv_heads=median_high(member.kv_heads for member in members),
        head_dim=median_high(member.head_dim for member in members),
        window_tokens=median_high(member.window_tokens for member in members),
        active_params=active,
        published_active_params=published,
        vocabulary=median_high(member.vocabulary for member in members),
        experts=median_high(member.experts for member in members),
        experts_per_token=median_high(member.experts_per_token for member in members),
        total_params=median(member.total_params or 0.0 for member in members),
        source=f"median of {len(members)} open mixtures of experts of 100B parameters or more",
        stand_in=stand_in,
    )


@cache
def _whole_names() -> dict[str, Architecture]:
    """Aliases with their provider: what only that provider calls so."""
    rows = load_architectures().values()
    pairs = [(alias, row) for row in rows for alias in row.aliases if "/" in alias]
    return dict(reversed(pairs))


@cache
def _index() -> dict[tuple[str, ...], Architecture]:
    """Tokens of every name and alias; a literal spelling wins over one stripped of decorations."""
    spellings = [
        (row, list(name_variants(spelling, WEIGHT_DECORATIONS)))
        for row in load_architectures().values()
        for spelling in (row.name, *row.aliases)
        if "/" not in spelling
    ]
    index: dict[tuple[str, ...], Architecture] = {}
    for row, variants in spellings:
        index.setdefault(variants[0], row)  # Ours come first, and keep their names.
    for row, variants in spellings:
        # Dates stay: `mistral-large-2407` must not answer for every Mistral Large.
        index.setdefault(variants[2], row)
    return index


def _find_nickname(tokens: tuple[str, ...]) -> Architecture | None:
    """A sized model followed by a deployment's or a fine-tune's own name: the shape is the same."""
    for length in range(len(tokens) - 1, 1, -1):
        head, tail = tokens[:length], tokens[length:]
        if head in _index():
            return _index()[head] if has_size(head) and only_a_nickname(tail) else None
    return None


def _large_mixtures() -> list[Architecture]:
    """Large mixtures of experts, one per shape: the releases of one model vote once. Only those
    entered by hand: a plug-in or a newly counted model must not change what closed models cost."""
    # Imported here: the table is read with it, and most verbs never ask.
    from agentdyno.cost.registry import LISTED

    distinct: dict[tuple[int, int, float, float], Architecture] = {}
    for row in LISTED:
        if row.mixture_of_experts and (row.total_params or 0.0) >= LARGE_PARAMS:
            shape = (row.layers, row.hidden_size, row.active_params, row.total_params or 0.0)
            distinct.setdefault(shape, row)
    return list(distinct.values())


def _unknown(name: str) -> str:
    names = [*load_architectures(), PROXY]
    near = difflib.get_close_matches(name[:60].lower(), names, n=8, cutoff=0.0)
    return (
        f"No architecture '{printable(name, 60)}'. Known: {', '.join(near)}, … "
        "Pass a config.json with --arch PATH."
    )
