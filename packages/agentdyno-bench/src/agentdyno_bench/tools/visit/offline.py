"""Pages of the offline corpus. Touches no network."""

from agentdyno.records import printable
from agentdyno_bench.tools.config import VisitConfig
from agentdyno_bench.tools.corpus import ADDRESS, load_corpus
from agentdyno_bench.tools.failure import ToolFailedError
from agentdyno_bench.tools.visit.page import Page


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
