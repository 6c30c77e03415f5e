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

PUBLIC, PRIVATE = "127.0.0.2", "127.0.0.1"
CONFIG = VisitConfig(backend="http", time_seconds=1.5, body_bytes=MIB, result_chars=5000)

REFUSED_ADDRESSES = {
    "loopback": ("http://127.0.0.1:{port}/", "is loopback"),
    "localhost": ("http://localhost:{port}/", "is loopback"),
    "localhost with a dot": ("http://localhost.:{port}/", "is loopback|not known"),
    "decimal loopback": ("http://2130706433:{port}/", "is loopback"),
    "hexadecimal loopback": ("http://0x7f000001:{port}/", "is loopback"),
    "octal loopback": ("http://0177.0.0.1:{port}/", "is loopback"),
    "octal in one number": ("http://017700000001:{port}/", "is loopback"),
    "mixed loopback": ("http://0x7f.1:{port}/", "is loopback"),
    "short loopback": ("http://127.1:{port}/", "is loopback"),
    "other loopback": ("http://127.255.255.254:{port}/", "is loopback"),
    "full-width digits": ("http://１２７.０.０.１:{port}/", "is loopback"),
    "circled digits": ("http://①②⑦.⓪.⓪.①:{port}/", "is loopback"),
    "ideographic dots": ("http://127。0。0。1:{port}/", "is loopback"),
    "nothing": ("http://0:{port}/", "is unspecified"),
    "this network": ("http://0.0.0.0:{port}/", "is unspecified"),
    "IPv6 loopback": ("http://[::1]:{port}/", "is loopback"),
    "long IPv6 loopback": ("http://[0:0:0:0:0:0:0:1]:{port}/", "is loopback"),
    "unspecified IPv6": ("http://[::]:{port}/", "is unspecified"),
    "mapped loopback": ("http://[::ffff:127.0.0.1]:{port}/", "is loopback"),
    "mapped in hexadecimal": ("http://[::ffff:7f00:1]:{port}/", "is loopback"),
    "compatible loopback": ("http://[::127.0.0.1]:{port}/", "is loopback"),
    "translated loopback": ("http://[64:ff9b::7f00:1]/", "is loopback"),
    "6to4 loopback": ("http://[2002:7f00:1::]/", "is (private|not public)"),
    "Teredo": ("http://[2001:0:7f00:1::]/", "is (private|not public)"),
    "unique local": ("http://[fd00:ec2::254]/latest/meta-data/", "is private"),
    "IPv6 link-local": ("http://[fe80::1]/", "is link-local"),
    "IPv6 zone": ("http://[fe80::1%25eth0]/", "not a plain IPv6 address"),
    "IPv6 multicast": ("http://[ff02::1]/", "is multicast"),
    "ten": ("http://10.0.0.1/", "is private"),
    "one seventy-two": ("http://172.16.5.4/", "is private"),
    "one ninety-two": ("http://192.168.1.1/admin", "is private"),
    "cloud metadata": ("http://169.254.169.254/latest/meta-data/", "is link-local"),
    "Azure metadata": ("http://168.63.129.16/machine", "metadata service"),
    "carrier": ("http://100.100.100.200/", "is a carrier's shared one"),
    "multicast": ("http://224.0.0.1/", "is multicast"),
    "reserved": ("http://240.0.0.1/", "is (reserved|private)"),
    "broadcast": ("http://255.255.255.255/", "is (reserved|private)"),
    "benchmark network": ("http://198.18.0.1/", "is private"),
    "a name for loopback": ("http://loop.test:{port}/", "is loopback"),
    "a name for many addresses": ("http://mixed.test/", "is private"),
    "a name for nothing": ("http://nowhere.test/", "has no address"),
    "an odd port": ("http://public.test:22/", "port 22 is not one of"),
    "the port of a database": ("http://public.test:6379/", "port 6379 is not one of"),
    "port zero": ("http://public.test:0/", "the port is 0"),
    "port out of range": ("http://public.test:99999/", "cannot be read"),
    "user name": ("http://example.com@127.0.0.1:{port}/", "user name"),
    "user name and password": ("http://a:b@public.test/", "user name"),
    "encoded user name": ("http://example.com%40127.0.0.1:{port}/", "not valid"),
    "backslash": ("http://example.com\\@127.0.0.1:{port}/", "backslash"),
    "backslash for slash": ("http:\\\\127.0.0.1:{port}/", "backslash"),
    "space": ("http://127.0.0.1 :{port}/", "space"),
    "line break": ("http://public.test/\r\nHost: 127.0.0.1", "control character"),
    "tab in the host": ("http://127.0.\t0.1:{port}/", "control character"),
    "null": ("http://127.0.0.1\0.example.com/", "control character"),
    "no host": ("http:///etc/passwd", "missing"),
    "only a path": ("/etc/passwd", "scheme is missing"),
    "file": ("file:///etc/passwd", "scheme is file"),
    "file on a host": ("file://127.0.0.1/etc/passwd", "scheme is file"),
    "gopher": ("gopher://127.0.0.1:{port}/_SET%20x", "scheme is gopher"),
    "ftp": ("ftp://127.0.0.1:{port}/", "scheme is ftp"),
    "data": ("data:text/html,<h1>x</h1>", "scheme is data"),
    "dict": ("dict://127.0.0.1:{port}/info", "scheme is dict"),
    "javascript": ("javascript:alert(1)", "scheme is javascript"),
    "an endless URL": ("http://public.test/" + "a" * 100_000, "longer than 4096"),
    "broken brackets": ("http://[::1:{port}/", "cannot be read"),
    "a name in brackets": ("http://[localhost]:{port}/", "cannot be read|not a plain"),
}


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


REDIRECTS = {
    "loopback": ("http://127.0.0.1:{port}/", "is loopback"),
    "decimal": ("http://2130706433:{port}/", "is loopback"),
    "mapped": ("http://[::ffff:127.0.0.1]:{port}/", "is loopback"),
    "metadata": ("http://169.254.169.254/latest/", "is link-local"),
    "without scheme": ("//127.0.0.1:{port}/", "is loopback"),
    "user name": ("http://public.test@127.0.0.1:{port}/", "user name"),
    "file": ("file:///etc/passwd", "scheme is file"),
    "gopher": ("gopher://127.0.0.1:{port}/", "scheme is gopher"),
    "another port": ("http://public.test:22/", "port 22"),
    "itself": ("/", "redirects more than 5 times"),
}


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
