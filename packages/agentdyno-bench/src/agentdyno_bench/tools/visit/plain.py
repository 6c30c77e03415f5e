"""Pages by plain HTTP, from public addresses only.

Every redirect is followed here, not by the client, and judged like the first address.
"""

import re

import anyio
import anyio.to_thread

from agentdyno.records import printable
from agentdyno_bench.tools.config import VisitConfig
from agentdyno_bench.tools.failure import ToolFailedError
from agentdyno_bench.tools.http import (
    Answer,
    Guard,
    Limits,
    RefusedError,
    Target,
    exchange,
    parse_target,
)
from agentdyno_bench.tools.visit.decoding import decode_body
from agentdyno_bench.tools.visit.html import read_html
from agentdyno_bench.tools.visit.page import Page

_REDIRECTS = {301, 302, 303, 307, 308}
_HTML = re.compile(r"\s*(?:text/html|application/xhtml\+xml)\b", re.IGNORECASE)
_TEXT = re.compile(r"\s*(?:text/|application/(?:[\w.-]+\+)?(?:json|xml)\b)", re.IGNORECASE)
_HEADERS = {"Accept": "text/html, text/*;q=0.9, application/json;q=0.8, */*;q=0.1"}


class PlainHttp:
    """The backend."""

    name = "http"

    def __init__(self, config: VisitConfig, guard: Guard | None = None) -> None:
        self._config = config
        self._guard = guard or Guard(config.ports)

    async def read(self, url: str) -> Page:
        """The page at an address, or where it leads to."""
        url_text = printable(url, 200)
        try:
            with anyio.fail_after(self._config.time_seconds):
                target, answer = await self._follow(parse_target(url))
                return await anyio.to_thread.run_sync(_page, target, answer)
        except TimeoutError:
            limit = self._config.time_seconds
            raise ToolFailedError(
                f"The page {url_text} took longer than {limit:g} seconds."
            ) from None
        except RefusedError as error:
            raise ToolFailedError(f"The page {url_text} was not read: {error}.") from None

    async def _follow(self, target: Target) -> tuple[Target, Answer]:
        limits = Limits(self._config.time_seconds, self._config.body_bytes)
        for _ in range(self._config.redirects + 1):
            answer = await exchange("GET", target, limits, self._guard, _HEADERS)
            if answer.status not in _REDIRECTS or "location" not in answer.headers:
                return target, answer
            target = target.join(answer.headers["location"])
        raise RefusedError(f"it redirects more than {self._config.redirects} times")


def _page(target: Target, answer: Answer) -> Page:
    if answer.status != 200:
        raise RefusedError(f"the server answered with status {answer.status}")
    kind = answer.headers.get("content-type", "text/html")
    if not _HTML.match(kind) and not _TEXT.match(kind):
        raise RefusedError(f"it is {printable(kind, 60)}, not text")
    text = decode_body(answer.body, kind)
    if not _HTML.match(kind):
        return Page(target.url, "", text, answer.is_complete)
    title, text = read_html(text)
    return Page(target.url, title, text, answer.is_complete)
