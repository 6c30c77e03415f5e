"""Which physical parameters stand for a model: its own as measured, or by theory.

Takes a hardware (a name or a profile), the `--arch` option and how the server is set up; returns a
`Serving` for any model's name. A profile's measured steps are used for the architecture they were
measured on; every other model gets theory, with the profile's own efficiency where it has one. A
model that is too large for one card gets the fewest cards that hold it, unless a number is stated:
then it is refused.
"""

from msgspec import Struct
from msgspec.structs import replace

from agentdyno.cost.architectures import AUTO, resolve_architecture
from agentdyno.cost.batching import EngineLimits
from agentdyno.cost.hardware import Hardware, resolve_hardware
from agentdyno.cost.memory import MemoryFit, fit_memory
from agentdyno.cost.physical import Serving
from agentdyno.cost.shape import Architecture
from agentdyno.cost.steps import theoretical_steps
from agentdyno.records import InputError, printable

SECONDS_PER_HOUR = 3600
CARDS = (1, 2, 4, 8, 16, 32, 64)
"""Numbers of cards that a model is spread over."""
DRAFT_SHARE = 0.1
"""Share of a step that drafting one token takes by default: a small draft model."""


class Speculation(Struct, frozen=True):
    """Speculative decoding: tokens are drafted cheaply and checked together."""

    drafted: int
    """Tokens drafted in a step."""
    accepted: float
    """Share of them that are accepted, each given that the one before was."""

    @property
    def tokens_per_step(self) -> float:
        """Tokens gained in a step. Worked: 3 drafted, 0.7 accepted: 1 + 0.7 + 0.49 + 0.343."""
        return float(sum(self.accepted**i for i in range(self.drafted + 1)))


def parse_speculation(text: str) -> Speculation:
    """`3:0.7`: three tokens drafted, 0.7 of them accepted."""
    count, colon, share = text.partition(":")
    try:
        speculation = Speculation(int(count), float(share))
    except ValueError:
        speculation = Speculation(0, -1.0)
    if not colon or not 1 <= speculation.drafted <= 16 or not 0 <= speculation.accepted <= 1:
        raise InputError(
            "--speculative: expected TOKENS:SHARE, the tokens drafted in a step (1 to 16) and the "
            f"share that is accepted (0 to 1), as in 3:0.7; found '{printable(text, 40)}'."
        )
    return speculation


class Servings:
    """Servings by model, each worked out once."""

    def __init__(
        self,
        hardware: str,
        arch: str = AUTO,
        concurrency: int | None = None,
        gpus: int | None = None,
        speculative: str | None = None,
    ) -> None:
        for name, value in (("concurrency", concurrency), ("gpus", gpus)):
            if value is not None and value < 1:
                raise InputError(f"--{name}: expected 1 or more, found {value}.")
        self.hardware = resolve_hardware(hardware)
        self.concurrency = concurrency or self.hardware.concurrency
        self.gpus = gpus
        self._speculation = parse_speculation(speculative) if speculative else None
        self._arch = arch
        self._known: dict[str | None, Serving] = {}

    def of(self, model: str | None) -> Serving:
        if model not in self._known:
            shape = resolve_architecture(model, self._arch).architecture
            serving = find_serving(shape, self.hardware, self.concurrency, self.gpus)
            self._known[model] = _speculate(serving, self._speculation)
        return self._known[model]

    @property
    def usd_per_second(self) -> float | None:
        """Price of a GPU-second; None where the profile gives no price."""
        hourly = self.hardware.usd_per_hour
        return None if hourly is None else hourly / SECONDS_PER_HOUR


def find_serving(
    shape: Architecture, hardware: Hardware, concurrency: int | None, gpus: int | None = None
) -> Serving:
    """Measured where this shape was measured on this hardware, else theory."""
    fit = _fit(shape, hardware, gpus)
    limits = EngineLimits(cache_tokens=fit.cache_tokens, sequence_tokens=fit.sequence_tokens)
    too_small = fit.describe(shape.name) if fit.is_too_small else None
    card = hardware.title or hardware.name
    measurement = next((m for m in hardware.measured if m.architecture == shape.name), None)
    if measurement is not None and fit.gpus == 1:
        limits = replace(limits, chunk=measurement.chunk)
        off = measurement.held_out_error
        return Serving(
            shape, measurement.steps, concurrency, "measured", limits, 1, too_small, off, card
        )
    steps = theoretical_steps(shape, hardware, hardware.efficiency, fit.gpus)
    source = "theory" if hardware.efficiency is None else "transferred"
    return Serving(shape, steps, concurrency, source, limits, fit.gpus, too_small, card=card)  # type: ignore[arg-type]


def _fit(shape: Architecture, hardware: Hardware, gpus: int | None) -> MemoryFit:
    """On so many cards, or on the fewest that hold the model."""
    tried = [fit_memory(shape, hardware, cards) for cards in ((gpus,) if gpus else CARDS)]
    return next((fit for fit in tried if not fit.is_too_small), tried[-1])


def _speculate(serving: Serving, speculation: Speculation | None) -> Serving:
    if speculation is None:
        return serving
    drafting = serving.steps.seconds[0] * DRAFT_SHARE * speculation.drafted
    limits = replace(
        serving.limits,
        tokens_per_step=speculation.tokens_per_step,
        drafted=speculation.drafted,
        draft_seconds=drafting,
    )
    return replace(serving, limits=limits)
