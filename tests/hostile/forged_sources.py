"""Runs every verb that opens a ledger on one whose manifest names a server and a private file.

As a program it prints what was asked of them, so that it can run in a namespace without a network.
"""

import os
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from urllib.parse import urlsplit

from agentdyno.pipelines.measure import MeasureOptions, measure
from tests.hostile.forged import Json, Run, forge, verbs
from tests.ledger.traces import write_jsonl

MORE = (
    ("report", "--format", "json"),
    ("report", "--by", "model"),
    ("export", "--as", "otel", "--to", "{out}.jsonl"),
    ("export", "--as", "atif", "--to", "{out}-atif"),
    ("cache",),
    ("statusline", "--ledger"),
    ("report", "-o", "{out}-again.html"),
)
"""Beside `verbs`."""


@contextmanager
def counting_server() -> Iterator[tuple[str, list[bytes]]]:
    """An address of this machine, and the first line of whatever is asked of it."""
    asked: list[bytes] = []

    class Handler(StreamRequestHandler):
        def handle(self) -> None:
            asked.append(self.rfile.readline())
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
        server.shutdown()


@contextmanager
def watching(path: Path) -> Iterator[list[str]]:
    """How often this process opens a file; a hook cannot be taken back, so it is switched off."""
    opened: list[str] = []
    is_on = [True]

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if is_on[0] and event == "open" and str(arguments[0]) == str(path):
            opened.append(str(arguments[0]))

    sys.addaudithook(hook)
    try:
        yield opened
    finally:
        is_on[0] = False


def forge_sources(ledger: Path, server: str, private: Path, with_options: bool) -> None:
    """Every input is on the server or a private file, and so is what costs are computed with."""

    def change(fields: dict[str, Json]) -> None:
        places = [f"{server}/a.jsonl", str(private), f"{server}/pack.zip!/b.jsonl"]
        for number, entry in enumerate(fields["inputs"].values()):
            entry["path"] = places[number % len(places)]
        files = {"prices": str(private), "hardware": str(private), "tokenizer": f"{private}.json"}
        if not with_options:
            files = {}
        fields["options"] |= files
        for volume in fields["volumes"].values():
            volume["making"]["reading"] |= files
            made = volume["making"]
            made["versions"] = dict.fromkeys(made["versions"], 0)  # Old rows are to be read again.

    forge(ledger, change)


def run_all(folder: Path, is_own: bool, with_options: bool) -> list[str]:
    """What verbs opened, asked for or fell over."""
    for number in range(3):
        write_jsonl(folder / "traces" / f"{'abc'[number]}.jsonl", range(number * 3, number * 3 + 3))
    ledger, private = folder / "ledger", folder / "private.jsonl"
    measure([folder / "traces"], ledger, MeasureOptions(workers=1, costs_only=True))
    for path in (private, private.with_name(f"{private.name}.json")):
        path.write_text("not for anybody else\n")
    if not is_own:
        ledger = Path(shutil.copytree(ledger, folder / "theirs"))
    problems: list[str] = []
    with counting_server() as (server, asked), watching(private) as opened:
        forge_sources(ledger, server, private, with_options)
        for words in (*dict(verbs(ledger, folder)).values(), *_list_more(ledger)):
            ran, name = Run(*words), " ".join(map(str, words))
            if "Traceback" in ran.out + ran.err or "should not have happened" in ran.err:
                problems.append(f"{name}: {ran.err}")
            if words[0] in ("report", "export") and "--by" not in words and ran.code:
                problems.append(f"{name} failed: {ran.err}")
            problems += [f"{name} asked for {line!r}" for line in asked]
            problems += [f"{name} opened {path}" for path in opened]
            asked.clear()
            opened.clear()
        _ask_once(server)
        if len(asked) != 1:
            problems.append("the server counts no requests")
    return problems


def _list_more(ledger: Path) -> Iterator[tuple[object, ...]]:
    for words in MORE:
        yield *(word.format(out=ledger.parent / "out") for word in words), ledger


def _ask_once(server: str) -> None:
    connection = HTTPConnection(urlsplit(server).netloc)
    connection.request("GET", "/counted")
    connection.getresponse().read()
    connection.close()


if __name__ == "__main__":
    place = Path(sys.argv[1])
    os.environ["XDG_STATE_HOME"] = str(place / "state")
    found = run_all(place, is_own=False, with_options=True)
    print("\n".join(found) or "no requests")
    sys.exit(bool(found))
