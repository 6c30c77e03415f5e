"""How far GPU-seconds were off where they were measured, and whether this mechanism ever was.

Takes a serving; returns `Evidence`: the error of frozen predictions on workloads of the very same
mechanism (card, number of cards, kind of attention, experts, bits, speculation, what pushed out
prefixes), or that of the nearest one with what differs. Where the rows come from:
`docs/log/cost-and-serving.md`.
"""

from collections.abc import Callable, Iterable
from functools import cache

import msgspec
from msgspec import Struct

from agentdyno.cost.block_memory import Policy
from agentdyno.cost.physical import Serving
from agentdyno.cost.shape import Architecture
from agentdyno.cost.toml_files import read_bundled


class Mechanism(Struct, frozen=True):
    """Everything about a server that decides how its GPU-seconds come about."""

    card: str
    """The accelerator, by its full name."""
    gpus: int
    """Cards that a step runs on."""
    attention: str
    """`full`, `windows`, `latent`, `sparse` or `states`."""
    experts: bool
    """True for a mixture of experts."""
    bits: str
    """Of the narrowest weights: `16`, `8`, `8 in blocks` or `4`."""
    speculation: bool
    """True when tokens are drafted and checked."""
    policy: str
    """How prefixes were pushed out of memory; empty where none was."""


_WORDS: dict[str, Callable[[Mechanism], str]] = {
    "gpus": lambda m: f"{m.gpus} cards" if m.gpus > 1 else "one card",
    "card": lambda m: m.card or "an unknown card",
    "attention": lambda m: {"states": "layers with a state"}.get(
        m.attention, f"{m.attention} attention"
    ),
    "experts": lambda m: "experts" if m.experts else "no experts",
    "bits": lambda m: f"{m.bits.partition(' ')[0]} bits{m.bits.partition('8')[2]}",
    "speculation": lambda m: "speculative decoding" if m.speculation else "no speculation",
    "policy": lambda m: f"prefixes pushed out ({m.policy})" if m.policy else "nothing pushed out",
}
"""How each part of a mechanism is called."""
_WEIGHTS = {"experts": 4, "bits": 4, "attention": 3, "card": 3, "gpus": 2}
"""How much a difference matters when the nearest row is looked for; 1 where it is not here."""


class Evidence(Struct, frozen=True):
    """Workloads that ran on a card, against what was computed for them."""

    mean_error: float
    """Mean relative error of the makespan."""
    worst_error: float | None
    """The largest one; None where it is not known."""
    workloads: int | None
    """How many workloads; None for the bursts of a profile."""
    hardware: str
    """The card that they ran on."""
    engine: str
    differs: tuple[str, ...] = ()
    """The parts of the number's own mechanism that were never measured; empty: all were."""

    @property
    def is_measured(self) -> bool:
        """True when this very mechanism was measured."""
        return not self.differs

    def describe(self) -> str:
        """A sentence without its full stop."""
        if self.workloads is None:
            off = f"{_percent(self.mean_error)} off on average"
            error = f"{off} on bursts that the profile's fit left out"
        else:
            worst = "" if self.worst_error is None else f", {_percent(self.worst_error)} at worst"
            error = (
                f"{_percent(self.mean_error)} off on average{worst}, on {self.workloads} workloads "
                f"of {self.engine} on {self.hardware}"
            )
        if self.is_measured:
            return f"Such numbers were {error}"
        return f"Never measured: nearest evidence {error}; here {', '.join(self.differs)}"


class _Row(Struct, frozen=True):
    mechanism: Mechanism
    mean_error: float
    worst_error: float
    workloads: int
    engine: str


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


@cache
def bundled_evidence() -> tuple[_Row, ...]:
    """Every mechanism that was measured, with the errors of predictions frozen before the run."""
    return tuple(msgspec.convert(read_bundled("serving_evidence.toml")["measured"], list[_Row]))


def mechanism_of(serving: Serving, policy: Policy | None = None) -> Mechanism:
    """The mechanism behind a serving's numbers; `policy` where prefixes were evicted."""
    shape, precision = serving.architecture, serving.architecture.precision
    bits = f"{precision.narrowest}{' in blocks' if precision.blocks else ''}"
    return Mechanism(
        card=serving.card,
        gpus=serving.gpus,
        attention=_attention(shape),
        experts=bool(shape.experts) or shape.mixture_of_experts,
        bits=bits,
        speculation=serving.limits.drafted > 0,
        policy=policy or "",
    )


def _attention(shape: Architecture) -> str:
    if shape.index_dim:
        return "sparse"
    if shape.state_bytes or shape.full_attention_layers + shape.window_layers < shape.layers:
        return "states"
    if shape.latent_dim is not None:
        return "latent"
    return "windows" if shape.window_layers else "full"


def worst_evidence(servings: Iterable[Serving]) -> Evidence | None:
    """The least known among several models: one never measured, else the largest error."""
    return pick_worst([evidence_of(serving) for serving in servings])


def pick_worst(evidence: list[Evidence | None]) -> Evidence | None:
    """The weakest evidence; None where one of them has none, or there are none."""
    measured = [item for item in evidence if item is not None]
    if not measured or len(measured) < len(evidence):
        return None
    return max(measured, key=lambda each: (len(each.differs), each.mean_error))


def evidence_of(serving: Serving, policy: Policy | None = None) -> Evidence | None:
    """The measured error of this number's mechanism; None where none was measured."""
    if serving.source == "measured" and not policy and not serving.limits.drafted:
        if serving.error is None:
            return None
        return Evidence(serving.error, None, None, "this machine", "its own server")
    mechanism = mechanism_of(serving, policy)
    row = min(
        bundled_evidence(), key=lambda row: (_distance(mechanism, row.mechanism), row.mean_error)
    )
    differs = tuple(_WORDS[name](mechanism) for name in _differences(mechanism, row.mechanism))
    return Evidence(
        row.mean_error, row.worst_error, row.workloads, row.mechanism.card, row.engine, differs
    )


def _differences(mechanism: Mechanism, other: Mechanism) -> list[str]:
    names = Mechanism.__struct_fields__
    return [name for name in names if getattr(mechanism, name) != getattr(other, name)]


def _distance(mechanism: Mechanism, other: Mechanism) -> int:
    return sum(_WEIGHTS.get(name, 1) for name in _differences(mechanism, other))
