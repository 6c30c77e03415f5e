"""What `measure` shows people with coding agents: totals before anything is read, the first screen,
what became of applied changes; and their own ledger."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agentdyno.cli.companion import Companion

if TYPE_CHECKING:
    from agentdyno.cli.short_overview import Lines
    from agentdyno.reports.section import Section
    from agentdyno_daily.totals.first_totals import Scan


class DailyCompanion(Companion):
    """For the sessions of coding agents."""

    def measure_this_machine(self, totals_only: bool, json: bool) -> int:
        from agentdyno_daily.cli.home import measure_this_machine

        return measure_this_machine(totals_only, json)

    def open_own_ledger(self) -> Path:
        from agentdyno_daily.cli.home import bring_costs_up_to_date, report_none

        ledger = bring_costs_up_to_date()
        if ledger is None:
            import typer

            raise typer.Exit(report_none())
        return ledger

    def print_totals(self, paths: Sequence[Path], prices: Path | None, as_json: bool) -> int:
        from agentdyno_daily.cli.first_totals import print_totals

        return print_totals(paths, prices, as_json)

    def show_first_totals(
        self, paths: Sequence[Path], prices: Path | None, is_quiet: bool
    ) -> "Scan | None":
        from agentdyno_daily.cli.first_totals import show_first_totals

        return show_first_totals(paths, prices, is_quiet)

    def compare_totals(self, first: "Scan", ledger: Path) -> list[Any]:
        """What a scan says must be what the ledger says; where it is not, that is said."""
        from agentdyno.cli.output import note
        from agentdyno_daily.totals.check_totals import compare_scan, describe_differences

        found = compare_scan(first, ledger)
        if found:
            note(describe_differences(found, len(first.responses)))
        return found

    def list_sections(self) -> "tuple[Section, ...]":
        from agentdyno_daily.origins.topic import ORIGINS
        from agentdyno_daily.session_measures import MEASURES

        return (*super().list_sections(), ORIGINS, MEASURES)

    def compose_screen(
        self, results: dict[str, Any], files: list[str], ledger: str, complete: Sequence[str] = ()
    ) -> "tuple[Lines, Lines]":
        """How much and who spent it; then where it went, what to change, how `complete` it is, what
        became of the files, and the next commands. What is not complete is said first."""
        if "sheet" in results:
            return super().compose_screen(results, files, ledger, complete)
        import shlex

        from agentdyno.intake.user_folders import user_ledger
        from agentdyno_daily.first_screen import HEIGHT, WIDTH, first_screen, wrap
        from agentdyno_daily.session_measures import describe_measures

        where = "" if ledger == str(user_ledger()) else f" {shlex.quote(ledger)}"
        commands = [
            f"How these figures were made: agentdyno about notes{where}",
            f"next: agentdyno report{where} --by day (or file, origin); agentdyno view{where}",
        ]
        known = [line for each in complete for line in wrap(each, WIDTH)]
        measures = wrap(describe_measures(results["measures"]), WIDTH)
        found = first_screen(
            results["glance"], results.get("cache"), results.get("spending"),
            results.get("sessions"),
            HEIGHT - len(files) - len(commands) - len(known) - len(measures),
            results.get("today"), results.get("origins"), says_unpriced=bool(complete),
        )  # fmt: skip
        is_whole = len(complete) < 2
        first = [] if is_whole else [(line, "") for line in known]
        first += [
            *((line, "bold") for line in found.headline),
            *((line, "") for line in found.body),
        ]
        rest = [(line, "") for line in (*found.change, *measures)]
        last = [*found.notes, *(known if is_whole else ()), *files, *commands]
        return first, [*rest, *((line, "dim") for line in last)]


COMPANION = DailyCompanion()
