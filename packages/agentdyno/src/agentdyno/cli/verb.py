"""What a verb of the command line is, and where verbs come from: the group `agentdyno.verbs`.

Ours and those of third parties enter the same way. A verb names the place of its function, which is
imported when the verb is run or its help is printed, so that a new verb slows no other down.
"""

from typing import Any

import typer
from msgspec import Struct
from typer.core import TyperCommand, TyperGroup

from agentdyno.cli.options import one_line
from agentdyno.plugins import load_place, load_plugins, report_failure

GROUP = "agentdyno.verbs"

MEASURE, PAPERS, EVERY_DAY = "Measure", "The papers", "Every day"
PANELS = (MEASURE, PAPERS, EVERY_DAY)
"""The headings of the help text, in its order; those of third parties come after them."""


class Verb(Struct, frozen=True):
    """A verb of the command line."""

    name: str
    """What is typed after `agentdyno`."""
    panel: str
    """The heading of the help text that it is listed under."""
    place: str
    """`module:attribute` of the function that runs it, or of a `typer.Typer` with verbs of its
    own."""
    summary: str = ""
    """Its line in the help text; empty for the first sentence of its function's."""
    is_hidden: bool = False
    """Left out of the help text."""


def load_verbs() -> dict[str, Verb]:
    """Every installed verb by name, in the order of the help text."""
    verbs = load_plugins(GROUP, Verb)[0].values()
    ranked = sorted(verbs, key=lambda v: PANELS.index(v.panel) if v.panel in PANELS else 99)
    return {verb.name: verb for verb in ranked}


def build_command(verb: Verb) -> TyperCommand | TyperGroup | None:
    """The verb ready to run; None, with a warning, where its module cannot be imported."""
    try:
        command = load_place(verb.place)
    except ModuleNotFoundError:
        raise
    except Exception as error:
        report_failure(verb, "to load", error)
        return None
    alone = typer.Typer(rich_markup_mode="rich", add_completion=False)
    if isinstance(command, typer.Typer):
        alone.add_typer(command, name=verb.name, rich_help_panel=verb.panel, hidden=verb.is_hidden)
    else:
        alone.command(
            verb.name, help=one_line(command), rich_help_panel=verb.panel, hidden=verb.is_hidden
        )(command)
    # With a callback typer makes a group of it, whatever it holds.
    alone.callback()(lambda: None)
    group: Any = typer.main.get_group(alone)
    built: TyperCommand | TyperGroup = group.commands[verb.name]
    built.short_help = verb.summary or built.short_help
    _name_no_type_of_flags(built)
    return built


def _name_no_type_of_flags(command: Any) -> None:
    """`--json <bool>` would look as if a word had to follow."""
    find = command.get_params
    command.get_params = lambda context: hide_flag_types(find(context))
    for subcommand in getattr(command, "commands", {}).values():
        _name_no_type_of_flags(subcommand)


def hide_flag_types(options: list[Any]) -> list[Any]:
    """Options whose flags have no type in the help; --help is one that typer adds itself."""
    for option in options:
        if getattr(option, "is_flag", False):
            option.metavar = ""
    return options
