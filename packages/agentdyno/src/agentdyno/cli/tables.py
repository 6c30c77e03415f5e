"""`agentdyno tables`: the tables of a ledger and what every column says."""

from typing import Annotated

import typer


def command(
    name: Annotated[
        str | None, typer.Argument(help="A table's name; by default all are listed.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> int:
    """List the tables of a ledger with every column, its type and what it says."""
    from agentdyno.cli.output import console, print_json
    from agentdyno.records import InputError, printable
    from agentdyno.records.ledger import DERIVED, HELD, SCHEMA_VERSION, SECONDS, TABLES

    tables = {t: c for t, c in (TABLES | DERIVED).items() if not t.startswith(HELD)}
    if name is not None and name not in tables:
        raise InputError(f"No table {printable(name, 60)!r}. Known: {', '.join(tables)}.")
    displayed = {name: tables[name]} if name is not None else tables
    if json:
        print_json({"schema_version": SCHEMA_VERSION, "tables": displayed, "viewed": SECONDS})
        return 0
    out = console()
    for table, columns in displayed.items():
        out.print(f"{table}, {'by measure' if table in TABLES else 'added later'}")
        for column in columns:
            out.print(f"  {column.name:22} {column.type:7} {column.sentence}")
        out.print()
    if name in (None, "trajectories", "turns"):
        out.print("trajectories and turns as `export --table` writes them, also")
        for column in SECONDS:
            out.print(f"  {column.name:22} {column.type:7} {column.sentence}")
        out.print()
    return 0
