"""`agentdyno view`: a local page to look around in a ledger."""

from pathlib import Path

from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options


class Options(Struct, frozen=True, kw_only=True):
    """What is typed."""

    ledger: opt.LedgerOrOwn
    against: Path | None = None
    """A second ledger, to see the difference."""
    port: int = 0
    """Port to listen on; by default a free one."""
    host: str = "127.0.0.1"
    """Address to listen on; by default this machine alone."""
    no_browser: bool = False
    """Print the address and open no browser."""


@takes_options
def command(given: Options) -> int:
    """Look around in a ledger: sessions turn by turn, files, commands, levers, differences and
    findings, in a page on this machine."""
    import starlette  # noqa: F401  # Named first, so that what is missing is named with its extra.

    from agentdyno.ledger.working_copy import local_folder
    from agentdyno.view.server import serve

    other = given.against and local_folder(given.against)
    serve(local_folder(given.ledger), other, given.host, given.port, not given.no_browser)
    return 0
