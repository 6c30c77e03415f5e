"""The tool `search`: several queries at once, each with its results. Usable without Inspect."""

import anyio

from agentdyno_bench.tools.config import SearchConfig
from agentdyno_bench.tools.failure import ToolFailedError
from agentdyno_bench.tools.search.hits import SearchBackend, describe
from agentdyno_bench.tools.search.offline import OfflineSearch
from agentdyno_bench.tools.search.serper import Serper

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
