"""Depth of an agent's turns: how hard a model thinks at each, and at the tokens of its calls.

Takes trajectories and an open model, returns rows that join the ledger's turns by trajectory and
turn, and its calls by trajectory, turn and call. The texts are fed to the model again as they stood
in context; if it is not the model that wrote them, the rows say how hard they are for a reader, not
how hard the agent thought.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from agentdyno.measures.depth import baselines, deep_thinking_ratio
from agentdyno.records import Trajectory
from agentdyno_depth.probes.windows import TurnText, Window, read_turns
from agentdyno_depth.records.depth import PAPER, Thresholds
from agentdyno_depth.studies.depth.ledger_depth import TurnDepth

if TYPE_CHECKING:
    from agentdyno_depth.probes.loading import OpenModel

Mask = npt.NDArray[np.bool_]
Table = npt.NDArray[np.float64]


def turn_depths(
    trajectory: Trajectory, opened: "OpenModel", pairs: Sequence[Thresholds] = (PAPER,)
) -> list[TurnDepth]:
    """The turns of one trajectory and their calls, under each pair of thresholds."""
    texts = read_turns(trajectory, opened)
    return label_turns(trajectory.trajectory_id, texts, opened, pairs)


def label_turns(
    trajectory_id: str, texts: Sequence[TurnText], opened: "OpenModel", pairs: Sequence[Thresholds]
) -> list[TurnDepth]:
    """Rows for each turn and each of its calls."""
    windows = list({id(text.window): text.window for text in texts}.values())
    first = dict(zip(map(id, windows), _starts(windows), strict=True))
    places = [first[id(text.window)] + text.start for text in texts]
    is_measured = np.zeros(sum(len(window.response) for window in windows), dtype=bool)
    for start, text in zip(places, texts, strict=True):
        is_measured[start : start + len(text.calls)] = True
    table = _table(opened, windows, is_measured, pairs)
    return [
        row
        for start, text in zip(places, texts, strict=True)
        for row in _rows(
            trajectory_id, opened.name, text, pairs, table[:, start : start + len(text.calls)]
        )
    ]


def _starts(windows: Sequence[Window]) -> list[int]:
    """Where each window's response begins when all stand in a row."""
    ends = accumulate((len(window.response) for window in windows), initial=0)
    return list(ends)[:-1]


def _table(
    opened: "OpenModel", windows: Sequence[Window], is_measured: Mask, pairs: Sequence[Thresholds]
) -> Table:
    """A row of labels for each pair, then log-probability, entropy and self-certainty; by token.

    What stands between turns is read but not labelled: no model generated it.
    """
    import torch

    from agentdyno_depth.probes.fast import deep_labels
    from agentdyno_depth.probes.recording import TokenSequence, record_states

    table = np.full((len(pairs) + 3, len(is_measured)), np.nan)
    first = np.array(_starts(windows))
    sequences = [TokenSequence(window.prompt, window.response) for window in windows]
    for block in record_states(opened.model, opened.family, sequences):
        columns = first[block.sequences.cpu().numpy()] + block.positions.cpu().numpy()
        inside = np.flatnonzero(is_measured[columns])
        if len(inside):
            keep = torch.from_numpy(inside).to(block.states.device)
            states, targets = block.states[:, keep], block.targets[keep]
            table[:, columns[inside]] = _values(deep_labels(states, opened.readout, pairs, targets))
    return table


def _values(deep: Any) -> Table:
    import torch

    numbers = torch.stack([deep.log_probs, deep.entropies, deep.self_certainties])
    values: Table = torch.cat([deep.labels.double(), numbers.double()]).cpu().numpy()
    return values


def _rows(
    trajectory_id: str, model: str, text: TurnText, pairs: Sequence[Thresholds], table: Table
) -> Iterator[TurnDepth]:
    of_call = np.array([call is not None for call in text.calls], dtype=bool)
    places = sorted({call for call in text.calls if call is not None})
    for pair, labels in zip(pairs, table, strict=False):
        deep = labels > 0
        for call in (None, *places):
            mask = np.array([call in (None, number) for number in text.calls], dtype=bool)
            at_calls = deep[mask & of_call]
            yield TurnDepth(
                trajectory_id=trajectory_id,
                turn=text.turn,
                call=call,
                depth_model=model,
                g=pair.g,
                rho=pair.rho,
                dtr=deep_thinking_ratio(deep[mask]),
                depth_tokens=int(mask.sum()),
                call_dtr=deep_thinking_ratio(at_calls),
                call_tokens=len(at_calls),
                **_confidence(table[-3:, mask]),
            )


def _confidence(numbers: Table) -> dict[str, float | None]:
    scores = baselines(*numbers.astype(np.float32))
    entropy = None if scores.negative_entropy is None else -scores.negative_entropy
    named = {
        "mean_log_prob": scores.mean_log_prob,
        "entropy": entropy,
        "self_certainty": scores.self_certainty,
    }
    # A token that the model holds for impossible has no mean: unknown, not minus infinity.
    return {n: v if v is not None and math.isfinite(v) else None for n, v in named.items()}
