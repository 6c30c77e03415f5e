"""`agentdyno reproduce`: the papers' own figures, recomputed."""

from pathlib import Path
from typing import Annotated

import typer

from agentdyno.cli import options as opt


def command(
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the whole list as Markdown.")
    ] = None,
    json: opt.Json = False,
) -> int:
    """Recompute every checkable figure of the five papers and say which do not hold."""
    from agentdyno.cli.output import console, print_json, table
    from agentdyno.records import printable
    from agentdyno_bench.reproduction import render_markdown, reproduce

    result = reproduce()
    if out is not None:
        out.write_text(render_markdown(result), encoding="utf-8")
    if json:
        print_json(result)
        return 0
    rows_table = table("does not hold", "printed", "recomputed")
    for check in result.failing:
        where = f"{check.paper}: {check.table}: {check.cell}"
        rows_table.add_row(printable(where, 74), check.as_printed, f"{check.recomputed:.5g}")
    weak = sum(check.chance > 0.25 for check in result.every_check)
    screen = console()
    screen.print(rows_table)
    screen.print(
        f"{result.checks} checks: {result.hold} hold, {result.fail} do not. {weak} are weak (more "
        f"than a quarter of figures would hold); {result.left_out} that cannot fail are left out."
    )
    return 0
