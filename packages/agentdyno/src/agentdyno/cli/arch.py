"""`agentdyno arch`: architectures that are known, and what their caches cost."""

from typing import Annotated

import typer

from agentdyno.cli import options as opt


def command(
    name: Annotated[
        str | None, typer.Argument(help="One architecture by name, or a config.json. None: all.")
    ] = None,
    hardware: opt.Hardware = "h100-pcie",
    json: opt.Json = False,
) -> int:
    """List known architectures with the cost of their caches, or work out that of a
    config.json."""
    from agentdyno.cli.output import console, print_json, print_refused, table
    from agentdyno.cost.architectures import GROUP
    from agentdyno.cost.shape import Architecture
    from agentdyno.plugins import enter
    from agentdyno.studies.catalogue import describe_architecture, list_architectures

    rows = [describe_architecture(name, hardware)] if name else list_architectures(hardware)
    refused = enter(GROUP, Architecture)[1]
    if json:
        print_json({"hardware": rows[0].hardware, "architectures": rows, "refused": refused})
        return 0
    displayed = table(
        "architecture", "active", "layers", "KV bytes/token", "gamma", "gamma (paper)"
    )
    for row in rows:
        displayed.add_row(
            row.name,
            f"{row.active_params / 1e9:.3g}B",
            str(row.layers),
            f"{row.kv_bytes_per_token:,.0f}",
            f"{row.gamma:.5f}",
            f"{row.gamma_paper:.5f}",
        )
    out = console()
    out.print(displayed)
    out.print(
        f"gamma on {rows[0].hardware}: prefilled tokens per pair of context and decoded token"
    )
    print_refused(refused)
    return 0
