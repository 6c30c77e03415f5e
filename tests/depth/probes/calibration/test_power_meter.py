"""Watts through a stand-in for NVML: cards that draw, do not report, or cannot be asked."""

import asyncio
import sys
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agentdyno.cost.hardware import resolve_hardware
from agentdyno_depth.fitting.hardware_profiles import profile_text
from agentdyno_depth.probes.calibration import power_meter
from agentdyno_depth.probes.calibration.power_meter import CardPower, add_power, start_meter


class NvmlError(Exception):
    """As pynvml's NVMLError."""


def fake_nvml(*cards: Iterator[float] | None) -> SimpleNamespace:
    """The module with these cards: the watts of each by reading, None where it reports none."""

    def read(handle: int) -> int:
        watts = cards[handle]
        if watts is None:
            raise NvmlError("Not Supported")
        return round(1000 * next(watts))

    return SimpleNamespace(
        NVMLError=NvmlError,
        nvmlInit=lambda: None,
        nvmlShutdown=lambda: None,
        nvmlDeviceGetCount=lambda: len(cards),
        nvmlDeviceGetHandleByIndex=lambda place: place,
        nvmlDeviceGetName=lambda handle: f"Card {handle}".encode(),
        nvmlDeviceGetPowerUsage=read,
    )


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(power_meter, "REST_SECONDS", 0.0)
    monkeypatch.setattr(power_meter, "SECONDS_APART", 0.002)
    monkeypatch.setattr(power_meter, "IDLE_SECONDS", 0.02)


def meter_power(nvml: object, monkeypatch: pytest.MonkeyPatch) -> tuple[CardPower | None, str]:
    """What a meter finds over a piece of work, and what it reports."""
    monkeypatch.setitem(sys.modules, "pynvml", nvml)
    reported: list[str] = []
    meter = start_meter(reported.append)
    if meter is None:
        return None, reported[0]
    meter.read_idle()

    async def work() -> str:
        await asyncio.sleep(0.2)
        return "done"

    assert asyncio.run(meter.read_busy(work())) == "done"
    return meter.close(), ""


def draw(idle: float, *busy: float) -> Iterator[float]:
    """One reading when the card is found, ten while it waits, the rest under load in turn."""
    return chain(repeat(idle, 11), (watts for _ in range(10_000) for watts in busy))


def test_the_card_that_served_is_read_idle_and_under_load(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = fake_nvml(draw(60, 61), None, draw(120, 500, 600, 700))
    found, _ = meter_power(nvml, monkeypatch)
    assert (found.card, found.idle.watts) == ("Card 2", 120)
    assert found.busy == power_meter.Drawn(600, 500, 700)


def test_measured_watts_go_into_the_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, _ = meter_power(fake_nvml(draw(120, 500, 600, 700)), monkeypatch)
    sheet = resolve_hardware("h200-sxm")
    (tmp_path / "card.toml").write_text(profile_text(add_power(sheet, found)))
    measured = resolve_hardware(str(tmp_path / "card.toml"))
    assert (measured.idle_watts, measured.busy_watts_range) == (120, (500, 700))
    assert add_power(sheet, None) == sheet


def test_a_card_that_did_not_serve_says_nothing_of_the_load(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, _ = meter_power(fake_nvml(draw(60, 61)), monkeypatch)
    assert found is None


def test_cards_without_readings_give_no_meter_and_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    _, why = meter_power(fake_nvml(None), monkeypatch)
    assert why == "power not measured: no card here reports its draw"


def test_a_library_that_does_not_start_gives_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise NvmlError("Driver Not Loaded")

    nvml: Any = fake_nvml()
    nvml.nvmlInit = fail
    _, why = meter_power(nvml, monkeypatch)
    assert why == "power not measured: NVML does not start (Driver Not Loaded)"


def test_without_the_package_calibration_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    _, why = meter_power(None, monkeypatch)
    assert "pip install nvidia-ml-py" in why
