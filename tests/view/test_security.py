"""Who is answered: only the window that was opened with the token, on this machine."""

import http.client
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest

pytest.importorskip("starlette", reason="the extra view is not installed")

from tests.pipelines.ledger_builder import LedgerRows
from tests.view.serving import serving

MARK = b'{"id":"0","right":true}'


class Client:
    """Asks one server, with the cookie that its page was given."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        assert parts.hostname
        self.host, self.port = parts.hostname, parts.port
        self.token = parse_qs(parts.query)["token"][0]
        self.own = f"http://{parts.netloc}"
        self.cookie = {"Cookie": f"agentdyno-{self.port}={self.token}"}

    def ask(self, path: str, body: bytes | None = None, **headers: str) -> tuple[int, str, dict]:
        """Status, text and headers of the answer."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET" if body is None else "POST", path, body, named)
        answer = connection.getresponse()
        found = answer.status, answer.read().decode(), dict(answer.getheaders())
        connection.close()
        return found


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    rows = LedgerRows().trajectory("a#0").turn("a#0", 0)
    with serving(rows.write(tmp_path_factory.mktemp("guarded") / "ledger")) as address:
        yield Client(address)


def test_the_printed_address_gives_a_cookie_that_no_script_reads(client: Client) -> None:
    status, page, headers = client.ask(f"/?token={client.token}")
    assert status == 200
    assert headers["set-cookie"].endswith("; Path=/; HttpOnly; SameSite=Strict")
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "unsafe" not in policy
    assert "<script type=" in page
    assert client.token not in page


def test_without_the_right_token_nothing_is_answered(client: Client) -> None:
    for path in ("/", "/?token=wrong", "/api/sessions", f"/api/sessions?token={client.token}"):
        assert client.ask(path)[0] == 403
    other = {"Cookie": f"agentdyno-{client.port}=wrong"}
    assert client.ask("/api/sessions", **other)[0] == 403
    assert client.ask("/api/sessions", **client.cookie)[0] == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", ""])
def test_another_host_is_refused(client: Client, host: str) -> None:
    """A name elsewhere that was pointed at this machine."""
    named = host.format(port=client.port)
    assert client.ask("/api/sessions", **client.cookie, Host=named)[0] == 403
    assert client.ask(f"/?token={client.token}", Host=named)[0] == 403


def test_another_origin_is_refused(client: Client) -> None:
    for origin in ("http://evil.example", "null", f"http://127.0.0.1:{(client.port or 0) + 1}"):
        assert client.ask("/api/sessions", **client.cookie, Origin=origin)[0] == 403
        assert client.ask("/api/mark", MARK, **client.cookie, Origin=origin)[0] == 403
    # A picture or a script tag of another page names no origin; the browser says where it stands.
    for site in ("cross-site", "same-site"):
        assert client.ask("/api/sessions", **client.cookie, Sec_Fetch_Site=site)[0] == 403


def test_a_mark_needs_the_pages_own_origin_and_a_finding(client: Client) -> None:
    assert client.ask("/api/mark", MARK, **client.cookie)[0] == 403
    status, answer, _ = client.ask("/api/mark", MARK, **client.cookie, Origin=client.own)
    assert (status, "expected the id of a finding" in answer) == (400, True)
    assert client.ask("/api/mark", b"x" * 9000, **client.cookie, Origin=client.own)[0] == 413
    assert client.ask("/api/mark", b"[", **client.cookie, Origin=client.own)[0] == 400


def test_no_other_file_is_served(client: Client) -> None:
    for path in ("/assets/x/app.js", "/assets/../server.py", "/manifest.json", "/api/mark"):
        assert client.ask(path, **client.cookie)[0] in (404, 405)


def test_what_the_page_asks_wrongly_is_answered_in_words(client: Client) -> None:
    for path in ("/api/sessions?sort=1;DROP", "/api/session?id=x", "/api/session", "/api/texts",
                 "/api/difference", "/api/sessions?offset=a"):  # fmt: skip
        status, answer, _ = client.ask(path, **client.cookie)
        assert (status, answer.startswith('{"error":"')) == (400, True), path
