"""`agentdyno measure`: traces in, a cost ledger out."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Cache(StrEnum):
    """Assumptions about the provider's cache."""

    evicted = "evicted"
    reported = "reported"
    ideal = "ideal"


class Count(StrEnum):
    """How parts of reported totals are sized."""

    fast = "fast"
    exact = "exact"


def command(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Files or folders with traces. None: the bundled sample traces."),
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder of the ledger.")] = Path("ledger"),
    format: Annotated[
        str | None, typer.Option(help="Read every file as this format instead of detecting it.")
    ] = None,
    hardware: Annotated[
        str, typer.Option(help="Hardware behind gamma: a name, or a TOML file.")
    ] = "h100-pcie",
    arch: Annotated[
        str, typer.Option(help="Architecture: auto, a name, or a Hugging Face config.json.")
    ] = "auto",
    cache: Annotated[
        Cache, typer.Option(help="Which context tokens a turn has to prefill.")
    ] = Cache.evicted,
    count: Annotated[
        Count,
        typer.Option(help="Split reported totals by text length (fast) or by tokens (exact)."),
    ] = Count.fast,
    tokenizer: Annotated[
        Path | None, typer.Option(help="A tokenizer.json that counts every model's tokens.")
    ] = None,
    prices: Annotated[
        Path | None, typer.Option(help="A TOML price table that goes before the bundled one.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes; by default one per processor.")
    ] = None,
    max_record_mb: Annotated[
        int, typer.Option(min=1, help="Records larger than this are reported as bad.")
    ] = 64,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> int:
    """Measure traces: what every turn, tool and call cost, and where the cost went."""
    from agentdyno.cli.output import byte_progress
    from agentdyno.pipelines.measure import MeasureOptions, measure
    from agentdyno.pipelines.samples import sample_traces

    options = MeasureOptions(
        format=format,
        hardware=hardware,
        arch=arch,
        cache=cache.value,
        count=count.value,
        tokenizer=str(tokenizer) if tokenizer else None,
        prices=str(prices) if prices else None,
        workers=workers,
        max_record_mb=max_record_mb,
    )
    with byte_progress("measuring") as progress:
        measured = measure(paths or [sample_traces()], out, options, progress)
    return _show(measured, json)


def _show(measured: object, as_json: bool) -> int:
    import sys

    import msgspec

    from agentdyno.cli.output import console, print_glance, print_json
    from agentdyno.pipelines.measure import Measured
    from agentdyno.pipelines.report import glance

    assert isinstance(measured, Measured)
    report = glance(measured.ledger)
    summary = report.results["glance"].summary
    unrecognised = [msgspec.to_builtins(item) for item in measured.unrecognised]
    if as_json:
        extra = {
            "files": measured.files,
            "new_files": measured.new_files,
            "started_over": measured.started_over,
            "unrecognised": unrecognised,
        }
        print_json({**msgspec.to_builtins(summary), **extra})
    elif summary.trajectories:
        if measured.started_over:
            print("The ledger was made with other options and was started over.", file=sys.stderr)
        print_glance(console(), report.topics[0], report.ledger)
        _mention(unrecognised)
    if not summary.trajectories:
        return _nothing(summary.bad)
    return 0


def _mention(unrecognised: list[dict[str, str]]) -> None:
    from agentdyno.cli.output import console
    from agentdyno.records import printable

    for item in unrecognised[:5]:
        console().print(f"not read: {printable(item['name'], 70)}: {item['reason']}", style="dim")
    if len(unrecognised) > 5:
        console().print(f"not read: {len(unrecognised) - 5} more files", style="dim")


def _nothing(bad: list[dict[str, str]]) -> int:
    import sys

    from agentdyno.reports.topics.cost.glance import bad_line

    print(
        "agentdyno: expected at least one trajectory, found none that could be read.",
        file=sys.stderr,
    )
    for row in bad[:5]:
        print(f"  {bad_line(row)}", file=sys.stderr)
    return 2
