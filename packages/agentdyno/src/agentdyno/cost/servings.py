"""Which physical parameters stand for a model: its own as measured, or by theory.

Takes a hardware (a name or a profile), the `--arch` option and a concurrency; returns a `Serving`
for any model's name. A profile's measured steps are used for the architecture they were measured
on; every other model gets theory, with the profile's own efficiency where it has one.
"""

from agentdyno.cost.architectures import AUTO, resolve_architecture
from agentdyno.cost.hardware import Hardware, resolve_hardware
from agentdyno.cost.physical import DEFAULT_CONCURRENCY, Serving
from agentdyno.cost.shape import Architecture
from agentdyno.cost.steps import theoretical_steps
from agentdyno.records import InputError

SECONDS_PER_HOUR = 3600


class Servings:
    """Servings by model, each worked out once."""

    def __init__(self, hardware: str, arch: str = AUTO, concurrency: int | None = None) -> None:
        if concurrency is not None and concurrency < 1:
            raise InputError(f"--concurrency: expected 1 or more, found {concurrency}.")
        self.hardware = resolve_hardware(hardware)
        self.concurrency = concurrency or self.hardware.concurrency or DEFAULT_CONCURRENCY
        self._arch = arch
        self._known: dict[str | None, Serving] = {}

    def of(self, model: str | None) -> Serving:
        """The serving of a model."""
        if model not in self._known:
            shape = resolve_architecture(model, self._arch).architecture
            self._known[model] = find_serving(shape, self.hardware, self.concurrency)
        return self._known[model]

    @property
    def usd_per_second(self) -> float | None:
        """What a GPU-second costs; None where the profile gives no price."""
        hourly = self.hardware.usd_per_hour
        return None if hourly is None else hourly / SECONDS_PER_HOUR


def find_serving(shape: Architecture, hardware: Hardware, concurrency: int) -> Serving:
    """Measured where this shape was measured on this hardware, else theory."""
    own = next((m for m in hardware.measured if m.architecture == shape.name), None)
    if own is not None:
        return Serving(shape, own.steps, concurrency, "measured", own.chunk)
    steps = theoretical_steps(shape, hardware, hardware.efficiency)
    source = "theory" if hardware.efficiency is None else "transferred"
    return Serving(shape, steps, concurrency, source)  # type: ignore[arg-type]
