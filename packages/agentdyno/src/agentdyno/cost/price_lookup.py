"""Finds what a model costs, however its name is spelled; a user's own price file comes first.

Takes a name, a TOML file of the user's (`--prices`) and a time; returns a `Tariff` or a `Price`, or
None where no table has the model. A user's file:

    ["my-model"]
    input = 0.5
    output = 1.5
    as_of = 2026-01-31

A row with `since` holds from that day on; before, the bundled price does.
"""

from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from agentdyno.cost.bundled_prices import find_bundled, list_tariffs
from agentdyno.cost.price_names import SoldModel, parse_model_name
from agentdyno.cost.price_table import PriceTable
from agentdyno.cost.prices import Price, Tariff, terms_of
from agentdyno.cost.toml_files import read_toml
from agentdyno.records import InputError, printable


@lru_cache(maxsize=4096)
def tariff_of(model: str, prices_file: Path | None = None) -> Tariff | None:
    """What a model costs over time, however its name is spelled; None where no table lists it."""
    own = None if prices_file is None else _user_tables(prices_file).find(model)
    if own is not None and own.terms[0].since is None:
        return own
    sold = parse_model_name(model)
    listed = None if sold is None else find_bundled(sold)
    if own is None or listed is None:
        return own or listed
    return structs.replace(own, terms=listed.terms + own.terms)


def price_of(
    model: str, prices_file: Path | None = None, seconds: float | None = None
) -> Price | None:
    """The price of a model at a time, or as last listed; None where no table lists it."""
    tariff = tariff_of(model, prices_file)
    return None if tariff is None else tariff.price(seconds)


def list_prices() -> tuple[Price, ...]:
    """Every bundled price, as last listed."""
    found = (tariff.price() for tariff in list_tariffs())
    return tuple(price for price in found if price is not None)


class UserTables(Struct, frozen=True):
    """A user's prices: those of any seller, and those that name one (`azure/gpt-4o`)."""

    any_seller: PriceTable
    """Rows whose name says no seller."""
    by_seller: dict[str, PriceTable]
    """The others."""

    def find(self, model: str) -> Tariff | None:
        """The row of a model."""
        sold = parse_model_name(model)
        if sold is not None and sold.seller in self.by_seller:
            found = self.by_seller[sold.seller].find(sold.name)
            if found is not None:
                return found
        return self.any_seller.find(model)


@cache
def _user_tables(path: Path) -> UserTables:
    tables = UserTables(PriceTable(), {})
    for model, row in read_toml(path).items():
        price = _user_price(path, model, row)
        tariff = Tariff(model, price.as_of, price.source, (terms_of(price),))
        for name in (model, *price.aliases):
            sold = parse_model_name(name) or SoldModel(None, name)
            if sold.seller is None:
                tables.any_seller.add(tariff, [name])
            else:
                tables.by_seller.setdefault(sold.seller, PriceTable()).add(tariff, [sold.name])
    return tables


def _user_price(path: Path, model: str, row: Any) -> Price:
    where = f"{printable(str(path))}: [{printable(model, 60)}]"
    if not isinstance(row, dict):
        raise InputError(f"{where}: expected a table with input, output and as_of, found a value.")
    if cut := [key for key, inner in row.items() if isinstance(inner, dict) and key != "tiers"]:
        name = printable(f"{model}.{cut[0]}", 60)
        raise InputError(f'{where}: expected a name with a dot in quotes: ["{name}"].')
    try:
        return msgspec.convert({"model": model, **row}, Price)
    except msgspec.ValidationError as error:
        raise InputError(f"{where}: {error}.") from error
