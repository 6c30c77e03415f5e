"""`agentdyno rewards`: what a ledger's trajectories and calls are worth, for a trainer."""

from pathlib import Path
from typing import Annotated

import typer

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options
from agentdyno.cli.views import ViewOptions, choose_view


class Options(ViewOptions, frozen=True, kw_only=True):
    """What is typed."""

    ledger: opt.LedgerFolder
    out: Annotated[Path, typer.Option("--out", "-o")]
    """The JSON lines to write."""
    weights: Path | None = None
    """A TOML file with other weights of the reward."""
    sources: opt.Sources = None
    tools: opt.ToolRules = None
    json: opt.Json = False


@takes_options
def command(given: Options) -> int:
    """Write a line per trajectory, with its reward, the reward's parts, its group and the spans of
    its tokens; and per call, whether it helped, what it cost and how it failed."""
    from agentdyno.cli.output import print_json
    from agentdyno.matching.logical_tools import LogicalTools, read_rules
    from agentdyno_bench.findings.rewards import read_weights
    from agentdyno_bench.pipelines.rewards import export_rewards

    rules = read_rules(given.tools) if given.tools else LogicalTools()
    opt.note_closed_sources(given.ledger, given.sources, "rewards are from the ledger alone")
    weights = read_weights(given.weights)
    counts = export_rewards(given.ledger, given.out, rules, choose_view(given), weights)
    trajectories, calls = counts["trajectory"], counts["call"]
    if given.json:
        print_json({"file": str(given.out), "trajectories": trajectories, "calls": calls})
    else:
        print(f"{given.out}: {trajectories:,} trajectories, {calls:,} calls")
    return 0
