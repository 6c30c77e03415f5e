"""Prices of others beside ours: taken over into the user's own table, or compared one by one.

Takes a file, a wheel or an HTTPS address that the user gave, returns what was added or where the
lists differ. Nothing is fetched unless an address is given.
"""

import math
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from pathlib import Path

from msgspec import Struct

from agentdyno.cost.bundled_prices import price_decisions
from agentdyno.cost.price_lookup import price_of
from agentdyno.cost.price_names import MAKERS, maker_named, parse_model_name
from agentdyno.cost.price_sources import LARGEST_BYTES, ListedPrice, PriceList, read_price_list
from agentdyno.cost.prices import Price, Rates, Terms
from agentdyno.cost.user_prices import revise_table
from agentdyno.records import InputError, printable

LITELLM_URL = (
    "https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json"
)
RATES = Rates.__struct_fields__
SAME = 1e-6
"""How far two prices of one token may be apart, as a share, and be the same one."""


class Updated(Struct, frozen=True):
    """What an update changed."""

    added: tuple[str, ...]
    """Models that had no price."""
    replaced: tuple[str, ...]
    """Models with another price from today on."""
    differing: int
    """Models with another price in the list that were left as they are."""
    bad: dict[str, str]
    """Rows of the list that could not be read, with the reason."""
    table: str
    """The file that was written."""


class Disagreement(Struct, frozen=True):
    """A model at two prices."""

    model: str
    """Its name in the list."""
    library: str
    """The list, with its version."""
    ours: dict[str, float]
    """USD per million tokens, of the rates that differ."""
    theirs: dict[str, float]
    """The same in the list."""
    source: str
    """Where our price comes from."""
    decided: str | None
    """Why ours is kept, with a source; None where nobody has decided."""


class Checked(Struct, frozen=True):
    """A list beside ours."""

    library: str
    """The list, with its version."""
    compared: int
    agreeing: int
    """Of these, at the same price."""
    unknown: tuple[str, ...]
    """Models of the list that have no price here."""
    disagreements: tuple[Disagreement, ...]
    bad: dict[str, str]
    """Rows that could not be read, with the reason."""


def load_list(place: str) -> PriceList:
    """The list in a file or at an address."""
    name = place.rstrip("/").rpartition("/")[2]
    if place.startswith("https://"):
        try:
            with urllib.request.urlopen(place, timeout=60) as answer:
                return read_price_list(name, answer.read(LARGEST_BYTES + 1))
        except (OSError, urllib.error.URLError) as error:
            raise InputError(
                f"{printable(place)}: cannot be fetched ({printable(str(error))}). "
                "Give a file: agentdyno prices update FILE."
            ) from error
    if "://" in place:
        raise InputError(f"{printable(place)}: expected a file or an https:// address.")
    try:
        with Path(place).open("rb") as file:
            return read_price_list(name, file.read(LARGEST_BYTES + 1))
    except OSError as error:
        raise InputError(f"{printable(place)}: cannot be read ({error.strerror}).") from error


def update_prices(listed: PriceList, replace: bool) -> Updated:
    """Adds what has no price yet to the user's table; with `replace` also what now costs something
    else, from today on."""
    today, source = datetime.now(UTC).date(), _title(listed)
    added, replaced, differing = dict[str, Price](), dict[str, Price](), 0
    for one in _worth_adding(listed):
        ours = _price_today(one.name)
        if ours is None:
            added.setdefault(one.name, _as_price(one, today, source, since=None))
        elif _differ(ours, one):
            differing += 1
            if replace:
                replaced.setdefault(one.name, _as_price(one, today, source, since=today))
    path = revise_table(added | replaced, {})
    left = 0 if replace else differing
    return Updated(tuple(added), tuple(replaced), left, listed.bad, str(path))


def add_alias(name: str, model: str) -> Path:
    """From now on a name costs what a model costs that has a price."""
    if not name.strip() or not name.isprintable() or len(name) > 200:
        raise InputError("expected a name of up to 200 printable characters before the `=`.")
    if _price_today(model) is None:
        raise InputError(
            f"{printable(model)}: no price is known for it. Names that have one: "
            "agentdyno prices list TEXT."
        )
    return revise_table({}, {name: model})


def check_prices(listed: PriceList, everyone: bool) -> Checked:
    """Our prices beside a list's: of models that makers sell themselves, or of `everyone`."""
    compared, unknown, found = 0, list[str](), list[Disagreement]()
    # A list may have a model with its maker's name and without.
    for one in {one.name: one for one in listed.prices}.values():
        if not everyone and not _is_makers_own(one.name):
            continue
        ours = _price_today(one.name)
        if ours is None:
            unknown.append(one.name)
            continue
        compared += 1
        if names := _differ(ours, one):
            found.append(_disagree(listed, one, ours, names))
    return Checked(
        _title(listed), compared, compared - len(found), tuple(unknown), tuple(found), listed.bad
    )


def _is_makers_own(name: str) -> bool:
    """Whether a name is one of a maker's own API, and not of a host of its model."""
    prefix, slash, _ = name.partition("/")
    sold = parse_model_name(name)
    by_maker = sold is not None and (sold.seller is None or sold.seller in MAKERS)
    return by_maker and not (slash and maker_named(prefix.lower()) is None)


def _price_today(model: str) -> Price | None:
    """Where the hour decides, of midnight in UTC, so that every run compares the same."""
    midnight = datetime.combine(datetime.now(UTC), time(), UTC)
    return price_of(model, None, midnight.timestamp())


def _worth_adding(listed: PriceList) -> Iterator[ListedPrice]:
    """A model at no price is one that somebody runs, or that nobody has priced."""
    for one in listed.prices:
        if one.terms.input > 0 or one.name.endswith(":free"):
            yield one


def _as_price(one: ListedPrice, today: date, source: str, since: date | None) -> Price:
    terms = {name: getattr(one.terms, name) for name in Terms.__struct_fields__}
    return Price(model=one.name, as_of=today, source=source, **(terms | {"since": since}))


def _differ(ours: Price, one: ListedPrice) -> list[str]:
    """Rates that both lists have, and that are not the same."""
    pairs = ((name, getattr(ours, name), getattr(one.terms, name)) for name in RATES)
    return [
        name
        for name, own, other in pairs
        if own is not None and other is not None and abs(own - other) > SAME * max(own, other)
    ]


def _disagree(listed: PriceList, one: ListedPrice, ours: Price, names: list[str]) -> Disagreement:
    theirs = {name: getattr(one.terms, name) for name in names}
    return Disagreement(
        one.name,
        _title(listed),
        {name: getattr(ours, name) for name in names},
        theirs,
        ours.source,
        _decision(listed.library, one, ours),
    )


def _decision(library: str, one: ListedPrice, ours: Price) -> str | None:
    """Why ours is kept: what was decided on just this price of theirs."""
    for each in price_decisions():
        rates = zip(each.theirs, (one.terms.input, one.terms.output), strict=True)
        is_meant = each.library == library and one.name in each.models
        if is_meant and all(math.isclose(*pair, rel_tol=1e-3) for pair in rates):
            return f"{each.why} ({each.source}, {each.as_of})"
    return ours.source if library == "genai-prices" and library not in ours.source else None


def _title(listed: PriceList) -> str:
    return f"{listed.library} {listed.version}" if listed.version else listed.library
