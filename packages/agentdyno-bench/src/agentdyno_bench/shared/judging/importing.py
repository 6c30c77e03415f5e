"""Verdicts from elsewhere: a JSONL file of people or another system in, verdicts out.

One object per line: trajectory_id, turn, call, label, confidence, rationale, judge. A line that is
wrong, or speaks of a call that the ledger does not have, is skipped and named.
"""

from hashlib import blake2b
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from agentdyno.ledger.reader import Ledger
from agentdyno.records import BadRecord, InputError, printable
from agentdyno_bench.shared.judging.verdicts import add_verdicts, volumes_of
from agentdyno_bench.shared.records.utility import UtilityLabel
from agentdyno_bench.shared.records.verdicts import Verdict

MODEL = "imported"


class _Line(Struct, frozen=True):
    trajectory_id: str
    turn: Annotated[int, Meta(ge=0)]
    call: Annotated[int, Meta(ge=0)]
    label: UtilityLabel
    confidence: Annotated[float, Meta(ge=0, le=1)] | None = None
    rationale: str | None = None
    judge: Annotated[str, Meta(min_length=1, max_length=200)] = "imported"


class Imported(Struct, frozen=True, kw_only=True):
    """Counts of an import."""

    lines: int
    added: int
    """Verdicts that are new in the ledger."""
    known: int
    """Verdicts that were there already."""
    bad: list[BadRecord]


def import_verdicts(folder: Path, file: Path) -> Imported:
    """Adds the file's verdicts to the ledger."""
    ledger = Ledger(folder)
    volumes, calls = volumes_of(ledger), _calls(ledger)
    decoder = msgspec.json.Decoder(_Line)
    verdicts: list[tuple[str, Verdict]] = []
    bad: list[BadRecord] = []
    lines = 0
    for number, raw in enumerate(_lines(file), 1):
        if not raw.strip():
            continue
        lines += 1
        try:
            line = decoder.decode(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            bad.append(_bad(file, number, "a verdict", str(error)))
            continue
        if (line.trajectory_id, line.turn, line.call) in calls:
            verdicts.append((volumes[line.trajectory_id], _verdict(line)))
        else:
            location = f"{line.trajectory_id} {line.turn}.{line.call}"
            bad.append(_bad(file, number, "a call of the ledger", location))
    if lines and not verdicts:
        raise InputError(f"{bad[0]}. Not one of {lines:,} lines could be used.")
    added = add_verdicts(folder, verdicts)
    return Imported(lines=lines, added=added, known=len(verdicts) - added, bad=bad)


def _lines(file: Path) -> list[bytes]:
    try:
        return file.read_bytes().splitlines()
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror}).") from error


def _calls(ledger: Ledger) -> set[tuple[str, int, int]]:
    return set(ledger.read("calls").select("trajectory_id", "turn", "call").iter_rows())


def _bad(file: Path, number: int, expected: str, problem: str) -> BadRecord:
    return BadRecord(file.name, f"line {number}", expected, printable(problem, 160))


def _verdict(line: _Line) -> Verdict:
    return Verdict(
        kind="utility",
        trajectory_id=line.trajectory_id,
        turn=line.turn,
        call=line.call,
        judge=printable(line.judge, 80),
        model=MODEL,
        label=line.label,
        confidence=line.confidence,
        rationale=printable(line.rationale or "", 600),
        rubric=MODEL,
        digest=blake2b(msgspec.json.encode(line), digest_size=16).hexdigest(),
    )
