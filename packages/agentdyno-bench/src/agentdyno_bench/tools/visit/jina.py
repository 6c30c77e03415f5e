"""Pages through Jina's reader, which answers https://r.jina.ai/URL with the page's text.

Addresses of this machine's network are not passed on, even though it is Jina that connects.
"""

from urllib.parse import quote

from agentdyno.records import printable
from agentdyno_bench.tools.config import VisitConfig, key_from_environment
from agentdyno_bench.tools.failure import ToolFailedError
from agentdyno_bench.tools.http import Limits, RefusedError, Target, exchange, parse_target
from agentdyno_bench.tools.http.addresses import literal_problem
from agentdyno_bench.tools.visit.page import Page


class Jina:
    """The backend."""

    name = "jina"

    def __init__(self, config: VisitConfig) -> None:
        self._config = config
        self._key = key_from_environment(config.key_variable, "Jina")
        self._limits = Limits(config.time_seconds, config.body_bytes)

    async def read(self, url: str) -> Page:
        """The page as Jina reads it."""
        place = printable(url, 200)
        try:
            target = _check(url, self._config.ports)
            service = parse_target(self._config.url + quote(target.url, "%/:=&?~#+!$,;'@()*[]"))
            answer = await exchange("GET", service, self._limits, headers=self._headers())
        except RefusedError as error:
            raise ToolFailedError(f"The page {place} was not read: {error}.") from None
        if answer.status != 200:
            raise ToolFailedError(
                f"The page {place} was not read: the reader answered with status {answer.status}."
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
