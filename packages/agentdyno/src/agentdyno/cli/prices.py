"""`agentdyno about prices`: what models cost, by whose list."""

from typing import TYPE_CHECKING, Annotated

import typer

from agentdyno.cli.output import print_json

if TYPE_CHECKING:
    from agentdyno.cost.prices import Price

MOST_ROWS = 40


def command(
    text: Annotated[
        str | None, typer.Argument(help="A part of the model's name; none: which lists are in use.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> int:
    """Say what models cost whose name contains a text, each with its source and day."""
    return _print_sources(json) if text is None else _list_prices(text, json)


def _print_sources(json: bool) -> int:
    """Which prices are in use: the user's, then the bundled ones."""
    from agentdyno.cost.bundled_prices import price_collection
    from agentdyno.cost.price_lookup import list_prices
    from agentdyno.cost.user_prices import read_table, user_table

    bundled, path = price_collection(), user_table()
    listed, aliases, _ = read_table(path)
    many, date = len(list_prices()), bundled.taken.isoformat()
    if json:
        print_json({
            "bundled": {"models": many, "source": bundled.package, "version": bundled.version,
                        "as_of": date},
            "own": {"file": str(path), "prices": list(listed.values()), "aliases": aliases},
        })  # fmt: skip
        return 0
    print(f"{many:,} bundled prices: {bundled.package} {bundled.version} of {date}, and our own")
    if listed or aliases:
        print(f"{len(listed):,} prices and {len(aliases):,} names of yours go first: {path}")
        for name, model in aliases.items():
            print(f"  {name} = {model}")
        _print_prices(list(listed.values()))
    print("Find one: agentdyno about prices TEXT")
    return 0


def _list_prices(text: str, json: bool) -> int:
    from agentdyno.cost.price_lookup import list_prices, price_of, unlisted_seller
    from agentdyno.cost.user_prices import read_table, user_table
    from agentdyno.records import printable

    path = user_table()
    listed, _, _ = read_table(path)
    matching = [p for p in (*listed.values(), *list_prices()) if text.lower() in p.model.lower()]
    named = price_of(text)
    if named is not None and named not in matching:
        matching.insert(0, named)
    if json:
        print_json({"prices": matching})
    elif matching:
        _print_prices(matching)
        if seller := unlisted_seller(text):
            print(f"No list has what {printable(seller, 40)} charges: this is the maker's price.")
    else:
        print(f"No model of that name has a price. Write yours into {path}")
    return 0 if matching else 1


def _print_prices(prices: "list[Price]") -> None:
    from agentdyno.records import printable

    print(
        f"{'USD per million tokens':<44}{'in':>9}{'cached':>9}{'write':>9}{'1 hour':>9}{'out':>9}"
    )
    for price in prices[:MOST_ROWS]:
        rates = (
            price.input,
            price.cached_input,
            price.cache_write,
            price.cache_write_hour,
            price.output,
        )
        cells = "".join(f"{'–' if rate is None else f'{rate:.4g}':>9}" for rate in rates)
        print(f"{printable(price.model, 43):<44}{cells}  {price.as_of}, {printable(price.source)}")
        for tier in () if len(prices) > 1 else price.tiers:
            other = price.in_tier(tier)
            print(
                f"  {tier}: "
                + ("–" if other is None else f"{other.input:g} in, {other.output:g} out")
            )
    if len(prices) > MOST_ROWS:
        print(f"and {len(prices) - MOST_ROWS:,} more; --json has all")
