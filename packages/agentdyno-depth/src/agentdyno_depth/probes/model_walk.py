"""Watches a causal model compute a few tokens, and says where its parts are.

Takes a Hugging Face model, on any device, the meta device included; returns which modules ran and
how often, the list of its layers, the final norm and the cache it filled. It knows no family: what
differs between families shows in what they call. Experts are stood in for by their input, because
which of them run depends on numbers that the meta device does not have.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from msgspec import Struct
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from agentdyno.records import InputError

TOKENS = 16
"""Enough for a convolution's state to fill, and few enough to cost nothing."""
CHUNK = 64
"""Linear attention computes in pieces of so many tokens: work is measured at multiples of it, or of
what a model states."""


class Walk(Struct, frozen=True):
    """Modules that a model called while it computed a few tokens."""

    layers: nn.ModuleList
    """Its layers in order; what each puts out is a state."""
    decoder: nn.Module
    """The module that turns token ids into states: it owns the layers, and computes no logits."""
    norm: nn.Module
    """What ran last between the layers and the unembedding."""
    calls: dict[nn.Module, int]
    """How often each module ran; a shared block runs several times."""
    experts: dict[nn.Module, int]
    """Modules that hold routed experts, with how many of them one token uses."""
    caches: list[Any]
    """What the library keeps per layer with a cache, as it keeps it."""
    other_states: int
    """Bytes of states that the cache keeps outside of its layers."""


class Work(Struct, frozen=True):
    """FLOPs of one module, routed experts left out."""

    token: float
    pair: float
    """Of each pair of tokens, as attention without a mask computes it."""


def walk_model(model: Any) -> Walk:
    """Run the model once over a few tokens, and find its parts by what ran."""
    head = model.get_output_embeddings()
    calls: dict[nn.Module, int] = {}
    order: list[nn.Module] = []

    def note(module: nn.Module, *_: Any) -> None:
        calls[module] = calls.get(module, 0) + 1
        order.append(module)

    handles = [module.register_forward_hook(note) for module in model.modules()]
    try:
        with torch.no_grad(), _without_experts(model) as experts:
            cache = _run(model)
    finally:
        for handle in handles:
            handle.remove()
    decoder, layers = _find_layers(model, calls)
    inside = {id(module) for module in layers.modules()}
    before = order[: order.index(head)] if head in calls else order
    after = _after(before, layers)
    outside = [m for m in after if id(m) not in inside and not list(m.children()) and m is not head]
    if not outside:
        raise InputError(
            f"{type(model).__name__}: expected a norm between layers and logits, found none."
        )
    return Walk(
        layers, decoder, outside[-1], calls, experts,
        list(getattr(cache, "layers", [])), _measure_other(cache),
    )  # fmt: skip


def measure_work(model: Any, piece: int = CHUNK) -> dict[str, Work]:
    """Work of every module, by its path from the model's class on, fitted to three lengths."""
    counts = []
    for tokens in (piece, 2 * piece, 3 * piece):
        with torch.no_grad(), _without_experts(model), FlopCounterMode(display=False) as counter:
            _run(model, tokens)
        flops_by_module = counter.get_flop_counts()
        counts.append({path: float(sum(ops.values())) for path, ops in flops_by_module.items()})
    flops_by_path = {path: [count.get(path, 0.0) for count in counts] for path in counts[-1]}
    return {path: _fit_work(piece, *flops) for path, flops in flops_by_path.items()}


def _fit_work(piece: int, first: float, second: float, third: float) -> Work:
    pair = (third - 2 * second + first) / (2 * piece**2)
    return Work((second - first) / piece - 3 * piece * pair, pair)


def measure_kept(model: Any) -> tuple[float, int]:
    """Bytes that the library keeps of each token, and of a sequence however long."""
    with torch.no_grad(), _without_experts(model):
        short, long = (_count_kept(_run(model, tokens), set()) for tokens in (TOKENS, 2 * TOKENS))
    token = (long - short) / TOKENS
    return token, round(short - TOKENS * token)


def _count_kept(value: Any, seen: set[int]) -> int:
    """Bytes of all tensors that a cache and its layers hold, under whichever names."""
    if id(value) in seen:
        return 0
    seen.add(id(value))
    if torch.is_tensor(value):
        return count_bytes(value) if value.dim() else 0
    if isinstance(value, dict | list | tuple):
        items = value.values() if isinstance(value, dict) else value
        return sum(_count_kept(item, seen) for item in items)
    kind = type(value)
    if kind.__module__.startswith("transformers") and not kind.__name__.endswith("Config"):
        return sum(_count_kept(item, seen) for item in vars(value).values())
    return 0


def _run(model: Any, tokens: int = TOKENS) -> Any:
    """The cache after a few tokens, under whichever name the model returns it."""
    device = model.get_input_embeddings().weight.device
    ids = torch.ones(1, tokens, dtype=torch.long, device=device)
    output = model(input_ids=ids, use_cache=True)
    cache = getattr(output, "past_key_values", None)
    return cache if cache is not None else getattr(output, "cache_params", None)


@contextmanager
def _without_experts(model: Any) -> Iterator[dict[nn.Module, int]]:
    """While the context is open, experts return their input and note how many a token would use."""
    used: dict[nn.Module, int] = {}
    replaced = [module for module in model.modules() if is_experts(module)]

    def stand_in(module: nn.Module) -> Any:
        def forward(hidden: Any, *rest: Any, **named: Any) -> Any:
            # The router hands over the chosen experts' numbers: tokens x experts per token.
            expert_ids = next((r for r in (*rest, *named.values()) if torch.is_tensor(r)), None)
            if expert_ids is not None:
                used[module] = int(expert_ids.shape[-1])
            return hidden

        return forward

    for module in replaced:
        module.forward = stand_in(module)
    try:
        yield used
    finally:
        for module in replaced:
            del module.forward


def is_experts(module: nn.Module) -> bool:
    """True for a module with the routed experts of a layer, one matrix each in stacked weights."""
    if not type(module).__name__.endswith("Experts"):
        return False
    return any(weight.dim() == 3 for weight in module.parameters(recurse=False))


def _find_layers(model: nn.Module, calls: dict[nn.Module, int]) -> tuple[nn.Module, nn.ModuleList]:
    """The list of modules with the most parameters of which every one ran, and who owns it."""
    candidates: list[tuple[int, nn.Module, nn.ModuleList]] = []
    for owner in model.modules():
        for child in owner.children():
            if isinstance(child, nn.ModuleList) and len(child) and all(m in calls for m in child):
                size = sum(weight.numel() for weight in child.parameters())
                candidates.append((size, owner, child))
    if not candidates:
        raise InputError(
            f"{type(model).__name__}: expected a list of layers, found none that runs."
        )
    _, owner, layers = max(candidates, key=lambda row: row[0])
    return owner, layers


def _after(order: list[nn.Module], layers: nn.ModuleList) -> list[nn.Module]:
    last = max(index for index, module in enumerate(order) if module is layers[-1])
    return order[last + 1 :]


def _measure_other(cache: Any) -> int:
    """States in lists of the cache itself, as a family with a cache class of its own keeps them."""
    named = vars(cache) if cache is not None else {}
    lists = [value for name, value in named.items() if name != "layers"]
    return sum(count_bytes(value) for value in lists)


def count_bytes(value: Any) -> int:
    """Bytes of all tensors in a value, its lists and its dictionaries."""
    if torch.is_tensor(value):
        return int(value.numel() * value.element_size())
    if isinstance(value, dict):
        value = list(value.values())
    return sum(count_bytes(item) for item in value) if isinstance(value, list | tuple) else 0
