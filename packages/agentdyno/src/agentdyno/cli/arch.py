"""`agentdyno about architectures`: architectures that are known, and what their caches cost."""

from typing import TYPE_CHECKING, Annotated

import typer

from agentdyno.cli import options as opt

if TYPE_CHECKING:
    from agentdyno.studies.catalogue import ArchitectureRow


def command(
    name: Annotated[
        str | None,
        typer.Argument(help="An architecture's name, or a config.json; by default all are listed."),
    ] = None,
    hardware: opt.Hardware = "h100-pcie",
    json: opt.Json = False,
) -> int:
    """List known architectures with the cost of their caches, or work out that of a
    config.json."""
    from agentdyno.cli.output import console, print_json, print_refused, table
    from agentdyno.cost.architectures import GROUP
    from agentdyno.cost.shape import Architecture
    from agentdyno.plugins import load_plugins
    from agentdyno.studies.catalogue import describe_architecture, list_architectures

    rows = [describe_architecture(name, hardware)] if name else list_architectures(hardware)
    refused = load_plugins(GROUP, Architecture)[1]
    if json:
        print_json({"hardware": rows[0].hardware, "architectures": rows, "refused": refused})
        return 0
    displayed = table(
        "architecture",
        "params",
        "layers",
        "active (paper)",
        "gamma (paper)",
        "active, no embeddings",
        "KV bytes/token",
        "gamma (width)",
    )
    for row in rows:
        displayed.add_row(
            row.name,
            f"{row.total_params / 1e9:,.4g}B" if row.total_params else "–",
            _list_layers(row),
            f"{row.paper_params / 1e9:.3g}B",
            f"{row.gamma_paper:.5f}",
            f"{row.active_params / 1e9:.3g}B",
            f"{row.kv_bytes_per_token:,.0f}",
            f"{row.gamma:.5f}",
        )
    out = console()
    out.print(displayed)
    out.print(
        f"gamma on {rows[0].hardware}: prefilled tokens per pair of context and decoded token"
    )
    print_refused(refused)
    return 0


def _list_layers(row: "ArchitectureRow") -> str:
    """How many layers, and how many read what, where they differ: `48: 12 full, 36 chunked`."""
    without = row.layers - row.full_attention_layers - row.window_layers
    window = "chunked" if row.chunked else f"up to {row.window_tokens:,}"
    kinds = [(row.full_attention_layers, "full"), (row.window_layers, window),
             (without, "without cache")]  # fmt: skip
    parts = [f"{count} {kind}" for count, kind in kinds if count]
    return f"{row.layers}: {', '.join(parts)}" if len(parts) > 1 else str(row.layers)
