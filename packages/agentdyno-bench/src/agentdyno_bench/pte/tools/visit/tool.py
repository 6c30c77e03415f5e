"""The tool `visit`: a page's text, or what of it serves a goal. Usable without Inspect."""

from collections.abc import Awaitable, Callable
from urllib.parse import quote

from agentdyno.records import printable
from agentdyno_bench.pte.tools.config import VisitConfig, key_from_environment
from agentdyno_bench.pte.tools.corpus import ADDRESS, load_corpus
from agentdyno_bench.pte.tools.failure import ToolFailedError
from agentdyno_bench.pte.tools.http import Limits, RefusedError, Target, exchange, parse_target
from agentdyno_bench.pte.tools.http.addresses import literal_problem
from agentdyno_bench.pte.tools.visit.page import Page, VisitBackend
from agentdyno_bench.pte.tools.visit.plain import PlainHttp


# Addresses of this machine's network are not passed on, even though it is Jina that connects.
class Jina:
    """The backend."""

    name = "jina"

    def __init__(self, config: VisitConfig) -> None:
        self._config = config
        self._key = key_from_environment(config.key_variable, "Jina")
        self._limits = Limits(config.time_seconds, config.body_bytes)

    async def read(self, url: str) -> Page:
        """The page as Jina reads it."""
        address = printable(url, 200)
        try:
            target = _check(url, self._config.ports)
            service = parse_target(self._config.url + quote(target.url, "%/:=&?~#+!$,;'@()*[]"))
            answer = await exchange("GET", service, self._limits, headers=self._headers())
        except RefusedError as error:
            raise ToolFailedError(f"The page {address} was not read: {error}.") from None
        if answer.status != 200:
            raise ToolFailedError(
                f"The page {address} was not read: the reader answered with status {answer.status}."
            )
        return Page(target.url, "", answer.body.decode("utf-8", "replace"), answer.is_complete)

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._key}", "Accept": "text/plain"}


def _check(url: str, ports: tuple[int, ...]) -> Target:
    target = parse_target(url)
    problem = literal_problem(target.host)
    if problem:
        raise RefusedError(f"the address {target.host} {problem}")
    if target.port not in ports:
        raise RefusedError(f"the port {target.port} is not one of {sorted(ports)}")
    return target


Summarize = Callable[[str, str], Awaitable[str]]
"""From a page's text and a goal to what serves the goal."""


class VisitTool:
    """Reads pages."""

    def __init__(
        self,
        config: VisitConfig,
        backend: VisitBackend | None = None,
        summarize: Summarize | None = None,
    ) -> None:
        self._config = config
        self._backend = backend or choose_backend(config)
        self._summarize = summarize

    async def run(self, url: str, goal: str = "") -> str:
        """The page for the model; `ToolFailedError` when it cannot be had."""
        page = await self._backend.read(url)
        if not page.text.strip():
            raise ToolFailedError(f"The page {printable(page.url, 200)} holds no text.")
        if self._summarize is None or not goal.strip():
            return self._text(page)
        summary = await self._summarize(page.text[: self._config.summary_chars], goal)
        return f"{_write_heading(page)}\nWhat serves the goal “{goal}”:\n{summary}"

    def _text(self, page: Page) -> str:
        room = self._config.result_chars
        cut = not page.is_complete or len(page.text) > room
        return f"{_write_heading(page)}\n{page.text[:room]}" + (
            "\n[The page goes on.]" if cut else ""
        )


def _write_heading(page: Page) -> str:
    return f"{page.title}\n{page.url}\n" if page.title else f"{page.url}\n"


def choose_backend(config: VisitConfig) -> VisitBackend:
    """The backend that a configuration names."""
    if config.backend == "http":
        return PlainHttp(config)
    return Jina(config) if config.backend == "jina" else OfflineVisit(config)


class OfflineVisit:
    """The backend."""

    name = "offline"

    def __init__(self, config: VisitConfig) -> None:
        # Looked up in a table: an address never becomes a path.
        self._pages = {
            document.url: Page(document.url, document.title, document.text)
            for document in load_corpus(config.folder)
        }

    async def read(self, url: str) -> Page:
        """A document."""
        page = self._pages.get(url.strip().partition("#")[0].rstrip("/"))
        if page is not None:
            return page
        raise ToolFailedError(
            f"There is no page {printable(url, 200)}. Visit an address ({ADDRESS}…) that the "
            "search has given."
        )
