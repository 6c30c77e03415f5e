"""Finds what a model costs, however its name is spelled; a user's own price file comes first.

Takes a name, a TOML file of the user's (`--prices`) and a time; returns a `Tariff` or a `Price`, or
None where no table has the model. A user's file:

    ["my-model"]
    input = 0.5
    output = 1.5
    as_of = 2026-01-31

A row with `since` holds from that day on; before, the bundled price does. The user's own table,
which `agentdyno about prices` writes, has the same form and goes before the bundled one too.
"""

from functools import cache, lru_cache
from pathlib import Path

from msgspec import Struct, structs

from agentdyno.cost.bundled_prices import find_bundled, list_tariffs
from agentdyno.cost.price_names import SoldModel, is_seller, parse_model_name
from agentdyno.cost.price_table import PriceTable
from agentdyno.cost.prices import Price, Tariff, terms_of
from agentdyno.cost.user_prices import read_table, user_table

FileState = tuple[Path, int]
"""A file and when it was written, in nanoseconds."""


def tariff_of(model: str, prices_file: Path | None = None) -> Tariff | None:
    """The tariff of a model, however its name is spelled; None where no table lists it."""
    return _find_tariff(model, _state_of(user_table()), _state_of(prices_file))


@lru_cache(maxsize=4096)
def _find_tariff(
    model: str, user_state: FileState | None, file_state: FileState | None
) -> Tariff | None:
    tables = [_user_tables(*state) for state in (user_state, file_state) if state is not None]
    for table in tables:
        model = table.aliases.get(model.lower(), model)
    sold = parse_model_name(model)
    tariff = None if sold is None else find_bundled(sold)
    for table in tables:
        row = table.find(model)
        if row is not None:
            earlier = tariff.terms if tariff and row.terms[0].since else ()
            tariff = structs.replace(row, terms=earlier + row.terms)
    return tariff


def _state_of(path: Path | None) -> FileState | None:
    """A table and when it was written; None where there is none."""
    try:
        return None if path is None else (path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        return None


def price_of(
    model: str, prices_file: Path | None = None, seconds: float | None = None
) -> Price | None:
    """The price of a model at a time, or as last listed; None where no table lists it."""
    tariff = tariff_of(model, prices_file)
    return None if tariff is None else tariff.price(seconds)


def unlisted_seller(model: str) -> str | None:
    """Who a name says sold a model, where no list has that seller and the model has its maker's
    price: a gateway of a company's own, mostly, as in `acme/claude-opus-4-8`."""
    sold = parse_model_name(model)
    if sold is None or sold.seller is not None or not sold.vendor or is_seller(sold.vendor):
        return None
    state = _state_of(user_table())
    tables = None if state is None else _user_tables(*state)
    if tables is not None and (model.lower() in tables.aliases or tables.find(model) is not None):
        return None
    return sold.vendor if find_bundled(sold) is not None else None


def list_prices() -> tuple[Price, ...]:
    """Every bundled price, as last listed."""
    prices = (tariff.price() for tariff in list_tariffs())
    return tuple(price for price in prices if price is not None)


class UserTables(Struct, frozen=True):
    """A user's prices: those of any seller, and those that name one (`azure/gpt-4o`)."""

    any_seller: PriceTable
    """Rows whose name says no seller."""
    by_seller: dict[str, PriceTable]
    aliases: dict[str, str]
    """Names in small letters, each with the model whose price it has."""

    def find(self, model: str) -> Tariff | None:
        sold = parse_model_name(model)
        if sold is not None and sold.seller in self.by_seller:
            tariff = self.by_seller[sold.seller].find(sold.name)
            if tariff is not None:
                return tariff
        return self.any_seller.find(model)


@cache
def _user_tables(path: Path, written: int) -> UserTables:
    prices, aliases, _ = read_table(path)
    tables = UserTables(PriceTable(), {}, aliases)
    for model, price in prices.items():
        tariff = Tariff(model, price.as_of, price.source, (terms_of(price),))
        for name in (model, *price.aliases):
            sold = parse_model_name(name) or SoldModel(None, name)
            if sold.seller is None:
                tables.any_seller.add(tariff, [name])
            else:
                tables.by_seller.setdefault(sold.seller, PriceTable()).add(tariff, [sold.name])
    return tables
