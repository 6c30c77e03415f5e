"""Web search over a bundled corpus: ranked results, pages, definitions. Changes nothing.

Ranking is BM25 over titles and texts (k1 = 1.5, b = 0.75), by the library `bm25s`; ties go by
address. Besides the bundled pages there is one about every city, close to the true figures.
"""

from functools import cache
from typing import Annotated, Any

from agentdyno_bench.tps.world.kit.arguments import City, Limit, Query, note
from agentdyno_bench.tps.world.kit.chance import chance
from agentdyno_bench.tps.world.kit.cities import cities, city_facts
from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.errors import not_found
from agentdyno_bench.tps.world.kit.ranking import Ranking
from agentdyno_bench.tps.world.kit.server import Row, Server
from agentdyno_bench.tps.world.kit.tool import tool

Url = Annotated[str, note("Address of a page.")]


class WebSearch(Server):
    """The search engine."""

    name = "websearch"
    title = "Beacon Search"
    version = "0.9.3"
    about = "Searches the web and reads pages."

    @tool(latency=0.9, quota=(60, 100))
    def web_search(self, query: Query, max_results: Limit = 5) -> Row:
        """Search the web: titles, addresses and snippets, best first."""
        indices = _build_ranking(self.seed).best(query, max_results)
        return {"query": query, "results": [_snippet(_pages(self.seed)[i]) for i in indices]}

    @tool(latency=1.2, quota=(80, 160))
    def fetch_page(self, url: Url) -> Row:
        """Read a web page in full."""
        return _without_figure(self._page(url))

    @tool(latency=0.8)
    def site_search(self, site: Annotated[str, note("Host name.")], query: Query) -> Row:
        """Search within one web site only."""
        pages = _pages(self.seed)
        indices = [
            i for i in _build_ranking(self.seed).best(query, len(pages)) if pages[i]["site"] == site
        ]
        if not indices:
            raise not_found("page on the site", site)
        return {"site": site, "results": [_snippet(pages[i]) for i in indices[:5]]}

    @tool(latency=0.6)
    def page_summary(self, url: Url) -> Row:
        """The first two sentences of a page."""
        page = self._page(url)
        return {"url": url, "title": page["title"],
                "summary": ". ".join(page["text"].split(". ")[:2]) + "."}  # fmt: skip

    @tool(latency=0.7)
    def related_pages(self, url: Url) -> Row:
        """Pages about something similar to a page."""
        page = self._page(url)
        indices = _build_ranking(self.seed).best(f"{page['title']} {page['text']}", 6)
        pages = [_pages(self.seed)[i] for i in indices]
        return {"url": url, "results": [_snippet(p) for p in pages if p["url"] != url][:5]}

    @tool(latency=0.5)
    def encyclopedia_city(self, city: City) -> Row:
        """Encyclopaedia entry of a city: inhabitants, area, founding year, known for."""
        facts = city_facts(city)
        return _without_figure(next(p for p in _pages(self.seed) if p.get("city") == facts.name))

    @tool(latency=0.4)
    def search_suggestions(self, beginning: Query) -> Row:
        """What people search for that begins like this."""
        start = beginning.casefold()
        rows = [p["title"] for p in _pages(self.seed) if start in p["title"].casefold()]
        return {"beginning": beginning, "suggestions": rows[:8]}

    @tool(latency=0.5)
    def page_date(self, url: Url) -> Row:
        """When a page was published, and on which site."""
        page = self._page(url)
        return {"url": url, "published": page["published"], "site": page["site"]}

    @tool(latency=1.5, quota=(25, 25))
    def deep_research(self, question: Query) -> Row:
        """Read several pages about a question at once. Limited to 25 requests a day."""
        indices = _build_ranking(self.seed).best(question, 4)
        return {"question": question,
                "pages": [_without_figure(_pages(self.seed)[i]) for i in indices]}  # fmt: skip

    def _page(self, url: str) -> Row:
        for page in _pages(self.seed):
            if page["url"] == url:
                return page
        raise not_found("page", url, "404: check the address.")


@cache
def _pages(seed: int) -> list[Row]:
    return [*load("websearch"), *(_city_page(seed, name) for name in cities())]


def _city_page(seed: int, name: str) -> Row:
    rng, facts = chance(seed, "entry", name), city_facts(name)
    thousands, year, area, attraction = load("kit/city_entries")[name]
    era = "BC" if year < 0 else "AD"
    # Of the last count, which differs a little from world to world.
    people = int(thousands * (980 + 40 * rng.random()))
    slug = name.casefold().replace(" ", "-")
    return {
        "url": f"https://atlas.example/{slug}",
        "site": "atlas.example",
        "title": f"{name}: city profile",
        "city": name,
        "text": f"{name} is a city in {facts.country} with {people} inhabitants. It was founded or "
        f"first mentioned in {abs(year)}{' BC' if year < 0 else ''} and is known for {attraction}. "
        f"Visitors stay {rng.randint(2, 5)} nights on average.",
        "inhabitants": people,
        "area_km2": area,
        "first_mentioned": abs(year),
        "era": era,
        "published": "2025-11-03",
        "figure": people,
    }


@cache
def _build_ranking(seed: int) -> Ranking:
    return Ranking([f"{p['title']} {p['title']} {p['text']}" for p in _pages(seed)])


def _snippet(page: Row) -> Row:
    return {"title": page["title"], "url": page["url"], "snippet": page["text"][:110] + "…"}


def _without_figure(page: Row) -> dict[str, Any]:
    return {key: value for key, value in page.items() if key != "figure"}
