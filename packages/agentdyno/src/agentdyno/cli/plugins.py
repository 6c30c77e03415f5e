"""`agentdyno plugins`: formats, detectors, judge kinds and the rest, and what failed to load."""

from typing import Annotated

import typer


def command(
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> int:
    """List every part that came in by an entry point, and those that failed to load."""
    from agentdyno.cli.output import console, print_json, print_refused
    from agentdyno.cli.verb import GROUP, Verb
    from agentdyno.pipelines.plugins import list_plugins

    found = list_plugins({GROUP: Verb})
    if json:
        print_json(found)
        return 0
    out = console()
    for group, names in found.groups.items():
        out.print(f"{group} ({len(names)})")
        out.print(f"  {', '.join(names)}\n")
    out.print("Add your own: docs/guides/extend.md.")
    print_refused(found.refused)
    return 0
