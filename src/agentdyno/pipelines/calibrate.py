"""Measures a machine and writes its hardware profile.

Takes what to measure with (an engine, an endpoint, or a ledger's latencies); returns the profile
and what is known of the fit. The profile is written whole or not at all.
"""

import asyncio
import csv
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl
from msgspec import Struct

from agentdyno.engines.smollm2 import NAME as EMBEDDED
from agentdyno.ledger.reader import Ledger
from agentdyno.metrics.cost.architectures import resolve_architecture
from agentdyno.metrics.cost.calibration import Burst, Calibrated, calibrate
from agentdyno.metrics.cost.hardware import Hardware, resolve_hardware
from agentdyno.metrics.cost.latency_fit import fit_latencies
from agentdyno.metrics.cost.profiles import profile, profile_text
from agentdyno.metrics.cost.shape import Architecture
from agentdyno.probes.calibration.engine import Engine
from agentdyno.probes.calibration.measuring import ALONE, SERVER, Plan, Row, measure
from agentdyno.records import InputError

EngineName = Literal["vllm", "transformers"]
Tell = Callable[[str], None]


class CalibrateOptions(Struct, frozen=True):
    """What to measure, and with what."""

    model: str = EMBEDDED
    """The embedded model, a folder with weights or a config.json, or an endpoint's model name."""
    engine: EngineName = "transformers"
    """What serves it, where no endpoint and no ledger is given."""
    device: str = "cpu"
    """Where transformers runs: cpu or cuda."""
    dummy: bool = False
    """Whether the model's shape is filled with random weights."""
    endpoint: str | None = None
    """The address of an OpenAI-compatible server."""
    ledger: Path | None = None
    """A ledger whose recorded latencies are fitted instead."""
    arch: str | None = None
    """The architecture, where the model's name does not say it."""
    hardware: str | None = None
    """The data sheet that the profile starts from; None: what was reached."""
    name: str = "calibrated"
    """What the profile calls the machine."""
    usd_per_hour: float | None = None
    """What an hour of the machine costs."""


class CalibrateResult(Struct, frozen=True):
    """A profile and what is known of it."""

    profile: Hardware
    """What every verb takes as --hardware."""
    found: Calibrated
    """Parameters with intervals, the fit's error, and the noise."""
    architecture: str
    """The architecture that was measured."""
    bursts: int
    """Bursts sent, or turns fitted."""


def run_calibration(
    options: CalibrateOptions,
    out: Path,
    rows_out: Path | None = None,
    tell: Tell = lambda _: None,
) -> CalibrateResult:
    """Measure, fit and write the profile."""
    shape = _shape(options)
    base = resolve_hardware(options.hardware) if options.hardware else None
    if options.ledger is not None:
        found, many = _from_ledger(options, shape)
        made = profile(options.name, shape, found, "latencies of a ledger", base)
    else:
        rows, chunk, recorded, keeps = asyncio.run(_measured(options, shape, tell))
        if rows_out is not None:
            _write_rows(rows_out, rows)
        found = calibrate([Burst(*row) for row in rows], shape, chunk, recorded, keeps)
        many = len(rows)
        engine = options.endpoint or options.engine
        made = profile(options.name, shape, found, engine, base, chunk)
    made = _finished(made, options)
    _write(out, profile_text(made))
    return CalibrateResult(made, found, shape.name, many)


def _shape(options: CalibrateOptions) -> Architecture:
    if options.arch:
        return resolve_architecture(None, options.arch).architecture
    path = Path(options.model)
    if path.exists():
        return resolve_architecture(None, options.model).architecture
    name = "smollm2-135m" if options.model == EMBEDDED else options.model
    resolved = resolve_architecture(name)
    if resolved.source == "proxy":
        raise InputError(
            f"--model {options.model}: its architecture is not known; pass --arch with a name of "
            "`agentdyno arch` or a config.json."
        )
    return resolved.architecture


def _finished(made: Hardware, options: CalibrateOptions) -> Hardware:
    from msgspec import structs

    alone = options.ledger is not None or (options.endpoint is None and options.engine != "vllm")
    return structs.replace(
        made,
        usd_per_hour=options.usd_per_hour or made.usd_per_hour,
        concurrency=1 if alone else made.concurrency,
    )


async def _measured(
    options: CalibrateOptions, shape: Architecture, tell: Tell
) -> tuple[list[Row], int, int | None, bool]:
    """The rows, the engine's largest step, its largest recorded step, and whether it caches."""
    engine, plan, chunk, recorded = _started(options, shape)
    tell("engine started")
    try:
        clock = getattr(engine, "clock", time.perf_counter)
        rows = await measure(engine, plan, tell=tell, clock=clock)
        return rows, chunk, recorded, engine.keeps_prefixes
    finally:
        engine.close()


def _started(
    options: CalibrateOptions, shape: Architecture
) -> tuple[Engine, Plan, int, int | None]:
    if options.endpoint is not None:
        from agentdyno.probes.calibration.endpoint import EndpointEngine

        vocabulary = shape.vocabulary or 30_000
        return EndpointEngine(options.endpoint, options.model, vocabulary), SERVER, 8192, 512
    if options.engine == "vllm":
        from agentdyno.probes.calibration.vllm_engine import (
            CHUNK_TOKENS,
            RECORDED_TOKENS,
            start_vllm,
        )

        started = start_vllm(options.model, dummy=options.dummy)
        return started, SERVER, CHUNK_TOKENS, RECORDED_TOKENS
    from agentdyno.probes.calibration.transformers_engine import (
        LONGEST_TOKENS,
        start_transformers,
    )

    alone = start_transformers(options.model, dummy=options.dummy, device=options.device)
    return alone, ALONE, LONGEST_TOKENS, None


def _from_ledger(options: CalibrateOptions, shape: Architecture) -> tuple[Calibrated, int]:
    assert options.ledger is not None
    turns = Ledger(options.ledger).read("turns").filter(pl.col("latency_seconds").is_not_null())
    turns = turns.filter(~pl.col("latency_valid").eq_missing(False))
    if options.model != EMBEDDED:
        turns = turns.filter(pl.col("model") == options.model)

    def column(name: str) -> "np.typing.NDArray[np.float64]":
        return turns[name].cast(pl.Float64).fill_null(np.nan).to_numpy().astype(np.float64)

    context, cached = column("context_tokens"), np.nan_to_num(column("cached_tokens"))
    owner = turns["trajectory_id"].rank("dense").cast(pl.Int64).to_numpy()
    found = fit_latencies(
        shape,
        np.maximum(context - cached, 0.0),
        context,
        column("decode_tokens"),
        column("latency_seconds"),
        owner,
    )
    return found, len(turns)


def _write_rows(path: Path, rows: list[Row]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Row._fields)
        writer.writerows(rows)


def _write(path: Path, text: str) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
