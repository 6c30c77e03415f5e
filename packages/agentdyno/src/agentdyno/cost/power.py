"""What an accelerator draws while it prefills, decodes or waits.

Takes `Hardware`; returns a range of watts for each. Measured watts of a profile go first; without
them it is a share of the board power. Computing a prompt draws close to the board power, while
decoding, which waits for memory, runs as fast with half of it: Splitwise (Patel et al., ISCA 2024),
figures of A100 and H100; POLCA (Patel et al., ASPLOS 2024) has prompts at and above it. A card that
holds a model and waits draws a tenth to a quarter, by what vendors and clouds report of idle H100s.

Worked, 700 W: 560 to 700 W in a prefill, 280 to 560 W in decoding, 70 to 175 W waiting.
"""

from msgspec import Struct

from agentdyno.cost.hardware import Hardware

PREFILLING, DECODING, WAITING = (0.8, 1.0), (0.4, 0.8), (0.1, 0.25)
"""Shares of the board power, from and to."""


class Watts(Struct, frozen=True):
    """A range."""

    low: float
    """At least."""
    high: float
    """At most."""


class Power(Struct, frozen=True):
    """What a card draws, by what it does."""

    prefill: Watts
    """Computing prompts."""
    decode: Watts
    """Decoding: reading weights and caches."""
    idle: Watts
    """Holding a model and waiting."""
    source: str
    """Where the figures come from."""


def power_of(hardware: Hardware) -> Power | None:
    """None where neither the board power nor measured watts are known."""
    board, busy, idle = hardware.watts, hardware.busy_watts, hardware.idle_watts
    if busy is None and board is None:
        return None

    def between(shares: tuple[float, float], measured: float | None) -> Watts:
        if measured is not None:
            return Watts(measured, measured)
        most = board if board is not None else busy or 0.0
        return Watts(shares[0] * most, shares[1] * most)

    known = [name for name, value in (("busy", busy), ("idle", idle)) if value is not None]
    stated = f"{' and '.join(known)} watts as measured" if known else ""
    shares = "" if len(known) == 2 else f"shares of the board power of {board or busy:g} W"
    return Power(
        prefill=between(PREFILLING, busy),
        decode=between(DECODING, busy),
        idle=between(WAITING, idle),
        source=", ".join(filter(None, (stated, shares))),
    )
