"""How far GPU-seconds were off where they were measured: the figures shown beside a number.

Takes where a number comes from; returns the error of that very model on the workloads of
`bench/serving`, or of a profile's own fit. The bundled figures are written by
`python bench/serving_study.py evidence` and checked against the rows.
"""

from collections.abc import Iterable
from functools import cache

import msgspec
from msgspec import Struct

from agentdyno.cost.physical import Serving
from agentdyno.cost.served import LoadSource
from agentdyno.cost.toml_files import read_bundled

THEORY = {16: "theory", 8: "theory, 8 bits", 4: "theory, 4 bits"}
"""By the bits of the weights: what was measured."""


class Evidence(Struct, frozen=True):
    """Workloads that ran on a card, against what was computed for them."""

    mean_error: float
    """Mean relative error of the makespan."""
    worst_error: float | None
    """The largest one; None where it is not known."""
    workloads: int | None
    """How many workloads; None for a profile's own bursts."""
    hardware: str
    """The card that they ran on."""
    engine: str
    """What served them."""

    def describe(self) -> str:
        """The error, to follow "such numbers were"."""
        if self.workloads is None:
            return f"{_percent(self.mean_error)} off on average on the profile's own bursts"
        worst = "" if self.worst_error is None else f", {_percent(self.worst_error)} at worst"
        return (
            f"{_percent(self.mean_error)} off on average{worst}, on {self.workloads} workloads of "
            f"{self.engine} on {self.hardware}"
        )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


@cache
def bundled_evidence() -> dict[str, Evidence]:
    """`theory`: replayed by data sheet, as it was predicted before the workloads ran, in 16, 8 and
    4 bits · `closed form`: the same without a replay."""
    return msgspec.convert(read_bundled("serving_evidence.toml"), dict[str, Evidence])


def worst_evidence(servings: Iterable[Serving]) -> Evidence | None:
    """The largest error among replayed models; None where one is not known."""
    found = [evidence_of(serving, "stated") for serving in servings]
    known = [each for each in found if each is not None]
    return max(known, key=lambda each: each.mean_error) if len(known) == len(found) > 0 else None


def evidence_of(serving: Serving, load: LoadSource) -> Evidence | None:
    """What is known of this number's error; None: nothing is."""
    if load == "closed form":
        return bundled_evidence()["closed form"]
    if serving.source == "measured":
        if serving.error is None:
            return None
        return Evidence(serving.error, None, None, "this machine", "its own server")
    return bundled_evidence()[THEORY[serving.architecture.precision.narrowest]]
