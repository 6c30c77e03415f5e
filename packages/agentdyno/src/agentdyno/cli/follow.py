"""`agentdyno follow`: sessions measured while they are written."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from agentdyno.pipelines.session_states import SessionState

NAMED = 4
"""Folders that are named."""


def command(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Folders of traces; by default those of every agent on this machine."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the ledger; by default your own.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="A JSON object a line.")] = False,
) -> int:
    """Measure sessions while they are written: a line of cost and cache for each that changes."""
    from agentdyno.cli.output import note
    from agentdyno.intake.session_folders import find_homes
    from agentdyno.intake.user_folders import user_ledger
    from agentdyno.pipelines.live import follow, watch
    from agentdyno.records import InputError

    homes = [] if paths else find_homes()
    folders = paths or [home.folder for home in homes]
    if not folders:
        raise InputError("follow: found no sessions of a known agent. Name a folder to watch.")
    ledger = out or user_ledger()
    ledger.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    names = dict.fromkeys(home.agent.name for home in homes)
    note(_describe_watched(folders, [*names]))
    follow(folders, ledger, watch(folders, ledger), lambda states: _print(states, json))
    return 0


def _describe_watched(folders: list[Path], agents: list[str]) -> str:
    """Which folders, and whose: nothing may come for a while."""
    from agentdyno.records import plural

    whose = f" of {', '.join(agents)}" if agents else ""
    named = ", ".join(str(folder) for folder in folders[:NAMED])
    more = f" and {len(folders) - NAMED} more" if len(folders) > NAMED else ""
    many = plural(len(folders), "folder")
    return f"Watching {many}{whose}: {named}{more}. Ctrl-C ends it."


def _print(states: "list[SessionState]", as_json: bool) -> None:
    import sys

    from agentdyno.cli.output import print_json
    from agentdyno.cli.session_line import describe
    from agentdyno.records import printable

    for state in states:
        if as_json:
            print_json(state)
        else:
            print(f"{describe(state)}  {printable(state.title or state.session, 48)}")
    sys.stdout.flush()
