"""What is known: architectures with their gammas on a hardware, accelerators, prices.

Takes nothing, or a hardware, returns plain values that encode to JSON, for the verbs `arch` and
`hardware`. It measures nothing.
"""

from msgspec import Struct

from agentdyno.cost.architectures import (
    Architecture,
    frontier_moe,
    load_architectures,
    resolve_architecture,
)
from agentdyno.cost.gamma import GammaSource, gamma
from agentdyno.cost.hardware import (
    REFERENCE_HARDWARE,
    Hardware,
    load_hardware,
    load_profiles,
    resolve_hardware,
)
from agentdyno.measures.pte import gamma_of


class ArchitectureRow(Struct, frozen=True):
    """One architecture and what its cache costs to read on one hardware."""

    name: str
    """How `--arch` calls it."""
    family: str
    """The line of models it belongs to."""
    active_params: float
    """Parameters that take part in one token's forward pass, without embeddings: those of `gamma`
    by width."""
    paper_params: float
    """As the publisher prints them: those of `gamma_paper`."""
    total_params: float | None
    """All parameters; None when unknown."""
    layers: int
    full_attention_layers: int
    """Those that read the whole context."""
    window_layers: int
    """Those that read at most a window of it."""
    kv_bytes_per_token: float
    """Bytes by which the cache that is read grows with each token of context, at 16 bits."""
    gamma: float
    """From the real width of the cache, layers with a window left out."""
    gamma_window: float
    """The same for layers with a window, for context inside it."""
    window_tokens: int
    """The window; 0 without such layers."""
    chunked: bool
    """Whether that window starts anew with every chunk instead of sliding."""
    state_bytes: int
    """Bytes of a sequence's state in layers without a cache, however long the sequence is."""
    gamma_paper: float
    """By the paper's formula: what PTE are counted with unless `--gamma width` is chosen."""
    gamma_printed: float | None
    """As the paper's Table 3 prints it, for its reference hardware; None for models not in it."""
    gamma_source: GammaSource
    """`model` for a real architecture, `proxy` for the stand-in, `user` for a config.json."""
    hardware: str
    """The hardware these gammas hold for."""
    source: str
    paper_rows: tuple[str, ...] = ()
    """The rows of the paper's Table 3 that are this model."""
    aliases: tuple[str, ...] = ()
    """Other names that find it."""
    members: tuple[str, ...] = ()
    """The models a proxy is the median of."""


class HardwareRow(Struct, frozen=True):
    """One accelerator."""

    name: str
    """How `--hardware` calls it."""
    title: str | None
    peak_flops: float
    """Peak 16-bit FLOP/s by the row's convention."""
    convention: str
    """`sparse` when that peak counts structured sparsity, as the paper's reference does."""
    dense_peak_flops: float | None
    """Peak 16-bit FLOP/s without sparsity; None when not given."""
    peak_bytes_per_second: float
    hoi: float
    """FLOPs per byte, from the two peaks."""
    paper_hoi: float | None
    """As the paper prints it; None outside its table."""
    gamma_scale: float
    """Every gamma here, over the same gamma on the reference hardware."""
    source: str
    note: str | None
    """What to know before comparing."""


def list_architectures(hardware: str = REFERENCE_HARDWARE) -> list[ArchitectureRow]:
    """Every known architecture and the proxy, with gammas on one hardware."""
    device = resolve_hardware(hardware)
    rows = [_row(architecture, device, "model") for architecture in load_architectures().values()]
    return [*rows, _row(frontier_moe(), device, "proxy")]


def describe_architecture(arch: str, hardware: str = REFERENCE_HARDWARE) -> ArchitectureRow:
    """One architecture: a known name, or the path of a config.json."""
    resolved = resolve_architecture(None, arch)
    return _row(resolved.architecture, resolve_hardware(hardware), resolved.source)


def list_hardware() -> list[HardwareRow]:
    """Every known accelerator, the paper's five first."""
    return [_hardware_row(hardware) for hardware in load_hardware()]


def describe_hardware(name_or_path: str) -> HardwareRow:
    """One accelerator: a known name, or the path of a TOML file."""
    return _hardware_row(resolve_hardware(name_or_path))


class MeasuredRow(Struct, frozen=True):
    """One model whose steps were timed on a machine."""

    hardware: str
    """The profile, as `--hardware` takes it."""
    architecture: str
    engine: str | None
    """What served it; None where the profile does not say."""
    date: str | None
    """The day; None where the profile does not say."""
    error: float | None
    """Mean relative error on bursts that the fit left out; None where that is not known."""


def list_measured(name_or_path: str | None = None) -> list[MeasuredRow]:
    """The calibrations of the bundled profiles, or of one profile."""
    profiles = load_profiles() if name_or_path is None else [resolve_hardware(name_or_path)]
    return [
        MeasuredRow(
            profile.name,
            measurement.architecture,
            measurement.engine,
            measurement.date,
            measurement.held_out_error,
        )
        for profile in profiles
        for measurement in profile.measured
    ]


def _row(architecture: Architecture, hardware: Hardware, source: GammaSource) -> ArchitectureRow:
    gamma_value = gamma(architecture, hardware, source, "width")
    stand_in = architecture.stand_in
    return ArchitectureRow(
        name=architecture.name,
        family=architecture.family,
        active_params=architecture.active_params,
        paper_params=architecture.published_active_params or architecture.active_params,
        total_params=architecture.total_params,
        layers=architecture.layers,
        full_attention_layers=architecture.full_attention_layers,
        window_layers=architecture.window_layers,
        kv_bytes_per_token=architecture.kv_bytes_per_token,
        gamma=gamma_value.value,
        gamma_window=gamma_value.window_value,
        window_tokens=gamma_value.window_tokens,
        chunked=gamma_value.chunked,
        state_bytes=architecture.state_bytes,
        gamma_paper=gamma_of(architecture, hardware.hoi),
        gamma_printed=architecture.paper_gamma,
        gamma_source=gamma_value.source,
        hardware=hardware.name,
        source=architecture.source,
        paper_rows=architecture.paper_rows,
        aliases=architecture.aliases,
        members=stand_in.members if stand_in is not None else (),
    )


def _hardware_row(hardware: Hardware) -> HardwareRow:
    return HardwareRow(
        name=hardware.name,
        title=hardware.title,
        peak_flops=hardware.peak_flops,
        convention=hardware.convention,
        dense_peak_flops=hardware.dense_peak_flops,
        peak_bytes_per_second=hardware.peak_bytes_per_second,
        hoi=hardware.hoi,
        paper_hoi=hardware.paper_hoi,
        gamma_scale=hardware.hoi / resolve_hardware().hoi,
        source=hardware.source,
        note=hardware.note,
    )
