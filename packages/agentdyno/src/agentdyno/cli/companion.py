"""What people with coding agents see of `measure`, and what there is without a package for them.

A package registers a `Companion` of its own under the entry point group `agentdyno.companions`, and
overrides what it does better: the first one counts. Methods load what they need when they are
called, since some answers take less time than that.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from agentdyno.plugins import load_place
from agentdyno.quick_entries import list_quick_entries
from agentdyno.records.problems import InputError

if TYPE_CHECKING:
    from agentdyno.cli.short_overview import Lines
    from agentdyno.reports.section import Section

GROUP = "agentdyno.companions"
EXTRA = "agentdyno[daily]"


class FirstTotals(Protocol):
    """What was used, as far as a quick look at the files tells."""

    @property
    def idle(self) -> frozenset[str]:
        """Files in which no response counts; they are measured last."""
        ...


class Companion:
    """What the core does alone."""

    def measure_this_machine(self, totals_only: bool, json: bool) -> int:
        """`agentdyno` without a verb: the exit code."""
        raise InputError(
            "without a verb, it measures the sessions of every coding agent on this machine, and "
            f"that needs {EXTRA}: pip install '{EXTRA}'. To measure traces: agentdyno measure "
            "FOLDER; for all verbs: agentdyno --help."
        )

    def open_own_ledger(self) -> Path:
        """The user's own ledger, with what is new on this machine."""
        from agentdyno.cli.options import find_own_ledger

        return find_own_ledger()

    def print_totals(self, paths: Sequence[Path], prices: Path | None, as_json: bool) -> int:
        """`measure --totals-only`: the exit code."""
        raise InputError(f"measure --totals-only needs {EXTRA}: pip install '{EXTRA}'")

    def show_first_totals(
        self, paths: Sequence[Path], prices: Path | None, is_quiet: bool
    ) -> FirstTotals | None:
        """What is known before a first run reads the traces; None where nothing is."""
        return None

    def compare_totals(self, first: Any, ledger: Path) -> list[Any]:
        """Where those totals and the ledger differ, which is said on stderr."""
        return []

    def list_sections(self) -> "tuple[Section, ...]":
        """What the screen of a ledger is made of."""
        from agentdyno.reports.topics.first_sections import FIRST_SECTIONS

        return FIRST_SECTIONS

    def compose_screen(
        self, results: dict[str, Any], files: list[str], ledger: str, complete: Sequence[str] = ()
    ) -> "tuple[Lines, Lines]":
        """What was found, what became of the files, how `complete` it is: lines for at once, and
        lines for after patterns and schedules."""
        from agentdyno.cli.short_overview import compose_overview, compose_sheet

        if "sheet" in results:
            notes = [*complete, *files]
            return compose_sheet(results["sheet"], results["glance"], notes, ledger)
        return compose_overview(results["glance"], [*complete, *files], ledger)


@cache
def load_companion() -> Companion:
    """The one of an installed package, or the core's."""
    entry = next(iter(list_quick_entries(GROUP).values()), None)
    companion: Companion = Companion() if entry is None else load_place(entry)
    return companion
