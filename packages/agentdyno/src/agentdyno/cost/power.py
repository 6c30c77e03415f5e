"""What an accelerator draws while it prefills, decodes or waits.

Takes `Hardware`; returns a range of watts for each. Measured watts of a profile go first; without
them it is a share of the board power, from and to:

- decoding 0.4 to 0.75 with one sequence, 0.75 to 0.95 with 64 and more, between them by the
  logarithm of the batch; 0.4 to 0.95 where the batch is not known. Ma et al. (arXiv:2605.11999,
  2026) measured 137 to 300 W on an H200 of 700 W, less than anybody else; ML.ENERGY's benchmark
  v3.0 has an H100 of 700 W at 300 W with one request and at 600 W with 128, as vLLM's semantic
  router cites it; `bench/serving` has an H200 under vLLM at 470 to 515 W with one request and at
  about 650 W with 64 long or 200 short ones.
- prefilling 0.8 to 1: 0.97 to 1 in `bench/serving` with prompts that fill a step. That shorter ones
  draw no less than 0.8 is an assumption. Splitwise (Patel et al., ISCA 2024) states that decoding
  can run with less power than prefilling, without a figure that is used here.
- waiting 0.1 to 0.25: 0.17 to 0.19 in `bench/serving` with a model loaded, 0.11 before that; Vadari
  (arXiv:2605.23918) measured 26 to 66 W more once a card is in use, whatever its memory holds.

Worked, 700 W: 560 to 700 W in a prefill, 70 to 175 W waiting; decoding 280 to 525 W with one
sequence, 402 to 595 W with 8 (half way: log 8 is half of log 64), 525 to 665 W with 64.
"""

import math

from msgspec import Struct
from msgspec.structs import replace

from agentdyno.cost.hardware import Hardware

PREFILLING, DECODING, WAITING = (0.8, 1.0), (0.4, 0.95), (0.1, 0.25)
"""Shares of the board power, from and to."""
ALONE, FULL = (0.4, 0.75), (0.75, 0.95)
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
