"""The page's server: addresses, assets, and the process that serves them on this machine.

Takes an `Explorer`. Assets have a digest of their contents in their address, so that a browser
keeps them and never mixes two versions.
"""

import socket
import sys
import webbrowser
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from agentdyno.records import InputError, printable
from agentdyno.records.escaped_json import encode_json
from agentdyno.reports.html.figures import colour_rules
from agentdyno.view.explorer import Explorer
from agentdyno.view.report_pages import ReportPages
from agentdyno.view.security import Codes, Guard

TYPES = {".js": "text/javascript", ".css": "text/css"}
VIEWS = ("state", "first", "origins", "sessions", "names", "session", "texts", "spent", "calls",
         "levers", "difference", "findings")  # fmt: skip


class Opened(NamedTuple):
    """A server that listens and does not answer yet."""

    home: str
    codes: Codes
    server: Any
    """The `uvicorn.Server`."""
    listening: socket.socket
    explorer: Explorer
    reports: ReportPages
    """The report, made beforehand."""

    def new_address(self) -> str:
        """What to open; it works once, for a minute."""
        return f"{self.home}/?code={self.codes.create()}"

    def run(self) -> None:
        """Answers until Ctrl-C, or until `server.should_exit`."""
        Thread(target=self._warm_up, daemon=True).start()
        try:
            self.server.run(sockets=[self.listening])
        finally:
            self.listening.close()
            self.explorer.close()

    def _warm_up(self) -> None:
        self.explorer.warm_up()
        self.reports.prepare()


def serve(
    ledger: Path,
    other: Path | None = None,
    host: str = "127.0.0.1",
    port: int = 0,
    opens_browser: bool = True,
) -> None:
    """Serves the page until Ctrl-C; prints its address, and another one for each Enter."""
    opened = open_server(ledger, other, host, port)
    address = opened.new_address()
    print(f"The page is at {address}\nThe address works once, within a minute.", flush=True)
    if sys.stdin is not None and sys.stdin.isatty():
        print("Enter prints another one, Ctrl-C ends it.", flush=True)
        Thread(target=_print_addresses, args=(opened,), daemon=True).start()
    else:
        print("Ctrl-C ends it.", flush=True)
    if opens_browser:
        webbrowser.open(address)
    opened.run()


def _print_addresses(opened: Opened) -> None:
    for _ in sys.stdin:
        print(opened.new_address(), flush=True)


def open_server(
    ledger: Path, other: Path | None = None, host: str = "127.0.0.1", port: int = 0
) -> Opened:
    """Listens on the port, or a free one."""
    import uvicorn

    from agentdyno.view.timed_protocol import TimedProtocol

    explorer, codes = Explorer(ledger, other), Codes()
    listening = socket.create_server((host, port))
    port = listening.getsockname()[1]
    reports = ReportPages(explorer, ledger)
    app = Guard(build_app(explorer, reports), codes, host, port)
    config = uvicorn.Config(
        app,
        http=TimedProtocol,
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
    )
    server = uvicorn.Server(config)
    return Opened(f"http://{host}:{port}", codes, server, listening, explorer, reports)


def build_app(explorer: Explorer, reports: ReportPages) -> Starlette:
    """Every address of the page."""
    views = [Route(f"/api/{name}", _answer(getattr(explorer, name))) for name in VIEWS]
    return Starlette(
        routes=[
            Route("/", _send_page),
            Route("/assets/{digest}/{name}", _send_asset),
            Route("/report", _send_report(reports)),
            *views,
        ]
    )


def _answer(ask: Callable[[Any], Any]) -> Callable[[Request], Response]:
    def answer(request: Request) -> Response:
        return _as_json(lambda: ask(request.query_params))

    return answer


def _as_json(ask: Callable[[], Any]) -> Response:
    """What was asked for, or why it cannot be answered."""
    try:
        return Response(encode_json(ask()), media_type="application/json")
    except (InputError, msgspec.MsgspecError) as error:
        answer = msgspec.json.encode({"error": printable(str(error), 500)})
        return Response(answer, 400, media_type="application/json")


def _send_report(pages: ReportPages) -> Callable[[Request], Response]:
    def send(request: Request) -> Response:
        # The report is one file with a policy of its own, which names its script by its hash.
        policy = {"Content-Security-Policy": "frame-ancestors 'none'"}
        try:
            return Response(pages.read(), media_type="text/html", headers=policy)
        except InputError as error:
            return Response(printable(str(error), 500), 400, media_type="text/plain")

    return send


def _send_page(request: Request) -> Response:
    text = _assets().joinpath("index.html").read_text(encoding="utf-8")
    return Response(text.replace("{digest}", digest_assets()), media_type="text/html")


def _send_asset(request: Request) -> Response:
    asset = read_assets().get(request.path_params["name"])
    if asset is None or request.path_params["digest"] != digest_assets():
        return Response("not found", 404, media_type="text/plain")
    kind = TYPES[Path(request.path_params["name"]).suffix]
    forever = {"Cache-Control": "private, max-age=31536000, immutable"}
    return Response(asset, media_type=kind, headers=forever)


@cache
def read_assets() -> dict[str, bytes]:
    """Every script and style by name; colours and base style are the report's."""
    assets = {
        file.name: file.read_bytes()
        for file in _assets().iterdir()
        if Path(file.name).suffix in TYPES
    }
    base = files("agentdyno.reports.html").joinpath("style.css").read_bytes()
    return assets | {"report.css": colour_rules().encode() + base}


@cache
def digest_assets() -> str:
    """What names this version of them."""
    digest = blake2b(digest_size=8)
    for name, content in sorted(read_assets().items()):
        digest.update(name.encode() + content)
    return digest.hexdigest()


def _assets() -> Any:
    return files("agentdyno.view").joinpath("assets")
