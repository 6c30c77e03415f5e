"""`agentdyno statusline` with options: typer is loaded here, which the hook does not wait for."""

from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

from agentdyno.cli.option_structs import takes_options
from agentdyno_daily.cli.statusline import answer_hook


class Options(Struct, frozen=True, kw_only=True):
    """What is typed."""

    ledger: Annotated[Path | None, typer.Option("--ledger")] = None
    """Folder of the ledger; by default your own."""
    install: bool = False
    """Write it into Claude Code's settings."""
    uninstall: bool = False
    """Take it out of them."""


@takes_options
def command(given: Options) -> int:
    """Answer Claude Code's status hook: what the session and today have cost, how long its cache
    lives, what is left of budgets and limits."""
    if not (given.install or given.uninstall):
        return answer_hook(str(given.ledger) if given.ledger else None)
    from agentdyno_daily.cli.agent_settings import set_status_line

    words = ["statusline", *(["--ledger", str(given.ledger.resolve())] if given.ledger else [])]
    print(set_status_line(words if given.install else None))
    return 0
