"""`agentdyno budget`: what may be spent in a month, what was, and how the month will end."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options
from agentdyno_daily.running.live_session import BUDGETS, Budget, Spent, read_budgets, read_spent

if TYPE_CHECKING:
    from agentdyno_daily.running.forecast import Forecast


class Options(Struct, frozen=True, kw_only=True):
    """What is typed."""

    amount: Annotated[str | None, typer.Argument(metavar="[USD/month]", show_default=False)] = None
    """Dollars that may be spent in a month, as 200/month; without it the budgets are checked."""
    project: str | None = None
    """Only of this project: the end of its path."""
    ledger: Annotated[Path | None, typer.Option("--ledger")] = None
    """Folder of the ledger; by default your own, with what is new on this machine."""
    remove: bool = False
    """Remove the budget, of the project where one is named."""
    install: bool = False
    """Have Claude Code ask before each prompt and tool, and stop when a budget is spent."""
    uninstall: bool = False
    """Have it ask no more."""
    block_unknown: bool = False
    """With --install: stop it also where nobody can say whether a budget is spent. Otherwise it
    goes on then, and one line on stderr says why."""
    json: opt.Json = False


@takes_options
def command(given: Options) -> int:
    """Set and check what may be spent in a month: spent so far, forecast with an interval, and
    exit 1 where a budget is spent."""
    if given.install or given.uninstall:
        return _install(given)
    if given.block_unknown:
        raise typer.BadParameter("only with --install", param_hint="--block-unknown")
    ledger = _find_ledger(given.ledger)
    if given.amount is not None or given.remove:
        _keep(ledger, _change(read_budgets(str(ledger)), given))
    rows = [_check(each, read_spent(str(ledger))) for each in _list(ledger, given.project)]
    if given.json:
        from agentdyno.cli.output import print_json

        print_json(rows)
    else:
        for row in rows:
            print(describe(row))
        if rows and rows[0]["budget"] is None:
            print("No budget is set. To set one: agentdyno budget 200/month")
    return 1 if any(row["spent"] for row in rows) else 0


def _install(given: Options) -> int:
    from agentdyno_daily.cli.agent_settings import set_budget_hook

    where = ["--ledger", str(given.ledger.resolve())] if given.ledger else []
    strict = ["--block-unknown"] if given.block_unknown else []
    print(set_budget_hook(["budget", "hook", *strict, *where] if given.install else None))
    return 0


def _find_ledger(named: Path | None) -> Path:
    """With what it keeps of days, which an older one has not."""
    from agentdyno.intake.user_folders import user_ledger
    from agentdyno.ledger.file_names import SPENT
    from agentdyno.records import InputError
    from agentdyno_daily.cli.home import bring_costs_up_to_date, report_none

    if named is None and read_spent(str(own := user_ledger())).measured_at is not None:
        from agentdyno_daily.totals.recent import keep_recent

        try:
            keep_recent(own)
        except OSError as error:
            print(f"agentdyno: what is new was not counted: {error}", file=sys.stderr)
        return own
    if named is None:
        if (found := bring_costs_up_to_date()) is None:
            raise typer.Exit(report_none())
        return found
    if not (named / "manifest.json").is_file():
        raise InputError(f"{named}: expected a ledger, found none.")
    if not (named / SPENT).exists():
        from agentdyno.pipelines.session_states import keep_states

        keep_states(named)
    return named


def _change(known: list[Budget], given: Options) -> list[Budget]:
    others = [each for each in known if each.project != given.project]
    if given.remove:
        return others
    return [*others, Budget(_read_amount(given.amount or ""), given.project)]


def _read_amount(text: str) -> float:
    from agentdyno.records import InputError, printable

    amount, _, period = text.strip().lstrip("$").partition("/")
    try:
        usd = float(amount.replace(",", ""))
    except ValueError:
        usd = 0.0
    if not 0 < usd < 1e9 or period not in ("", "month"):
        raise InputError(
            f"budget: expected dollars a month, as 200/month, found {printable(text, 40)!r}."
        )
    return usd


def _keep(ledger: Path, budgets: list[Budget]) -> None:
    from agentdyno.ledger.disk import replace_synced
    from agentdyno.ledger.file_names import refuse_link
    from agentdyno.records.escaped_json import encode_json

    rows = [{"usd": each.usd, "project": each.project} for each in budgets]
    replace_synced(refuse_link(ledger / BUDGETS), encode_json(rows))


def _list(ledger: Path, project: str | None) -> list[Budget | None]:
    """Budgets of a project, or all; where there is none, the whole without one."""
    known = [each for each in read_budgets(str(ledger)) if project in (None, each.project)]
    return [*known] or [None]


def _check(budget: Budget | None, spent: Spent) -> dict[str, Any]:
    import time
    from datetime import date, datetime

    from agentdyno_daily.running.forecast import forecast_month

    project, today = budget.project if budget else None, date.today()
    days: dict[str, float] = {}
    for day in {day for day, _, _ in spent.days}:
        days[day] = spent.sum(day, project)
    passed = (time.time() - datetime.combine(today, datetime.min.time()).timestamp()) / 86_400
    used = spent.sum(f"{today:%Y-%m}", project)
    forecast = forecast_month(days, today, max(1 - passed, 0.0))
    return {
        "month": f"{today:%Y-%m}",
        "project": project,
        "budget": budget.usd if budget else None,
        "usd": used,
        "forecast": forecast,
        "spent": budget is not None and used > budget.usd,
    }


def describe(row: dict[str, Any]) -> str:
    """`November: $34.51 of $200.00 (17 %); ends at $61 (80 %: $48 to $77) at list prices.`"""
    from datetime import date

    from agentdyno.records import printable

    name = f", {printable(row['project'], 40)}" if row["project"] else ""
    stated = f"{date.fromisoformat(row['month'] + '-01'):%B}{name}: ${row['usd']:,.2f}"
    if row["budget"] is not None:
        stated += f" of ${row['budget']:,.2f} ({row['usd'] / row['budget']:.0%})".replace("%", " %")
    return f"{stated} at list prices; {_describe_end(row['forecast'], row['budget'])}."


def _describe_end(forecast: "Forecast | None", budget: float | None) -> str:
    if forecast is None:
        return "too early for a forecast, which needs three weeks of days"
    stated = f"it ends at ${forecast.usd:,.2f} ({100 * forecast.covered:.0f} %: "
    stated += f"${forecast.low:,.2f} to ${forecast.high:,.2f})"
    if budget is None:
        return stated
    where = "above" if forecast.low > budget else "below" if forecast.high < budget else "around"
    return f"{stated}, {where} the budget"
