"""`agentdyno export`: what a ledger knows, in a form that something else reads."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options
from agentdyno.cli.views import ViewOptions, choose_view

if TYPE_CHECKING:
    from agentdyno.studies.views import View


class Options(ViewOptions, frozen=True, kw_only=True):
    """What is typed."""

    ledger: opt.LedgerOrOwn
    table: str | None = None
    """Write this table (turns, calls, …; an unknown name lists all), with GPU-seconds and money."""
    as_: Annotated[str | None, typer.Option("--as")] = None
    """Trajectories without secrets: atif or scout (folders), otel (JSON lines). A load without a
    word of text: counts (JSON lines) or agentx (block hashes, a folder)."""
    to: Path | None = None
    """Where the table (.csv or .parquet) or the trajectories go."""
    concurrency: Annotated[int | None, typer.Option(min=1)] = None
    """Requests served at once, for GPU-seconds."""
    as_of: opt.AsOf = None
    sources: opt.Sources = None
    json: opt.Json = False


@takes_options
def command(options: Options) -> int:
    """Export tables, or trajectories as other tools read them."""
    from agentdyno.cli.output import print_json
    from agentdyno.pipelines.export import export_table
    from agentdyno.records import InputError

    view = choose_view(options)
    if options.to is not None and options.as_ is not None and options.table is None:
        return _export_trajectories(options, options.as_, options.to, view)
    if options.to is None or options.table is None or options.as_ is not None:
        raise InputError(
            "export: expected --table NAME --to FILE or --as FORMAT --to PATH, found none or both."
        )
    rows = export_table(
        options.ledger, options.table, options.to, view, options.concurrency, options.as_of
    )
    written = {"file": str(options.to), "rows": rows}
    print_json(written) if options.json else print(f"{options.to}: {rows:,} rows")
    return 0


def _export_trajectories(options: Options, name: str, to: Path, view: "View | None") -> int:
    from agentdyno.cli.output import note, print_json
    from agentdyno.pipelines.capacity import export_load
    from agentdyno.pipelines.exports.formats import export_trajectories

    opt.note_closed_sources(options.ledger, options.sources, "their trajectories are left out")
    if name in ("counts", "agentx"):
        many = export_load(options.ledger, name, to, view)
        written = {"path": str(to), "sessions": many}
        print_json(written) if options.json else print(f"{to}: {many:,} sessions")
        return 0
    exported = export_trajectories(options.ledger, name, to, view.selection if view else None)
    if options.json:
        print_json(exported)
        return 0
    print(f"{exported.path}: {exported.trajectories:,} trajectories")
    for source, reason in list(exported.missing.items())[:5]:
        note(f"not in it: {source} ({reason})")
    if len(exported.missing) > 5:
        note(f"nor {len(exported.missing) - 5:,} more files")
    return 0
