"""`agentdyno compare`: is B cheaper than A and as good, and does it keep the limits?"""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agentdyno.cli.views import ArchView, CacheView, HardwareView, PricesView, chosen_view


class CompareFormat(StrEnum):
    """What is written."""

    terminal = "terminal"
    md = "md"
    json = "json"


def command(
    a: Annotated[Path, typer.Argument(help="Ledger of the baseline.")],
    b: Annotated[
        Path | None, typer.Argument(help="Ledger of the candidate; by default the first one.")
    ] = None,
    setting_a: Annotated[
        str, typer.Option(help="Take these of A: model=gpt-4.1,variant=lean (globs allowed).")
    ] = "",
    setting_b: Annotated[str, typer.Option(help="Take these of B.")] = "",
    gate: Annotated[
        list[str] | None,
        typer.Option(help="A limit, repeatable: pte<=+5%, accuracy>=-2pt, usd<=+0.01, pte<=60000."),
    ] = None,
    confidence: Annotated[float, typer.Option(help="Of intervals and gates.")] = 0.95,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail also where the data cannot tell.")
    ] = False,
    cache: CacheView = None,
    hardware: HardwareView = None,
    arch: ArchView = None,
    prices: PricesView = None,
    concurrency: Annotated[
        int | None, typer.Option(min=1, help="Requests served at once, for GPU-seconds.")
    ] = None,
    format: Annotated[
        CompareFormat, typer.Option(help="For the terminal, Markdown for a comment, or JSON.")
    ] = CompareFormat.terminal,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> int:
    """Compare two ledgers, or two settings of one: effects, intervals, and gates for CI."""
    import sys

    from agentdyno.cli.output import console, print_json
    from agentdyno.pipelines.compare import CompareOptions, compare
    from agentdyno.records import InputError
    from agentdyno.reports.comparison import print_comparison, render_comparison

    if b is None and setting_a == setting_b:
        raise InputError(
            "compare: expected a second ledger, or two settings of one: "
            "--setting-a variant=full --setting-b variant=lean."
        )
    options = CompareOptions(
        setting_a=setting_a,
        setting_b=setting_b,
        gates=tuple(gate or ()),
        confidence=confidence,
        cache=cache.value if cache else None,
        concurrency=concurrency,
    )
    compared = compare(a, b or a, options, chosen_view(cache, hardware, arch, prices))
    failing = compared.broken(strict)
    if json or format is CompareFormat.json:
        import msgspec

        print_json({**msgspec.to_builtins(compared), "passed": not failing})
    elif format is CompareFormat.md:
        sys.stdout.write(render_comparison(compared))
    else:
        print_comparison(console(), compared)
    return 1 if failing else 0
