"""`agentdyno calibrate`: how long this machine's steps take, as a profile for every verb."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import copy_options, takes_options


class CalibrateEngine(StrEnum):
    """What serves the model."""

    vllm = "vllm"
    transformers = "transformers"


class Options(Struct, frozen=True, kw_only=True):
    """What is typed."""

    out: Path = Path("machine.toml")
    """Where the profile is written."""
    model: str = "smollm2"
    """smollm2, a folder with weights or config.json, or a served name."""
    engine: CalibrateEngine = CalibrateEngine.transformers
    """What serves the model here."""
    device: str = "cpu"
    """For transformers: cpu or cuda."""
    dummy_weights: bool = False
    """Random weights in the shape of config.json."""
    endpoint: str | None = None
    """An OpenAI-compatible server: http://host:8000/v1."""
    ledger: Annotated[Path | None, typer.Option(callback=opt.finish_interrupted)] = None
    """Fit the latencies that a ledger recorded instead."""
    arch: str | None = None
    """The architecture: a name or a config.json."""
    hardware: str | None = None
    """The data sheet to start from; none: what was reached."""
    name: str = "calibrated"
    """What the profile calls the machine."""
    usd_per_hour: Annotated[float | None, typer.Option(min=0.0001)] = None
    """What an hour of the machine costs."""
    rows: Path | None = None
    """Write every burst and its seconds to this CSV file."""
    engine_arg: list[str] | None = None
    """An argument of vLLM's own, NAME=VALUE: dtype=float32. Repeatable."""
    json: bool = False
    """One JSON object on stdout."""


@takes_options
def command(given: Options) -> int:
    """Measure prefill, decoding step and cache reading; write a hardware profile."""
    import sys

    from agentdyno.cli.output import console, print_json
    from agentdyno_depth.pipelines.calibrate import CalibrateOptions, run_calibration
    from agentdyno_depth.reports.calibration import print_calibration

    options = copy_options(
        given,
        CalibrateOptions,
        dummy=given.dummy_weights,
        engine_arguments=_engine_arguments(given.engine_arg or []),
    )
    result = run_calibration(
        options, given.out, given.rows, lambda line: print(line, file=sys.stderr, flush=True)
    )
    if given.json:
        print_json({"out": str(given.out), "noisy": result.found.noisy, **_plain(result)})
    else:
        print_calibration(
            console(),
            result.found,
            result.held_out,
            result.architecture,
            result.profile.concurrency,
            str(given.out),
        )
    return 0


def _engine_arguments(given: list[str]) -> tuple[tuple[str, object], ...]:
    """Values are JSON where they read as such, words otherwise."""
    import json

    from agentdyno.records import InputError

    found: list[tuple[str, object]] = []
    for one in given:
        name, equals, value = one.partition("=")
        if not equals or not name.isidentifier():
            raise InputError(f"--engine-arg: expected NAME=VALUE, found {one!r}.")
        try:
            found.append((name, json.loads(value)))
        except ValueError:
            found.append((name, value))
    return tuple(found)


def _plain(result: object) -> dict[str, object]:
    import msgspec

    plain: dict[str, object] = msgspec.to_builtins(result)
    return plain
