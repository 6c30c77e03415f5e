"""OTLP over HTTP: requests in, answers out; who may send, limits, timeouts. Knows no records.

`/v1/traces` and `/v1/logs` take JSON or protobuf, plain or with gzip; `/v1/metrics` is answered and
dropped; `/metrics` is the receiver's own. A request is refused before its body is read where that
is possible, and a client that sends slowly, or nothing, is cut off: at once where another one comes
and all connections are taken.

A web page must not write rows. Its browser names the page in Origin, and where the page's own name
was pointed at this machine (DNS rebinding) that name stands in Host; both are refused.
"""

import asyncio
import hmac
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

import h11
from msgspec import Struct

from agentdyno.pipelines.receive.committer import Accepted, Committer, DiskRefused
from agentdyno.pipelines.receive.counters import Counters
from agentdyno.pipelines.receive.http_answers import (
    ENCODINGS,
    Answer,
    Refused,
    describe_limit,
    encode_answer,
    encode_refusal,
    unpack,
)
from agentdyno.pipelines.receive.requests import Encoding, MalformedRequest, Signal

MOST_HEADER_BYTES = 16 * 2**10
IDLE_SECONDS = 120.0
"""How long a connection may stay open between two requests."""
HEAD_SECONDS = 10.0
"""How long the head of a request may take from its first byte on."""
BODY_SECONDS = 30.0
"""How long a body may take."""
REST_SECONDS, REST_BYTES = 2.0, 64 * 2**20
"""How much of the body of a refused request is taken and thrown away."""
LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
RETRY_SECONDS = 1
"""When a client that was refused for load may come back."""
_PORT = re.compile(r":\d*\Z")
_PATHS: dict[str, Signal] = {"/v1/traces": "traces", "/v1/logs": "logs"}


class Limits(Struct, frozen=True):
    """How much a receiver takes on."""

    request_bytes: int = 8 * 2**20
    """A request, as sent and unpacked."""
    held_bytes: int = 32 * 2**20
    """All requests that are being read or wait for the disk."""
    connections: int = 256
    token: str | None = None
    """What a client must send as `Authorization: Bearer`; None asks for nothing."""
    host: str = "127.0.0.1"
    """The address that is listened on, which clients may name as Host."""


class HttpServer:
    """Serves connections; `handle` is what asyncio calls for each."""

    def __init__(self, committer: Committer, counters: Counters, limits: Limits) -> None:
        self._committer, self.counters, self._limits = committer, counters, limits
        self._held = 0
        self._serving: set[_Connection] = set()
        self._reading: dict[_Connection, None] = {}
        """Connections that wait for their client, the one that waits longest first."""
        self._hosts = {*LOCAL_NAMES, limits.host.lower().strip("[]")}
        counters.watch("held_bytes", lambda: self._held)
        counters.watch("connections", lambda: len(self._serving))

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers the requests of one connection until one side ends it."""
        connection = _Connection(self, reader, writer)
        try:
            if self._make_room():
                self._serving.add(connection)
                await connection.serve()
        except (OSError, TimeoutError, h11.RemoteProtocolError, h11.LocalProtocolError):
            pass  # The client is gone, too slow, or speaks something else.
        except asyncio.CancelledError:
            pass  # The receiver ends; what waits for the disk is committed, answered or not.
        finally:
            self._serving.discard(connection)
            writer.close()

    def _make_room(self) -> bool:
        """Whether another connection can be served; the one that keeps us waiting longest goes for
        it."""
        if len(self._serving) < self._limits.connections:
            return True
        slowest = next(iter(self._reading), None)
        if slowest is None:
            return False  # All wait for the disk.
        self._serving.discard(slowest)
        self._reading.pop(slowest)
        slowest.abort()
        return True

    @contextmanager
    def reading(self, connection: "_Connection") -> Iterator[None]:
        """While the client is waited for."""
        self._reading[connection] = None
        try:
            yield
        finally:
            self._reading.pop(connection, None)

    def hold(self, size: int) -> int:
        """Makes room for bytes of a request, or refuses it; how many."""
        if self._held + size > self._limits.held_bytes:
            raise Refused(429, "too many requests wait for the disk; try again")
        self._held += size
        return size

    def release(self, size: int) -> None:
        """Gives the room back."""
        self._held -= size

    def check_head(self, request: h11.Request) -> None:
        """Refuses what need not be read."""
        headers = _headers(request)
        token = self._limits.token
        host, origin = headers.get("host", ""), headers.get("origin")
        # A page does not know the token; who has set one may give the receiver other names.
        if token is None and _PORT.sub("", host).lower().strip("[]") not in self._hosts:
            raise Refused(403, "Host: expected the address that the receiver printed")
        if origin is not None and origin != f"http://{host}":
            raise Refused(403, "Origin: expected a program, found a request of a web page")
        sent = headers.get("authorization", "")
        if token is not None and not hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
            raise Refused(401, "expected the token of this receiver as Authorization: Bearer")
        length = headers.get("content-length", "0")
        self.check_size(int(length) if length.isdigit() else 0)

    def check_size(self, size: int) -> None:
        """Refuses a body that is, or will be, too large."""
        if size > self._limits.request_bytes:
            raise Refused(413, describe_limit(self._limits.request_bytes))

    async def answer(self, request: h11.Request, body: bytes) -> Answer:
        """What a request comes to."""
        path = request.target.decode("latin-1").partition("?")[0]
        method = request.method.decode("latin-1")
        if path == "/metrics" and method == "GET":
            text = self.counters.render().encode()
            return Answer(200, text, "text/plain; version=0.0.4; charset=utf-8")
        if path not in _PATHS and path != "/v1/metrics":
            raise Refused(404, "expected /v1/traces, /v1/logs, /v1/metrics or /metrics")
        if method != "POST":
            raise Refused(405, f"expected POST, found {method[:20]}")
        headers = _headers(request)
        media = headers.get("content-type", "").partition(";")[0].strip().lower()
        encoding = ENCODINGS.get(media)
        if encoding is None:
            raise Refused(415, f"expected {' or '.join(ENCODINGS)}, found {media[:80] or 'none'}")
        if path == "/v1/metrics":
            return encode_answer(Accepted(0, ""), "traces", encoding)
        unpacked = unpack(body, headers.get("content-encoding", ""), self._limits.request_bytes)
        more = max(0, len(unpacked) - len(body))
        self.hold(more)
        try:
            return await self._commit(unpacked, _PATHS[path], encoding)
        finally:
            self.release(more)

    async def _commit(self, body: bytes, signal: Signal, encoding: Encoding) -> Answer:
        try:
            accepted = await asyncio.wrap_future(self._committer.submit(body, signal, encoding))
        except MalformedRequest as error:
            raise Refused(400, str(error)) from None
        except DiskRefused as error:
            raise Refused(503, f"nothing was kept: {error}") from None
        except ModuleNotFoundError:
            raise Refused(415, "protobuf needs: pip install 'agentdyno[receive]'") from None
        except Exception as error:
            message = f"this should not have happened: {type(error).__name__}; nothing was kept"
            raise Refused(500, message) from error
        return encode_answer(accepted, signal, encoding)

    def count(self, request: h11.Request | None, status: int) -> None:
        """Notes what was answered."""
        target = request.target.decode("latin-1") if request else ""
        self.counters.add("requests_total", signal=_PATHS.get(target, "other"), status=str(status))


class _Connection:
    """One connection: requests one after the other."""

    def __init__(
        self, server: HttpServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._server, self._reader, self._writer = server, reader, writer
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=MOST_HEADER_BYTES)

    async def serve(self) -> None:
        while await self._serve_one():
            self._http.start_next_cycle()

    async def _serve_one(self) -> bool:
        """Whether the connection goes on."""
        request = await self._read_head()
        if request is None:
            return False
        reserved = 0
        try:
            self._server.check_head(request)
            if self._http.they_are_waiting_for_100_continue:
                await self._send(h11.InformationalResponse(status_code=100, headers=[]))
            body = bytearray()
            async with asyncio.timeout(BODY_SECONDS):
                while isinstance(event := await self._next_event(), h11.Data):
                    reserved += self._server.hold(len(event.data))
                    body += event.data
                    self._server.check_size(len(body))
            answer = await self._server.answer(request, bytes(body))
        except Refused as refused:
            answer = _describe(request, refused)
        except TimeoutError:
            answer = _describe(request, Refused(408, "the body came too slowly"))
        finally:
            self._server.release(reserved)
        await self._answer(request, answer)
        if self._http.their_state is h11.SEND_BODY:
            await self._read_rest()
        return self._http.our_state is h11.DONE and self._http.their_state is h11.DONE

    async def _read_rest(self) -> None:
        """Takes some of what a refused client still sends: a connection that is closed on it would
        lose the answer."""
        remaining = REST_BYTES
        async with asyncio.timeout(REST_SECONDS):
            while remaining > 0 and (data := await self._reader.read(65_536)):
                remaining -= len(data)

    async def _read_head(self) -> h11.Request | None:
        if not self._http.trailing_data[0]:
            async with asyncio.timeout(IDLE_SECONDS):
                first = await self._read()
            if not first:
                return None
            self._http.receive_data(first)
        try:
            async with asyncio.timeout(HEAD_SECONDS):
                event = await self._next_event()
        except h11.RemoteProtocolError as error:
            if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                refused = Refused(error.error_status_hint, "expected an HTTP/1.1 request")
                await self._answer(None, _describe(None, refused))
            return None
        return event if isinstance(event, h11.Request) else None

    async def _next_event(self) -> object:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            self._http.receive_data(await self._read())
        return event

    async def _read(self) -> bytes:
        with self._server.reading(self):
            return await self._reader.read(65_536)

    def abort(self) -> None:
        """Ends the connection at once."""
        self._writer.transport.abort()

    async def _answer(self, request: h11.Request | None, answer: Answer) -> None:
        self._server.count(request, answer.status)
        headers = [
            ("Content-Type", answer.type),
            ("Content-Length", str(len(answer.body))),
            ("X-Content-Type-Options", "nosniff"),
        ]
        if answer.status in (429, 503):
            headers.append(("Retry-After", str(RETRY_SECONDS)))
        if answer.status == 401:
            headers.append(("WWW-Authenticate", "Bearer"))
        if self._http.their_state is not h11.DONE:
            headers.append(("Connection", "close"))  # The rest of the body is not read.
        reason = HTTPStatus(answer.status).phrase.encode()
        await self._send(h11.Response(status_code=answer.status, headers=headers, reason=reason))
        if request is None or request.method != b"HEAD":
            await self._send(h11.Data(data=answer.body))
        await self._send(h11.EndOfMessage())

    async def _send(self, event: h11.Event) -> None:
        self._writer.write(self._http.send(event) or b"")
        async with asyncio.timeout(HEAD_SECONDS):
            await self._writer.drain()


def _headers(request: h11.Request) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in request.headers}


def _describe(request: h11.Request | None, refused: Refused) -> Answer:
    """The error as an answer, in the encoding of the request."""
    return encode_refusal(refused, _headers(request).get("content-type", "") if request else "")
