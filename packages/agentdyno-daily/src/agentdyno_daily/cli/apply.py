"""`agentdyno apply`: make the change of a lever; `--undo` takes it back."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options

if TYPE_CHECKING:
    from agentdyno_daily.changes.applied_changes import Applied


class Options(Struct, frozen=True, kw_only=True):
    """What is typed."""

    ledger: Annotated[
        str | None,
        typer.Argument(metavar="[LEDGER]", help="Folder of the ledger; by default your own."),
    ] = None
    number: Annotated[
        int | None, typer.Argument(min=1, help="Its number; leave it out for a list.")
    ] = None
    undo: bool = False
    """Undo the change of this number; without a number your changes are listed."""
    yes: bool = False
    """Do it without asking."""
    json: opt.Json = False


@takes_options
def apply(given: Options) -> int:
    """Make a change that would save money: shows the difference of the files, writes them on a yes,
    and keeps what they held, so that `--undo` gives it back. Without a number the changes are
    listed."""
    if given.undo:
        return undo(given)
    from agentdyno.cli.output import print_json
    from agentdyno.records import InputError
    from agentdyno.reports.topics.cost.levers import short_sentence
    from agentdyno_daily.changes.apply import list_levers, make_change, plan_change, show_difference
    from agentdyno_daily.levers.settings import list_caveats

    ledger, number = _read_words(given)
    levers = list_levers(ledger)
    if number is None and given.json:
        print_json(levers)
        return 0
    if number is None:
        for place, lever in enumerate(levers, 1):
            print(f"{place}. [{lever.kind}] {short_sentence(lever)}")
        print(
            "agentdyno apply NUMBER makes a change."
            if levers
            else "No change would surely save 1 %."
        )
        return 0
    if number > len(levers):
        raise InputError(f"No change {number}: there are {len(levers)}; agentdyno apply.")
    lever = levers[number - 1]
    files = plan_change(lever)
    notice = partial(print, file=sys.stderr if given.json else sys.stdout)
    notice(short_sentence(lever))
    for each in files:
        notice("\n".join(show_difference(each.path, each.before, each.after)))
    for caveat in list_caveats(lever.edits):
        notice(caveat)
    if not given.yes and not _is_agreed("Write this?"):
        notice("Nothing was changed.")
        return 1
    note = make_change(ledger, lever, files)
    if given.json:
        print_json(note)
        return 0
    print(f"Done: change {note.id}; agentdyno apply --undo {note.id} takes it back.")
    print("agentdyno compare says what it did, once there are sessions with it.")
    return 0


def undo(given: Options) -> int:
    """Shows the difference of the files, and on a yes they hold again what they held before, byte
    for byte. Refuses where a file was changed since. Without a number your changes are listed, or
    those of a ledger that is named."""
    from agentdyno.cli.output import print_json
    from agentdyno.records import InputError, printable
    from agentdyno_daily.changes.applied_changes import read_applied
    from agentdyno_daily.changes.apply import plan_undo, show_difference, undo_change

    ledger, number = _read_numbered(given)
    _report_unread(ledger)
    if number is None and given.json:
        print_json(read_applied(ledger))
        return 0
    if number is None:
        _list_changes(read_applied(ledger))
        return 0
    if ledger and number not in (note.id for note in read_applied(ledger)):
        raise InputError(
            f"No change {number} was made from {ledger}; agentdyno apply --undo lists all."
        )
    note, files = plan_undo(number)
    notice = partial(print, file=sys.stderr if given.json else sys.stdout)
    notice(f"Undo change {number}: {printable(note.what, 80)}")
    for each in files:
        notice("\n".join(show_difference(each.path, each.before, each.after)))
    if not files:
        notice("Its files hold already what they held before.")
    if not given.yes and not _is_agreed("Write this?"):
        notice("Nothing was changed.")
        return 1
    undone = undo_change(number)
    if given.json:
        print_json(undone)
        return 0
    print(f"Undone: {printable(note.what, 80)}.")
    return 0


def _list_changes(notes: "list[Applied]") -> None:
    from agentdyno.records import printable

    for note in notes:
        state = " (undone)" if note.undone_at else "" if note.is_written else " (interrupted)"
        print(f"{note.id}. {printable(note.what, 80)}{state}")
    print("agentdyno apply --undo NUMBER undoes one." if notes else "No change was made so far.")


def _report_unread(ledger: Path | None) -> None:
    """Changes that are not undone by themselves: in notes of older versions, or damaged ones."""
    from agentdyno.intake.user_folders import user_ledger
    from agentdyno_daily.changes.applied_changes import describe_old_notes, list_damaged

    if old := describe_old_notes(ledger or user_ledger()):
        print(old, file=sys.stderr)
    for path in list_damaged():
        print(f"{path}: this note is damaged; undo its change by hand.", file=sys.stderr)


def _read_numbered(given: Options) -> tuple[Path | None, int | None]:
    """The ledger, where one is named, and the number of the change."""
    from agentdyno.ledger.working_copy import local_folder

    if given.ledger is None:
        return None, given.number
    if given.number is None and _is_number(given.ledger):
        return None, int(given.ledger)
    return local_folder(Path(given.ledger)), given.number


def _read_words(given: Options) -> tuple[Path, int | None]:
    """The ledger and the number. A number alone is one of the user's own ledger: `apply 2`."""
    word = given.ledger
    if word is not None and given.number is None and _is_number(word):
        return opt.find_own_ledger(), int(word)
    return opt.find_own_ledger() if word is None else Path(word), given.number


def _is_number(word: str) -> bool:
    return word.isdecimal() and int(word) > 0


def _is_agreed(question: str) -> bool:
    """Whether somebody at a terminal says yes; nobody there is a no."""
    try:
        print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
        return input().strip().lower() in ("y", "yes")
    except EOFError:
        return False
