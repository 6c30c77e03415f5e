"""Load traces that hold counts alone: JSONL, one line a session, not a word of what was said.

    {"shared": 6000, "turns": [{"context": 8120, "generated": 140, "pause_seconds": 0, "kept": 0},
                               {"context": 9300, "generated": 85, "pause_seconds": 2.5}]}

`shared` are tokens at the beginning of the prompts that the file's sessions have in common, `kept`
those of the conversation so far (prompt and answer of the turn before) that a prompt still begins
with: all where it is missing. `read_counts` makes a `Load` of such a file, `write_counts` the
lines of a `Load`. Times are pauses: when a session began is not in it.
"""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from agentdyno.cost.block_memory import MOST_TOKENS, NOBODY
from agentdyno.cost.replay import Load
from agentdyno.records import InputError, printable


class CountedTurn(Struct, frozen=True):
    context: int
    """Tokens of the prompt."""
    generated: int
    """Tokens of the answer."""
    pause_seconds: float = 0.0
    """Seconds from the answer before to this request."""
    kept: int | None = None
    """Tokens of the conversation so far that the prompt begins with; None: all."""


class CountedSession(Struct, frozen=True):
    turns: tuple[CountedTurn, ...]
    """Its requests in order."""
    shared: int = 0
    """Tokens at its beginning that other sessions of the file have too."""


def read_counts(path: Path) -> tuple[Load, list[str]]:
    """The sessions of a file as a load, and a sentence for each line that is none."""
    sessions, problems = [], []
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                sessions.append(_check(msgspec.json.decode(line, type=CountedSession)))
            except (msgspec.MsgspecError, ValueError, UnicodeDecodeError) as error:
                what = printable(str(error), 200)
                problems.append(f"{path.name}:{number}: {what}; this session was skipped")
    if not sessions:
        problem = problems[0] if problems else "an empty file"
        raise InputError(
            f'{path}: expected JSONL with {{"turns": [{{"context": …, "generated": …}}, …]}} on '
            f"each line, found {problem}."
        )
    return load_sessions(sessions), problems


def _check(session: CountedSession) -> CountedSession:
    if not session.turns:
        raise ValueError("expected at least one turn, found none")
    if not 0 <= session.shared < MOST_TOKENS:
        raise ValueError(f"expected 0 or more at $.shared, found {session.shared}")
    for index, turn in enumerate(session.turns):
        counts = {"context": turn.context, "generated": turn.generated, "kept": turn.kept or 0}
        for name, value in counts.items():
            least = 0 if name == "kept" else 1
            if not least <= value < MOST_TOKENS:
                raise ValueError(
                    f"expected {least} or more at $.turns[{index}].{name}, found {value}"
                )
        if not 0 <= turn.pause_seconds < float("inf"):
            raise ValueError(f"expected seconds at $.turns[{index}].pause_seconds")
    return session


def load_sessions(sessions: list[CountedSession]) -> Load:
    """The sessions as columns; a common beginning belongs to the first that has most of it."""
    turns = [turn for session in sessions for turn in session.turns]
    first = np.cumsum([0, *(len(session.turns) for session in sessions)], dtype=np.int64)
    context = np.array([turn.context for turn in turns], dtype=np.int64)
    decode = np.array([turn.generated for turn in turns], dtype=np.int64)
    parent = np.arange(-1, len(turns) - 1)
    retained = np.array([MOST_TOKENS if turn.kept is None else turn.kept for turn in turns])
    longest, owner = 0, NOBODY
    for start, session in zip(first[:-1].tolist(), sessions, strict=True):
        shared = min(session.shared, session.turns[0].context)
        parent[start], retained[start] = (
            owner if shared and longest else NOBODY,
            min(shared, longest),
        )
        if shared > longest:
            longest, owner = shared, start
    pause = np.array([turn.pause_seconds for turn in turns])
    pause[first[:-1]] = 0.0
    cached = np.zeros(len(turns), dtype=np.int64)
    return Load(first, context, decode, cached, pause, kept=retained, parent=parent)


def write_counts(load: Load) -> Iterator[str]:
    """A line a session; what several begin with is `shared` in all of them."""
    shared = _shared_tokens(load)
    for begin, end in pairwise(load.first.tolist()):
        turns = []
        for turn in range(begin, end):
            row: dict[str, object] = {
                "context": int(load.context[turn]),
                "generated": int(load.decode[turn]),
                "pause_seconds": round(float(load.pause[turn]), 3),
            }
            if turn > begin and load.kept is not None:
                before = int(load.context[turn - 1] + load.decode[turn - 1])
                if load.kept[turn] < min(before, int(load.context[turn])):
                    row["kept"] = int(load.kept[turn])
            turns.append(row)
        line = {"shared": shared.get(begin, 0), "turns": turns}
        yield json.dumps(line, separators=(",", ":"))


def _shared_tokens(load: Load) -> dict[int, int]:
    """By the first turn of a session: tokens that it begins with as another does."""
    shared: dict[int, int] = {}
    if load.parent is None or load.kept is None:
        return shared
    for begin in load.first[:-1].tolist():
        origin, tokens = int(load.parent[begin]), int(load.kept[begin])
        if origin != NOBODY:
            for turn in (begin, origin):
                shared[turn] = max(shared.get(turn, 0), tokens)
    return shared
