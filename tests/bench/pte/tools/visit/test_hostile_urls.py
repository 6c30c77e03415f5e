"""Hostile addresses and hostile servers: all refused or bounded.

Traffic stays on loopback. Two addresses of it play parts: 127.0.0.2 is trusted by the test and
plays a public server, 127.0.0.1 is the private one that must never see a connection.
"""

import gzip
import resource
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import count

import anyio
import pytest

from agentdyno_bench.pte.tools.config import MIB, VisitConfig
from agentdyno_bench.pte.tools.failure import ToolFailedError
from agentdyno_bench.pte.tools.http import Guard
from agentdyno_bench.pte.tools.http.guard import look_up
from agentdyno_bench.pte.tools.visit import VisitTool
from agentdyno_bench.pte.tools.visit.plain import PlainHttp
from tests.bench.pte.tools.loopback import Request, Responder, Server, page, serve
from tests.labelled import mostly_slow, read_table

PUBLIC, PRIVATE = "127.0.0.2", "127.0.0.1"
CONFIG = VisitConfig(backend="http", time_seconds=1.5, body_bytes=MIB, result_chars=5000)

REFUSED_ADDRESSES = read_table("bench/pte/tools/visit/refused_addresses")


async def fake_resolver(host: str, port: int) -> list[str]:
    """Names of the tests; everything else as the system does, which reads numbers only."""
    known = {
        "loop.test": [PRIVATE],
        "mixed.test": [PUBLIC, "192.168.0.10"],
        "nowhere.test": [],
        "public.test": [PUBLIC],
    }
    if host in known:
        return known[host]
    assert not host.endswith(".com"), "a test must not ask a name server"
    return await look_up(host, port)


@pytest.fixture(scope="module")
def private() -> Iterator[Server]:
    with serve(lambda request: page(b"SECRET"), PRIVATE) as server:
        yield server


def read(url: str, guard: Guard, config: VisitConfig = CONFIG) -> str:
    return anyio.run(VisitTool(config, PlainHttp(config, guard)).run, url, "anything")


def refusal(url: str, guard: Guard, config: VisitConfig = CONFIG) -> str:
    with pytest.raises(ToolFailedError) as caught:
        read(url, guard, config)
    assert "SECRET" not in caught.value.text
    assert len(caught.value.text) < 600
    return caught.value.text


@pytest.mark.parametrize("name", REFUSED_ADDRESSES)
def test_no_hostile_address_is_connected_to(name: str, private: Server) -> None:
    url, expected = REFUSED_ADDRESSES[name]
    ports = (80, 443, private.port)
    guard = Guard(ports, resolver=fake_resolver, trusted=[(PUBLIC, 80)])
    text = refusal(url.replace("{port}", str(private.port)), guard)
    assert any(part in text for part in _alternatives(expected)), text
    assert private.connections == 0


def _alternatives(expected: str) -> list[str]:
    head, bracket, rest = expected.partition("(")
    if not bracket:
        return expected.split("|")
    return [head + middle for middle in rest.rstrip(")").split("|")]


def test_a_name_that_answers_differently_a_second_time_gains_nothing() -> None:
    answers = [[PUBLIC], [PRIVATE], [PRIVATE]]
    asked = []

    async def rebinding(host: str, port: int) -> list[str]:
        asked.append(host)
        return answers[len(asked) - 1]

    with serve(lambda request: page(b"<p>from " + request.to.encode()), "*") as server:
        guard = Guard(resolver=rebinding, trusted=[(PUBLIC, server.port)])
        url = f"http://rebind.test:{server.port}/"
        assert "from 127.0.0.2" in read(url, guard)
        assert asked == ["rebind.test"], "looked up once for one connection"
        assert server.requests[0].headers["host"] == f"rebind.test:{server.port}"
        assert "is loopback" in refusal(url, guard)
        assert len(server.requests) == 1


def test_a_name_that_rebinds_during_a_redirect_is_refused() -> None:
    answers = iter([[PUBLIC], [PRIVATE]])

    async def rebinding(host: str, port: int) -> list[str]:
        return next(answers)

    with serve(lambda request: page(b"", 302, Location="/again"), "*") as server:
        guard = Guard(resolver=rebinding, trusted=[(PUBLIC, server.port)])
        assert "is loopback" in refusal(f"http://rebind.test:{server.port}/", guard)
        assert [request.to for request in server.requests] == [PUBLIC]


REDIRECTS = read_table("bench/pte/tools/visit/redirects")


@pytest.mark.parametrize("name", REDIRECTS)
def test_redirects_are_judged_like_the_first_address(name: str, private: Server) -> None:
    location, expected = REDIRECTS[name]
    location = location.replace("{port}", str(private.port))
    with serve(lambda request: page(b"", 302, Location=location), PUBLIC) as server:
        ports = (80, private.port)
        guard = Guard(ports, resolver=fake_resolver, trusted=[(PUBLIC, server.port)])
        assert expected in refusal(f"http://public.test:{server.port}/", guard)
    assert private.connections == 0


OK = b"HTTP/1.1 200 OK\r\n"
HEAD = OK + b"Content-Type: text/html\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
WORDS = b"word " * 2000


def endless(start: bytes, piece: Callable[[int], bytes], pause: float = 0.0) -> Responder:
    """A server that goes on and on."""

    def respond(request: Request) -> Iterable[bytes]:
        yield start
        for number in count():
            if pause:  # Even a sleep of nothing gives the processor away.
                time.sleep(pause)
            yield piece(number)

    return respond


def bomb(encoding: str, bits: int) -> bytes:
    pack = zlib.compressobj(1, wbits=bits)
    packed = [pack.compress(b"word " * 200_000) for _ in range(80)]
    # 80 MB in less than 1 MB.
    return page(b"".join([*packed, pack.flush()]), Content_Encoding=encoding)


LATE, BINARY = "took longer|timeout", "application/octet-stream"
SERVERS: dict[str, tuple[Responder | bytes, str]] = {
    "endless header": (endless(OK + b"X-Long: ", lambda _: b"x" * 10_000), "not HTTP"),
    "many headers": (endless(OK, lambda number: b"X-%d: flood\r\n" % number), "not HTTP"),
    "trickling body": (endless(HEAD + b"\r\n", lambda _: b"x", pause=0.1), LATE),
    "trickling headers": (endless(OK + b"X-Slow: ", lambda _: b"x", pause=0.1), LATE),
    "silence": (endless(b"", lambda _: b"", pause=0.1), LATE),
    "many interim answers": (endless(b"", lambda _: CONTINUE * 100), f"{LATE}|not HTTP"),
    "endless chunk size": (endless(CHUNKED, lambda _: b"0" * 10_000), "not HTTP"),
    "nonsense": (b"\x00\xffSSH-2.0-OpenSSH_9\r\n\r\n", "not HTTP"),
    "cut short": (HEAD + b"Content-Length: 1000\r\n\r\nonly this", "not HTTP"),
    "two lengths": (HEAD + b"Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde", "not HTTP"),
    "damaged gzip": (page(b"not packed", Content_Encoding="gzip"), "compression is damaged"),
    "unasked encoding": (page(b"x", Content_Encoding="br"), "encoded as br"),
    "two encodings": (
        page(gzip.compress(gzip.compress(b"x")), Content_Encoding="gzip, gzip"),
        "encoded as gzip, gzip",
    ),
    "binary": (page(bytes(1000), kind=BINARY), f"{BINARY}, not text"),
    "nothing": (page(b""), "holds no text"),
    "failure": (page(b"SECRET details", 500), "status 500"),
}
BOUNDED: dict[str, Responder] = {
    "endless body": endless(HEAD + b"\r\n", lambda _: WORDS),
    "endless chunks": endless(CHUNKED, lambda _: b"2710\r\n" + WORDS + b"\r\n"),
    "gzip bomb": lambda request: bomb("gzip", 16 + zlib.MAX_WBITS),
    "deflate bomb": lambda request: bomb("deflate", zlib.MAX_WBITS),
}


@pytest.mark.parametrize("name", mostly_slow(SERVERS, [*SERVERS][:3]))
def test_hostile_servers_end_in_a_clear_refusal(name: str) -> None:
    answer, expected = SERVERS[name]
    started = time.monotonic()
    with serve(answer if callable(answer) else lambda request: answer, PUBLIC) as server:
        guard = Guard(trusted=[(PUBLIC, server.port)])
        text = refusal(server.url, guard)
        taken = time.monotonic() - started
    assert any(part in text for part in expected.split("|")), text
    assert taken < CONFIG.time_seconds + 2


@pytest.mark.parametrize("name", BOUNDED)
def test_endless_pages_are_read_up_to_the_limit(name: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with serve(BOUNDED[name], PUBLIC) as server:
        guard = Guard(trusted=[(PUBLIC, server.port)])
        text = read(server.url, guard, VisitConfig(body_bytes=MIB, result_chars=5000))
        sent = server.sent_bytes
    assert text.startswith(f"{server.url}/\n\nword word")
    assert text.endswith("[The page goes on.]")
    assert len(text) < 5100
    assert sent < 20 * MIB, "the connection is closed when enough was read"
    grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown_kib < 60 * 1024


def test_nothing_of_the_environment_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        serve(lambda request: page(b"<p>fine"), PUBLIC) as server,
        serve(lambda request: page(b"SECRET"), PRIVATE) as proxy,
    ):
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "https_proxy"):
            monkeypatch.setenv(name, proxy.url)
        guard = Guard(trusted=[(PUBLIC, server.port)])
        assert "fine" in read(server.url, guard)
        assert proxy.connections == 0
        headers = server.requests[0].headers
    assert set(headers) == {"host", "user-agent", "accept-encoding", "accept", "connection"}


def test_cookies_are_neither_kept_nor_sent() -> None:
    def respond(request: Request) -> bytes:
        if request.target == "/":
            return page(b"", 302, Set_Cookie="id=1", Location="/next")
        return page(b"<p>fine")

    with serve(respond, PUBLIC) as server:
        read(server.url, Guard(trusted=[(PUBLIC, server.port)]))
        assert [request.target for request in server.requests] == ["/", "/next"]
        assert all("cookie" not in request.headers for request in server.requests)
