"""A hardware profile: what a calibration found, as the TOML file that every verb takes.

Takes a `Calibrated` model and the machine it was measured on; returns `Hardware`, and its text. The
shares of the peaks that were reached carry over to models that were not measured.
"""

from datetime import UTC, datetime
from typing import Any

import msgspec
import numpy as np
from msgspec import structs

from agentdyno.cost.hardware import Hardware, Measured
from agentdyno.cost.shape import BYTES_PER_NUMBER, Architecture
from agentdyno.cost.step_model import Efficiency, StepModel
from agentdyno.records import InputError
from agentdyno_depth.fitting.calibration import Calibrated

FASTEST_SHARE = 1.0


def profile(
    name: str,
    shape: Architecture,
    found: Calibrated,
    engine: str,
    base: Hardware | None = None,
    chunk: int = 8192,
    held_out_error: float | None = None,
) -> Hardware:
    """The profile: a data sheet's peaks where one is given, else what was reached."""
    measured = _measured(shape, found, engine, chunk, held_out_error)
    flops, bandwidth = measure_peaks(shape, found.model)
    if base is None:
        base = Hardware(
            name=name,
            peak_flops=flops,
            dense_peak_flops=flops,
            peak_bytes_per_second=bandwidth,
            source=f"calibrated with {engine}: what was reached, not a data sheet's peaks",
        )
    return structs.replace(
        base,
        name=name,
        aliases=(),
        efficiency=efficiency(shape, found.model, base),
        measured=(*(m for m in base.measured if m.architecture != shape.name), measured),
    )


def waiting_profile(name: str, shape: Architecture, found: Calibrated, base: Hardware) -> Hardware:
    """A data sheet with what a provider's answers took: seconds of waiting at an unknown load. They
    stand beside the measured steps, not among them, so that no verb takes them for GPU-seconds."""
    waited = _measured(shape, found, "latencies of a ledger", 8192)
    others = tuple(w for w in base.waiting if w.architecture != shape.name)
    return structs.replace(base, name=name, aliases=(), waiting=(*others, waited))


def _measured(
    shape: Architecture,
    found: Calibrated,
    engine: str,
    chunk: int,
    held_out_error: float | None = None,
) -> Measured:
    return Measured(
        architecture=shape.name,
        steps=found.model,
        low=found.low,
        high=found.high,
        engine=engine,
        error=found.error if found.from_latencies else None,
        held_out_error=held_out_error,
        noise=found.noise,
        chunk=chunk,
        date=datetime.now(UTC).date().isoformat(),
    )


def measure_peaks(shape: Architecture, steps: StepModel) -> tuple[float, float]:
    """FLOP/s of the longest prefill, and bytes per second of the smallest decoding step that took
    any time: a fit on a busy machine may leave none for the first."""
    tokens = max(steps.mixed_tokens or steps.tokens)
    longest = float(steps.mixed(np.array([tokens]))[0])
    timed = ((n, s) for n, s in zip(steps.tokens, steps.seconds, strict=True) if s > 0)
    first = next(timed, None)
    if first is None or longest <= 0:
        raise InputError(
            "Expected decoding steps that take time, found none that do: the server answers too "
            "fast to be measured, or the machine is too busy. Calibrate on a quiet machine."
        )
    return (
        2 * shape.active_params * tokens / longest,
        BYTES_PER_NUMBER * shape.step_params(first[0]) / first[1],
    )


def efficiency(shape: Architecture, steps: StepModel, hardware: Hardware) -> Efficiency:
    """Which shares of a machine's peaks these steps reach; launches are in them."""
    flops, bandwidth = measure_peaks(shape, steps)
    peak = hardware.dense_peak_flops or hardware.peak_flops
    usual, share = Efficiency(), min(flops / peak, FASTEST_SHARE)
    return Efficiency(
        flops=share,
        expert_flops=share * usual.expert_flops / usual.flops,
        large_expert_flops=share * usual.large_expert_flops / usual.flops,
        bandwidth=min(bandwidth / hardware.peak_bytes_per_second, FASTEST_SHARE),
        cache_bandwidth=_share(
            BYTES_PER_NUMBER, steps.read_seconds * hardware.peak_bytes_per_second
        ),
        attention_flops=_share(1.0, steps.attend_seconds * peak),
        step_seconds=0.0,
        layer_seconds=0.0,
        request_seconds=steps.request_seconds,
    )


def _share(numerator: float, denominator: float) -> float:
    return min(numerator / denominator, FASTEST_SHARE) if denominator > 0 else FASTEST_SHARE


def profile_text(hardware: Hardware) -> str:
    """The profile as TOML; what is not set is left out."""
    table = msgspec.to_builtins(hardware)
    apart = ("efficiency", "measured", "waiting")
    plain = {k: v for k, v in table.items() if k not in apart and v not in (None, (), [])}
    lines = [f"{key} = {_value(value)}" for key, value in plain.items()]
    if table["efficiency"] is not None:
        lines += ["", "[efficiency]", *_lines(table["efficiency"])]
    for kind in ("measured", "waiting"):
        for one in table[kind]:
            flat = {k: v for k, v in one.items() if not isinstance(v, dict) and v is not None}
            lines += ["", f"[[{kind}]]", *_lines(flat)]
            for name in ("steps", "low", "high"):
                if one[name] is not None:
                    lines += ["", f"[{kind}.{name}]", *_lines(one[name])]
    return "\n".join(lines) + "\n"


def _lines(table: dict[str, Any]) -> list[str]:
    return [f"{key} = {_value(value)}" for key, value in table.items() if value is not None]


def _value(value: Any) -> str:
    if isinstance(value, str):
        return msgspec.json.encode(value).decode()
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(item) for item in value)}]"
    return f"{value:.10g}" if isinstance(value, float) and value else str(value)
