"""`agentdyno calibrate`: how long this machine's steps take, as a profile for every verb."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agentdyno.cli import options as opt


class CalibrateEngine(StrEnum):
    """What serves the model."""

    vllm = "vllm"
    transformers = "transformers"


def command(
    out: Annotated[Path, typer.Option(help="Where the profile is written.")] = Path("machine.toml"),
    model: Annotated[
        str, typer.Option(help="smollm2, a folder with weights or config.json, or a served name.")
    ] = "smollm2",
    engine: Annotated[
        CalibrateEngine, typer.Option(help="What serves the model here.")
    ] = CalibrateEngine.transformers,
    device: Annotated[str, typer.Option(help="For transformers: cpu or cuda.")] = "cpu",
    dummy_weights: Annotated[
        bool, typer.Option("--dummy-weights", help="Random weights in the shape of config.json.")
    ] = False,
    endpoint: Annotated[
        str | None, typer.Option(help="An OpenAI-compatible server: http://host:8000/v1.")
    ] = None,
    ledger: Annotated[
        Path | None,
        typer.Option(
            help="Fit the latencies that a ledger recorded instead.",
            callback=opt.finish_interrupted,
        ),
    ] = None,
    arch: Annotated[
        str | None, typer.Option(help="The architecture: a name or a config.json.")
    ] = None,
    hardware: Annotated[
        str | None, typer.Option(help="The data sheet to start from; none: what was reached.")
    ] = None,
    name: Annotated[str, typer.Option(help="What the profile calls the machine.")] = "calibrated",
    usd_per_hour: Annotated[
        float | None, typer.Option(min=0.0001, help="What an hour of the machine costs.")
    ] = None,
    rows: Annotated[
        Path | None, typer.Option(help="Write every burst and its seconds to this CSV file.")
    ] = None,
    engine_arg: Annotated[
        list[str] | None,
        typer.Option(help="An argument of vLLM's own, NAME=VALUE: dtype=float32. Repeatable."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> int:
    """Measure prefill, decoding step and cache reading; write a hardware profile."""
    import sys

    from agentdyno.cli.output import console, print_json
    from agentdyno_depth.pipelines.calibrate import CalibrateOptions, run_calibration
    from agentdyno_depth.reports.calibration import print_calibration

    options = CalibrateOptions(
        model=model,
        engine=engine.value,
        device=device,
        dummy=dummy_weights,
        endpoint=endpoint,
        ledger=ledger,
        arch=arch,
        hardware=hardware,
        name=name,
        usd_per_hour=usd_per_hour,
        engine_arguments=_engine_arguments(engine_arg or []),
    )
    result = run_calibration(
        options, out, rows, lambda line: print(line, file=sys.stderr, flush=True)
    )
    if json:
        print_json({"out": str(out), "noisy": result.found.noisy, **_plain(result)})
    else:
        print_calibration(
            console(), result.found, result.architecture, result.profile.concurrency, str(out)
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
