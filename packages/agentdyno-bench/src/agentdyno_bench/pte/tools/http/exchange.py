"""One HTTP request and its bounded answer. Follows no redirects and keeps nothing.

httpcore is used directly: it knows no cookies, no credentials and no proxies from the
environment. Time is limited as a whole, so that an answer that trickles ends as well. A compressed
body may unpack to a thousand times its size; here it is unpacked while it comes, up to the limit.
"""

import ssl
import zlib
from functools import cache
from typing import Protocol

import anyio
import httpcore
from msgspec import Struct

from agentdyno.records import printable
from agentdyno_bench.pte.tools.failure import clean
from agentdyno_bench.pte.tools.http.guard import Guard, GuardedNetwork, RefusedError
from agentdyno_bench.pte.tools.http.targets import Target

AGENT = "AgentDyno (benchmark tool)"


class Decoder(Protocol):
    """One encoding."""

    def feed(self, data: bytes, room: int) -> bytes:
        """Decode the data to at most `room` bytes; the excess is dropped."""

    def has_ended(self) -> bool:
        """True when the encoding reached its end; False when the body was broken off."""


class IdentityDecoder:
    """No encoding."""

    def feed(self, data: bytes, room: int) -> bytes:
        """The data."""
        return data[:room]

    def has_ended(self) -> bool:
        """Always: nothing says where it should end."""
        return True


class DeflateDecoder:
    """gzip (one member or several), zlib, or bare deflate, as servers send it by that name."""

    def __init__(self) -> None:
        self._unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)
        self._begun = False

    def feed(self, data: bytes, room: int) -> bytes:
        """The data unpacked."""
        decoded = bytearray()
        while data and len(decoded) < room:
            decoded += self._step(data, room - len(decoded))
            data = self._unpack.unused_data
            if self._unpack.eof and data.lstrip(b"\0"):
                self._unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)  # Another member follows.
            elif self._unpack.eof:
                break
        return bytes(decoded)

    def has_ended(self) -> bool:
        """True when the last member reached its end."""
        return self._unpack.eof or not self._begun

    def _step(self, data: bytes, room: int) -> bytes:
        try:
            decoded = self._unpack.decompress(data, room)
        except zlib.error:
            if self._begun:
                raise RefusedError("the page's compression is damaged") from None
            decoded = self._bare(data, room)
        self._begun = True
        return decoded

    def _bare(self, data: bytes, room: int) -> bytes:
        self._unpack = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            return self._unpack.decompress(data, room)
        except zlib.error:
            raise RefusedError("the page's compression is damaged") from None


def open_decoder(encoding: str) -> Decoder:
    """How to undo a Content-Encoding."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return IdentityDecoder()
    if name in ("gzip", "x-gzip", "deflate"):
        return DeflateDecoder()
    raise RefusedError(f"the page is encoded as {printable(name, 40)}, which was not asked for")


class Limits(Struct, frozen=True):
    """Limits of one exchange."""

    seconds: float = 20.0
    """From looking up the name to the last byte."""
    body_bytes: int = 4 * 2**20
    """The body is read up to here, after decompression."""


class Answer(Struct, frozen=True):
    """An HTTP response."""

    status: int
    """HTTP status code of the answer."""
    headers: dict[str, str]
    """Names in lower case; of repeated headers the first."""
    body: bytes
    """The body, decompressed, up to the limit."""
    is_complete: bool
    """Whether the body ended within the limit, and its compression at its own end."""


async def exchange(
    method: str,
    target: Target,
    limits: Limits,
    guard: Guard | None = None,
    headers: dict[str, str] | None = None,
    content: bytes | None = None,
) -> Answer:
    """Sends a request; `RefusedError` says why there is no answer.

    Without a guard every address is allowed: for services that the configuration names.
    """
    try:
        with anyio.fail_after(limits.seconds):
            return await _exchange(method, target, limits, guard, headers or {}, content)
    except TimeoutError:
        raise RefusedError(f"timeout: no answer within {limits.seconds:g} seconds") from None
    except (httpcore.TimeoutException, httpcore.NetworkError, OSError, ssl.SSLError) as error:
        raise RefusedError(f"the connection failed ({_short(error)})") from None
    except (httpcore.ProtocolError, httpcore.UnsupportedProtocol) as error:
        raise RefusedError(f"the answer is not HTTP as it should be ({_short(error)})") from None


async def _exchange(
    method: str,
    target: Target,
    limits: Limits,
    guard: Guard | None,
    headers: dict[str, str],
    content: bytes | None,
) -> Answer:
    network = GuardedNetwork(guard) if guard else httpcore.AnyIOBackend()
    url = httpcore.URL(
        scheme=target.scheme.encode(),
        host=target.host.encode(),
        port=target.port,
        target=target.path.encode(),
    )
    async with (
        httpcore.AsyncConnectionPool(
            ssl_context=_certificates(), network_backend=network, http2=False
        ) as pool,
        pool.stream(method, url, headers=_headers(target, headers), content=content) as response,
    ):
        fields = _first_of_each(response.headers)
        if 300 <= response.status < 400:
            return Answer(response.status, fields, b"", True)
        body, is_complete = await _body(
            response, fields.get("content-encoding", ""), limits.body_bytes
        )
        return Answer(response.status, fields, body, is_complete)


async def _body(response: httpcore.Response, encoding: str, limit: int) -> tuple[bytes, bool]:
    unfold = open_decoder(encoding)
    body_bytes = bytearray()
    async for piece in response.aiter_stream():
        # One byte more than the limit shows whether there is more.
        body_bytes += unfold.feed(piece, limit + 1 - len(body_bytes))
        if len(body_bytes) > limit:
            return bytes(body_bytes[:limit]), False
    return bytes(body_bytes), unfold.has_ended()


def _headers(target: Target, more: dict[str, str]) -> list[tuple[str, str]]:
    usual = {
        "Host": target.authority,
        "User-Agent": AGENT,
        "Accept-Encoding": "gzip",
        "Connection": "close",
    }
    return list((usual | more).items())


def _first_of_each(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    pairs = [(k.decode("latin-1").lower(), v.decode("latin-1")) for k, v in headers]
    return dict(reversed(pairs))


@cache
def _certificates() -> ssl.SSLContext:
    return httpcore.default_ssl_context()


def _short(error: BaseException) -> str:
    return clean(str(error) or type(error).__name__, 120)
