"""`agentdyno proof`: did a change work?"""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options
from agentdyno.cli.views import CostViewOptions, PricesView, UnitView, choose_view

if TYPE_CHECKING:
    from agentdyno.studies.views import View


class Options(Struct, frozen=True, kw_only=True):
    """What is typed."""

    ledger: opt.LedgerOrOwn
    change: Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"])] = (
        None
    )
    """When it was made, in UTC; without it every change that agentdyno apply made."""
    unit: UnitView = None
    prices: PricesView = None
    json: opt.Json = False


@takes_options
def command(given: Options) -> int:
    """Say whether a change worked: sessions before against sessions after it, matched by project
    and length. Exit 1: they cost more; 3: inconclusive."""
    from agentdyno.cli.output import print_found, print_json
    from agentdyno.pipelines.report import prove
    from agentdyno.reports.topics.proof import render_proof

    view = choose_view(CostViewOptions(prices=given.prices, unit=given.unit))
    if given.change is None:
        return _prove_applied(given, view)
    found = prove(given.ledger, given.change.replace(tzinfo=UTC).timestamp(), view)
    if given.json:
        print_json(found)
    else:
        print_found([render_proof(found)])
    return {"cost more": 1, "inconclusive": opt.INCONCLUSIVE}.get(found.outcome, 0)


def _prove_applied(given: Options, view: "View | None") -> int:
    from msgspec import structs

    from agentdyno.cli.output import print_found, print_json
    from agentdyno.pipelines.apply import prove_applied
    from agentdyno.records import InputError, printable
    from agentdyno.reports.topics.proof import render_proof

    found = prove_applied(given.ledger, view)
    if not found:
        raise InputError(
            "No change was made with agentdyno apply; name a moment with --change 2026-11-17."
        )
    if given.json:
        print_json([{"applied": note, "proof": proof} for note, proof in found])
    else:
        for note, proof in found:
            title = f"{note.id}. {printable(note.what, 80)}"
            print_found([structs.replace(render_proof(proof), title=title)])
    outcome = found[-1][1].outcome
    return {"cost more": 1, "inconclusive": opt.INCONCLUSIVE}.get(outcome, 0)
