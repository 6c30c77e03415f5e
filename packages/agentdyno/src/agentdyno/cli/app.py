"""The command line: its verbs."""

import sys
from difflib import get_close_matches
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from agentdyno.cli.guard import run_guarded, run_program
from agentdyno.cli.removed import advise
from agentdyno.cli.verb import build_command, hide_flag_types, load_verbs
from agentdyno.records.problems import InputError

PACKAGES = {
    "daily": ("apply", "budget", "statusline", "mcp"),
    "bench": ("judge", "classify", "bench", "worth", "world"),
    "depth": ("depth", "think"),
    "train": ("train",),
}
"""Verbs of our other packages, for a word to whoever has not installed them."""


class Verbs(TyperGroup):
    """The installed verbs; each is imported when it is asked for."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Ends with what to use instead where a verb or an option was removed."""
        if advice := advise(args):
            raise InputError(advice)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: Any) -> Any:
        """Options of the program itself."""
        return hide_flag_types(super().get_params(ctx))

    def list_commands(self, ctx: Any) -> list[str]:
        """In the order of the help text."""
        return list(load_verbs())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The verb of this name; says which package has it where none is installed."""
        verb = load_verbs().get(cmd_name)
        if verb is not None:
            return build_command(verb)
        for package, verbs in PACKAGES.items():
            if cmd_name in verbs:
                extra = f"agentdyno[{package}]"
                needs = f"agentdyno {cmd_name} needs {extra}: pip install '{extra}'"
                print(needs, file=sys.stderr)
                raise typer.Exit(2)
        if similar := get_close_matches(cmd_name, load_verbs(), 1):
            ctx.fail(f"No verb {cmd_name!r}. Did you mean {similar[0]!r}?")
        return None


app = typer.Typer(
    cls=Verbs,
    name="agentdyno",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(asked: bool) -> None:
    if asked:
        from agentdyno.version import __version__

        print(f"agentdyno {__version__}")
        raise typer.Exit()


@app.callback(
    help="A dynamometer for LLM agents: PTE, tool utility, deep thinking, planning and tool "
    "failures, from anybody's logs. Without a verb it measures the sessions of every coding agent "
    "on this machine."
)
def _options(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
    totals_only: Annotated[
        bool,
        typer.Option(
            "--totals-only", help="Without a verb: print what was used, and write nothing."
        ),
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Without a verb: one JSON object on stdout.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        from agentdyno.cli.companion import load_companion

        raise typer.Exit(load_companion().measure_this_machine(totals_only, json))


def main() -> None:
    """Runs a verb."""
    run_program(app)


__all__ = ["PACKAGES", "app", "main", "run_guarded"]
