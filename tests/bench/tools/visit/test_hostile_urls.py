"""Hostile addresses and hostile servers: all refused or bounded.

Traffic stays on loopback. Two addresses of it play parts: 127.0.0.2 is trusted by the test and
plays a public server, 127.0.0.1 is the private one that must never see a connection.
"""

import gzip
import resource
import time
import zlib
from collections.abc import Iterable, Iterator

import anyio
import pytest

from agentdyno_bench.tools.config import MIB, VisitConfig
from agentdyno_bench.tools.failure import ToolFailedError
from agentdyno_bench.tools.http import Guard
from agentdyno_bench.tools.visit import VisitTool
from agentdyno_bench.tools.visit.plain import PlainHttp
from tests.bench.tools.loopback import Request, Server, page, serve
from tests.labelled import read_table

PUBLIC, PRIVATE = "127.0.0.2", "127.0.0.1"
CONFIG = VisitConfig(backend="http", time_seconds=1.5, body_bytes=MIB, result_chars=5000)

REFUSED_ADDRESSES = read_table("bench/tools/visit/refused_addresses")


async def fake_resolver(host: str, port: int) -> list[str]:
    """Names of the tests; everything else as the system does, which reads numbers only."""
    from agentdyno_bench.tools.http.guard import look_up

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


REDIRECTS = read_table("bench/tools/visit/redirects")


@pytest.mark.parametrize("name", REDIRECTS)
def test_redirects_are_judged_like_the_first_address(name: str, private: Server) -> None:
    location, expected = REDIRECTS[name]
    location = location.replace("{port}", str(private.port))
    with serve(lambda request: page(b"", 302, Location=location), PUBLIC) as server:
        ports = (80, private.port)
        guard = Guard(ports, resolver=fake_resolver, trusted=[(PUBLIC, server.port)])
        assert expected in refusal(f"http://public.test:{server.port}/", guard)
    assert private.connections == 0


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def endless_body(request: Request) -> Iterable[bytes]:
    yield HEAD + b"\r\n"
    while True:
        yield b"word " * 2000


def endless_chunks(request: Request) -> Iterable[bytes]:
    yield HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
    while True:
        yield b"2710\r\n" + b"word " * 2000 + b"\r\n"


def trickling_body(request: Request) -> Iterable[bytes]:
    yield HEAD + b"\r\n"
    while True:
        time.sleep(0.1)
        yield b"x"


def trickling_headers(request: Request) -> Iterable[bytes]:
    yield b"HTTP/1.1 200 OK\r\nX-Slow: "
    while True:
        time.sleep(0.1)
        yield b"x"


def silence(request: Request) -> Iterable[bytes]:
    while True:
        time.sleep(0.1)
        yield b""


def endless_header(request: Request) -> Iterable[bytes]:
    yield b"HTTP/1.1 200 OK\r\nX-Long: "
    while True:
        yield b"x" * 10_000


def many_headers(request: Request) -> Iterable[bytes]:
    yield b"HTTP/1.1 200 OK\r\n"
    number = 0
    while True:
        number += 1
        yield b"X-%d: flood\r\n" % number


def many_interim_answers(request: Request) -> Iterable[bytes]:
    while True:
        yield b"HTTP/1.1 100 Continue\r\n\r\n" * 100


def endless_chunk_size(request: Request) -> Iterable[bytes]:
    yield HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
    while True:
        yield b"0" * 10_000


def nonsense(request: Request) -> bytes:
    return b"\x00\xffSSH-2.0-OpenSSH_9\r\n\r\n"


def cut_short(request: Request) -> bytes:
    return HEAD + b"Content-Length: 1000\r\n\r\nonly this"


def two_lengths(request: Request) -> bytes:
    return HEAD + b"Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde"


def gzip_bomb(request: Request) -> bytes:
    return page(_bomb(16 + zlib.MAX_WBITS), Content_Encoding="gzip")


def deflate_bomb(request: Request) -> bytes:
    return page(_bomb(zlib.MAX_WBITS), Content_Encoding="deflate")


def _bomb(bits: int) -> bytes:
    pack = zlib.compressobj(1, wbits=bits)
    packed = [pack.compress(b"word " * 200_000) for _ in range(80)]
    return b"".join([*packed, pack.flush()])  # 80 MB in less than 1 MB.


def damaged_gzip(request: Request) -> bytes:
    return page(b"text that is not packed", Content_Encoding="gzip")


def unasked_encoding(request: Request) -> bytes:
    return page(b"x", Content_Encoding="br")


def two_encodings(request: Request) -> bytes:
    return page(gzip.compress(gzip.compress(b"x")), Content_Encoding="gzip, gzip")


def binary(request: Request) -> bytes:
    return page(bytes(1000), kind="application/octet-stream")


def nothing(request: Request) -> bytes:
    return page(b"")


def failure(request: Request) -> bytes:
    return page(b"SECRET details", 500)


SERVERS = {
    endless_header: "not HTTP",
    many_headers: "not HTTP",
    trickling_body: "took longer|timeout",
    trickling_headers: "took longer|timeout",
    silence: "took longer|timeout",
    many_interim_answers: "took longer|timeout|not HTTP",
    endless_chunk_size: "not HTTP",
    nonsense: "not HTTP",
    cut_short: "not HTTP",
    two_lengths: "not HTTP",
    damaged_gzip: "compression is damaged",
    unasked_encoding: "encoded as br",
    two_encodings: "encoded as gzip, gzip",
    binary: "application/octet-stream, not text",
    nothing: "holds no text",
    failure: "status 500",
}
BOUNDED = [endless_body, endless_chunks, gzip_bomb, deflate_bomb]


@pytest.mark.parametrize("respond", SERVERS, ids=lambda respond: respond.__name__)
def test_hostile_servers_end_in_a_clear_refusal(respond: object) -> None:
    started = time.monotonic()
    with serve(respond, PUBLIC) as server:  # type: ignore[arg-type]
        guard = Guard(trusted=[(PUBLIC, server.port)])
        text = refusal(server.url, guard)
        taken = time.monotonic() - started
    expected = SERVERS[respond]  # type: ignore[index]
    assert any(part in text for part in expected.split("|")), text
    assert taken < CONFIG.time_seconds + 2


@pytest.mark.parametrize("respond", BOUNDED, ids=lambda respond: respond.__name__)
def test_endless_pages_are_read_up_to_the_limit(respond: object) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with serve(respond, PUBLIC) as server:  # type: ignore[arg-type]
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
