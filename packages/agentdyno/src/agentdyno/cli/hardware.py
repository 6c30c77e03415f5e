"""`agentdyno about hardware`: accelerators that are known, and how they scale gamma."""

from typing import Annotated

import typer

from agentdyno.cli import options as opt


def command(
    name: Annotated[
        str | None,
        typer.Argument(help="An accelerator's name, or a TOML file; by default all are listed."),
    ] = None,
    json: opt.Json = False,
) -> int:
    """List known hardware with its operational intensity, and the measured profiles."""
    from agentdyno.cli.output import console, print_json, table
    from agentdyno.studies.catalogue import describe_hardware, list_hardware, list_measured

    rows = [describe_hardware(name)] if name else list_hardware()
    timed = list_measured(name)
    if json:
        print_json({"hardware": rows, "measured": timed})
        return 0
    displayed = table("hardware", "TFLOP/s", "TB/s", "FLOP/byte", "paper", "gamma x")
    for row in rows:
        displayed.add_row(
            row.name,
            f"{row.peak_flops / 1e12:,.0f}",
            f"{row.peak_bytes_per_second / 1e12:.2f}",
            f"{row.hoi:.1f}",
            "–" if row.paper_hoi is None else f"{row.paper_hoi:.1f}",
            f"{row.gamma_scale:.2f}",
        )
    out = console()
    out.print(displayed)
    if timed:
        measured = table("measured", "model", "engine", "day", "left out, off by")
        for timing in timed:
            off = "–" if timing.error is None else f"{100 * timing.error:.1f} %"
            measured.add_row(
                timing.hardware, timing.architecture, timing.engine or "–", timing.date or "–", off
            )
        out.print(measured)
    out.print("Add your own: a TOML file for --hardware PATH; see docs/guides/add-hardware.md.")
    return 0
