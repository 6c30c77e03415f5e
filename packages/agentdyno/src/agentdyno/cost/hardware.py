"""Accelerators, and how much arithmetic a byte of their memory traffic is worth.

Takes a name, or the path of a TOML file; returns `Hardware`. It knows nothing of models. A name may
end with the peak that shall count: `h200-sxm:dense`, `h200-sxm:sparse`.

HOI = peak FLOP/s / peak bytes/s, at 16 bits (PTE paper, Appendix A.2).
Worked: H100 PCIe, 1,513e12 / 2.0e12 = 756.5 FLOPs per byte.

A user's file describes one accelerator:

    name = "my-card"
    peak_flops = 500e12
    peak_bytes_per_second = 1.2e12
    source = "vendor's datasheet"
"""

import difflib
import math
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from agentdyno.cost.step_model import Efficiency, StepModel
from agentdyno.cost.toml_files import read_bundled, read_bundled_folder, read_toml
from agentdyno.measures.gamma import hoi
from agentdyno.records import InputError, printable, shortened

REFERENCE_HARDWARE = "h100-pcie"
"""The paper's reference, and the default everywhere."""

Positive = Annotated[float, Meta(gt=0)]


class Measured(Struct, frozen=True, forbid_unknown_fields=True):
    """One model's steps, timed on the accelerator."""

    architecture: str
    """The architecture's name in `agentdyno about architectures`, or its config.json's folder."""
    steps: StepModel
    low: StepModel | None = None
    """Their lower 95 % bounds."""
    high: StepModel | None = None
    """Their upper 95 % bounds."""
    engine: str | None = None
    """The software that served the model, with its version: vllm, an endpoint, transformers."""
    error: float | None = None
    """Mean relative error of the fit on its own bursts, which nothing prints."""
    held_out_error: float | None = None
    """Mean relative error on bursts that the fit left out; None where none were."""
    noise: float | None = None
    """How far repetitions of one burst lay apart; None where nothing was repeated."""
    chunk: int = 8192
    """The most tokens of one step."""
    date: str | None = None
    """The day it was measured; None in profiles from before that was written."""


class Hardware(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    """How the registry and the command line call it."""
    peak_flops: Positive
    """Peak 16-bit FLOP/s by the row's convention: the one that enters HOI."""
    peak_bytes_per_second: Positive
    """Peak bandwidth of the accelerator's memory."""
    source: str = "user"
    title: str | None = None
    convention: Literal["sparse", "dense"] = "dense"
    """`sparse` when `peak_flops` counts 2:4 structured sparsity, as the paper's reference does."""
    dense_peak_flops: Positive | None = None
    """Peak 16-bit FLOP/s without sparsity; None when not given."""
    paper_hoi: float | None = None
    """The HOI the paper prints; None outside its table. Shown, never used."""
    note: str | None = None
    """A caveat to read before comparing."""
    aliases: tuple[str, ...] = ()
    """Other names that find it."""
    memory_bytes: Positive | None = None
    """Its memory; None: whether a model fits is not known."""
    link_bytes_per_second: Positive | None = None
    """Bandwidth between cards, one way; None: that of a PCIe 4 slot."""
    eight_bit_speed: Positive = 1.0
    """How many times as fast it multiplies numbers of 8 bits as of 16."""
    usd_per_hour: Positive | None = None
    """Price of an hour; None: GPU-seconds have no price."""
    concurrency: Annotated[int, Meta(ge=1)] | None = None
    """Sequences it serves at once; None: the default of the physical cost."""
    efficiency: Efficiency | None = None
    """Shares of the peaks that were reached on it; None: those of the pilot."""
    measured: tuple[Measured, ...] = ()
    """Models whose steps were timed on it."""

    @property
    def hoi(self) -> float:
        """FLOPs per byte: the hardware operational intensity."""
        return hoi(self.peak_flops, self.peak_bytes_per_second)


Peak = Literal["own", "dense", "sparse"]
"""`own`: as the row gives it, the paper's · `dense`: without sparsity · `sparse`: with it."""


def resolve_hardware(name_or_path: str = REFERENCE_HARDWARE) -> Hardware:
    """A known accelerator, or the one a TOML file describes; its peak by the asked convention."""
    name, expected = _name(name_or_path)
    return with_peak(_resolve(name), expected)


def with_peak(hardware: Hardware, peak: Peak) -> Hardware:
    """The same accelerator with the other peak in its HOI; an error where there is none."""
    if peak in ("own", hardware.convention):
        return hardware
    if peak == "dense" and hardware.dense_peak_flops is not None:
        return replace(
            hardware,
            name=f"{hardware.name}:dense",
            peak_flops=hardware.dense_peak_flops,
            convention="dense",
        )
    if peak == "sparse" and hardware.dense_peak_flops in (None, hardware.peak_flops):
        missing = "a peak with sparsity: the chip has none, or the row does not give it"
    else:
        missing = "'dense_peak_flops'"
    raise InputError(f"{hardware.name}: expected {missing}; choose `--peak own`.")


def _name(name_or_path: str) -> tuple[str, Peak]:
    """`h200-sxm:dense` names the peak with the card; the choice then stands in every output."""
    name, colon, suffix = name_or_path.rpartition(":")
    if colon and suffix in ("dense", "sparse", "own"):
        return name, suffix  # type: ignore[return-value]
    return name_or_path, "own"


def _resolve(name_or_path: str) -> Hardware:
    bundled = _by_name().get(name_or_path.strip().lower().replace("_", "-").replace(" ", "-"))
    if bundled is not None:
        return bundled
    path = Path(name_or_path)
    if path.suffix == ".toml" or path.is_file():
        return _from_file(path)
    raise InputError(_unknown(name_or_path))


@cache
def load_hardware() -> tuple[Hardware, ...]:
    """The bundled accelerators, the paper's five first."""
    rows = read_bundled("hardware.toml")
    return tuple(msgspec.convert({"name": name, **row}, Hardware) for name, row in rows.items())


@cache
def load_profiles() -> tuple[Hardware, ...]:
    """The bundled calibrations: machines on which models were timed."""
    return tuple(msgspec.convert(table, Hardware) for table in read_bundled_folder("profiles"))


@cache
def _by_name() -> dict[str, Hardware]:
    rows = (*load_hardware(), *load_profiles())
    return {name: row for row in rows for name in (row.name, *row.aliases)}


def _from_file(path: Path) -> Hardware:
    table: dict[str, Any] = {"name": path.stem, "source": str(path), **read_toml(path)}
    try:
        hardware = msgspec.convert(table, Hardware)
    except msgspec.ValidationError as error:
        problem = f"{shortened(path, 120)}: {error}; see `agentdyno about hardware`."
        raise InputError(problem) from error
    if not (math.isfinite(hardware.hoi) and hardware.hoi > 0):
        raise InputError(
            f"{shortened(path, 120)}: expected finite peaks, found HOI {hardware.hoi}."
        )
    return hardware


def _unknown(name: str) -> str:
    names = [row.name for row in (*load_hardware(), *load_profiles())]
    near = difflib.get_close_matches(name.lower(), names, n=len(names), cutoff=0.0)
    return (
        f"No hardware '{printable(name, 60)}'. Known: {', '.join(near)}. "
        "Pass a TOML file with --hardware PATH."
    )
