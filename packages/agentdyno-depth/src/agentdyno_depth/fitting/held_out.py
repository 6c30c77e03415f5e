"""How far a calibration is off on bursts that it did not fit, beside theory.

Takes the bursts of a calibration; returns `HeldOut`, or None where nothing can be left out. Every
batch between the smallest and the largest is left out in turn, with all its bursts: what a profile
is asked for later are loads between those that were sent. The rest is fitted from the start (the
whole fit's end has seen what is left out), with fewer descents than that took, and the bursts left
out are replayed with what it finds and with theory. The error of a fit on its own bursts says
nothing of that.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from agentdyno.cost.replay import CHUNK_TOKENS
from agentdyno.cost.shape import Architecture
from agentdyno.cost.steps import StepModel
from agentdyno.records import InputError
from agentdyno_depth.fitting.calibration import (
    Burst,
    Unknowns,
    best_fit,
    fit_decoding,
    shortest_bursts,
)

STARTS = 2
"""Descents of each fit."""


class HeldOut(NamedTuple):
    """Mean absolute relative errors on bursts that were left out of the fit."""

    bursts: int
    """How many were left out, each once."""
    error: float
    """Of the fit to the others."""
    theory_error: float | None
    """Of theory, which was fitted to none of them; None without a data sheet."""


def hold_out(
    rows: Iterable[Burst],
    architecture: Architecture,
    theory: StepModel | None,
    chunk: int = CHUNK_TOKENS,
    recorded: int | None = None,
    keeps_prefixes: bool = True,
    least_read_seconds: float = 0.0,
) -> HeldOut | None:
    """Each batch in turn predicted from the others."""
    bursts = shortest_bursts(rows)
    fitted: list[float] = []
    expected: list[float] = []
    for batch in sorted({key[1] for key in bursts})[1:-1]:
        left_out = {key: seconds for key, seconds in bursts.items() if key[1] == batch}
        others = {key: seconds for key, seconds in bursts.items() if key[1] != batch}
        decoding = fit_decoding(others, architecture, least_read_seconds)
        rest = Unknowns(others, architecture, decoding, chunk, recorded, keeps_prefixes)
        model = rest.model(best_fit(rest, STARTS).x)
        for key, seconds in left_out.items():
            fitted.append(rest.replay(key, model) / seconds - 1)
            if theory is not None:
                expected.append(rest.replay(key, theory) / seconds - 1)
    if not fitted:
        return None
    theory_error = float(np.abs(expected).mean()) if expected else None
    return HeldOut(len(fitted), float(np.abs(fitted).mean()), theory_error)


def refuse_worse_than_theory(found: HeldOut | None) -> None:
    """No profile where the data sheet says more of bursts that neither was fitted to."""
    if found is None or found.theory_error is None or found.error <= found.theory_error:
        return
    raise InputError(
        f"On {found.bursts} bursts left out of the fit it is {found.error:.1%} off, theory by the "
        f"data sheet {found.theory_error:.1%}; expected it to be nearer than theory, so no profile "
        "was written. Use the data sheet as it is with --hardware, or measure again on an idle "
        "machine. --rows keeps the bursts to look at."
    )
