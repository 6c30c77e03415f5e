"""Options that several verbs share, each written once, in the groups that --help shows.

A verb names them as the types of its fields: `concurrency: Concurrency = 64`. Knows nothing of
what a verb does with them.
"""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec import Struct

from agentdyno.records.problems import InputError

Unproven = Annotated[
    bool,
    typer.Option(
        "--unproven",
        help="Show unreliable findings too: mostly wrong on real traces, or never checked.",
    ),
]
"""Checks below four right in five are left out otherwise."""
MODEL = "The model"
RUN = "The run"
JUDGING = "Judging"
COST = "What it costs"
OUTPUT = "Output"

INCONCLUSIVE = 3
"""The exit code where the data cannot decide."""

BaseUrl = Annotated[
    str | None,
    typer.Option(help="Where the model's service is, if elsewhere.", rich_help_panel=MODEL),
]
ModelArguments = Annotated[
    list[str] | None,
    typer.Option("-M", help="KEY=VALUE for the model's provider.", rich_help_panel=MODEL),
]
MaxTokens = Annotated[
    int | None,
    typer.Option(min=1, help="Tokens that one model call may generate.", rich_help_panel=MODEL),
]

Concurrency = Annotated[
    int, typer.Option(min=1, help="Samples in progress at once.", rich_help_panel=RUN)
]
Processes = Annotated[
    int | None,
    typer.Option(min=1, help="Processes; by default one per 256 samples.", rich_help_panel=RUN),
]
RetryFailed = Annotated[
    bool,
    typer.Option("--retry-failed", help="Run the failed samples again.", rich_help_panel=RUN),
]
UnsafePython = Annotated[
    bool,
    typer.Option(
        "--unsafe-python", help="Run the model's code without a sandbox.", rich_help_panel=RUN
    ),
]
InProcess = Annotated[
    bool,
    typer.Option(
        "--in-process",
        help="Keep the world's servers in this process, still over MCP.",
        rich_help_panel=RUN,
    ),
]

MaxUsd = Annotated[
    float | None,
    typer.Option(
        min=0,
        help="The judge, or rollouts, may not cost more than this.",
        rich_help_panel=JUDGING,
    ),
]
ToolRules = Annotated[
    Path | None,
    typer.Option(help="A TOML file that says which tool a call is of.", rich_help_panel=JUDGING),
]
ReadsOnly = Annotated[
    list[str] | None,
    typer.Option(
        "--reads-only",
        metavar="TOOL",
        help="A tool that changes nothing, a glob too: advice may then be to drop it.",
        rich_help_panel=JUDGING,
    ),
]
Continuations = Annotated[
    int,
    typer.Option(min=16, help="Rollouts on each side of a call at most.", rich_help_panel=JUDGING),
]

Hardware = Annotated[
    str,
    typer.Option(help="Hardware behind gamma: a name, or a TOML file.", rich_help_panel=COST),
]
Arch = Annotated[
    str,
    typer.Option(
        help="Architecture: auto, a name, or a Hugging Face config.json.", rich_help_panel=COST
    ),
]
Prices = Annotated[
    Path | None,
    typer.Option(
        help="Your own prices, a TOML file; what it lacks is taken from ours.", rich_help_panel=COST
    ),
]


def finish_interrupted(ledger: Path | None) -> Path | None:
    """What a killed `measure` left undone is done before anything is added up."""
    if ledger is not None and (ledger / "manifest.json").is_file():
        from agentdyno.cli.output import note
        from agentdyno.pipelines.deduplicate import finish_deduplication

        if not finish_deduplication(ledger):
            note(
                f"{ledger}: is being measured, or was left by a measurement that was killed and "
                "cannot be written; the figures are of the last finished one."
            )
        _note_closed_files(ledger)
    return ledger


def _note_closed_files(ledger: Path) -> None:
    from agentdyno.cli.output import note
    from agentdyno.ledger.given_paths import find_closed_options
    from agentdyno.ledger.manifest import load

    manifest = load(ledger)
    closed = find_closed_options(ledger, manifest.volumes, manifest.options)
    closed.pop("tokenizer", None)  # Only measuring counts with it.
    if closed:
        note(
            f"{ledger}: measured with {', '.join(closed.values())}, not opened because it was not "
            f"given to agentdyno on this machine. Costs are computed with the bundled "
            f"{' and '.join(closed)}."
        )


def use_sources(folder: Path | None) -> Path | None:
    """Traces may be looked up under the folder, here and in worker processes."""
    if folder is not None:
        import os

        from agentdyno.pipelines.source_access import SOURCES

        if not folder.is_dir():
            raise InputError(f"--sources {folder}: expected a folder with traces, found none.")
        os.environ[SOURCES] = os.path.realpath(folder)
    return folder


Sources = Annotated[
    Path | None,
    typer.Option(
        "--sources",
        metavar="FOLDER",
        help="Look the ledger's traces up in this folder. Without it only traces are opened that "
        "you gave to measure on this machine.",
        callback=use_sources,
    ),
]


def note_closed_sources(ledger: Path, sources: Path | None, left_out: str) -> None:
    """Says in one line what a verb does without, where it may not open a ledger's traces."""
    from agentdyno.cli.output import note
    from agentdyno.ledger.working_copy import local_folder
    from agentdyno.pipelines.sources import count_closed
    from agentdyno.records import plural

    closed, of = (0, 0) if sources else count_closed(local_folder(ledger))
    if closed:
        note(
            f"{ledger}: {closed:,} of {plural(of, 'trace')} not opened, since you did not measure "
            f"them on this machine: {left_out}. To look them up in a folder: --sources FOLDER"
        )


LedgerFolder = Annotated[
    Path, typer.Argument(help="Folder of the ledger.", callback=finish_interrupted)
]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="DAY",
        help="The ledger as it was on a day (2026-11-17), or in a generation, by its number.",
    ),
]


def find_own_ledger() -> Path:
    """The user's own ledger, which `agentdyno` without a verb fills."""
    from agentdyno.intake.user_folders import user_ledger

    ledger = user_ledger()
    if not ledger.exists():
        raise InputError(
            f"expected a ledger, found none given and none of your own at {ledger}. Run agentdyno "
            "without a verb first, or name a ledger."
        )
    return ledger


LedgerOrOwn = Annotated[
    Path,
    typer.Argument(
        help="Folder of the ledger; by default your own, which plain agentdyno fills.",
        callback=finish_interrupted,
        default_factory=find_own_ledger,
        show_default=False,
    ),
]
Page = Annotated[
    Path | None,
    typer.Option(help="Write a page about it: .html, one file.", rich_help_panel=OUTPUT),
]
Png = Annotated[
    Path | None,
    typer.Option(help="Folder for the charts, as PNG files.", rich_help_panel=OUTPUT),
]
Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON object.", rich_help_panel=OUTPUT)
]


def one_line(command: Callable[..., object]) -> str:
    """A verb's sentence from its docstring; line breaks would show in the list of verbs."""
    return " ".join((command.__doc__ or "").split())


class TextFormat(StrEnum):
    """What is written."""

    terminal = "terminal"
    md = "md"
    html = "html"
    json = "json"


class TextOptions(Struct, frozen=True, kw_only=True):
    """How an answer is written."""

    format: TextFormat = TextFormat.terminal
    """For the terminal, Markdown, an HTML page, or JSON."""
    json: Json = False


def read_arguments(words: list[str]) -> dict[str, Any]:
    """`-M KEY=VALUE` as values by name; a value is JSON where it can be read as that."""
    arguments: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise InputError(f"-M {word}: expected KEY=VALUE, found no '='.")
        try:
            arguments[key] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            arguments[key] = value
    return arguments
