"""Depth while a model generates, a few steps behind, at small cost per step.

The states behind each new token are taken from the layers as they pass. Every few steps the
tokens in hand are labelled together by the fast path (with one step in hand, all its layers go
through the unembedding in one product), so the unembedding is read once for many tokens. Labels
are the same as those computed afterwards from the same states.

    with online.watching():
        logits = model(...)            # any pass; the last position's states are kept
        online.record(tokens, alive)     # what was sampled from them
    online.ratios()                    # deep tokens / tokens, per sequence, for each threshold
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch

from agentdyno_depth.probes.fast import deep_labels
from agentdyno_depth.probes.loading import OpenModel
from agentdyno_depth.probes.recording import StateTap
from agentdyno_depth.records.depth import PAPER, Thresholds, Work

Tensor = torch.Tensor

EVERY_STEPS = 16


class OnlineDepth:
    """Counts the deep tokens of sequences that are generated together."""

    def __init__(
        self,
        opened: OpenModel,
        sequences: int,
        thresholds: Sequence[Thresholds] = (PAPER,),
        every_steps: int = EVERY_STEPS,
    ) -> None:
        self._readout = opened.readout
        self._tap = StateTap(opened.family.layers, last_position=True)
        self._thresholds, self._every = tuple(thresholds), every_steps
        device = opened.readout.weight.device
        self.rows = torch.arange(sequences, device=device)
        """The sequences that are still generated, in the order of the model's batch."""
        self._deep = torch.zeros(len(self._thresholds), sequences, device=device)
        self._tokens = torch.zeros(sequences, device=device)
        self._sums = torch.zeros(3, sequences, device=device, dtype=torch.float64)
        self._waiting: list[tuple[Tensor, Tensor, Tensor, Tensor]] = []
        self.work = Work()

    @contextmanager
    def watch(self) -> Iterator["OnlineDepth"]:
        """While open, the states of every pass through the model are kept for `record`."""
        with self._tap.open():
            yield self

    def record(self, tokens: Tensor, alive: Tensor | None = None) -> None:
        """The tokens that were sampled from the latest pass; only the alive ones count."""
        alive = torch.ones_like(tokens, dtype=torch.bool) if alive is None else alive
        self._waiting.append((torch.stack(self._tap.outputs), tokens, alive, self.rows))
        if len(self._waiting) >= self._every:
            self.catch_up()

    def keep(self, places: Tensor) -> None:
        """Only these places of the batch are generated on; the others keep their counts."""
        self.rows = self.rows[places]

    def catch_up(self) -> None:
        """Labels what is waiting."""
        if not self._waiting:
            return
        alive = torch.cat([entry[2] for entry in self._waiting])
        states = torch.cat([entry[0] for entry in self._waiting], 1)[:, alive]
        tokens = torch.cat([entry[1] for entry in self._waiting])[alive]
        rows = torch.cat([entry[3] for entry in self._waiting])[alive]
        self._waiting = []
        if not len(tokens):
            return
        deep = deep_labels(states, self._readout, self._thresholds, tokens)
        self._deep.index_add_(1, rows, deep.labels.float())
        self._tokens.index_add_(0, rows, torch.ones_like(rows, dtype=torch.float32))
        numbers = torch.stack([deep.log_probs, deep.entropies, deep.self_certainties])
        self._sums.index_add_(1, rows, numbers.double())
        self.work += deep.work

    def ratios(self) -> Tensor:
        """Thresholds x sequences: the deep-thinking ratio so far; NaN before the first token."""
        self.catch_up()
        return (self._deep / self._tokens).cpu()

    def confidences(self) -> Tensor:
        """Mean log-probability, entropy and self-certainty x sequences so far, in nats."""
        self.catch_up()
        return (self._sums / self._tokens).cpu()

    def tokens(self) -> Tensor:
        """Tokens generated so far, by sequence."""
        self.catch_up()
        return self._tokens.long().cpu()
