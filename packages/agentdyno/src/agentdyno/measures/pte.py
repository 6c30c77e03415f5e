"""PTE: what a trajectory costs the hardware, in prefilled tokens of the same model.

    PTE = sum over turns of (prefill + gamma * context * decode)              section 3.2

Source: Beyond Accuracy: Unveiling Inefficiency Patterns in Tool-Integrated Reasoning (arXiv
2604.05404). PTE ranks trajectories of one model and is never added over models: its unit is one
prefilled token of that model.

`trajectory` takes a gamma, a shape, or the name of a model and of its hardware. What it does not
know: windows that stop growing and the parts of a context, which `agentdyno.cost` has.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeVar

from agentdyno.measures.gamma import (
    Form,
    Shape,
    count_latent_numbers,
    count_numbers,
    count_numbers_by_width,
    gamma,
    gamma_of,
    hoi,
)

if TYPE_CHECKING:
    from agentdyno.estimates.estimate import Estimate

__all__ = [
    "PRICE_RATIOS", "Cache", "Form", "Shape", "Turn", "count_latent_numbers", "count_numbers",
    "count_numbers_by_width", "count_prefilled", "find_gamma", "gamma", "gamma_of", "growth", "hoi",
    "name", "on_other_hardware", "rank_correlation", "reading", "token_price", "trajectory", "turn",
]  # fmt: skip

Cache = Literal["evicted", "observed", "reported", "kept"]
"""`evicted`: every turn prefills its whole context, the paper's · `observed`: what the provider did
not read from its cache, everything where it does not say · `reported`: the same, unknown where it
does not say · `kept`: only the tokens new since the turn before."""
REFERENCE = "h100-pcie"
"""The paper's reference hardware, HOI 756.5."""
PRICE_RATIOS = (1.0, 1.5, 3.0, 4.0)
"""Output over input: tokens alone, DeepSeek-V3.2, standard, GPT-4o (appendix G)."""


class Arithmetic(Protocol):
    """Numbers, numpy arrays, expressions of a table: whatever adds and multiplies."""

    def __add__(self, other: Any, /) -> Any: ...
    def __sub__(self, other: Any, /) -> Any: ...
    def __mul__(self, other: Any, /) -> Any: ...


T = TypeVar("T", bound=Arithmetic)


class Turn(NamedTuple):
    """One model call."""

    context: float
    """Tokens in context before decoding starts: prompt, schemas, every earlier message."""
    decode: float
    """Tokens generated, reasoning included."""
    cached: float | None = None
    """Tokens of the context that the provider read from its cache; None where it does not say."""


def trajectory(
    turns: Sequence[tuple[float, ...]],
    gamma: float | None = None,
    *,
    architecture: str | Shape | None = None,
    hardware: str = REFERENCE,
    form: Form = "paper",
    cache: Cache = "evicted",
    with_growth: bool = False,
) -> float | None:
    """PTE of a trajectory from its turns: (context, decode) or (context, decode, cached).

    Either `gamma` or an `architecture` says what decoding costs. None where the cache is to be as
    reported and a turn reports nothing.

    >>> turns = [(1000, 200), (1500, 300)]
    >>> trajectory(turns, gamma=0.002)  # 1,000 + 400 + 1,500 + 900
    3800.0
    >>> trajectory(turns, gamma=0.002, cache="kept")  # the second prefills 1,500 - 1,200 = 300
    2600.0
    """
    rate = find_gamma(architecture, hardware, form) if gamma is None else gamma
    known = [Turn(*each) for each in turns]
    prefilled = count_prefilled(known, cache)
    if prefilled is None:
        return None
    cost = sum(
        turn(prefill, each.context, each.decode, rate)
        for prefill, each in zip(prefilled, known, strict=True)
    )
    return float(cost + sum(growth(each.decode, rate) for each in known) if with_growth else cost)


def name(form: Form = "paper", cache: str = "evicted") -> str:
    """What a figure is called: PTE is the paper's gamma and cache, any other choice stands with it.

    >>> name(), name(cache="observed"), name("width")
    ('PTE', 'PTE (observed cache)', 'PTE (width)')
    """
    choices = ([] if form == "paper" else [form]) + (
        [] if cache == "evicted" else [f"{cache} cache"]
    )
    return f"PTE ({', '.join(choices)})" if choices else "PTE"


def turn(prefill: T, context: T, decode: T, gamma: T) -> T:
    """PTE of one turn (section 3.2); of many with arrays, or columns of a table.

    >>> turn(1000, 1000, 100, 0.002)
    1200.0
    """
    cost: T = prefill + reading(context, decode, gamma)
    return cost


def reading(context: T, decode: T, gamma: T) -> T:
    """What decoding reads of the context: gamma * context * decode."""
    cost: T = gamma * context * decode
    return cost


def growth(decode: T, gamma: T) -> T:
    """What the tokens decoded earlier in the same turn add: gamma * decode * (decode - 1) / 2.

    The paper freezes the context where decoding starts; 20,000 tokens of reasoning over a context
    of 500 cost 20,000 for the context and 399,980 for themselves at gamma 0.002.

    >>> round(growth(100, 0.002), 6)
    9.9
    """
    pairs: T = gamma * decode * (decode - 1) * 0.5
    return pairs


def count_prefilled(turns: Iterable[Turn], cache: Cache = "evicted") -> list[float] | None:
    """Tokens that each turn prefills; None where the cache is to be as reported and is not.

    From counts alone `kept` is a lower bound: what was dropped from the history and what is new
    are only known by their difference.
    """
    prefilled: list[float] = []
    before = 0.0
    for each in turns:
        if cache == "reported" and each.cached is None:
            return None
        held = {"evicted": 0.0, "kept": before}.get(cache, each.cached or 0.0)
        prefilled.append(max(each.context - held, 0.0))
        before = each.context + each.decode
    return prefilled


def on_other_hardware(pte: T, reading: T, scale: float) -> T:
    """The same cost where HOI, and with it gamma, is `scale` times as large (section 4.2): what was
    prefilled stays, what decoding read scales.

    >>> on_other_hardware(1200.0, 200.0, 0.5)
    1100.0
    """
    moved: T = pte + reading * (scale - 1)
    return moved


def rank_correlation(here: Sequence[float], there: Sequence[float]) -> "Estimate":
    """Spearman's rho of costs on two accelerators (Table 2: above 0.95 for all four)."""
    from agentdyno.estimates.correlation import spearman

    return spearman(here, there)


def token_price(context: T, decode: T, ratio: float = 1.0) -> T:
    """What PTE is compared with (appendix G): the whole context as input of every turn, and output
    at `ratio` times the price of input.

    >>> token_price(1000, 200, 4.0)
    1800.0
    """
    price: T = context + decode * ratio
    return price


def find_gamma(architecture: str | Shape | None, hardware: str, form: Form = "paper") -> float:
    """Gamma of a model and an accelerator, by name as `--arch` and `--hardware` take them."""
    # The registries lie above this layer and are looked at when somebody asks for a name.
    from agentdyno.cost.architectures import resolve_architecture
    from agentdyno.cost.hardware import resolve_hardware

    if architecture is None:
        raise ValueError("expected a gamma or an architecture, got neither")
    if isinstance(architecture, str):
        architecture = resolve_architecture(None, architecture).architecture
    return gamma_of(architecture, resolve_hardware(hardware).hoi, form)
