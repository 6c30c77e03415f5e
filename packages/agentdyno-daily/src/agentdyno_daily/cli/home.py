"""`agentdyno` without a verb: every agent on this machine, measured into the user's own ledger."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from agentdyno.pipelines.survey import Survey


def measure_this_machine(totals_only: bool = False, json: bool = False) -> int:
    """Finds the sessions of all known agents, says which, and measures what is new."""
    from agentdyno.cli.measure import Options, measure_again

    folders = _find_sessions()
    if not folders:
        return report_none()
    ledger = _own_ledger()
    seen, visits = _find_last_visit(ledger)
    given = Options(paths=folders, out=ledger, totals_only=totals_only, json=json)
    code = measure_again(given, seen)
    if code == 0 and not totals_only:
        _keep_visits(ledger, visits)
    return code


def _find_last_visit(ledger: "Path") -> tuple[float | None, dict[str, float | None]]:
    """When the first screen was last looked at on an earlier day, and what to note of this look:
    whoever looks twice a day sees the same twice."""
    import json
    import time

    from agentdyno.ledger.file_names import VISITS, refuse_link
    from agentdyno.records import InputError
    from agentdyno.records.local_days import name_day
    from agentdyno.regular_files import read_regular

    now = time.time()
    try:
        kept = json.loads(read_regular(refuse_link(ledger / VISITS)))
        last, before = float(kept["last"]), kept["before"]
        before = last if name_day(last) != name_day(now) else before and float(before)
    except (OSError, LookupError, TypeError, ValueError, RecursionError, InputError):
        before = None
    return before, {"last": now, "before": before}


def _keep_visits(ledger: "Path", visits: dict[str, float | None]) -> None:
    """A ledger that can only be read keeps none."""
    import json

    from agentdyno.ledger.disk import replace_synced
    from agentdyno.ledger.file_names import VISITS, refuse_link
    from agentdyno.records import InputError

    try:
        replace_synced(refuse_link(ledger / VISITS), json.dumps(visits).encode())
    except (OSError, InputError):
        return


def bring_costs_up_to_date() -> "Path | None":
    """The user's own ledger with the costs of every session on this machine; None where there are
    neither sessions nor a ledger. One that cannot be written just now is opened as it is."""
    import sys
    import time

    from agentdyno.cli.measure import avoid_idle_threads

    avoid_idle_threads()
    from agentdyno.cli.progress_bars import byte_progress
    from agentdyno.pipelines.measure import MeasureOptions, measure_costs_first
    from agentdyno.pipelines.session_states import keep_states
    from agentdyno.records import InputError

    began, ledger, folders = time.time(), _own_ledger(), _find_sessions()
    if not folders:
        return ledger if ledger.exists() else None
    try:
        with byte_progress("measuring") as progress:
            measure_costs_first(folders, ledger, MeasureOptions(costs_only=True), progress)
        keep_states(ledger, began)
    except InputError as error:
        if not ledger.exists():
            raise
        print(f"agentdyno: new sessions could not be measured: {error}", file=sys.stderr)
    return ledger


def _find_sessions() -> "list[Path]":
    """The folders of every known agent that hold something; says which agents they are of."""
    import sys

    from agentdyno.pipelines.survey import survey_homes
    from agentdyno_daily.homes import find_homes

    found = [survey for survey in survey_homes(find_homes()) if survey.files]
    for line in describe(found) if found else ():
        print(line, file=sys.stderr)
    return [survey.home.folder for survey in found]


def _own_ledger() -> "Path":
    from agentdyno.intake.user_folders import user_ledger

    ledger = user_ledger()
    ledger.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    return ledger


def describe(found: "list[Survey]") -> list[str]:
    """Which agents were found, a line for all that fit in one."""
    from agentdyno.records import plural, printable

    sums: dict[str, tuple[int, int]] = {}
    for survey in found:
        files, size = sums.get(survey.home.agent.name, (0, 0))
        sums[survey.home.agent.name] = files + survey.files, size + survey.bytes
    agents = ", ".join(
        f"{name} ({plural(files, 'file')}, {_mb(size)})" for name, (files, size) in sums.items()
    )
    problems = [f"could not be listed: {printable(s.problem)}" for s in found if s.problem]
    return [f"Found {agents}.", *problems]


def _mb(size: int) -> str:
    return f"{size / 1e6:,.0f} MB" if size >= 1e7 else f"{size / 1e6:,.1f} MB"


def report_none() -> int:
    import sys

    from agentdyno_daily.homes import AGENTS

    names = ", ".join(agent.name for agent in AGENTS)
    print(
        f"agentdyno: found no sessions of a known agent in your home folder. Looked for {names}; "
        "agentdyno about doctor says where.\n"
        "If your traces are elsewhere: agentdyno measure FOLDER. To try it on the bundled samples: "
        "agentdyno measure.",
        file=sys.stderr,
    )
    return 2
