"""`agentdyno view`: a local page to look around in a ledger."""

from pathlib import Path
from threading import Thread
from typing import Annotated

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.companion import load_companion
from agentdyno.cli.option_structs import takes_options


def find_own_ledger() -> Path:
    """The user's own ledger, with the costs of what is new on this machine."""
    return load_companion().open_own_ledger()


LedgerOrMeasured = Annotated[
    Path,
    typer.Argument(
        help="Folder of the ledger; by default your own, with what is new on this machine.",
        callback=opt.finish_interrupted,
        default_factory=find_own_ledger,
        show_default=False,
    ),
]


class Options(Struct, frozen=True, kw_only=True):
    """What is typed."""

    ledger: LedgerOrMeasured
    against: Path | None = None
    """A second ledger, to see the difference."""
    sources: opt.Sources = None
    port: int = 0
    """Port to listen on; by default a free one."""
    host: str = "127.0.0.1"
    """Address to listen on; by default this machine alone."""
    no_follow: bool = False
    """Do not measure sessions of your own ledger while they are written."""
    no_browser: bool = False
    """Print the address and open no browser."""


@takes_options
def command(options: Options) -> int:
    """Look around in a ledger: sessions turn by turn, files, commands, levers, differences and
    findings, in a page on this machine."""
    import starlette  # noqa: F401  # Named first, so that what is missing is named with its extra.

    from agentdyno.intake.user_folders import user_ledger
    from agentdyno.ledger.working_copy import local_folder
    from agentdyno.view.server import serve

    opt.note_closed_sources(options.ledger, options.sources, "the page does not show their texts")
    other = options.against and local_folder(options.against)
    if options.ledger == user_ledger() and not options.no_follow:
        Thread(target=_follow, args=(options.ledger,), daemon=True).start()
    serve(local_folder(options.ledger), other, options.host, options.port, not options.no_browser)
    return 0


def _follow(ledger: Path) -> None:
    """What agents on this machine write is measured as it comes; the page looks again by itself."""
    from agentdyno.intake.session_folders import find_homes
    from agentdyno.pipelines.live import follow, watch
    from agentdyno.records import InputError

    folders = [home.folder for home in find_homes() if home.folder.is_dir()]
    if not folders:
        return
    try:
        follow(folders, ledger, watch(folders, ledger), lambda states: None)
    except InputError as error:
        print(f"agentdyno: new turns could not be measured: {error}", flush=True)
