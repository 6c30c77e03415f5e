"""Accelerators against the PTE paper's Table 4, and a user's own."""

from pathlib import Path

import numpy as np
import pytest

from agentdyno.cost.engines import Engines, MeterOptions
from agentdyno.cost.hardware import (
    Hardware,
    Measured,
    load_hardware,
    load_profiles,
    resolve_hardware,
)
from agentdyno.cost.physical import gpu_seconds
from agentdyno.cost.serving_evidence import evidence_of
from agentdyno.cost.servings import Servings
from agentdyno.records import InputError
from tests.labelled import from_set

# Peak TFLOP/s, TB/s and HOI as Table 4 prints them.
TABLE_4 = {
    "h100-pcie": (1513, 2.00, 756.5),
    "h200": (1617, 4.80, 348.1),
    "a100": (624, 1.93, 322.5),
    "v100": (125, 0.90, 138.9),
    "rtx-4090": (330, 1.00, 327.4),
}


@pytest.mark.parametrize(("name", "row"), TABLE_4.items())
def test_the_papers_factors_are_used_and_its_quotient_is_only_noted(
    name: str, row: tuple[float, float, float]
) -> None:
    teraflops, terabytes, printed = row
    hardware = resolve_hardware(name)
    assert hardware.hoi == pytest.approx(teraflops / terabytes, rel=1e-9)
    assert hardware.paper_hoi == printed


def test_the_h200_row_of_the_paper_has_two_digits_swapped() -> None:
    assert resolve_hardware("h200").hoi == pytest.approx(336.875)
    assert resolve_hardware("h200-nvl").hoi == pytest.approx(348.125)


def test_the_reference_is_the_default() -> None:
    assert resolve_hardware().hoi == 756.5


@pytest.mark.parametrize("name", ["h100-sxm", "b200", "mi300x", "l40s", "H100 SXM", "h100_sxm"])
def test_other_accelerators_are_known_however_spelled(name: str) -> None:
    assert resolve_hardware(name).paper_hoi is None


def test_sparse_peaks_are_twice_the_dense_ones() -> None:
    for hardware in load_hardware():
        assert hardware.dense_peak_flops is not None
        factor = 2 if hardware.convention == "sparse" else 1
        ratio = hardware.peak_flops / hardware.dense_peak_flops
        assert ratio == pytest.approx(factor, rel=0.015)


MEASURED = [(profile, model) for profile in load_profiles() for model in profile.measured]


@pytest.mark.parametrize(
    ("profile", "model"), MEASURED, ids=[f"{p.name}-{m.architecture}" for p, m in MEASURED]
)
def test_a_bundled_profile_says_what_was_measured_and_serves_measure(
    profile: Hardware, model: Measured
) -> None:
    assert model.date is not None
    assert model.engine is not None
    assert model.error <= 0.2  # More is refused by `calibrate`.
    Engines(MeterOptions(hardware=profile.name))  # As `measure` builds them.
    serving = Servings(profile.name, concurrency=8).of(model.architecture)
    assert serving.source == "measured"
    evidence = evidence_of(serving, "stated")
    assert evidence.describe().endswith("% off on average on the profile's own bursts")
    one = gpu_seconds(serving, np.array([1000.0]), np.array([1000.0]), np.array([100.0]))
    assert 0 < float(one.total.sum()) < 60


def test_a_users_file_is_a_hardware(tmp_path: Path) -> None:
    path = tmp_path / "card.toml"
    path.write_text('name = "my-card"\npeak_flops = 500e12\npeak_bytes_per_second = 1.25e12\n')
    hardware = resolve_hardware(str(path))
    assert (hardware.name, hardware.hoi) == ("my-card", 400.0)


@from_set("metrics/cost/hardware", "text", "named")
def test_a_broken_file_is_refused_with_its_name(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "card.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"card\.toml") as caught:
        resolve_hardware(str(path))
    assert named in str(caught.value)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"No hardware 'h900'\. Known: .*h100-pcie.*PATH"):
        resolve_hardware("h900")


def test_a_missing_file_is_said_to_be_missing() -> None:
    with pytest.raises(InputError, match="No such file"):
        resolve_hardware("nowhere/card.toml")
