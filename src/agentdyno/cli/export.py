"""`agentdyno export`: what a ledger knows, in a form that something else reads."""

from pathlib import Path
from typing import Annotated

import typer

from agentdyno.cli.views import ArchView, CacheView, HardwareView, PricesView, chosen_view


def command(
    ledger: Annotated[Path, typer.Argument(help="Folder of the ledger.")],
    rewards: Annotated[
        Path | None,
        typer.Option(help="Write a line per trajectory and call to this JSONL, for training."),
    ] = None,
    tools: Annotated[
        Path | None, typer.Option(help="A TOML file that says which tool a call is of.")
    ] = None,
    cache: CacheView = None,
    hardware: HardwareView = None,
    arch: ArchView = None,
    prices: PricesView = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> int:
    """Export per-call and per-trajectory signals: sign of delta, PTE, failure label."""
    from agentdyno.cli.output import print_json
    from agentdyno.metrics.utility.logical import LogicalTools, read_rules
    from agentdyno.pipelines.export import export_rewards
    from agentdyno.records import InputError

    if rewards is None:
        raise InputError("export: expected something to write: --rewards FILE.jsonl.")
    view = chosen_view(cache, hardware, arch, prices)
    rules = read_rules(tools) if tools else LogicalTools()
    counts = export_rewards(ledger, rewards, rules, view)
    if json:
        print_json(
            {"file": str(rewards), "trajectories": counts["trajectory"], "calls": counts["call"]}
        )
    else:
        print(f"{rewards}: {counts['trajectory']:,} trajectories, {counts['call']:,} calls")
    return 0
