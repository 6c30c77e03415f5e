"""How far into each long result the agent later quotes, and which lines it had read before.

Takes trajectories, returns the ledger's table `quotes`: a row for every result of at least `LEAST`
tokens. A result is quoted where a later turn writes something that this result was the first to
show: a token that hardly agrees by chance, or a line of an edit. Cutting the result before its last
quoted place would have taken that away. Reasoning that was not written down quotes unseen, so what
is found is the least.

A line is read again where the same file's text, still in context and not edited since, showed it.

Worked: of 400 lines, an edit takes line 30 and a later search a name that stands first in line 210:
quoted up to line 210. Reading lines 1 to 400 once more repeats all of them.
"""

from collections.abc import Iterable, Sequence

import polars as pl

from agentdyno.matching.appearances import Appearances, appearances, text_lines
from agentdyno.matching.distinct_tokens import weight
from agentdyno.records import Trajectory
from agentdyno.records.quoted_results import QUOTES
from agentdyno.records.schema import schema_of

VERSIONS = {"quotes": 1}
"""One more whenever the rows come out otherwise."""
LEAST = 300
"""Estimated tokens of a result that is worth cutting."""
CHARACTERS = 3
"""Of a result, in a token: see `cost.columns`."""
DISTINCT = 0.4
"""Weight of a token that is hardly in two places by chance."""

Row = tuple[str, int, int, float, int | None, float]


def measure_quotes(trajectories: Iterable[Trajectory]) -> pl.DataFrame:
    """The table."""
    rows = [row for trajectory in trajectories for row in _list_rows(appearances(trajectory))]
    return pl.DataFrame(rows, schema=schema_of(QUOTES), orient="row")


def _list_rows(index: Appearances) -> list[Row]:
    files: dict[str, tuple[int, set[str]]] = {}
    quoted = _find_quoted_lines(index)
    rows = []
    for position, call in enumerate(index.calls):
        _forget_written(index, position, files)
        if call.result is None:
            continue
        text = index.parts[call.result].text
        repeated = _count_repeated(index, position, text, files)
        if len(text) < LEAST * CHARACTERS:
            continue
        spots = [*quoted.get(position, ()), *_find_quoted_tokens(index, position, call.result)]
        end, last = max(spots, default=(0, -1))[0], max((turn for _, turn in spots), default=None)
        share = min(end / len(text), 1.0)
        rows.append((index.trajectory.trajectory_id, call.turn, call.call, share, last, repeated))
    return rows


def _find_quoted_tokens(index: Appearances, position: int, part: int) -> Iterable[tuple[int, int]]:
    """Where tokens end that the result brought and a later turn wrote, with the last such turn."""
    low, turn = index.low(part), index.calls[position].turn
    for token in index.brought.get(part, ()):
        last = index.last_written[token]
        if last > turn and weight(token) >= DISTINCT and (at := low.find(token)) >= 0:
            yield at + len(token), last


def _find_quoted_lines(index: Appearances) -> dict[int, list[tuple[int, int]]]:
    """Call -> where lines end that it was the first to show and a later request holds."""
    lines: dict[int, list[tuple[int, int]]] = {}
    for position, values in enumerate(index.arguments):
        turn = index.calls[position].turn
        for line in {line for value in values for line in text_lines(value)} & index.lines.keys():
            origin = index.lines[line][0] if index.lines[line] else None
            if origin is None or origin.call is None or index.calls[origin.call].turn >= turn:
                continue
            at = index.parts[origin.part].text.find(line)
            lines.setdefault(origin.call, []).append((at + len(line), turn))
    return lines


def _count_repeated(
    index: Appearances, position: int, text: str, known: dict[str, tuple[int, set[str]]]
) -> float:
    """The share of a reading's lines that stood in context, and remember them all."""
    effect, call = index.effects[position], index.calls[position]
    files = _name_files(effect.reads)
    if effect.action != "reads" or len(files) != 1 or index.failed[position]:
        return 0.0
    lines, part = set(text_lines(text)), index.parts[call.result or 0]
    until, seen = known.get(files[0], (0, set[str]()))
    if part.enters is None or until <= part.enters:
        seen = set()
    leaves = len(index.trajectory.turns) if part.leaves is None else part.leaves
    known[files[0]] = (min(until, leaves) if seen else leaves, seen | lines)
    return len(lines & seen) / len(lines) if lines else 0.0


def _forget_written(
    index: Appearances, position: int, known: dict[str, tuple[int, set[str]]]
) -> None:
    """What a call may have changed is read anew: a file, or all of them."""
    effect = index.effects[position]
    if not effect.may_write or effect.checks:
        return
    files = _name_files(effect.writes)
    for file in files if len(files) == len(effect.writes) else [*known]:
        known.pop(file, None)


def _name_files(places: Sequence[str]) -> list[str]:
    return [path for path in places if "/" in path]
