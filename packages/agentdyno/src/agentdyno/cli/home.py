"""`agentdyno` without a verb: every agent on this machine, measured into the user's own ledger."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentdyno.pipelines.survey import Survey


def measure_this_machine(costs_only: bool = False) -> int:
    """Finds the sessions of all known agents, says which, and measures what is new; with
    `costs_only` without patterns and schedules."""
    import sys

    from agentdyno.cli.measure import command
    from agentdyno.intake.homes import find_homes, user_ledger
    from agentdyno.pipelines.survey import survey_homes

    found = [survey for survey in survey_homes(find_homes()) if survey.files]
    if not found:
        return _report_none()
    ledger = user_ledger()
    for line in describe(found):
        print(line, file=sys.stderr)
    ledger.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    folders = [survey.home.folder for survey in found]
    return command(paths=folders, out=ledger, costs_only=costs_only)


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


def _report_none() -> int:
    import sys

    from agentdyno.intake.homes import AGENTS

    names = ", ".join(agent.name for agent in AGENTS)
    print(
        f"agentdyno: found no sessions of a known agent in your home folder. Looked for {names}; "
        "agentdyno doctor says where.\n"
        "If your traces are elsewhere: agentdyno measure FOLDER. To try it on the bundled samples: "
        "agentdyno measure.",
        file=sys.stderr,
    )
    return 2
