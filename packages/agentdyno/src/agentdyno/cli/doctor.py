"""`agentdyno about doctor`: the agents on this machine, where their sessions are, what is read."""

from typing import TYPE_CHECKING

from agentdyno.cli import options as opt

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from agentdyno.intake.format import Format
    from agentdyno.pipelines.survey import Survey
    from agentdyno.studies.completeness import AgentCompleteness


def command(json: opt.Json = False) -> int:
    """Say where the sessions of every known agent are, how many, and whether they can be read."""
    from agentdyno.cli.output import print_json, print_refused
    from agentdyno.intake.format import GROUP, Format
    from agentdyno.intake.session_folders import find_homes, find_unread_agents
    from agentdyno.intake.user_folders import user_ledger
    from agentdyno.pipelines.survey import survey_homes
    from agentdyno.plugins import find_errors, load_plugins
    from agentdyno.records import shortened

    formats, of_formats = load_plugins(GROUP, Format)
    errors = [*of_formats, *(error for error in find_errors() if error.group != GROUP)]
    surveys = survey_homes(find_homes())
    ledger, unread = user_ledger(), find_unread_agents()
    complete = _find_completeness(ledger) if ledger.exists() else []
    if json:
        rows = [_row(survey, formats) for survey in surveys]
        ledger_state = {"ledger": str(ledger), "completeness": complete, "unread_agents": unread}
        print_json({"homes": rows, **ledger_state, "refused": errors})
        return 0
    print_refused(errors)
    _print(surveys, formats)
    _print_gaps(complete, unread)
    state = "not written yet" if not ledger.exists() else "exists"
    print(f"\nYour ledger: {shortened(ledger, 200)} ({state})")
    print("AGENTDYNO_LEDGER names another place; agentdyno measures what is new into it.")
    return 0


def _find_completeness(ledger: "Path") -> "list[AgentCompleteness]":
    from agentdyno.ledger.reader import Ledger
    from agentdyno.records import InputError
    from agentdyno.studies.completeness import study_completeness

    try:
        return study_completeness(Ledger(ledger))
    except InputError:
        return []  # Whoever measures into it says what is wrong.


def _print_gaps(complete: "list[AgentCompleteness]", unread: list[str]) -> None:
    from agentdyno.reports.topics.completeness import describe_completeness

    if complete or unread:
        print("\nIn your ledger:")
        print("\n".join(describe_completeness(complete, unread, everyone=True)))


def _row(survey: "Survey", formats: "Mapping[str, Format]") -> dict[str, object]:
    from datetime import UTC, datetime

    home = survey.home
    newest = None if survey.newest is None else datetime.fromtimestamp(survey.newest, UTC)
    return {
        "agent": home.agent.name,
        "folder": str(home.folder),
        "variable": home.variable,
        "files": survey.files,
        "bytes": survey.bytes,
        "newest": None if newest is None else newest.isoformat(timespec="seconds"),
        "read": home.agent.format in formats,
        "problem": survey.problem,
    }


def _print(surveys: "list[Survey]", formats: "Mapping[str, Format]") -> None:
    from agentdyno.cli.companion import EXTRA
    from agentdyno.cli.output import console
    from agentdyno.intake.session_folders import list_agents
    from agentdyno.records import plural, printable

    out = console()
    for survey in surveys:
        row = _row(survey, formats)
        newest = str(row["newest"] or "")[:10] or "empty"
        state = "" if row["read"] else "  no reader installed"
        out.print(
            f"{row['agent']:18} {plural(survey.files, 'file'):>12} {survey.bytes / 1e6:9,.1f} MB"
            f"  {newest:10}  {printable(str(survey.home.folder))}{state}",
            soft_wrap=True, markup=False, highlight=False,
        )  # fmt: skip
        if survey.problem:
            out.print(f"    could not be listed: {printable(survey.problem)}", markup=False)
    here = {survey.home.agent.name for survey in surveys}
    agents = list_agents()
    if not agents:
        out.print(f"No coding agent is known without {EXTRA}: pip install '{EXTRA}'", markup=False)
        return
    out.print("\nNot found, and where it would be:")
    for agent in agents:
        if agent.folders and agent.name not in here:
            named = f" (or {', '.join(agent.variables)})" if agent.variables else ""
            out.print(f"{agent.name:18} {printable(_usual(agent.folders[0]))}{named}", markup=False)


def _usual(folder: str) -> str:
    """A usual place as people write it."""
    import os
    import sys
    from pathlib import Path

    from agentdyno.intake.user_folders import platform_folders

    places = platform_folders(os.environ, Path("~"), sys.platform)
    for name, path in places.items():
        folder = folder.replace(f"{{{name}}}", str(path))
    return folder if folder.startswith(("~", "/")) else f"~/{folder}"
