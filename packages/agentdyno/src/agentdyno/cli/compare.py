"""`agentdyno compare`: is B cheaper than A and as good, and does it keep the limits?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentdyno.cli import options as opt
from agentdyno.cli.views import (
    ArchView,
    CacheView,
    HardwareView,
    PricesView,
    UnitView,
    choose_view,
)

if TYPE_CHECKING:
    from agentdyno.studies.comparison.results import Comparison

INCONCLUSIVE = 3
"""The exit code where the data cannot decide a gate."""


def command(
    a: Annotated[
        Path, typer.Argument(help="Ledger of the baseline.", callback=opt.finish_interrupted)
    ],
    b: Annotated[
        Path | None,
        typer.Argument(
            help="Ledger of the candidate; by default the first one.",
            callback=opt.finish_interrupted,
        ),
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
    allow_inconclusive: Annotated[
        bool, typer.Option("--allow-inconclusive", help="Pass gates that the data cannot decide.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", hidden=True)] = False,
    unit: UnitView = None,
    cache: CacheView = None,
    hardware: HardwareView = None,
    arch: ArchView = None,
    prices: PricesView = None,
    concurrency: Annotated[
        int | None, typer.Option(min=1, help="Requests served at once, for GPU-seconds.")
    ] = None,
    format: Annotated[
        opt.TextFormat,
        typer.Option(help="For the terminal, Markdown for a comment, an HTML page, or JSON."),
    ] = opt.TextFormat.terminal,
    json: opt.Json = False,
) -> int:
    """Compare two ledgers, or two settings of one: how much cheaper and better B is, with
    intervals, and whether it keeps the limits that a CI job sets. Exit 1: a gate is broken; 2: the
    two cannot be compared; 3: a gate is inconclusive, with how many more tasks you need."""
    from agentdyno.cli.output import note, print_json, print_text
    from agentdyno.pipelines.compare import CompareOptions, compare
    from agentdyno.records import InputError
    from agentdyno.reports.topics.comparison import render_comparison

    if strict:
        raise InputError(
            "--strict: no such option any more: an inconclusive gate always fails, with exit 3. "
            "Leave it out, or pass --allow-inconclusive to let such a gate pass."
        )
    if b is None and setting_a == setting_b:
        raise InputError(
            "compare: expected a second ledger, or two settings of one: "
            "--setting-a variant=full --setting-b variant=lean."
        )
    view = choose_view(cache, hardware, arch, prices, unit)
    options = CompareOptions(
        setting_a=setting_a,
        setting_b=setting_b,
        gates=tuple(gate or ()),
        confidence=confidence,
        unit=view.unit if view else None,
        cache=cache.value if cache else None,
        concurrency=concurrency,
    )
    compared = compare(a, b or a, options, view)
    code = exit_code(compared, allow_inconclusive)
    if json or format is opt.TextFormat.json:
        import msgspec

        print_json({**msgspec.to_builtins(compared), "passed": code == 0})
    else:
        print_text("B against A", [render_comparison(compared)], format.value)
    if code == INCONCLUSIVE:
        for verdict in compared.inconclusive:
            note(f"inconclusive: {verdict.gate}: {verdict.sentence}")
        note("--allow-inconclusive passes such gates.")
    return code


def exit_code(compared: "Comparison", allow_inconclusive: bool) -> int:
    """What the gates come to; a broken one goes before one that cannot be decided."""
    if compared.broken:
        return 1
    return INCONCLUSIVE if compared.inconclusive and not allow_inconclusive else 0
