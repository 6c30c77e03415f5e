"""Google's results through serper.dev: POST {"q", "num"} with the key in a header."""

import anyio
import msgspec
from msgspec import Struct

from agentdyno_bench.pte.tools.config import MIB, SearchConfig, key_from_environment
from agentdyno_bench.pte.tools.failure import ToolFailedError
from agentdyno_bench.pte.tools.http import Answer, Limits, RefusedError, exchange, parse_target
from agentdyno_bench.pte.tools.search.hits import Hit

_ATTEMPTS = 3
_PAUSE_SECONDS = 0.5
_AGAIN = {429, 500, 502, 503, 504}


class Serper:
    """The backend."""

    name = "serper"

    def __init__(self, config: SearchConfig, pause_seconds: float = _PAUSE_SECONDS) -> None:
        self._config = config
        self._key = key_from_environment(config.key_variable, "Serper")
        self._target = parse_target(config.url)
        self._pause_seconds = pause_seconds

    async def search(self, query: str) -> list[Hit]:
        """Search Google."""
        content = msgspec.json.encode({"q": query, "num": self._config.results})
        answer = await self._request(content)
        if answer.status != 200:
            raise ToolFailedError(f"the search service answered with status {answer.status}.")
        try:
            reply = msgspec.json.decode(answer.body, type=_Found)
        except msgspec.DecodeError:
            raise ToolFailedError("the search service answered with something else.") from None
        hits = [_hit(entry) for entry in reply.organic if entry.link]
        return _direct(reply) + hits[: self._config.results]

    async def _request(self, content: bytes) -> Answer:
        limits = Limits(self._config.time_seconds, MIB)
        headers = {"X-API-KEY": self._key, "Content-Type": "application/json"}
        answer = None
        for attempt in range(_ATTEMPTS):
            await anyio.sleep(attempt * self._pause_seconds)
            try:
                answer = await exchange(
                    "POST", self._target, limits, headers=headers, content=content
                )
            except RefusedError as error:
                raise ToolFailedError(f"the search service is unavailable: {error}.") from None
            if answer.status not in _AGAIN:
                break
        assert answer is not None
        return answer


class _Entry(Struct):
    title: str = ""
    link: str = ""
    snippet: str = ""
    answer: str = ""


class _Found(Struct):
    organic: list[_Entry] = []
    answer_box: _Entry | None = msgspec.field(name="answerBox", default=None)


def _hit(entry: _Entry) -> Hit:
    return Hit(entry.title, entry.link, entry.snippet)


def _direct(reply: _Found) -> list[Hit]:
    box = reply.answer_box
    if box is None or not (box.answer or box.snippet):
        return []
    return [Hit(box.title or "Answer", box.link, box.answer or box.snippet)]
