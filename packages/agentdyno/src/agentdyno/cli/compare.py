"""`agentdyno compare`: is B cheaper than A and as good, and does it keep the limits?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import copy_options, takes_options
from agentdyno.cli.views import CostViewOptions, choose_view

if TYPE_CHECKING:
    from agentdyno.studies.comparison.results import Comparison


class Options(CostViewOptions, frozen=True, kw_only=True):
    """What is typed."""

    a: Annotated[Path, typer.Argument(callback=opt.finish_interrupted)]
    """Ledger of the baseline."""
    b: Annotated[Path | None, typer.Argument(callback=opt.finish_interrupted)] = None
    """Ledger of the candidate; by default the first one."""
    setting_a: str = ""
    """Take these of A: model=gpt-4.1,variant=lean (globs allowed)."""
    setting_b: str = ""
    """Take these of B."""
    gate: list[str] | None = None
    """A limit, repeatable: usd<=+5% (the bill), usd:typical<=+5% (the typical task),
    accuracy>=-2pt, usd<=+0.01, pte<=60000."""
    confidence: float = 0.95
    """Of intervals and gates."""
    allow_inconclusive: bool = False
    """Pass gates that the data cannot decide."""
    format: opt.TextFormat = opt.TextFormat.terminal
    """For the terminal, Markdown for a comment, an HTML page, or JSON."""
    json: opt.Json = False


@takes_options
def command(given: Options) -> int:
    """Compare two ledgers, or two settings of one: how much cheaper and better B is, with
    intervals, and whether it keeps the limits that a CI job sets. Exit 1: a gate is broken; 2: the
    two cannot be compared; 3: a gate is inconclusive, with how many more tasks you need."""
    import msgspec

    from agentdyno.cli.output import note, print_answer
    from agentdyno.pipelines.compare import CompareOptions, compare
    from agentdyno.records import InputError
    from agentdyno.reports.topics.comparison import render_comparison

    if given.b is None and given.setting_a == given.setting_b:
        raise InputError(
            "compare: expected a second ledger, or two settings of one: "
            "--setting-a variant=full --setting-b variant=lean."
        )
    view = choose_view(given)
    unit = view.unit if view else None
    options = copy_options(given, CompareOptions, gates=tuple(given.gate or ()), unit=unit)
    compared = compare(given.a, given.b or given.a, options, view)
    code = exit_code(compared, given.allow_inconclusive)
    fields = msgspec.to_builtins(compared) | {"passed": code == 0}
    form = opt.TextOptions(format=given.format, json=given.json)
    print_answer(form, "B against A", render_comparison(compared), fields)
    if code == opt.INCONCLUSIVE:
        for verdict in compared.inconclusive:
            note(f"inconclusive: {verdict.gate}: {verdict.sentence}")
        note("--allow-inconclusive passes such gates.")
    return code


def exit_code(compared: "Comparison", allow_inconclusive: bool) -> int:
    """What the gates come to; a broken one goes before one that cannot be decided."""
    if compared.broken:
        return 1
    return opt.INCONCLUSIVE if compared.inconclusive and not allow_inconclusive else 0
