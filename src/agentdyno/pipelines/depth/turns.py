"""Depth of an agent's turns: how hard a model thinks at each, and at the tokens of its calls.

Enter trajectories and an open model, leave rows that join the ledger's turns by trajectory and
turn. The texts are fed to the model again as they stood in context; if it is not the model that
wrote them, the rows say how hard they are for a reader, not how hard the agent thought.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from agentdyno.records import Part, Trajectory
from agentdyno.records.depth import PAPER, DepthLabels, Thresholds

if TYPE_CHECKING:
    from agentdyno.probes.loading import OpenModel
    from agentdyno.probes.recording import TokenSequence

CONTEXT_TOKENS = 4096
"""Context before a turn that is read, the latest of it."""


class TurnDepth(Struct, frozen=True):
    """One turn."""

    trajectory_id: str
    """The trajectory."""
    turn: int
    """Its place in the trajectory, from 0."""
    depth_model: str
    """The model that read it."""
    dtr: float | None
    """Share of deep tokens among all it generated; None when the trace holds no text of it."""
    depth_tokens: int
    """Tokens that share is taken over."""
    call_dtr: float | None
    """Share of deep tokens among those of tool calls; None for a turn without calls."""
    call_tokens: int
    """Tokens that share is taken over."""


def ledger_depths(
    ledger: Path, opened: "OpenModel", thresholds: Thresholds = PAPER
) -> Iterator[TurnDepth]:
    """Every turn of a ledger whose files can still be read."""
    from agentdyno.ledger.reader import Ledger
    from agentdyno.pipelines.sources import missing_inputs, volume_trajectories

    manifest = Ledger(ledger).manifest
    missing = missing_inputs(manifest)
    for volume in manifest.volumes:
        for trajectory in volume_trajectories(manifest, volume, missing):
            yield from turn_depths(trajectory, opened, thresholds)


def turn_depths(
    trajectory: Trajectory,
    opened: "OpenModel",
    thresholds: Thresholds = PAPER,
    context_tokens: int = CONTEXT_TOKENS,
) -> list[TurnDepth]:
    """The turns of one trajectory."""
    from agentdyno.probes.profiles import label_sequences

    prepared = [
        _turn_tokens(trajectory, turn, opened, context_tokens)
        for turn in range(len(trajectory.turns))
    ]
    labelled = label_sequences(opened, [sequence for sequence, _ in prepared], [thresholds])
    return [
        _row(trajectory.trajectory_id, turn, opened.name, labels, of_calls)
        for turn, (labels, (_, of_calls)) in enumerate(zip(labelled.labels, prepared, strict=True))
    ]


def _turn_tokens(
    trajectory: Trajectory, turn: int, opened: "OpenModel", context_tokens: int
) -> tuple["TokenSequence", list[bool]]:
    """The turn's context and what it generated; and which generated tokens are of a call."""
    from agentdyno.probes.recording import TokenSequence

    def tokens(text: str) -> list[int]:
        return list(opened.tokenizer(text, add_special_tokens=False)["input_ids"])

    before = "".join(_shown(part) for part in _context(trajectory.parts, turn))
    prompt = tokens(before + "\n[assistant]\n")[-context_tokens:] or [0]
    response: list[int] = []
    of_calls: list[bool] = []
    for part in trajectory.parts:
        if part.made == turn and part.text:
            own = tokens(part.text)
            response += own
            of_calls += [part.kind == "request"] * len(own)
    return TokenSequence(tuple(prompt), tuple(response)), of_calls


def _context(parts: Iterable[Part], turn: int) -> Iterator[Part]:
    for part in parts:
        entered = part.enters is not None and part.enters <= turn
        if entered and (part.leaves is None or part.leaves > turn):
            yield part


def _shown(part: Part) -> str:
    speaker = {"system": "system", "schema": "system", "user": "user", "result": "result"}
    return f"\n[{speaker.get(part.kind, 'assistant')}]\n{part.text}" if part.text else ""


def _row(
    trajectory_id: str, turn: int, model: str, labels: DepthLabels, of_calls: list[bool]
) -> TurnDepth:
    deep = labels.deep[0]
    calls = deep[of_calls] if any(of_calls) else deep[:0]
    return TurnDepth(
        trajectory_id=trajectory_id,
        turn=turn,
        depth_model=model,
        dtr=float(deep.mean()) if len(deep) else None,
        depth_tokens=len(deep),
        call_dtr=float(calls.mean()) if len(calls) else None,
        call_tokens=len(calls),
    )
