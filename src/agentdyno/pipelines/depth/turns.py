"""Depth of an agent's turns: how hard a model thinks at each, and at the tokens of its calls.

Enter trajectories and an open model, leave rows that join the ledger's turns by trajectory and
turn, and its calls by trajectory, turn and call. The texts are fed to the model again as they stood
in context; if it is not the model that wrote them, the rows say how hard they are for a reader, not
how hard the agent thought.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from agentdyno.metrics.depth import baselines, deep_thinking_ratio
from agentdyno.records import Part, Trajectory
from agentdyno.records.depth import PAPER, Confidence, DepthLabels, Thresholds

if TYPE_CHECKING:
    from agentdyno.probes.loading import OpenModel
    from agentdyno.probes.recording import TokenSequence

CONTEXT_TOKENS = 4096
"""Context before a turn that is read, the latest of it."""

Mask = npt.NDArray[np.bool_]


class TurnDepth(Struct, frozen=True):
    """One turn, or one of its calls, under one pair of thresholds: a row of the table `depth`."""

    trajectory_id: str
    """The trajectory."""
    turn: int
    """Its place in the trajectory, from 0."""
    call: int | None
    """The call's place in the turn; None for the whole turn."""
    depth_model: str
    """The model that read it."""
    g: float
    """Distance at which a layer has settled."""
    rho: float
    """Share of the layers at which the deep ones begin."""
    dtr: float | None
    """Share of deep tokens among all of them; None when the trace holds no text."""
    depth_tokens: int
    """Tokens that share is taken over."""
    call_dtr: float | None
    """Share of deep tokens among those of tool calls; None for a turn without calls."""
    call_tokens: int
    """Tokens that share is taken over."""
    mean_log_prob: float | None
    """Mean natural logarithm of the tokens' probabilities."""
    entropy: float | None
    """Mean entropy of the last layer's distributions, in nats."""
    self_certainty: float | None
    """Mean divergence of these from the uniform one, in nats."""


class TurnText(Struct, frozen=True):
    """A turn as the model reads it."""

    turn: int
    """Its place in the trajectory."""
    sequence: "TokenSequence"
    """Its context, and what it generated."""
    calls: tuple[int | None, ...]
    """For each generated token the place of its call in the turn; None outside of calls."""


def turn_depths(
    trajectory: Trajectory,
    opened: "OpenModel",
    pairs: Sequence[Thresholds] = (PAPER,),
    context_tokens: int = CONTEXT_TOKENS,
) -> list[TurnDepth]:
    """The turns of one trajectory and their calls, under each pair of thresholds."""
    texts = read_turns(trajectory, opened, context_tokens)
    return label_turns(trajectory.trajectory_id, texts, opened, pairs)


def read_turns(
    trajectory: Trajectory, opened: "OpenModel", context_tokens: int = CONTEXT_TOKENS
) -> list[TurnText]:
    """The turns' tokens."""
    return [
        _read(trajectory, turn, opened, context_tokens) for turn in range(len(trajectory.turns))
    ]


def label_turns(
    trajectory_id: str, texts: Sequence[TurnText], opened: "OpenModel", pairs: Sequence[Thresholds]
) -> list[TurnDepth]:
    """Rows for each turn and each of its calls."""
    from agentdyno.probes.profiles import label_sequences

    labelled = label_sequences(opened, [text.sequence for text in texts], pairs)
    return [
        row
        for text, labels in zip(texts, labelled.labels, strict=True)
        for row in _rows(trajectory_id, opened.name, text, labels)
    ]


def _read(trajectory: Trajectory, turn: int, opened: "OpenModel", context_tokens: int) -> TurnText:
    """What the model cannot hold is cut: the oldest context first, then the end of the turn."""
    from agentdyno.probes.recording import TokenSequence

    room = getattr(opened.model.config, "max_position_embeddings", None) or math.inf
    response: list[int] = []
    calls: list[int | None] = []
    for part in trajectory.parts:
        if part.made == turn and part.text:
            own = _tokens(opened, part.text)
            response += own
            calls += [_place(trajectory, part)] * len(own)
    kept = int(min(len(response), room - 1))
    before = "".join(_shown(part) for part in _context(trajectory.parts, turn))
    space = int(max(1, min(context_tokens, room - kept)))
    prompt = _tokens(opened, before + "\n[assistant]\n")[-space:] or [0]
    return TurnText(turn, TokenSequence(tuple(prompt), tuple(response[:kept])), tuple(calls[:kept]))


def _tokens(opened: "OpenModel", text: str) -> list[int]:
    return list(opened.tokenizer(text, add_special_tokens=False)["input_ids"])


def _place(trajectory: Trajectory, part: Part) -> int | None:
    if part.kind != "request" or part.call is None:
        return None
    return trajectory.calls[part.call].call


def _context(parts: Iterable[Part], turn: int) -> Iterator[Part]:
    for part in parts:
        entered = part.enters is not None and part.enters <= turn
        if entered and (part.leaves is None or part.leaves > turn):
            yield part


def _shown(part: Part) -> str:
    speaker = {"system": "system", "schema": "system", "user": "user", "result": "result"}
    return f"\n[{speaker.get(part.kind, 'assistant')}]\n{part.text}" if part.text else ""


def _rows(
    trajectory_id: str, model: str, text: TurnText, labels: DepthLabels
) -> Iterator[TurnDepth]:
    of_call = np.array([call is not None for call in text.calls], dtype=bool)
    places = sorted({call for call in text.calls if call is not None})
    for pair, deep in zip(labels.thresholds, labels.deep, strict=True):
        everything = np.ones(len(deep), dtype=bool)
        for call in (None, *places):
            own = everything if call is None else np.array([c == call for c in text.calls])
            at_calls = deep[own & of_call]
            yield TurnDepth(
                trajectory_id=trajectory_id,
                turn=text.turn,
                call=call,
                depth_model=model,
                g=pair.g,
                rho=pair.rho,
                dtr=deep_thinking_ratio(deep[own]),
                depth_tokens=int(own.sum()),
                call_dtr=deep_thinking_ratio(at_calls),
                call_tokens=len(at_calls),
                **_confidence(labels.confidence, own),
            )


def _confidence(confidence: Confidence, own: Mask) -> dict[str, float | None]:
    numbers = (confidence.log_probs, confidence.entropies, confidence.self_certainties)
    found = baselines(Confidence(*(values[own] for values in numbers)))
    entropy = None if found.negative_entropy is None else -found.negative_entropy
    named = {
        "mean_log_prob": found.mean_log_prob,
        "entropy": entropy,
        "self_certainty": found.self_certainty,
    }
    # A token that the model holds for impossible has no mean: unknown, not minus infinity.
    return {n: v if v is not None and math.isfinite(v) else None for n, v in named.items()}
