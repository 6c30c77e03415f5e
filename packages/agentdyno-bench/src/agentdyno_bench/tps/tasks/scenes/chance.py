"""What scenes draw by chance: cities, days, people, names, never twice within one task."""

from collections.abc import Iterable
from datetime import date, timedelta

from agentdyno_bench.tps.tasks.draft import Draft, DraftError
from agentdyno_bench.tps.world.kit.cities import cities
from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.dates import TODAY


def draw(d: Draft, kind: str, choices: Iterable[str]) -> str:
    """One of the choices that this task has not used."""
    left = [c for c in choices if f"{kind}:{c}" not in d.used]
    if not left:
        raise DraftError(f"no {kind} left")
    found = d.rng.choice(left)
    d.used.add(f"{kind}:{found}")
    return found


def city(d: Draft) -> str:
    """A city."""
    return draw(d, "city", cities())


def day(d: Draft, first: int = 5, last: int = 40) -> date:
    """A day that is not too near and not too far; far enough from others not to collide."""
    offsets = [str(n) for n in range(first, last)]
    return TODAY + timedelta(days=int(draw(d, "day", offsets)))


def person(d: Draft) -> str:
    """Somebody from the address book."""
    return draw(d, "person", (row[0] for row in load("mail")["people"]))


def company(d: Draft) -> str:
    """A listed company."""
    return draw(d, "company", (row[1] for row in load("finance")["companies"]))


def product(d: Draft) -> str:
    """A kind of product."""
    return draw(d, "product", (row[0] for row in load("shopping")["products"]))


def cuisine(d: Draft) -> str:
    """A cuisine."""
    return draw(d, "cuisine", load("restaurants")["cuisines"])


def film(d: Draft) -> str:
    """A film."""
    return draw(d, "film", (row[0] for row in load("media")["films"]))


def page(d: Draft) -> dict[str, str]:
    """A page of the bundled corpus."""
    title = draw(d, "page", (row["title"] for row in load("websearch")))
    found: dict[str, str] = next(row for row in load("websearch") if row["title"] == title)
    return found


def phrase(when: date) -> str:
    """A day as people say it."""
    return f"{when.day} {when:%B}"


def title(d: Draft, *choices: str) -> str:
    """A name for something new, not used before in this task."""
    return draw(d, "title", choices)
