"""PTE: what a trajectory costs the hardware, in prefilled tokens of the same model.

    PTE   = sum over turns of (prefill + gamma * context * decode)            section 3.2
    gamma = 2 * layers * d_model * HOI / active_params * kv_heads / query_heads    section 3.3
    HOI   = peak FLOP/s / peak bytes/s                                        appendix A.2

Source: Beyond Accuracy: Unveiling Inefficiency Patterns in Tool-Integrated Reasoning (arXiv
2604.05404). PTE ranks trajectories of one model and is never added over models: its unit is one
prefilled token of that model.

`trajectory` takes a gamma, a shape, or the name of a model and of its hardware. What it does not
know: windows that stop growing and the parts of a context, which `agentdyno.cost` has.

Errata: Qwen2.5-32B's head ratio is printed 1/2, its gamma needs 1/5; of DeepSeek's latent cache one
vector serves as key and value, so the factor 2 falls away; H200's HOI is printed 348.1 for
1617 / 4.80 = 336.9, and RTX 4090's 327.4 for 330 / 1.00 = 330.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from agentdyno.estimates.estimate import Estimate

Cache = Literal["evicted", "reported", "ideal"]
"""`evicted`: every turn prefills its whole context, the paper's · `reported`: what the provider did
not read from its cache · `ideal`: only the tokens new since the turn before."""
Form = Literal["paper", "width"]
"""`paper`: d_model * kv / q as the width of the cache · `width`: kv_heads * head_dim, as it is."""
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


class Shape(Protocol):
    """What gamma needs to know of a model: `cost.shape.Architecture` is one."""

    @property
    def paper_numbers(self) -> float: ...
    @property
    def growing_numbers(self) -> float: ...
    @property
    def active_params(self) -> float: ...
    @property
    def published_active_params(self) -> float | None: ...


class Turn(NamedTuple):
    """One model call."""

    context: float
    """Tokens in context before decoding starts: prompt, schemas, every earlier message."""
    decode: float
    """Tokens generated, reasoning included."""
    cached: float | None = None
    """Tokens of the context that the provider read from its cache; None where it does not say."""


def hoi(peak_flops: float, peak_bytes_per_second: float) -> float:
    """Hardware operational intensity, FLOPs per byte: the ridge of the roofline (appendix A.2).

    >>> hoi(1513e12, 2.0e12)  # H100 PCIe
    756.5
    """
    return peak_flops / peak_bytes_per_second


def count_numbers(layers: int, d_model: int, kv_heads: int, query_heads: int) -> float:
    """Cached numbers that one decoded token reads for each token of its context, by the paper:
    2 * layers * d_model * kv_heads / query_heads (section 3.3).

    >>> count_numbers(64, 5120, 8, 64)  # Qwen3-32B
    81920.0
    """
    return 2 * layers * d_model * kv_heads / query_heads


def count_numbers_by_width(layers: int, kv_heads: int, head_dim: int) -> int:
    """The same from the real width of the cache: 2 * layers * kv_heads * head_dim.

    >>> count_numbers_by_width(64, 8, 128)  # Qwen3-32B: its heads are wider than d_model / q
    131072
    """
    return 2 * layers * kv_heads * head_dim


def count_latent_numbers(layers: int, latent_dim: int, rope_dim: int) -> int:
    """The same with multi-head latent attention: layers * (latent + rope). The paper keeps its
    factor 2, although one vector serves as key and value.

    >>> count_latent_numbers(61, 512, 64)  # DeepSeek-V3.1
    35136
    """
    return layers * (latent_dim + rope_dim)


def gamma(numbers: float, hoi: float, active_params: float) -> float:
    """What reading one context token for one decoded token costs, in prefilled tokens: 16-bit
    numbers moved, at HOI FLOPs a byte, over the 2 * active_params FLOPs of a prefilled token.

    >>> round(gamma(81920, 756.5, 31.2e9), 6)  # Qwen3-32B on the H100; printed 0.00200
    0.001986
    """
    return numbers * hoi / active_params


def gamma_of(shape: Shape, hoi: float, form: Form = "paper") -> float:
    """Gamma of a model: by the paper's width and its published active parameters, or by the real
    width and active parameters without embeddings."""
    if form == "width":
        return gamma(shape.growing_numbers, hoi, shape.active_params)
    return gamma(shape.paper_numbers, hoi, shape.published_active_params or shape.active_params)


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
    >>> trajectory(turns, gamma=0.002, cache="ideal")  # the second prefills 1,500 - 1,200 = 300
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

    From counts alone `ideal` is a lower bound: what was dropped from the history and what is new
    are only known by their difference.
    """
    prefilled: list[float] = []
    before = 0.0
    for each in turns:
        if cache == "reported" and each.cached is None:
            return None
        held = {"evicted": 0.0, "reported": each.cached or 0.0, "ideal": before}[cache]
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
