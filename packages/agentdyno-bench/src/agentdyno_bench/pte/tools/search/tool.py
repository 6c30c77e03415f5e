"""The tool `search`: several queries at once, each with its results. Usable without Inspect."""

from functools import lru_cache
from typing import Any

import anyio
import anyio.to_thread

from agentdyno_bench.pte.tools.config import SearchConfig
from agentdyno_bench.pte.tools.corpus import Document, load_corpus
from agentdyno_bench.pte.tools.failure import ToolFailedError
from agentdyno_bench.pte.tools.search.hits import Hit, SearchBackend, describe
from agentdyno_bench.pte.tools.search.serper import Serper

# Words are lower-cased, English stop words are left out and a plural's s is dropped. The index is
# built once for a folder and kept in memory.
_SNIPPET_CHARS = 240


class OfflineSearch:
    """The backend."""

    name = "offline"

    def __init__(self, config: SearchConfig) -> None:
        self._config = config
        load_corpus(config.folder)  # So that a wrong folder is reported at once.

    async def search(self, query: str) -> list[Hit]:
        """The documents that share the rarest words with the query."""
        return await anyio.to_thread.run_sync(self._search, query)

    def _search(self, query: str) -> list[Hit]:
        documents, index = _index(self._config.folder)
        words = _words([query])
        if not any(words):
            return []
        count = min(self._config.results, len(documents))
        indices, scores = index.retrieve(words, k=count, show_progress=False)
        pairs = zip(indices[0], scores[0], strict=True)
        return [_hit(documents[int(i)], words[0]) for i, score in pairs if score > 0]


@lru_cache(maxsize=4)
def _index(folder: str | None) -> tuple[list[Document], Any]:
    import bm25s

    documents = load_corpus(folder)
    index = bm25s.BM25()
    # The title twice: it says what a document is about.
    texts = [f"{d.title}\n{d.title}\n{d.text}" for d in documents]
    index.index(_words(texts), show_progress=False)
    return documents, index


def _words(texts: list[str]) -> list[list[str]]:
    import bm25s

    tokens: list[list[str]] = bm25s.tokenize(
        texts, stopwords="en", stemmer=_stems, return_ids=False, show_progress=False
    )
    return tokens


def _stems(words: list[str]) -> list[str]:
    return [w[:-1] if len(w) > 3 and w.endswith("s") and w[-2] not in "su" else w for w in words]


def _hit(document: Document, words: list[str]) -> Hit:
    sentences = document.text.replace("\n", " ").split(". ")
    query_words = set(words)
    scored = [(len(query_words & set(_words([s])[0])), -n) for n, s in enumerate(sentences)]
    best = -max(scored)[1]
    snippet = ". ".join(sentences[best : best + 2])[:_SNIPPET_CHARS]
    return Hit(document.title, document.url, snippet)


_QUERY_CHARS = 1000


class SearchTool:
    """Searches."""

    def __init__(self, config: SearchConfig, backend: SearchBackend | None = None) -> None:
        self._config = config
        self._backend = backend or choose_backend(config)

    async def run(self, query: list[str]) -> str:
        """The results of all queries; `ToolFailedError` when none could be answered."""
        self._check(query)
        texts = [""] * len(query)
        failures: list[str] = []

        async def answer(number: int) -> None:
            try:
                hits = await self._backend.search(query[number][:_QUERY_CHARS])
                texts[number] = describe(query[number], hits)
            except ToolFailedError as error:
                texts[number] = f'The search for "{query[number]}" failed: {error.text}'
                failures.append(error.text)

        async with anyio.create_task_group() as group:
            for number in range(len(query)):
                group.start_soon(answer, number)
        text = "\n\n".join(texts)
        if len(failures) == len(query):
            raise ToolFailedError(text)
        return text

    def _check(self, query: list[str]) -> None:
        if not any(text.strip() for text in query):
            raise ToolFailedError("The search needs at least one query that is not empty.")
        if len(query) > self._config.queries:
            raise ToolFailedError(
                f"The search takes at most {self._config.queries} queries, not {len(query)}."
            )


def choose_backend(config: SearchConfig) -> SearchBackend:
    """The backend that a configuration names."""
    return Serper(config) if config.backend == "serper" else OfflineSearch(config)
