"""Measures a machine and writes its hardware profile.

Takes what to measure with (an engine, an endpoint, or a ledger's latencies); returns the profile
and what is known of the fit. The profile is written completely or not at all.
"""

import asyncio
import csv
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

import numpy as np
import polars as pl
from msgspec import Struct, structs

from agentdyno.cost.architectures import resolve_architecture
from agentdyno.cost.hardware import Hardware, resolve_hardware
from agentdyno.cost.physical import DEFAULT_CONCURRENCY
from agentdyno.cost.shape import BYTES_PER_NUMBER, Architecture
from agentdyno.cost.steps import theoretical_steps
from agentdyno.ledger.reader import Ledger
from agentdyno.records import InputError, printable
from agentdyno_depth.engines.smollm2 import NAME as EMBEDDED
from agentdyno_depth.engines.smollm2 import require_depth
from agentdyno_depth.fitting.calibration import Burst, Calibrated, calibrate, refuse_bad_fit
from agentdyno_depth.fitting.hardware_profiles import profile, profile_text, waiting_profile
from agentdyno_depth.fitting.held_out import HeldOut, hold_out, refuse_worse_than_theory
from agentdyno_depth.fitting.latency_fit import fit_latencies
from agentdyno_depth.probes.calibration.engine import Engine
from agentdyno_depth.probes.calibration.measuring import ALONE, Plan, Row, choose_plan, measure
from agentdyno_depth.probes.calibration.power_meter import (
    CardPower,
    PowerMeter,
    add_power,
    start_meter,
)

EngineName = Literal["vllm", "transformers"]
Report = Callable[[str], None]
SERVER_CHUNK = 8192
"""The most tokens of a server's step, as vLLM's default on a card is."""
SERVER_RECORDED = 512
"""The largest step that a server on a card replays from a recording."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Hosts of an endpoint that are this machine."""
SLOW_BATCH = 8
"""The most requests at once that a slow server is sent."""


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
    engine_arguments: tuple[tuple[str, object], ...] = ()
    """Arguments of vLLM's own, by name, that go before those chosen here."""


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
    held_out: HeldOut | None = None
    """What the fit says of bursts that it left out, beside theory; None where none could be."""


def run_calibration(
    options: CalibrateOptions,
    out: Path,
    rows_out: Path | None = None,
    report: Report = lambda _: None,
) -> CalibrateResult:
    """Measure, fit and write the profile."""
    if options.ledger is not None:
        options = _with_model(options, options.ledger)
    shape = _shape(options, report)
    base = resolve_hardware(options.hardware) if options.hardware else None
    held_out = None
    if options.ledger is not None:
        found, many = _from_ledger(options, shape)
        hardware = waiting_profile(options.name, shape, found, base or resolve_hardware())
    else:
        sent = asyncio.run(_measure(options, shape, report))
        if rows_out is not None:
            _write_rows(rows_out, sent.rows)
        bursts = [Burst(*row) for row in sent.rows]
        least = BYTES_PER_NUMBER / base.peak_bytes_per_second if base else 0.0
        found = calibrate(bursts, shape, sent.chunk, sent.recorded, sent.keeps_prefixes, least)
        refuse_bad_fit(found)
        held_out = hold_out(
            bursts, shape, theoretical_steps(shape, base) if base else None,
            sent.chunk, sent.recorded, sent.keeps_prefixes, least,
        )  # fmt: skip
        refuse_worse_than_theory(held_out)
        many = len(bursts)
        error = held_out.error if held_out else None
        hardware = profile(options.name, shape, found, sent.engine, base, sent.chunk, error)
        hardware = add_power(hardware, sent.power)
    hardware = _complete_profile(hardware, options)
    _write(out, profile_text(hardware))
    return CalibrateResult(hardware, found, shape.name, many, held_out)


def _with_model(options: CalibrateOptions, ledger: Path) -> CalibrateOptions:
    """The model whose latencies are fitted: the one named, or the only one that has any."""
    timed = _read_timed_turns(ledger)
    found = timed["model"].value_counts(sort=True).rows()
    names = {str(model): int(many) for model, many in found}
    listed = ", ".join(f"{printable(n, 60)} ({many})" for n, many in list(names.items())[:8])
    if not names:
        raise InputError(
            f"{ledger}: expected turns with a recorded latency, found none in it. Traces with "
            "timestamps of requests have them (Inspect logs, tau2-bench, OTel spans, Claude Code)."
        )
    if options.model == EMBEDDED and EMBEDDED not in names:
        if len(names) > 1:
            raise InputError(
                f"{ledger}: expected --model, since a fit is of one model; turns with a latency: "
                f"{listed}."
            )
        return structs.replace(options, model=next(iter(names)))
    if options.model not in names:
        raise InputError(
            f"{ledger}: expected latencies of {printable(options.model)}, found: {listed}."
        )
    return options


def _read_timed_turns(ledger: Path) -> pl.DataFrame:
    turns = Ledger(ledger).read("turns").filter(pl.col("latency_seconds").is_not_null())
    return turns.filter(~pl.col("latency_valid").eq_missing(False), pl.col("model").is_not_null())


def _shape(options: CalibrateOptions, report: Report) -> Architecture:
    if options.arch:
        return resolve_architecture(None, options.arch).architecture
    path = Path(options.model)
    if path.exists():
        return resolve_architecture(None, options.model).architecture
    name = "smollm2-135m" if options.model == EMBEDDED else options.model
    resolved = resolve_architecture(name)
    if resolved.source == "proxy" and options.ledger is not None:
        report(f"architecture by proxy: {resolved.architecture.name}; --arch chooses another")
    elif resolved.source == "proxy":
        raise InputError(
            f"--model {options.model}: its architecture is not known; pass --arch with a name of "
            "`agentdyno arch` or a config.json."
        )
    return resolved.architecture


def _complete_profile(hardware: Hardware, options: CalibrateOptions) -> Hardware:
    if options.ledger is not None:
        return structs.replace(hardware, usd_per_hour=options.usd_per_hour or hardware.usd_per_hour)
    alone = options.endpoint is None and options.engine != "vllm"
    return structs.replace(
        hardware,
        usd_per_hour=options.usd_per_hour or hardware.usd_per_hour,
        concurrency=1 if alone else _most_at_once(hardware),
    )


def _most_at_once(hardware: Hardware) -> int | None:
    """No more at once than were measured: beyond that the curve is a guess."""
    measured = int(max(hardware.measured[-1].steps.tokens))
    usual = hardware.concurrency or DEFAULT_CONCURRENCY
    return measured if measured < usual else hardware.concurrency


class _Sent(NamedTuple):
    """What an engine was sent, and what is known of it."""

    rows: list[Row]
    """The bursts with their seconds."""
    engine: str
    chunk: int
    """The most tokens of one step."""
    recorded: int | None
    """The largest step that is replayed from a recording."""
    keeps_prefixes: bool
    """Whether prompts that were sent before are found again."""
    power: CardPower | None = None
    """What the card drew; None where it was not read."""


async def _measure(options: CalibrateOptions, shape: Architecture, report: Report) -> _Sent:
    if options.endpoint is not None:
        return await _from_endpoint(options, options.endpoint, shape, report)
    if options.engine == "vllm":
        return await _from_vllm(options, report)
    from agentdyno_depth.probes.calibration.transformers_engine import (
        LONGEST_TOKENS,
        start_transformers,
    )

    alone = start_transformers(options.model, dummy=options.dummy, device=options.device)
    meter = start_meter(report) if options.device != "cpu" else None
    rows = await _rows(alone, ALONE, report, meter, alone.clock)
    engine = f"transformers {require_depth().__version__}"
    return _Sent(rows, engine, LONGEST_TOKENS, None, alone.keeps_prefixes, _close(meter, report))


async def _from_vllm(options: CalibrateOptions, report: Report) -> _Sent:
    from agentdyno_depth.probes.calibration.vllm_engine import CHUNK_TOKENS, start_vllm

    report("starting vLLM")
    given = dict(options.engine_arguments)
    engine, recorded = start_vllm(options.model, dummy=options.dummy, given=given)
    chunk = given.get("max_num_batched_tokens", CHUNK_TOKENS)
    meter = start_meter(report)
    rows, keeps_prefixes = await _measure_with_plan(engine, report, meter)
    return _Sent(
        rows,
        f"vllm {engine.version}",
        chunk if isinstance(chunk, int) else CHUNK_TOKENS,
        recorded,
        keeps_prefixes,
        _close(meter, report),
    )


async def _from_endpoint(
    options: CalibrateOptions, address: str, shape: Architecture, report: Report
) -> _Sent:
    from agentdyno_depth.probes.calibration.endpoint import EndpointEngine

    engine = EndpointEngine(address, options.model, shape.vocabulary or 30_000)
    for refused in await engine.prepare():
        report(f"not taken: {refused}")
    report(f"asking with {engine.way.name}")
    # The cards here say nothing of a server elsewhere.
    meter = start_meter(report) if urlsplit(address).hostname in LOOPBACK else None
    rows, keeps_prefixes = await _measure_with_plan(engine, report, meter)
    # Recordings are a GPU's; a server that is as slow as processors are has none.
    recorded = SERVER_RECORDED if max(row.batch for row in rows) > SLOW_BATCH else None
    version = f" ({engine.version})" if engine.version else ""
    served = f"{address}{version}, {engine.way.name}"
    power = _close(meter, report)
    return _Sent(rows, served, SERVER_CHUNK, recorded, keeps_prefixes, power)


def _close(meter: PowerMeter | None, report: Report) -> CardPower | None:
    if meter is None:
        return None
    found = meter.close()
    if found is None:
        report("power not measured: no card here drew more while bursts were served")
    return found


async def _measure_with_plan(
    engine: Engine, report: Report, meter: PowerMeter | None
) -> tuple[list[Row], bool]:
    """The bursts of the plan that an engine has the pace for, and whether it finds prompts."""
    plan, keeps_prefixes, pace = await choose_plan(engine)
    found = "found again" if keeps_prefixes else "not found again"
    report(
        f"{pace:,.0f} prompt tokens a second, prompts are {found}: bursts of up to "
        f"{max(batch for batch, _ in plan.decodes)} requests and {max(plan.prefills):,} tokens"
    )
    return await _rows(engine, plan, report, meter), keeps_prefixes


async def _rows(
    engine: Engine,
    plan: Plan,
    report: Report,
    meter: PowerMeter | None,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Row]:
    report("engine started")
    if meter is not None:
        meter.read_idle()
    measuring = measure(engine, plan, report=report, clock=clock)
    try:
        return await (measuring if meter is None else meter.read_busy(measuring))
    finally:
        engine.close()


def _from_ledger(options: CalibrateOptions, shape: Architecture) -> tuple[Calibrated, int]:
    assert options.ledger is not None
    turns = _read_timed_turns(options.ledger).filter(pl.col("model") == options.model)

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
