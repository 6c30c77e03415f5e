"""News: articles of the last two weeks by category, company and city, and a reading list."""

from datetime import timedelta
from functools import cache
from typing import Annotated

from agentdyno_bench.tps.world.kit.arguments import City, Limit, Query, note
from agentdyno_bench.tps.world.kit.chance import chance, reference
from agentdyno_bench.tps.world.kit.cities import cities, city_facts
from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.dates import TODAY
from agentdyno_bench.tps.world.kit.errors import conflict, not_found
from agentdyno_bench.tps.world.kit.server import Row, Server
from agentdyno_bench.tps.world.kit.tool import tool

ArticleId = Annotated[str, note("Id of an article, for example 'A-7K2M9P'.")]
Category = Annotated[str, note("business, science, culture, sports, technology or local")]


class News(Server):
    """The news desk."""

    name = "news"
    title = "Newsroom"
    version = "1.2.7"
    about = "Headlines, articles, local news and a reading list."

    @tool(latency=0.6)
    def top_headlines(self, category: Category, limit: Limit = 5) -> Row:
        """Latest headlines of a category, newest first, without the text."""
        if category not in load("news")["categories"]:
            raise not_found("category", category)
        rows = [_head(a) for a in self._articles() if a["category"] == category]
        return {"category": category, "articles": rows[:limit]}

    @tool(latency=0.8, quota=(50, 100))
    def search_news(self, query: Query, limit: Limit = 10) -> Row:
        """Articles that mention all the words, newest first, without the text."""
        words = query.casefold().split()
        rows = [
            _head(a)
            for a in self._articles()
            if all(w in f"{a['headline']} {a['text']}".casefold() for w in words)
        ]
        return {"query": query, "articles": rows[:limit]}

    @tool(latency=0.7)
    def company_news(self, company: Annotated[str, note("Name of a company.")]) -> Row:
        """What was reported about a company lately, newest first."""
        sought = company.casefold()
        rows = [_head(a) for a in self._articles() if sought in (a["company"] or "").casefold()]
        if not rows:
            raise not_found("article about", company)
        return {"company": company, "articles": rows}

    @tool(latency=0.7)
    def city_news(self, city: City) -> Row:
        """What was reported from a city lately, newest first."""
        facts = city_facts(city)
        rows = [_head(a) for a in self._articles() if a["city"] == facts.name]
        return {"city": facts.name, "articles": rows}

    @tool(latency=0.4, quota=(50, 100))
    def read_article(self, article_id: ArticleId) -> Row:
        """An article in full."""
        for article in self._articles():
            if article["article_id"] == article_id:
                return article
        raise not_found("article", article_id)

    @tool(latency=0.6)
    def related_articles(self, article_id: ArticleId) -> Row:
        """Other articles of the same category and place or company."""
        first = self.read_article(article_id)
        rows = [
            _head(a)
            for a in self._articles()
            if a["category"] == first["category"] and a["article_id"] != article_id
        ]
        return {"article_id": article_id, "articles": rows[:4]}

    @tool(latency=0.4)
    def trending_topics(self) -> Row:
        """Which categories were read most this week."""
        rng = chance(self.seed, "trending")
        rows = [
            {"category": c, "readers": rng.randint(900, 42_000)} for c in load("news")["categories"]
        ]
        return {"topics": sorted(rows, key=lambda r: -int(str(r["readers"])))}

    @tool(latency=0.2)
    def news_sources(self) -> Row:
        """Papers and agencies that articles come from."""
        return {"sources": load("news")["sources"]}

    @tool(latency=0.3, writes=True)
    def save_article(self, article_id: ArticleId) -> Row:
        """Keep an article on the reading list."""
        article = self.read_article(article_id)
        if article_id in self.state["reading_list"]:
            raise conflict(f"{article_id} is already on the reading list.")
        return self.keep("reading_list", article_id, _head(article))

    @tool(latency=0.2)
    def reading_list(self) -> Row:
        """Articles that were kept for later."""
        return {"articles": list(self.state["reading_list"].values())}

    def first_state(self) -> dict[str, dict[str, Row]]:
        """An empty reading list."""
        return {"reading_list": {}}

    def _articles(self) -> list[Row]:
        return articles(self.seed)


@cache
def articles(seed: int) -> list[Row]:
    """Every article, newest first; never to be changed by whoever reads them."""
    companies = [c[1] for c in load("finance")["companies"]]
    rows = [_article(seed, "business", None, c, n) for c in companies for n in range(2)]
    rows += [_article(seed, "technology", None, c, 2) for c in companies[::2]]
    rows += [_article(seed, "local", c, None, n) for c in cities() for n in range(2)]
    rows += [_article(seed, "culture", c, None, 3) for c in list(cities())[::2]]
    rows += [_article(seed, "sports", c, None, 4) for c in list(cities())[::3]]
    rows += [_article(seed, "science", None, None, n) for n in range(4)]
    return sorted(rows, key=lambda a: (a["date"], a["article_id"]), reverse=True)


def _article(seed: int, category: str, city: str | None, company: str | None, number: int) -> Row:
    rng = chance(seed, "article", category, city, company, number)
    choices = load("news")["subjects"][category]
    headline, text, (least, most) = choices[number % len(choices)]
    figure = rng.randint(least, most)
    names = {"n": figure, "city": city, "company": company}
    return {
        "article_id": reference("A", seed, category, city, company, number),
        "headline": headline.format(**names),
        "category": category,
        "city": city,
        "company": company,
        "date": (TODAY - timedelta(days=rng.randint(0, 14))).isoformat(),
        "source": rng.choice(load("news")["sources"]),
        "figure": figure,
        "text": f"{text.format(**names)} Officials did not comment on what comes next; more is "
        f"expected within {rng.randint(2, 9)} days.",
    }


def _head(article: Row) -> Row:
    return {key: value for key, value in article.items() if key not in ("text", "figure")}
