"""`agentdyno about`: what this installation knows, and how the figures of a ledger were made."""

from collections.abc import Callable

import typer

from agentdyno.cli import arch, doctor, formats, hardware, notes, prices
from agentdyno.cli.options import one_line

app = typer.Typer(no_args_is_help=True, help="Say what is known here, and how figures were made.")
COMMANDS: dict[str, Callable[..., object]] = {
    "formats": formats.command,
    "architectures": arch.command,
    "hardware": hardware.command,
    "prices": prices.command,
    "doctor": doctor.command,
    "notes": notes.command,
}
for name, command in COMMANDS.items():
    app.command(name, help=one_line(command))(command)
