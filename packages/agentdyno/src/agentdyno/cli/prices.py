"""`agentdyno prices`: what models cost, by whose list, and what the user says they cost."""

from typing import TYPE_CHECKING, Annotated

import typer

from agentdyno.cli.output import note, print_json

if TYPE_CHECKING:
    from agentdyno.cost.prices import Price
    from agentdyno.pipelines.price_lists import Checked

app = typer.Typer(
    help="What models cost: list, update, name, check against other lists.",
    rich_markup_mode=None,
    invoke_without_command=True,
)

_Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
MOST_ROWS = 40


@app.callback()
def summary(context: typer.Context, json: _Json = False) -> int:
    """Say which prices are in use: yours, then the bundled ones."""
    if context.invoked_subcommand:
        return 0
    from agentdyno.cost.bundled_prices import price_collection
    from agentdyno.cost.price_lookup import list_prices
    from agentdyno.cost.user_prices import read_table, user_table

    bundled, path = price_collection(), user_table()
    own, aliases, _ = read_table(path)
    many, taken = len(list_prices()), bundled.taken.isoformat()
    if json:
        print_json({
            "bundled": {"models": many, "source": bundled.package, "version": bundled.version,
                        "as_of": taken},
            "own": {"file": str(path), "prices": list(own.values()), "aliases": aliases},
        })  # fmt: skip
        return 0
    print(f"{many:,} bundled prices: {bundled.package} {bundled.version} of {taken}, and our own")
    if own or aliases:
        print(f"{len(own):,} prices and {len(aliases):,} names of yours go first: {path}")
        for name, model in aliases.items():
            print(f"  {name} = {model}")
        _print_prices(list(own.values()))
    print("Find one: agentdyno prices list TEXT")
    return 0


@app.command("list")
def list_command(
    text: Annotated[str, typer.Argument(help="A part of the model's name.")], json: _Json = False
) -> int:
    """List the prices of models whose name contains a text, each with its source and day."""
    from agentdyno.cost.price_lookup import list_prices, price_of, unlisted_seller
    from agentdyno.cost.user_prices import read_table, user_table
    from agentdyno.records import printable

    own, _, _ = read_table(user_table())
    found = [p for p in (*own.values(), *list_prices()) if text.lower() in p.model.lower()]
    named = price_of(text)
    if named is not None and named not in found:
        found.insert(0, named)
    if json:
        print_json({"prices": found})
    elif found:
        _print_prices(found)
        if seller := unlisted_seller(text):
            print(f"No list has what {printable(seller, 40)} charges: this is the maker's price.")
    else:
        print("No model of that name has a price. Add yours: agentdyno prices alias NAME=MODEL")
    return 0 if found else 1


@app.command()
def update(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE|URL]",
            help="LiteLLM's or genai-prices' list: JSON, a wheel, or an https:// address. Without "
            "one, LiteLLM's list is fetched from GitHub.",
        ),
    ] = None,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Take over other prices too, from today on."),
    ] = False,
    json: _Json = False,
) -> int:
    """Add prices that are missing here to your own table. Only an address is fetched."""
    from agentdyno.pipelines import price_lists

    listed = price_lists.load_list(source or price_lists.LITELLM_URL)
    done = price_lists.update_prices(listed, replace)
    if json:
        print_json(done)
        return 0
    print(f"{len(done.added):,} models added, {len(done.replaced):,} replaced: {done.table}")
    if done.differing:
        print(f"{done.differing:,} cost something else there and were left: agentdyno prices check")
    _note_bad(done.bad)
    print("The next run measures again what was priced before.")
    return 0


@app.command()
def alias(
    pair: Annotated[str, typer.Argument(metavar="NAME=MODEL", help="A name and what it costs.")],
) -> int:
    """Give a name of yours the price of a model that has one."""
    from agentdyno.pipelines.price_lists import add_alias
    from agentdyno.records import InputError

    name, equals, model = (part.strip() for part in pair.partition("="))
    if not equals or not model:
        raise InputError(f"{pair}: expected NAME=MODEL, as in my-deployment=gpt-5.")
    print(f"{name} costs what {model} costs: {add_alias(name, model)}")
    return 0


@app.command()
def check(
    lists: Annotated[
        list[str],
        typer.Argument(metavar="FILE|URL…", help="LiteLLM's or genai-prices' list, as for update."),
    ],
    everyone: Annotated[
        bool,
        typer.Option("--all", help="Models of every seller, not only what makers sell themselves."),
    ] = False,
    json: _Json = False,
) -> int:
    """Compare prices with other lists; exit 1 where a difference has not been decided."""
    from agentdyno.pipelines import price_lists

    done = [price_lists.check_prices(price_lists.load_list(one), everyone) for one in lists]
    if json:
        print_json({"lists": done})
    else:
        for each in done:
            _print_check(each)
    return int(any(one.decided is None for each in done for one in each.disagreements))


def _print_check(found: "Checked") -> None:
    decided = sum(one.decided is not None for one in found.disagreements)
    print(
        f"{found.library}: {found.compared:,} models compared, {found.agreeing:,} agree, "
        f"{len(found.disagreements):,} differ ({decided:,} decided), "
        f"{len(found.unknown):,} have no price here"
    )
    for one in found.disagreements:
        rates = (f"{n} {one.ours[n]:g} here, {one.theirs[n]:g} there" for n in one.ours)
        print(f"  {one.model}: {'; '.join(rates)}")
        print(f"    {one.decided or 'not decided; ours is from ' + one.source}")
    _note_bad(found.bad)


def _print_prices(found: "list[Price]") -> None:
    from agentdyno.records import printable

    print(
        f"{'USD per million tokens':<44}{'in':>9}{'cached':>9}{'write':>9}{'1 hour':>9}{'out':>9}"
    )
    for one in found[:MOST_ROWS]:
        rates = one.input, one.cached_input, one.cache_write, one.cache_write_hour, one.output
        cells = "".join(f"{'–' if rate is None else f'{rate:.4g}':>9}" for rate in rates)
        print(f"{printable(one.model, 43):<44}{cells}  {one.as_of}, {printable(one.source)}")
        for tier in () if len(found) > 1 else one.tiers:
            other = one.in_tier(tier)
            print(
                f"  {tier}: "
                + ("–" if other is None else f"{other.input:g} in, {other.output:g} out")
            )
    if len(found) > MOST_ROWS:
        print(f"and {len(found) - MOST_ROWS:,} more; --json has all")


def _note_bad(bad: dict[str, str]) -> None:
    for name, why in list(bad.items())[:5]:
        note(f"skipped {name}: {why}")
    if len(bad) > 5:
        note(f"and {len(bad) - 5:,} more rows that could not be read")
