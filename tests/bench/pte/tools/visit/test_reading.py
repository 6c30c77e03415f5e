"""What a page becomes: text for the model, from the web, from Jina or from the corpus."""

import time

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.records import InputError
from agentdyno_bench.pte.tools.config import VisitConfig
from agentdyno_bench.pte.tools.failure import ToolFailedError
from agentdyno_bench.pte.tools.http import Guard, parse_target
from agentdyno_bench.pte.tools.visit import Page, VisitTool
from agentdyno_bench.pte.tools.visit.html import read_html
from agentdyno_bench.pte.tools.visit.plain import PlainHttp, decode_body
from agentdyno_bench.pte.tools.visit.tool import Jina
from tests.bench.pte.tools.loopback import Request, page, serve
from tests.labelled import from_set

PAGE = """<!doctype html><html><head><title>The &quot;Danube&quot;</title>
<style>p { color: red }</style><script>alert("<p>not text</p>")</script></head>
<body><!-- a comment --><h1>Danube</h1><p>Flows  through\n<b>Buda</b>pest &amp; Vienna, 1 < 2.</p>
<ul><li>one<li>two</ul><table><tr><td>a</td><td>b</td></tr></table></body></html>"""


def test_html_becomes_lines_of_text() -> None:
    title, text = read_html(PAGE)
    assert title == 'The "Danube"'
    assert text == "Danube\nFlows through\nBudapest & Vienna, 1 < 2.\none\ntwo\na b"


def test_scripts_and_comments_without_end_swallow_the_rest_and_no_more() -> None:
    assert read_html("<p>seen<script>var a = '<p>unseen'")[1] == "seen"
    assert read_html("<p>seen<!-- <p>unseen")[1] == "seen"
    assert read_html("<p>seen<a href='unseen")[1] == "seen"


@pytest.mark.parametrize(
    "piece",
    ["<!--", "<a ", "<a b='", "<![CDATA[", "</a", "<script>", "<?", "&#", "<", "&#99", "< ", "<p>"],
)
def test_reading_time_grows_with_length_only(piece: str) -> None:
    started = time.process_time()
    read_html(piece * (1_000_000 // len(piece)))
    assert time.process_time() - started < 3


def test_a_number_of_many_digits_is_no_character() -> None:
    assert read_html("a&#" + "9" * 100_000 + ";b&#65;&#x1F600;")[1] == "a\ufffdbA\U0001f600"


@given(st.text(alphabet="<>/!-?&#;ab'\" \n=İß", max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    title, read = read_html(text)
    assert len(title) <= 300
    assert "<script" not in read or "<" in text


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        ("Größe".encode(), "text/html", "Größe"),
        ("Größe".encode("latin-1"), "text/html; charset=ISO-8859-1", "Größe"),
        ("мир".encode("windows-1251"), 'text/html; charset="windows-1251"', "мир"),
        (b'<meta charset="shift_jis">' + "水".encode("shift_jis"), "text/html", None),
        (b"caf\xe9", "text/html; charset=punycode", "caf\ufffd"),
        (b"plain", "text/html; charset=zip", "plain"),
        (b"plain", "text/html; charset=utf-99", "plain"),
    ],
)
def test_charsets(body: bytes, kind: str, text: str | None) -> None:
    found = decode_body(body, kind)
    assert found == text if text is not None else found.endswith("水")


def visit(config: VisitConfig, url: str, guard: Guard | None = None) -> str:
    backend = PlainHttp(config, guard) if guard else None
    return anyio.run(VisitTool(config, backend).run, url, "the goal")


def test_a_page_is_read_over_http_and_after_a_redirect() -> None:
    def respond(request: Request) -> bytes:
        if request.target == "/old?q=%C3%BC":
            return page(b"", 301, Location="new#part")
        return page(PAGE.encode())

    with serve(respond) as server:
        guard = Guard(trusted=[("127.0.0.1", server.port)])
        text = visit(VisitConfig(backend="http"), f"{server.url}/old?q=ü", guard)
    assert text.startswith(f'The "Danube"\n{server.url}/new\n\nDanube\nFlows through')


def test_plain_text_and_json_are_given_as_they_are() -> None:
    with serve(lambda request: page(b'{"a": "<b>"}', kind="application/json")) as server:
        guard = Guard(trusted=[("127.0.0.1", server.port)])
        assert '{"a": "<b>"}' in visit(VisitConfig(backend="http"), server.url, guard)


def test_the_name_stays_in_the_request_while_the_address_was_checked() -> None:
    async def resolver(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    with serve(lambda request: page(b"<p>here")) as server:
        guard = Guard(resolver=resolver, trusted=[("127.0.0.1", server.port)])
        visit(VisitConfig(backend="http"), f"http://name.test:{server.port}/a", guard)
        assert server.requests[0].headers["host"] == f"name.test:{server.port}"


def test_a_long_page_is_cut_and_says_so() -> None:
    class Long:
        name = "long"

        async def read(self, url: str) -> Page:
            return Page(url, "", "x" * 1000)

    text = anyio.run(VisitTool(VisitConfig(result_chars=100), Long()).run, "u", "g")
    assert text == "u\n\n" + "x" * 100 + "\n[The page goes on.]"


def test_jina_is_asked_with_the_key_and_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JINA_API_KEY", "key-1")
    with serve(lambda request: page(b"# Title\ntext", kind="text/plain")) as server:
        config = VisitConfig(backend="jina", url=f"{server.url}/")
        text = visit(config, "https://example.com/a?b=c")
        request = server.requests[0]
    assert text == "https://example.com/a?b=c\n\n# Title\ntext"
    assert request.target == "/https://example.com/a?b=c"
    assert request.headers["authorization"] == "Bearer key-1"


@from_set("bench/pte/tools/visit/reading", "url", "why")
def test_private_addresses_are_not_passed_on_to_jina(
    url: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JINA_API_KEY", "key-1")
    with serve(lambda request: page(b"SECRET")) as server:
        config = VisitConfig(backend="jina", url=f"{server.url}/")
        with pytest.raises(ToolFailedError, match=why):
            visit(config, url)
        assert server.connections == 0


def test_jinas_failures_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JINA_API_KEY", "key-1")
    with serve(lambda request: page(b"no money", 402)) as server:
        config = VisitConfig(backend="jina", url=f"{server.url}/")
        with pytest.raises(ToolFailedError, match="status 402"):
            visit(config, "https://example.com/")


def test_without_a_key_jina_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JINA_API_KEY", raising=False)
    with pytest.raises(InputError, match="JINA_API_KEY"):
        Jina(VisitConfig())


def test_the_corpus_is_read_by_the_addresses_of_the_search() -> None:
    text = visit(VisitConfig(), "https://corpus.invalid/tuvalu")
    assert text.startswith("Tuvalu\nhttps://corpus.invalid/tuvalu\n\nTuvalu is a country")
    assert "Funafuti" in text


@pytest.mark.parametrize(
    "url", ["https://corpus.invalid/../../config", "/etc/passwd", "https://example.com/", ""]
)
def test_nothing_but_the_corpus_is_read_offline(url: str) -> None:
    with pytest.raises(ToolFailedError, match="There is no page"):
        visit(VisitConfig(), url)


def test_targets_keep_what_matters() -> None:
    target = parse_target(" https://Example.com/a b".replace("a b", "ä?x=1&y=%20#part") + " ")
    assert (target.host, target.port, target.path) == ("example.com", 443, "/%C3%A4?x=1&y=%20")
    assert target.join("//other.org:80/z").url == "https://other.org:80/z"
    assert parse_target("http://[2606:4700::1111]/").authority == "[2606:4700::1111]"
