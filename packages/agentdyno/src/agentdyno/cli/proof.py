"""`agentdyno proof`: did a change work?"""

from datetime import datetime
from typing import Annotated

import typer

from agentdyno.cli import options as opt
from agentdyno.cli.views import PricesView, UnitView, choose_view

INCONCLUSIVE = 3
"""The exit code where the data cannot decide."""


def command(
    ledger: opt.LedgerOrOwn,
    change: Annotated[
        datetime,
        typer.Option(help="When it was made, in UTC.", formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]),
    ],
    unit: UnitView = None,
    prices: PricesView = None,
    json: opt.Json = False,
) -> int:
    """Say whether a change worked: sessions before against sessions after it, matched by project
    and size. Exit 1: they cost more; 3: inconclusive."""
    from datetime import UTC

    from agentdyno.cli.output import print_found, print_json
    from agentdyno.pipelines.report import prove
    from agentdyno.reports.topics.proof import render_proof

    moment = change.replace(tzinfo=UTC).timestamp()
    found = prove(ledger, moment, choose_view(None, None, None, prices, unit))
    if json:
        print_json(found)
    else:
        print_found([render_proof(found)])
    return {"cost more": 1, "inconclusive": INCONCLUSIVE}.get(found.outcome, 0)
