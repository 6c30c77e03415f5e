"""A tiny web server on loopback whose answers are raw bytes, as bad as need be."""

import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

Responder = Callable[["Request"], bytes | Iterable[bytes]]


@dataclass(frozen=True)
class Request:
    """What a client asked."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    to: str
    """The server's address that the client connected to."""


@dataclass
class Server:
    address: str
    port: int
    requests: list[Request] = field(default_factory=list)
    connections: int = 0
    sent_bytes: int = 0

    @property
    def url(self) -> str:
        return f"http://{self.address}:{self.port}"


def page(
    body: bytes, status: int = 200, kind: str = "text/html; charset=utf-8", **headers: str
) -> bytes:
    """A complete answer."""
    lines = [f"HTTP/1.1 {status} X", f"Content-Type: {kind}", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


@contextmanager
def serve(respond: Responder, address: str = "127.0.0.1") -> Iterator[Server]:
    """Answers every connection once, each in a thread."""
    # All addresses 127.*.*.* are this machine, so that one can play the public part.
    with socket.create_server(("0.0.0.0" if address == "*" else address, 0)) as listening:
        server = Server("127.0.0.1" if address == "*" else address, listening.getsockname()[1])
        stop = threading.Event()
        threads = [threading.Thread(target=_accept, args=(listening, server, respond, stop))]
        threads[0].start()
        try:
            yield server
        finally:
            stop.set()
            threads[0].join()


def _accept(
    listening: socket.socket, server: Server, respond: Responder, stop: threading.Event
) -> None:
    listening.settimeout(0.05)
    answering: list[threading.Thread] = []
    while not stop.is_set():
        try:
            connection, _ = listening.accept()
        except TimeoutError:
            continue
        server.connections += 1
        thread = threading.Thread(target=_answer, args=(connection, server, respond, stop))
        thread.start()
        answering.append(thread)
    for thread in answering:
        thread.join()


def _answer(
    connection: socket.socket, server: Server, respond: Responder, stop: threading.Event
) -> None:
    with connection, suppress(OSError):
        connection.settimeout(5)
        request = _read(connection)
        server.requests.append(request)
        answer = respond(request)
        for piece in [answer] if isinstance(answer, bytes) else answer:
            if stop.is_set():
                return
            connection.sendall(piece)
            server.sent_bytes += len(piece)


def _read(connection: socket.socket) -> Request:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            raise OSError("closed")
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        body += connection.recv(65536)
    method, target, _ = first.split(" ", 2)
    return Request(method, target, headers, body, connection.getsockname()[0])
