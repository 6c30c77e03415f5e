"""What an accelerator draws while it prefills, decodes or waits.

Takes `Hardware`; returns a range of watts for each. Measured watts of a profile go first; without
them it is a share of the board power, from and to:

- decoding 0.15 to 0.8 with one sequence, 0.5 to 0.98 with 64 and more, between them by the
  logarithm of the batch; 0.15 to 0.98 where the batch is not known. Set on 267 rows that ML.ENERGY
  published of half of its models; `bench/public_measurements.py` says how many of the other half's
  lie inside. `bench/serving` has an H200 under vLLM at 470 to 515 W with one request and at about
  650 W with 64 long or 200 short ones, Ma et al. (arXiv:2605.11999, 2026) one of 700 W at 137 to
  300 W, less than anybody else.
- prefilling 0.8 to 1: 0.97 to 1 in `bench/serving` with prompts that fill a step. That shorter ones
  draw no less than 0.8 is an assumption. Splitwise (Patel et al., ISCA 2024) states that decoding
  can run with less power than prefilling, without a figure that is used here.
- waiting 0.1 to 0.25: 0.17 to 0.19 in `bench/serving` with a model loaded, 0.11 before that; Vadari
  (arXiv:2605.23918) measured 26 to 66 W more once a card is in use, whatever its memory holds.

Worked, 700 W: 560 to 700 W in a prefill, 70 to 175 W waiting; decoding 105 to 560 W with one
sequence, 228 to 623 W with 8 (half way: log 8 is half of log 64), 350 to 686 W with 64.
"""

import math

from msgspec import Struct
from msgspec.structs import replace

from agentdyno.cost.hardware import Hardware

PREFILLING, DECODING, WAITING = (0.8, 1.0), (0.15, 0.98), (0.1, 0.25)
"""Shares of the board power, from and to."""
ALONE, FULL = (0.15, 0.8), (0.5, 0.98)
"""The same for decoding one sequence, and `FULL_BATCH` of them or more."""
FULL_BATCH = 64


class Watts(Struct, frozen=True):
    """A range."""

    low: float
    high: float


class Power(Struct, frozen=True):
    """What a card draws, by what it does."""

    prefill: Watts
    """Computing prompts."""
    decode: Watts
    """Decoding: reading weights and caches."""
    idle: Watts
    """Holding a model and waiting."""
    source: str
    board_watts: float | None = None
    """What shares are taken of; None where busy watts were measured."""

    def at(self, batch: float) -> "Power":
        """With so many sequences decoding at once, on average."""
        if self.board_watts is None:
            return self
        part = min(math.log(max(batch, 1.0)) / math.log(FULL_BATCH), 1.0)
        low, high = (
            self.board_watts * (alone + part * (full - alone))
            for alone, full in zip(ALONE, FULL, strict=True)
        )
        return replace(self, decode=Watts(low, high))


def widen(watts: tuple[float, float], doubt: tuple[float, float]) -> tuple[float, float]:
    """A range of watts over some time, where that time may be so many times what was computed.

    Both are seldom at their ends together, so their widths add up as independent errors do. Worked:
    2 to 8 with 0.8 to 1.25 is 5 / exp(hypot(ln 2.5, ln 1.25)) = 1.95 to 8.41.
    """
    low, high = watts
    if low <= 0:
        return watts
    middle = (low + high) / 2
    down = math.hypot(math.log(middle / low), math.log(doubt[0]))
    up = math.hypot(math.log(high / middle), math.log(doubt[1]))
    return middle * math.exp(-down), middle * math.exp(up)


def power_of(hardware: Hardware) -> Power | None:
    """None where neither the board power nor measured watts are known."""
    board, busy, idle = hardware.watts, hardware.busy_watts, hardware.idle_watts
    if busy is None and board is None:
        return None

    def scale_board(
        shares: tuple[float, float], measured: float | None, read: tuple[float, float] | None
    ) -> Watts:
        if measured is not None:
            return Watts(*(read or (measured, measured)))
        most = board if board is not None else busy or 0.0
        return Watts(shares[0] * most, shares[1] * most)

    known = [name for name, value in (("busy", busy), ("idle", idle)) if value is not None]
    stated = f"{' and '.join(known)} watts measured" if known else ""
    sheet = f"shares of the data sheet's {board:g} W" if board else f"shares of {busy:g} W"
    return Power(
        prefill=scale_board(PREFILLING, busy, hardware.busy_watts_range),
        decode=scale_board(DECODING, busy, hardware.busy_watts_range),
        idle=scale_board(WAITING, idle, hardware.idle_watts_range),
        source=", ".join(filter(None, (stated, sheet if len(known) < 2 else ""))),
        board_watts=None if busy is not None else board,
    )
