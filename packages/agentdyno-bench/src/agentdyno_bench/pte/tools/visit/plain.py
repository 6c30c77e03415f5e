"""Pages by plain HTTP, from public addresses only.

Every redirect is followed here, not by the client, and judged like the first address. Bodies become
text by the charset that the server or the page names; only charsets of the web are used, because
Python has codecs that take quadratic time.
"""

import re

import anyio
import anyio.to_thread

from agentdyno.records import printable
from agentdyno_bench.pte.tools.config import VisitConfig
from agentdyno_bench.pte.tools.failure import ToolFailedError
from agentdyno_bench.pte.tools.http import (
    Answer,
    Guard,
    Limits,
    RefusedError,
    Target,
    exchange,
    parse_target,
)
from agentdyno_bench.pte.tools.visit.html import read_html
from agentdyno_bench.pte.tools.visit.page import Page

_REDIRECTS = {301, 302, 303, 307, 308}
_HTML = re.compile(r"\s*(?:text/html|application/xhtml\+xml)\b", re.IGNORECASE)
_TEXT = re.compile(r"\s*(?:text/|application/(?:[\w.-]+\+)?(?:json|xml)\b)", re.IGNORECASE)
_HEADERS = {"Accept": "text/html, text/*;q=0.9, application/json;q=0.8, */*;q=0.1"}
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_WEB = re.compile(
    r"utf-?8|utf-?16(?:[-_]?[bl]e)?|(?:us-)?ascii|latin-?1|iso-?8859-?\d{1,2}|windows-?\d{3,4}"
    r"|cp\d{3,4}|koi8-[ru]|gbk|gb2312|gb18030|big5|shift[_-]?jis|euc-(?:jp|kr)",
    re.IGNORECASE,
)
_HEAD_BYTES = 2048


class PlainHttp:
    """The backend."""

    name = "http"

    def __init__(self, config: VisitConfig, guard: Guard | None = None) -> None:
        self._config = config
        self._guard = guard or Guard(config.ports)

    async def read(self, url: str) -> Page:
        """The page at an address, or where it leads to."""
        link = printable(url, 200)
        try:
            with anyio.fail_after(self._config.time_seconds):
                target, answer = await self._follow(parse_target(url))
                return await anyio.to_thread.run_sync(_page, target, answer)
        except TimeoutError:
            limit = self._config.time_seconds
            raise ToolFailedError(f"The page {link} took longer than {limit:g} seconds.") from None
        except RefusedError as error:
            raise ToolFailedError(f"The page {link} was not read: {error}.") from None

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


def decode_body(body: bytes, content_type: str) -> str:
    """The text; what is not valid in the charset is replaced."""
    head = body[:_HEAD_BYTES].decode("latin-1")
    named = _CHARSET.search(content_type) or _CHARSET.search(head)
    charset = named[1] if named and _WEB.fullmatch(named[1]) else "utf-8"
    try:
        return body.decode(charset, "replace")
    except LookupError:
        return body.decode("utf-8", "replace")
