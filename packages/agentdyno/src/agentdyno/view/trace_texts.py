"""The texts of a session, read again from its trace: redacted excerpts of some of its turns.

Takes a snapshot, a trajectory and the turns; returns what entered before each turn, what the model
wrote in it, and what its calls asked and got. A ledger holds no texts: where the trace is gone or
has changed, the answer is the reason.
"""

from typing import Any

from agentdyno.records import InputError, Trajectory, printable
from agentdyno.view.snapshot import Snapshot
from agentdyno.view.words import cut_excerpt

GIVEN = ("system", "user")
WRITTEN = ("reasoning", "text")
MOST_TURNS = 200


def read_texts(snapshot: Snapshot, name: str, first: int, stop: int) -> dict[str, Any]:
    """The texts of the turns from `first` up to `stop`."""
    trajectory = read_trace(snapshot, name)
    if isinstance(trajectory, str):
        return {"missing": trajectory, "turns": {}}
    places = range(max(first, 0), min(stop, first + MOST_TURNS, len(trajectory.turns)))
    turns: dict[int, dict[str, Any]] = {
        turn: {"before": [], "written": [], "calls": {}} for turn in places
    }
    for part in trajectory.parts:
        if part.kind in GIVEN and part.enters in turns:
            turns[part.enters]["before"].append(_excerpt(part.kind, part.text))
        elif part.kind in WRITTEN and part.made in turns and part.text.strip():
            turns[part.made]["written"].append(_excerpt(part.kind, part.text))
    for call in trajectory.calls:
        if call.turn in turns:
            result = None if call.result is None else trajectory.parts[call.result].text
            texts = [_excerpt("request", call.arguments)]
            texts += [] if result is None else [_excerpt("result", result)]
            turns[call.turn]["calls"][call.call] = texts
    return {"missing": None, "turns": turns}


def read_trace(snapshot: Snapshot, name: str) -> Trajectory | str:
    """A trajectory with its texts, or why it cannot be read."""

    def read() -> Trajectory | str:
        try:
            return snapshot.ledger.trajectory(name, only_counted=True)
        except InputError as error:
            return printable(str(error), 300)

    return snapshot.once(("trace", name), read)


def _excerpt(kind: str, text: str) -> dict[str, Any]:
    excerpt, is_cut = cut_excerpt(text)
    return {"kind": kind, "text": excerpt, "more": len(text) - len(excerpt) if is_cut else 0}
