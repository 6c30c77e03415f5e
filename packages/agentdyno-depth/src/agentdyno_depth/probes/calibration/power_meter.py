"""What the cards of this machine draw, read through NVML while a calibration runs.

Takes what to run; returns watts of the card that served it, idle and under load. `pynvml` (package
nvidia-ml-py) is optional: without it, without a card or without readings the watts are unknown, and
a line says why. Of several cards, the one whose draw rose most served. Newer cards report a mean
over the last second, so nothing is read in the first seconds of waiting.
"""

import threading
import time
from collections.abc import Awaitable, Callable
from importlib import import_module
from statistics import median
from typing import Any, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from agentdyno.cost.hardware import Hardware
from agentdyno.records import printable

T = TypeVar("T")
SECONDS_APART = 0.1
"""Between readings."""
REST_SECONDS = 2.0
"""What a card gets to come to rest before its idle draw is read."""
IDLE_SECONDS = 3.0
"""How long the idle draw is read."""
FEWEST_READINGS = 5
RISE = 1.1
"""A card that draws less than this many times its idle watts under load did not serve."""
RANGE = (0.1, 0.9)
"""The quantiles of the readings that a range goes from and to."""


class Drawn(Struct, frozen=True):
    """Watts of one card while it did one thing."""

    watts: float
    """The median reading."""
    low: float
    """A tenth of the readings lie below."""
    high: float
    """A tenth of the readings lie above."""


class CardPower(Struct, frozen=True):
    """What one card drew in a calibration."""

    card: str
    """Its name, as the driver reports it."""
    idle: Drawn
    """With the model loaded and nothing to do."""
    busy: Drawn


class PowerMeter:
    """Readings of all cards, taken in a thread of its own."""

    def __init__(self, nvml: Any, cards: dict[str, Any]) -> None:
        self._nvml, self._cards = nvml, cards
        self.idle: dict[str, list[float]] = {name: [] for name in cards}
        self.busy: dict[str, list[float]] = {name: [] for name in cards}

    def read_idle(self) -> None:
        """Read what the cards draw while they wait."""
        time.sleep(REST_SECONDS)
        for _ in range(round(IDLE_SECONDS / SECONDS_APART)):
            self._read(self.idle)
            time.sleep(SECONDS_APART)

    async def read_busy(self, work: Awaitable[T]) -> T:
        """Await the work, and read what the cards draw meanwhile."""
        ended = threading.Event()

        def read_on() -> None:
            while not ended.wait(SECONDS_APART):
                self._read(self.busy)

        thread = threading.Thread(target=read_on, daemon=True)
        thread.start()
        try:
            return await work
        finally:
            ended.set()
            thread.join()

    def close(self) -> CardPower | None:
        """The card that served, None where none did; NVML is let go."""
        self._nvml.nvmlShutdown()
        found = [
            CardPower(name.partition(" ")[2], _describe(self.idle[name]), _describe(busy))
            for name, busy in self.busy.items()
            if min(len(busy), len(self.idle[name])) >= FEWEST_READINGS
        ]
        served = [one for one in found if one.busy.watts > RISE * one.idle.watts]
        return max(served, key=lambda one: one.busy.watts - one.idle.watts, default=None)

    def _read(self, into: dict[str, list[float]]) -> None:
        for name, handle in self._cards.items():
            try:
                watts = self._nvml.nvmlDeviceGetPowerUsage(handle) / 1000
            except self._nvml.NVMLError:
                continue  # One reading that fails is one fewer.
            if watts > 0:
                into[name].append(watts)


def add_power(hardware: Hardware, drawn: CardPower | None) -> Hardware:
    """The profile with the watts that were read while it was measured."""
    if drawn is None:
        return hardware
    return replace(
        hardware,
        idle_watts=drawn.idle.watts,
        idle_watts_range=(drawn.idle.low, drawn.idle.high),
        busy_watts=drawn.busy.watts,
        busy_watts_range=(drawn.busy.low, drawn.busy.high),
    )


def start_meter(report: Callable[[str], None]) -> PowerMeter | None:
    """A meter over the cards that report their draw; None, and why, where there is none."""
    try:
        nvml: Any = import_module("pynvml")
    except ImportError:
        report("power not measured: pynvml is not installed (pip install nvidia-ml-py)")
        return None
    try:
        nvml.nvmlInit()
    except nvml.NVMLError as error:
        report(f"power not measured: NVML does not start ({printable(str(error), 120)})")
        return None
    cards = dict(_list_cards(nvml))
    if not cards:
        nvml.nvmlShutdown()
        report("power not measured: no card here reports its draw")
        return None
    return PowerMeter(nvml, cards)


def _list_cards(nvml: Any) -> list[tuple[str, Any]]:
    """Names, each after its number, and handles of the cards whose draw can be read."""
    found = []
    try:
        for place in range(nvml.nvmlDeviceGetCount()):
            handle = nvml.nvmlDeviceGetHandleByIndex(place)
            try:
                nvml.nvmlDeviceGetPowerUsage(handle)
                name = nvml.nvmlDeviceGetName(handle)
            except nvml.NVMLError:
                continue
            text = name.decode(errors="replace") if isinstance(name, bytes) else str(name)
            found.append((f"{place} {printable(text, 60)}", handle))
    except nvml.NVMLError:
        return found
    return found


def _describe(readings: list[float]) -> Drawn:
    low, high = np.quantile(readings, RANGE)
    return Drawn(median(readings), float(low), float(high))
