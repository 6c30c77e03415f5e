"""`agentdyno export`: what a ledger knows, in a form that something else reads."""

from pathlib import Path
from typing import Annotated

import typer

from agentdyno.cli import options as opt
from agentdyno.cli.views import ArchView, CacheView, HardwareView, PricesView, chosen_view


def command(
    ledger: opt.LedgerFolder,
    rewards: Annotated[
        Path | None,
        typer.Option(help="Write a line per trajectory and call to this JSONL, for training."),
    ] = None,
    weights: Annotated[
        Path | None, typer.Option(help="A TOML file with other weights of the reward.")
    ] = None,
    tools: opt.ToolRules = None,
    cache: CacheView = None,
    hardware: HardwareView = None,
    arch: ArchView = None,
    prices: PricesView = None,
    json: opt.Json = False,
) -> int:
    """Write what a ledger knows to a file for training: the reward of each trajectory with its
    parts, group and token spans; whether each call helped, what it cost and how it failed."""
    from agentdyno.cli.output import print_json
    from agentdyno.metrics.rewards import read_weights
    from agentdyno.metrics.utility.logical import LogicalTools, read_rules
    from agentdyno.pipelines.export import export_rewards
    from agentdyno.records import InputError

    if rewards is None:
        raise InputError("export: expected something to write: --rewards FILE.jsonl.")
    view = chosen_view(cache, hardware, arch, prices)
    rules = read_rules(tools) if tools else LogicalTools()
    counts = export_rewards(ledger, rewards, rules, view, read_weights(weights))
    if json:
        print_json(
            {"file": str(rewards), "trajectories": counts["trajectory"], "calls": counts["call"]}
        )
    else:
        print(f"{rewards}: {counts['trajectory']:,} trajectories, {counts['call']:,} calls")
    return 0
