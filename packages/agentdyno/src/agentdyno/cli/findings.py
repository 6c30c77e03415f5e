"""`agentdyno findings`: the findings of a ledger, and which of them are right."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options
from agentdyno.cli.views import SelectionOptions, ViewOptions, choose_view

app = typer.Typer(
    help="List the findings of a ledger, and mark them as right or wrong.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_Ledger = Annotated[Path, typer.Argument(help="Folder of the ledger.")]


class Options(SelectionOptions, frozen=True, kw_only=True):
    """What is typed after `findings list`."""

    ledger: opt.LedgerOrOwn
    kind: str | None = None
    """Only findings of this kind."""
    json: opt.Json = False


class Verdict(StrEnum):
    """What a user says of a finding."""

    right = "right"
    wrong = "wrong"


@app.command("list")
@takes_options
def list_(given: Options) -> int:
    """Print every finding with its id, and how often each kind was right."""
    import msgspec

    from agentdyno.cli.output import print_json
    from agentdyno.ledger.user_marks import count_marks
    from agentdyno.pipelines.findings import list_findings
    from agentdyno.records import printable
    from agentdyno.records.precision import how_often_right

    view = choose_view(ViewOptions(), given)
    found, marks = list_findings(given.ledger, given.kind, view), count_marks(given.ledger)
    if given.json:
        print_json({"findings": msgspec.to_builtins(found), "marks": marks})
        return 0
    for each in found:
        stated = {None: "", True: " [right]", False: " [wrong]"}[each.right]
        place = f"{each.trajectory_id} turn {each.turn}"
        print(printable(f"{each.id}{stated} {each.kind}: {place}: {each.evidence}", 200))
    for name in dict.fromkeys(each.kind for each in found):
        right, wrong = marks.get(name, (0, 0))
        here = f"; you marked {right} right, {wrong} wrong" if right or wrong else ""
        print(f"{printable(name, 60)}: {how_often_right(name)}{here}")
    return 0


@app.command()
def mark(
    ledger: _Ledger,
    id: Annotated[str, typer.Argument(help="The finding's id, from `findings list`.")],
    verdict: Annotated[Verdict, typer.Argument(help="Whether it is right.")],
) -> int:
    """Note in the ledger's folder that a finding is right or wrong."""
    from agentdyno.ledger.user_marks import count_marks
    from agentdyno.pipelines.findings import mark_finding

    found = mark_finding(ledger, id, verdict is Verdict.right)
    right, wrong = count_marks(ledger)[found.kind]
    print(f"{found.kind}: you marked {right} right, {wrong} wrong")
    return 0
