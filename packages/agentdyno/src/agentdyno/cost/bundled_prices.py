"""The prices that come with the package, by seller.

Takes a model and its seller, returns its `Tariff`, or None. Two files, ours before the other:

- `data/prices.toml`: corrections and additions of ours, each with its day and its source;
- `data/genai_prices.json`: the public collection genai-prices (MIT licence) as it was on the day in
  it, written by `bench/price_snapshot.py`. Nothing is fetched while AgentDyno runs.
"""

import re
from collections import defaultdict
from datetime import date
from functools import cache

import msgspec
from msgspec import Struct, structs

from agentdyno.cost.model_names import has_size
from agentdyno.cost.price_names import (
    GLOBAL,
    MAKERS,
    REGIONAL,
    SoldModel,
    is_seller,
    maker_named,
    parse_model_name,
    strip_bedrock,
)
from agentdyno.cost.price_table import (
    SAME_PRICE_OF_CLAUDE,
    PriceTable,
    Tokens,
    cut_end,
    tokenize_name,
)
from agentdyno.cost.prices import Factor, Price, Tariff, Terms, terms_of
from agentdyno.cost.toml_files import DATA, read_bundled

OPEN_WEIGHTS = re.compile(r"gpt-oss|gemma|^llama|:free$|\d[bm]-(?:instruct|it|base|chat)\b")
"""Published weights have the price of whoever serves them, so no maker's price applies."""


class ListedModel(Struct, frozen=True):
    """A model in the public collection."""

    id: str
    """The collection's own name of it."""
    prices: tuple[Terms, ...]
    """Its prices over time."""
    names: tuple[str, ...] = ()
    stems: tuple[str, ...] = ()
    """Names of it that a date or a word such as `preview` may follow."""


class PriceCollection(Struct, frozen=True):
    """The public collection as it was taken."""

    package: str
    version: str
    url: str
    """Where it is kept."""
    licence: str
    """The licence that it is given under."""
    taken: date
    """The day that it was taken on."""
    falls_back: dict[str, tuple[str, ...]]
    """Whose prices a seller takes where it has none of its own."""
    providers: dict[str, tuple[ListedModel, ...]]
    """The models of each seller."""


class OwnPrice(Price, frozen=True, kw_only=True):
    """A correction or an addition of ours."""

    provider: str
    """The seller in whose list it stands."""


class ModelTiers(Struct, frozen=True, forbid_unknown_fields=True):
    """Factors of tiers that only some models of a seller have."""

    provider: str
    models: tuple[str, ...]
    """Its models, as the collection names them."""
    tiers: dict[str, Factor]
    as_of: date
    """A day on which they were listed."""
    source: str
    """Whose list they come from."""


class OwnPrices(Struct, frozen=True, forbid_unknown_fields=True):
    """`data/prices.toml`."""

    tiers: dict[str, dict[str, Factor]]
    """By seller: factors of tiers that the collection does not have of each of its models."""
    model_tiers: tuple[ModelTiers, ...]
    """Factors of tiers that only some models have, before those of the seller."""
    aliases: dict[str, str]
    """Names that nobody lists, and the listed name of the same model."""
    prices: tuple[OwnPrice, ...]
    """Prices, the earlier ones of a model first."""


def find_bundled(sold: SoldModel) -> Tariff | None:
    """The tariff of a model at its seller, or at its maker where the name does not say who sold
    it.
    """
    tariff = _find_listed(sold)
    if tariff is None and (other := _aliases().get(_strip_decoration(sold.name))):
        listed = parse_model_name(other)
        if listed is not None and sold.seller is not None:
            listed = structs.replace(sold, name=listed.name)
        return None if listed is None else _find_listed(listed)
    return tariff


def list_tariffs() -> list[Tariff]:
    sellers = dict.fromkeys([*MAKERS, *price_collection().providers, GLOBAL])
    return [tariff for seller in sellers for tariff in _table(seller).tariffs]


@cache
def price_collection() -> PriceCollection:
    """The public collection."""
    data = (DATA / "genai_prices.json").read_bytes()
    return msgspec.json.decode(data, type=PriceCollection)


def _find_listed(sold: SoldModel) -> Tariff | None:
    tariffs = (
        _table(seller).find(name) for seller in _sellers(sold) for name in _names_at(seller, sold)
    )
    return next(filter(None, tariffs), None)


def _sellers(sold: SoldModel) -> tuple[str, ...]:
    is_open = bool(OPEN_WEIGHTS.search(sold.name)) or _is_published_weights(sold)
    if sold.seller is None:
        return () if is_open else tuple(MAKERS)
    if sold.seller in MAKERS and is_open:
        return ()
    # OpenRouter adds nothing to the price of a maker that alone sells a model.
    maker = maker_named(sold.vendor) if sold.seller == "openrouter" and not is_open else None
    fallbacks = price_collection().falls_back.get(sold.seller, ())
    return (sold.seller, *fallbacks, *([maker] if maker else []))


def _is_published_weights(sold: SoldModel) -> bool:
    """A number of parameters behind a publisher's name: who runs the weights decides."""
    published = sold.vendor == "mistralai" or not (sold.vendor is None or is_seller(sold.vendor))
    return published and has_size(tokenize_name(sold.name)) and "gemini" not in sold.name


def _names_at(seller: str, sold: SoldModel) -> tuple[str, ...]:
    """A host may list models of several vendors under one name."""
    is_host = seller == sold.seller and seller not in MAKERS and sold.vendor
    return (f"{sold.vendor}/{sold.name}", sold.name) if is_host else (sold.name,)


def _strip_decoration(name: str) -> Tokens:
    return cut_end(tokenize_name(name), SAME_PRICE_OF_CLAUDE)


# Reading the files --------------------------------------------------------------------------------


@cache
def _own() -> OwnPrices:
    return msgspec.convert(read_bundled("prices.toml"), OwnPrices)


@cache
def _aliases() -> dict[Tokens, str]:
    return {_strip_decoration(name): listed for name, listed in _own().aliases.items()}


@cache
def _table(seller: str) -> PriceTable:
    """The prices of a seller, read on first use. Our own prices claim their names first."""
    listed = price_collection().providers.get(REGIONAL if seller == GLOBAL else seller, ())
    overrides: dict[str, list[OwnPrice]] = defaultdict(list)
    for price in _own().prices:
        if price.provider == seller:
            overrides[price.model].append(price)
    table, ids = PriceTable(), {model.id for model in listed}
    for name, prices in overrides.items():
        if name not in ids:
            names = (name, *(alias for price in prices for alias in price.aliases))
            table.add(_own_tariff(name, prices), names, names)
    for model in listed:
        if names_and_stems := _names_in(seller, model):
            table.add(_build_tariff(seller, model, overrides.get(model.id, [])), *names_and_stems)
    return table


def _own_tariff(name: str, prices: list[OwnPrice]) -> Tariff:
    return Tariff(name, prices[-1].as_of, prices[-1].source, tuple(map(terms_of, prices)))


def _build_tariff(seller: str, model: ListedModel, overrides: list[OwnPrice]) -> Tariff:
    """The collection's prices, and from the day on that ours differ, ours."""
    collection = price_collection()
    usual = dict(_own().tiers.get(seller, {}))
    for some in _own().model_tiers:
        if some.provider == seller and model.id in some.models:
            usual |= some.tiers
    listed = [
        structs.replace(price_terms, tiers=usual | price_terms.tiers)
        for price_terms in model.prices
    ]
    if overrides and overrides[0].since is None:
        listed = []
    source = f"{collection.package} {collection.version}, {seller}"
    terms = (*listed, *map(terms_of, overrides))
    return Tariff(model.id, collection.taken, overrides[-1].source if overrides else source, terms)


def _names_in(seller: str, model: ListedModel) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The names and stems of a model in a table; None where it does not stand in it."""
    names = (model.id, *model.names)
    if seller not in (REGIONAL, GLOBAL):
        return names, model.stems
    if model.id.startswith("regional." if seller == GLOBAL else "global."):
        return None
    stems = dict.fromkeys(map(strip_bedrock, model.stems))
    return tuple(map(strip_bedrock, names)), tuple(stems)
