"""`agentdyno ledger`: care for a ledger."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentdyno.cli.options import Sources

if TYPE_CHECKING:
    from agentdyno.pipelines.forget import Forgotten

app = typer.Typer(
    help="Maintain a ledger: verify, merge, forget.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_Ledger = Annotated[Path, typer.Argument(help="Folder of the ledger.")]
_Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]


@app.command()
def verify(ledger: _Ledger, sources: Sources = None, json: _Json = False) -> int:
    """Check every file of the ledger against what was written; exit 1 when something differs."""
    from agentdyno.pipelines import maintenance
    from agentdyno.pipelines.source_access import CLOSED
    from agentdyno.records import plural
    from agentdyno.studies.outdated import describe_old

    health = maintenance.verify(ledger)
    missing = health.sources_missing
    closed = sum(why == CLOSED for why in missing.values())
    lines = [
        f"{len(health.damaged)} of {health.files} files damaged",
        *health.damaged,
        *health.contradictions,
        *(f"not covered: {name}: {why}" for name, why in health.not_covered.items()),
        *(f"{name}: {why}; its rows stay" for name, why in missing.items() if why != CLOSED),
    ]
    if closed:
        lines.append(f"{plural(closed, 'trace')} {CLOSED}; the rows stay")
    if health.unsealed:
        lines.append(f"{health.unsealed} files of an older version have no digest")
    if health.old:
        lines.append(describe_old(health.old, str(ledger)))
    if len(health.makings) > 1:
        lines += [
            f"{many} volumes made by {provenance}" for provenance, many in health.makings.items()
        ]
    if not health.is_sound:
        lines.append(
            f"Measure its traces again: agentdyno measure TRACES --out {ledger}. What is damaged "
            "after that cannot be read again: measure into a new folder."
        )
    _show(health, lines, json)
    return 0 if health.is_sound else 1


@app.command()
def forget(
    ledger: Annotated[Path | None, typer.Argument(help="Folder of the ledger.")] = None,
    secrets: Annotated[
        bool, typer.Option("--secrets", help="Everything that today's rules take for a secret.")
    ] = False,
    session: Annotated[
        str | None, typer.Option(help="A session, with its sub-agents: its id.")
    ] = None,
    project: Annotated[
        str | None, typer.Option(help="Every session of a folder: its path or its name.")
    ] = None,
    text: Annotated[
        Path | None,
        typer.Option(help="The texts in a file: the whole file as one, and each of its lines."),
    ] = None,
    inbox: Annotated[
        Path | None, typer.Option(help="Folder of received records; by default LEDGER-inbox.")
    ] = None,
    json: _Json = False,
) -> int:
    """Remove secrets, sessions or texts from the ledger, with all earlier generations; then read
    every byte again for them. Exit 1 when something is left."""
    from agentdyno.intake.user_folders import user_ledger
    from agentdyno.pipelines import forget as forgetting
    from agentdyno.pipelines.forget.choice import Choice
    from agentdyno.records import InputError

    choices = [name for name in (secrets, session, project, text) if name]
    if len(choices) != 1:
        raise InputError(
            "expected one of --secrets, --session ID, --project FOLDER and --text FILE, "
            f"found {len(choices)}."
        )
    choice = Choice(secrets, session, project, text)
    result = forgetting.forget(ledger or user_ledger(), choice, inbox)
    _show(result, _describe_forgotten(result), json)
    return 0 if result.is_gone else 1


def _describe_forgotten(result: "Forgotten") -> list[str]:
    from agentdyno.records import plural

    searched, hits = result.searched, result.searched.hits
    read = f"{plural(searched.files, 'file')}, {searched.bytes / 1e6:,.1f} MB, and "
    read += f"{searched.unpacked / 1e6:,.1f} MB that they unpack to"
    lines = [
        f"Removed {plural(result.trajectories, 'trajectory', 'trajectories')} "
        f"({plural(result.rows, 'row')}); {plural(result.texts, 'text')} rewritten; "
        f"{plural(result.generations, 'earlier generation')} removed."
    ]
    if result.secrets:
        kinds = sorted(result.secrets.items(), key=lambda pair: (-pair[1], pair[0]))
        lines.append("Secrets: " + ", ".join(f"{many} {kind}" for kind, many in kinds) + ".")
    lines += [f"Removed as a whole: {name}" for name in result.removed_files]
    remainder = f"{sum(hits.values())} left" if hits else "none left"
    lines.append(f"Read again for {plural(searched.texts, 'removed text')}: {read}: {remainder}.")
    lines += [f"  {many} in {name}" for name, many in hits.items()]
    if result.not_searched:
        lines.append(
            f"Not searched for: {plural(result.not_searched, 'removed text')} that also stand in "
            "what is kept, or are words or too short to tell apart."
        )
    if result.being_read:
        numbers = ", ".join(map(str, result.being_read))
        lines.append(
            f"Another process is reading generation {numbers}, so its files are still there. "
            "End it (a page, a report, follow) and run the same command again."
        )
    lines.append(
        "Not touched: the traces themselves (measuring one again brings its rows back), copies, "
        "backups and hard links of these files elsewhere, and reports that you have exported."
    )
    return lines


@app.command()
def merge(
    ledgers: Annotated[list[Path], typer.Argument(help="Ledgers, as of several machines.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the new ledger.")],
    json: _Json = False,
) -> int:
    """Write several ledgers as one, in which every response counts once; they stay as they are."""
    from agentdyno.pipelines.merge import merge_ledgers
    from agentdyno.records import plural

    result = merge_ledgers(ledgers, out)
    lines = [
        f"{out}: {plural(result.files, 'file')}, {plural(result.turns, 'turn')}; "
        f"{plural(result.repeats, 'more copy', 'more copies')} of these are not counted."
    ]
    _show(result, lines, json)
    return 0


def _show(value: object, lines: list[str], as_json: bool) -> None:
    import msgspec

    from agentdyno.cli.output import print_json
    from agentdyno.records import printable

    if as_json:
        print_json(msgspec.to_builtins(value, enc_hook=str))
        return
    for line in lines:
        print(printable(line, 500))
