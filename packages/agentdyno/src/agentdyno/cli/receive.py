"""`agentdyno receive`: OpenTelemetry traces and logs from running agents, into a ledger."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from agentdyno.cli.option_structs import copy_options, takes_options

if TYPE_CHECKING:
    from agentdyno.pipelines.receive.serve import Listening

TOKEN = "AGENTDYNO_RECEIVE_TOKEN"


class Options(Struct, frozen=True, kw_only=True):
    """What is typed."""

    out: Annotated[Path | None, typer.Option("--out", "-o")] = None
    """Folder of the ledger; by default your own."""
    inbox: Path | None = None
    """Folder of the records as they came, without their secrets; by default LEDGER-inbox. They
    are what the ledger is measured from, and reports read their texts again."""
    host: str = "127.0.0.1"
    """The address to listen on; one that other machines reach needs a token."""
    port: Annotated[int, typer.Option(min=0, max=65535)] = 4318
    """The port for HTTP; 0 takes a free one."""
    grpc_port: Annotated[int, typer.Option(min=-1, max=65535)] = 4317
    """The port for gRPC, where grpcio is installed; 0 takes a free one, -1 listens on none."""
    token_file: Path | None = None
    """A file with the token that clients must send as Authorization: Bearer; else that of
    AGENTDYNO_RECEIVE_TOKEN."""
    every: Annotated[float, typer.Option(min=0.2)] = 3.0
    """Seconds between two measurements of what has come."""
    keep_days: Annotated[float | None, typer.Option(min=0)] = None
    """Remove files of the inbox that are measured and got no record for so many days; their rows
    stay in the ledger. By default all are kept, and you may delete any of them yourself."""
    max_request_mb: Annotated[int, typer.Option(min=1, max=64)] = 8
    """The largest request, as sent and unpacked."""
    json: Annotated[bool, typer.Option("--json")] = False
    """Print where it listens as JSON."""


@takes_options
def command(given: Options) -> int:
    """Receive OpenTelemetry traces and logs (OTLP over HTTP, and gRPC where installed) and measure
    them into a ledger while they come. A record is acknowledged when it is on disk. Metrics sent to
    /v1/metrics are answered and dropped; the receiver's own are at /metrics."""
    import os

    os.environ.setdefault("POLARS_MAX_THREADS", "1")  # Small tables: threads only wait in turn.
    from agentdyno.intake.user_folders import user_ledger
    from agentdyno.pipelines.receive.http_server import Limits
    from agentdyno.pipelines.receive.serve import ReceiveOptions, receive

    ledger = given.out or user_ledger()
    ledger.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    options = copy_options(
        given,
        ReceiveOptions,
        ledger=ledger,
        inbox=given.inbox or ledger.with_name(f"{ledger.name}-inbox"),
        grpc_port=None if given.grpc_port < 0 else given.grpc_port,
        limits=Limits(
            request_bytes=given.max_request_mb * 2**20,
            held_bytes=4 * given.max_request_mb * 2**20,
            token=_read_token(given.token_file),
        ),
    )
    receive(options, lambda where: _print(where, options.inbox, ledger, given.json))
    return 0


def _read_token(file: Path | None) -> str | None:
    import os

    from agentdyno.records import InputError

    token = os.environ.get(TOKEN) if file is None else file.read_text("utf-8", "replace")
    if token is None:
        return None
    token = token.strip()
    if not token or not token.isascii() or not token.isprintable():
        raise InputError(f"{file or TOKEN}: expected a token in one line of ASCII, found none.")
    return token


def _print(where: "Listening", inbox: Path, ledger: Path, as_json: bool) -> None:
    import sys

    from agentdyno.cli.output import print_json

    if as_json:
        print_json({"http": where.http, "grpc": where.grpc, "inbox": str(inbox)})
    else:
        over = f", {where.grpc} (gRPC)" if where.grpc else ""
        print(f"Listening on {where.http} (HTTP){over}.")
        print(f"Records are kept in {inbox} and measured into {ledger}. Ctrl-C ends it.")
    sys.stdout.flush()
