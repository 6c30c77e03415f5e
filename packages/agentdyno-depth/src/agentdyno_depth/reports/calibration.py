"""What a calibration found, on a terminal: each parameter with its interval, and the fit."""

import math
from collections.abc import Callable, Iterator

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agentdyno.cost.step_model import StepModel
from agentdyno.records import printable
from agentdyno.reports.numbers import percent
from agentdyno_depth.fitting.calibration import Calibrated
from agentdyno_depth.fitting.held_out import HeldOut


def print_calibration(
    console: Console,
    found: Calibrated,
    held_out: HeldOut | None,
    architecture: str,
    concurrency: int | None,
    out: str,
) -> None:
    """The parameters, the fit, and a warning where the machine was too noisy."""
    console.print(Text(f"{printable(architecture)}: what its steps take here", style="bold"))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, head in enumerate(("", "value", "95 % interval")):
        table.add_column(head, justify="right" if place else "left", no_wrap=True)
    for name, of, unit in list_parameters(found.model):
        table.add_row(name, *_cells(found, of, unit))
    console.print(table)
    console.print(Text(_fit(found, held_out)))
    if found.noisy:
        console.print(Text(_noise(found), style="bold yellow"))
    at_once = "" if concurrency is None else f", {concurrency} at once"
    console.print(Text(f"profile: {printable(out, 300)}{at_once}", style="dim"))


def _fit(found: Calibrated, held_out: HeldOut | None) -> str:
    if found.from_latencies:
        return (
            f"The fit misses the seconds of single turns by {percent(found.error)} on average. "
            "They are seconds of waiting at the provider's unknown load, not GPU-seconds."
        )
    missed = _describe(held_out)
    if found.noise is None:
        return (
            f"{missed}. Each burst was sent once: the scatter is unknown, and also whether "
            "something else ran meanwhile."
        )
    return f"{missed}; repetitions of one burst lie {percent(found.noise)} apart."


def _describe(held_out: HeldOut | None) -> str:
    if held_out is None:
        return "No burst could be left out of the fit, so how far it is off is not known"
    missed = f"It misses {held_out.bursts} bursts left out of the fit by {percent(held_out.error)}"
    if held_out.theory_error is None:
        return f"{missed} on average; without --hardware there is no theory to compare with"
    return f"{missed} on average, theory by the data sheet by {percent(held_out.theory_error)}"


def _noise(found: Calibrated) -> str:
    if found.from_latencies:
        return "Something else than tokens decides these latencies: do not trust the profile."
    return (
        "The machine was too noisy to be trusted: something else ran meanwhile. Measure "
        "again when it is idle."
    )


def _cells(found: Calibrated, of: "Reading", unit: str) -> tuple[str, str]:
    """A value and its interval; a rate whose seconds came out as none was too fast to be seen."""
    low, high = sorted((of(found.low), of(found.high)))
    value = of(found.model)
    if high > UNTOLD * low > 0:
        return "not known", f"{low:.1g} to {high:.1g} {unit}"
    if math.isinf(value):
        return "not seen", f"{low:.4g} {unit} or more" if math.isfinite(low) else "–"
    upper = f"{low:.4g} to {high:.4g}" if math.isfinite(high) else f"{low:.4g} or more"
    return f"{value:.4g} {unit}", upper


UNTOLD = 1000.0
"""Ends of an interval that lie further apart than this say that nothing is known."""
Reading = Callable[[StepModel], float]


def list_parameters(model: StepModel) -> Iterator[tuple[str, Reading, str]]:
    """What is printed of a step model: each name, how it is read off, and its unit."""

    def step(batch: float) -> Reading:
        return lambda m: 1e3 * float(m.decoding(np.array([batch]))[0])

    def prefill(tokens: float) -> Reading:
        return lambda m: _rate(tokens, float(m.mixed(np.array([tokens]))[0]))

    yield from ((f"decoding step, {batch:,.0f} in it", step(batch), "ms") for batch in model.tokens)
    longest = max(model.mixed_tokens or model.tokens)
    yield f"prefill, {longest:,.0f} tokens", prefill(longest), "tokens/s"
    yield (
        "reading the cache",
        lambda m: _rate(2e-9, m.read_seconds),
        "GB/s",
    )
    yield "a request on its way", lambda m: 1e3 * m.request_seconds, "ms"


def _rate(many: float, seconds: float) -> float:
    """Infinite where the seconds were too few to be seen."""
    return many / seconds if seconds > 0 else math.inf
