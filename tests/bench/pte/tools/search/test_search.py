"""Searching offline and through Serper."""

import ast
import json
from pathlib import Path

import anyio
import msgspec
import pytest

from agentdyno.records import InputError
from agentdyno_bench.pte.tools.config import SearchConfig
from agentdyno_bench.pte.tools.corpus import QUESTIONS, load_corpus
from agentdyno_bench.pte.tools.failure import ToolFailedError
from agentdyno_bench.pte.tools.search import Hit, SearchTool
from agentdyno_bench.pte.tools.search.serper import Serper
from agentdyno_bench.pte.tools.search.tool import OfflineSearch
from tests.bench.pte.tools.loopback import Request, page, serve


def search(config: SearchConfig, *queries: str) -> str:
    return anyio.run(SearchTool(config).run, list(queries))


def test_the_corpus_answers_all_its_questions_first() -> None:
    backend = OfflineSearch(SearchConfig())
    documents = {document.url: document for document in load_corpus()}
    questions = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()]
    assert len(questions) == 20
    for question in questions:
        assert set(question) == {"metadata", "problem", "answer"}
        (url,) = ast.literal_eval(question["metadata"])["urls"]
        hits = anyio.run(backend.search, question["problem"])
        assert hits[0].url == url, question["problem"]
        text = " ".join(documents[url].text.split()).lower()
        assert question["answer"].removeprefix("The ").lower() in text


def test_the_corpus_is_small_diverse_and_sound() -> None:
    documents = load_corpus()
    assert 60 <= len(documents) <= 100
    assert all(30 <= len(document.text.split()) <= 150 for document in documents)
    assert len({document.title for document in documents}) == len(documents)


def test_each_query_has_its_results_and_none_is_said_plainly() -> None:
    text = search(SearchConfig(results=2), "capital of Tuvalu", "qwertyzxcv", "the of and")
    first, second, third = text.split("\n\n")
    assert first.startswith('Results for "capital of Tuvalu":\n1. Tuvalu\n   https://corpus.inv')
    assert "Its capital is Funafuti" in first
    assert "2. " in first
    assert "3. " not in first
    none = 'Nothing was found for "{}". Try other words.'
    assert (second, third) == (none.format("qwertyzxcv"), none.format("the of and"))


def test_a_folder_of_ones_own_is_searched(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "snails.txt").write_text("Snails\nThe glow snail is called Quantula.")
    (tmp_path / "birds.md").write_text("# Birds\nThe hoatzin smells.")
    (tmp_path / "empty.md").write_text("")
    (tmp_path / "image.png").write_bytes(b"\x89PNG")
    text = search(SearchConfig(folder=str(tmp_path)), "glow snail")
    assert "1. Snails\n   https://corpus.invalid/deep/snails\n   The glow snail" in text
    assert "hoatzin" not in text


def test_a_folder_without_documents_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected documents"):
        SearchTool(SearchConfig(folder=str(tmp_path)))
    with pytest.raises(InputError, match="expected a folder"):
        SearchTool(SearchConfig(folder=str(tmp_path / "none")))


@pytest.mark.parametrize("queries", [[], ["", "  "]])
def test_a_search_needs_a_query(queries: list[str]) -> None:
    with pytest.raises(ToolFailedError, match="at least one query"):
        anyio.run(SearchTool(SearchConfig()).run, queries)


def test_too_many_queries_are_refused() -> None:
    with pytest.raises(ToolFailedError, match="at most 10 queries, not 11"):
        search(SearchConfig(), *["a"] * 11)


FOUND = {
    "answerBox": {"title": "Tuvalu / Capital", "answer": "Funafuti"},
    "organic": [
        {"title": "Tuvalu", "link": "https://t.example/", "snippet": "Its capital is…", "x": 1},
        {"title": "no link"},
    ],
}


def serper(url: str, monkeypatch: pytest.MonkeyPatch, **more: object) -> Serper:
    monkeypatch.setenv("SERPER_API_KEY", "key-1")
    config = SearchConfig(backend="serper", url=url, time_seconds=2, **more)  # type: ignore[arg-type]
    return Serper(config, pause_seconds=0.01)


def test_serper_is_asked_with_the_key_and_the_query(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(lambda request: page(msgspec.json.encode(FOUND))) as server:
        hits = anyio.run(serper(f"{server.url}/search", monkeypatch, results=5).search, "Tuvalu")
        request = server.requests[0]
    assert hits == [
        Hit("Tuvalu / Capital", "", "Funafuti"),
        Hit("Tuvalu", "https://t.example/", "Its capital is…"),
    ]
    assert (request.method, request.target) == ("POST", "/search")
    assert request.headers["x-api-key"] == "key-1"
    assert msgspec.json.decode(request.body) == {"q": "Tuvalu", "num": 5}


def test_serper_is_asked_again_when_it_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    def respond(request: Request) -> bytes:
        return page(b"busy", 429) if len(server.requests) < 3 else page(b'{"organic": []}')

    with serve(respond) as server:
        assert anyio.run(serper(server.url, monkeypatch).search, "a") == []
        assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (page(b"busy", 503), "status 503"),
        (page(b"wrong key", 403), "status 403"),
        (page(b"<html>"), "something else"),
        (page(b'{"organic": 5}'), "something else"),
        (b"garbage\r\n\r\n", "unavailable"),
        (b"", "unavailable"),
    ],
)
def test_serpers_failures_are_told(
    answer: bytes, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(lambda request: answer) as server:
        tool = SearchTool(SearchConfig(), serper(server.url, monkeypatch))
        with pytest.raises(ToolFailedError, match=why):
            anyio.run(tool.run, ["a"])


def test_one_failed_query_does_not_lose_the_others() -> None:
    class Half:
        name = "half"

        async def search(self, query: str) -> list[Hit]:
            if query == "bad":
                raise ToolFailedError("no luck.")
            return [Hit("T", "u", "s")]

    text = anyio.run(SearchTool(SearchConfig(), Half()).run, ["good", "bad"])
    assert text == 'Results for "good":\n1. T\n   u\n   s\n\nThe search for "bad" failed: no luck.'


def test_without_a_key_serper_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SERPER_API_KEY", raising=False)
    with pytest.raises(InputError, match="SERPER_API_KEY"):
        SearchTool(SearchConfig(backend="serper"))
