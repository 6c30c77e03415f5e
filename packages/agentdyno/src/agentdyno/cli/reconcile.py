"""`agentdyno reconcile`: why another tool, or the provider's own export, says something else."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentdyno.cli import options as opt

if TYPE_CHECKING:
    from agentdyno.studies.reconcile import Difference, Reconciled


def command(
    ledger: opt.LedgerOrOwn,
    other: Annotated[
        str,
        typer.Option(
            "--with",
            metavar="ccusage|codeburn|FILE",
            help="A tool to run, its JSON or CSV output, or a usage export of Anthropic, OpenAI or "
            "OpenRouter.",
        ),
    ] = "ccusage",
    json: opt.Json = False,
) -> int:
    """Explain every difference above half a percent between two totals of the same days, by cause
    and response; exit 1 when something stays unexplained."""
    from agentdyno.cli.output import note, print_json
    from agentdyno.pipelines.other_totals import reconcile_with

    found, bad = reconcile_with(ledger, other)
    for place, why in list(bad.items())[:5]:
        note(f"skipped {place}: {why}")
    if json:
        print_json({"with": other, "result": found, "bad": bad})
    else:
        _print(found, Path(other).name)
    return int(bool(found.unexplained))


def _print(found: "Reconciled", other: str) -> None:
    from agentdyno.records import plural, printable

    first, last = found.days
    print(f"{first} to {last}, days of UTC{f'{found.hours:+d}' if found.hours else ''}")
    print(f"{'':<14}{'ours':>16}{printable(other, 16):>17}{'difference':>14}")
    for kind, own in found.ours.items():
        theirs = found.theirs[kind]
        unit = "$" if kind == "usd" else ""
        form = ",.3f" if unit else ",.0f"
        other_side = "–" if theirs is None else f"{unit}{theirs:{form}}"
        apart = "" if theirs is None or not own else f"{100 * (theirs / own - 1):+.2f} %"
        print(f"{kind.replace('_', ' '):<14}{f'{unit}{own:{form}}':>16}{other_side:>17}{apart:>14}")
    for one in (*found.explained, *found.unexplained):
        print(printable(_describe(one), 1000))
        for example in one.examples:
            print(printable(f"    {example}", 300))
    if found.undated:
        print(f"{plural(found.undated, 'response')} without a time are in no sum here.")
    if not found.unexplained:
        print("Every difference above half a percent is explained.")


def _describe(one: "Difference") -> str:
    from agentdyno.records import plural

    amounts = [
        f"{'-' if value < 0 else '+'}${abs(value):,.3f}" if kind == "usd" else
        f"{value:+,.0f} {kind.replace('_', ' ')}"
        for kind, value in reversed(one.change.items())
    ]  # fmt: skip
    days = one.days[0] if len(one.days) == 1 else f"{len(one.days)} days"
    many = "" if one.responses is None else f", {plural(one.responses, 'response')}"
    return f"- {one.cause}: {', '.join(amounts)} ({days}{many})"
