"""`agentdyno proof`: did a change work?"""

from datetime import UTC, datetime
from typing import Annotated

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options
from agentdyno.cli.views import CostViewOptions, PricesView, UnitView, choose_view


class Options(Struct, frozen=True, kw_only=True):
    """What is typed."""

    ledger: opt.LedgerOrOwn
    change: Annotated[datetime, typer.Option(formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"])]
    """When it was made, in UTC."""
    unit: UnitView = None
    prices: PricesView = None
    json: opt.Json = False


@takes_options
def command(given: Options) -> int:
    """Say whether a change worked: sessions before against sessions after it, matched by project
    and size. Exit 1: they cost more; 3: inconclusive."""
    from agentdyno.cli.output import print_found, print_json
    from agentdyno.pipelines.report import prove
    from agentdyno.reports.topics.proof import render_proof

    view = choose_view(CostViewOptions(prices=given.prices, unit=given.unit))
    found = prove(given.ledger, given.change.replace(tzinfo=UTC).timestamp(), view)
    if given.json:
        print_json(found)
    else:
        print_found([render_proof(found)])
    return {"cost more": 1, "inconclusive": opt.INCONCLUSIVE}.get(found.outcome, 0)
