"""Runs a receiver: the servers, the thread that writes and the process that measures."""

import asyncio
import ipaddress
import signal
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct, structs

from agentdyno.intake.format import load_formats
from agentdyno.pipelines.known_files import find_known_files
from agentdyno.pipelines.receive.committer import Committer
from agentdyno.pipelines.receive.counters import Counters
from agentdyno.pipelines.receive.folding import Folding
from agentdyno.pipelines.receive.http_server import MOST_HEADER_BYTES, HttpServer, Limits
from agentdyno.pipelines.receive.segments import Segments
from agentdyno.records import InputError, printable

BACKLOG = 1024
"""Connections that the system holds until they are taken."""
CHECK_SECONDS = 10.0
"""How often it is seen to that segments are measured, and old ones removed."""


class ReceiveOptions(Struct, frozen=True):
    """What a receiver is asked for."""

    ledger: Path
    """Where the records are measured into."""
    inbox: Path
    """Where they are kept as they came."""
    host: str = "127.0.0.1"
    """The address that is listened on."""
    port: int = 4318
    """For HTTP; 0 takes a free one."""
    grpc_port: int | None = 4317
    """For gRPC, where it is installed; 0 takes a free one, None listens on none."""
    every: float = 3.0
    """Seconds between two measurements."""
    keep_days: float | None = None
    """Days after which measured segments are removed; None keeps them."""
    limits: Limits = Limits()
    """How much is taken on."""


class Listening(Struct, frozen=True):
    """Where a receiver can be reached."""

    http: str
    """The address to set as OTEL_EXPORTER_OTLP_ENDPOINT."""
    grpc: str | None
    """The same for gRPC; None where that is not served."""


class Parts(Struct, frozen=True):
    """What a receiver consists of, besides its servers."""

    committer: Committer
    counters: Counters
    segments: Segments
    folding: Folding


def receive(options: ReceiveOptions, report: Callable[[Listening], None]) -> None:
    """Serves until SIGTERM or Ctrl-C, then commits and measures what has come."""
    check_address(options.host, options.limits.token)
    segments = Segments(options.inbox)
    counters = Counters()
    folding = Folding(options.inbox, options.ledger, options.every)
    try:
        _watch(counters, folding)
        committer = Committer(segments, counters)
        try:
            asyncio.run(_serve(options, Parts(committer, counters, segments, folding), report))
        finally:
            committer.close()
    finally:
        folding.stop()
        segments.close()


def check_address(host: str, token: str | None) -> None:
    """Refuses to listen to other machines without a token."""
    try:
        is_local = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_local = False
    if not is_local and token is None:
        raise InputError(
            f"receive: {printable(host, 60)} can be reached from other machines: expected a token, "
            "found none. Set AGENTDYNO_RECEIVE_TOKEN or pass --token-file, or listen on 127.0.0.1."
        )


def _watch(counters: Counters, folding: Folding) -> None:
    counters.watch("folds_total", lambda: folding.done.value, outcome="done")
    counters.watch("folds_total", lambda: folding.failed.value, outcome="failed")
    counters.watch("fold_seconds", lambda: folding.seconds.value)
    counters.watch("folded_timestamp_seconds", lambda: folding.ended_at.value)


async def _serve(
    options: ReceiveOptions, parts: Parts, report: Callable[[Listening], None]
) -> None:
    ended = _watch_signals()
    limits = structs.replace(options.limits, host=options.host)
    http = HttpServer(parts.committer, parts.counters, limits)
    try:
        server = await asyncio.start_server(
            http.handle, options.host, options.port, limit=MOST_HEADER_BYTES, backlog=BACKLOG
        )
    except OSError as error:
        raise InputError(
            f"receive: cannot listen on {printable(options.host, 60)} port {options.port}: "
            f"{error.strerror}. Choose another with --port."
        ) from None
    grpc = None
    port = server.sockets[0].getsockname()[1]
    where = f"http://{_bracket(options.host)}"
    listening = Listening(f"{where}:{port}", None)
    if options.grpc_port is not None and find_spec("grpc") is not None:
        from agentdyno.pipelines.receive.grpc_server import start_grpc

        address = f"{_bracket(options.host)}:{options.grpc_port}"
        grpc, grpc_port = await start_grpc(address, parts.committer, options.limits, http)
        listening = Listening(f"{where}:{port}", f"{where}:{grpc_port}")
    report(listening)
    async with server:
        await _wait_for_end(ended, options, parts)
        server.close()
        if grpc is not None:
            await grpc.stop(grace=5)


def _watch_signals() -> asyncio.Event:
    """Set when the receiver is to end."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, ended.set)
        except NotImplementedError:
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(ended.set))
    return ended


async def _wait_for_end(ended: asyncio.Event, options: ReceiveOptions, parts: Parts) -> None:
    while not ended.is_set():
        try:
            await asyncio.wait_for(ended.wait(), CHECK_SECONDS)
        except TimeoutError:
            parts.folding.ensure_running()
            await asyncio.to_thread(remove_measured, options, parts.segments)


def remove_measured(options: ReceiveOptions, segments: Segments) -> None:
    """Removes segments that the ledger holds as they are and that are older than asked for."""
    if options.keep_days is not None:
        known_files = find_known_files(options.ledger, load_formats())
        segments.remove_older(options.keep_days, lambda path: known_files.recall(path) is not None)


def _bracket(host: str) -> str:
    return f"[{host}]" if ":" in host else host
