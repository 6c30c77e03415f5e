"""Many samples of the same prompts: whole with their scores, or stopped after a prefix.

Takes prompts as token ids, returns responses with the scores of their prefixes, taken while they
are generated. Every sample draws from random numbers of its own, named by a key, so a sample is the
same whichever others are generated beside it: one that is kept and finished from its cache equals
the one that is generated straight through. Knows nothing of answers; what is kept, the caller says.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from agentdyno_depth.probes.generating import Batch, SampleKey, Sampling, uniforms
from agentdyno_depth.probes.loading import OpenModel
from agentdyno_depth.probes.online import OnlineDepth
from agentdyno_depth.records.depth import PAPER, Thresholds
from agentdyno_depth.records.thinking import PrefixScores

__all__ = ["SampleKey", "Sampled", "Stopped", "sample_complete", "sample_stopped"]

COMPACT_STEPS = 32
"""Ended sequences leave the batch this often."""


class Sampled(Struct, frozen=True):
    """One response."""

    response: tuple[int, ...]
    """Token ids of the response."""
    ended: bool
    """Whether the last one is an end token."""
    scores: tuple[PrefixScores, ...]
    """By prefix, shortest first; of a whole response also at the end."""


class Stopped(Struct, frozen=True):
    """Samples of which some were stopped."""

    samples: tuple[Sampled, ...]
    """All of them; rejected ones are as long as the prefix, or shorter."""
    selected: tuple[int, ...]
    """Places of those that were finished, best first."""


Choice = Callable[[Sequence[PrefixScores]], Sequence[int]]
"""Places of the samples to finish, best first, from the scores of all."""


def sample_complete(
    opened: OpenModel,
    prompts: Sequence[Sequence[int]],
    keys: Sequence[SampleKey],
    sampling: Sampling,
    max_tokens: int,
    prefixes: Sequence[int] = (50,),
    thresholds: Thresholds = PAPER,
) -> list[Sampled]:
    """One response to each prompt, finished, with the scores of every prefix and of the whole."""
    batch = _KeyedBatch(opened, prompts, keys, sampling, max_tokens, thresholds)
    score_lists: list[list[PrefixScores]] = []
    steps_done = 0
    for stop in sorted({prefix for prefix in prefixes if prefix < max_tokens}):
        batch.advance_compacted(stop - steps_done)
        steps_done = stop
        score_lists.append(batch.scores(stop))
    batch.advance_compacted(max_tokens - steps_done)
    # A prefix that no response can outgrow is the whole response, under both names.
    full_scores = batch.scores(None)
    beyond = sorted({prefix for prefix in prefixes if prefix >= max_tokens})
    score_lists += [[_rename_prefix(scores, stop) for scores in full_scores] for stop in beyond]
    score_lists.append(full_scores)
    return batch.samples(list(zip(*score_lists, strict=True)))


def sample_stopped(
    opened: OpenModel,
    prompts: Sequence[Sequence[int]],
    keys: Sequence[SampleKey],
    sampling: Sampling,
    max_tokens: int,
    prefix: int,
    choose: Choice,
    thresholds: Thresholds = PAPER,
) -> Stopped:
    """Responses to a prefix, then only the chosen ones to their end, from their caches."""
    batch = _KeyedBatch(opened, prompts, keys, sampling, max_tokens, thresholds)
    batch.advance_compacted(min(prefix, max_tokens), compact=False)
    scores = batch.scores(prefix)
    selected = tuple(choose(scores))
    batch.keep(selected)
    batch.advance_compacted(max_tokens - prefix)
    return Stopped(tuple(batch.samples([(prefix_scores,) for prefix_scores in scores])), selected)


class _KeyedBatch(Batch):
    """A batch whose every row draws by its own key, and that counts depth as it goes."""

    def __init__(
        self,
        opened: OpenModel,
        prompts: Sequence[Sequence[int]],
        keys: Sequence[SampleKey],
        sampling: Sampling,
        max_tokens: int,
        thresholds: Thresholds,
    ) -> None:
        self._depth = OnlineDepth(opened, len(prompts), [thresholds])
        uniform = uniforms(keys, sampling.seed, max_tokens)
        super().__init__(opened, prompts, sampling, self._depth, uniform=uniform)

    def advance_compacted(self, steps: int, compact: bool = True) -> None:
        """As `advance`, but ended rows leave the batch now and then."""
        while steps > 0:
            piece = min(steps, COMPACT_STEPS)
            self.advance(piece)
            steps -= piece
            if compact:
                alive = [index for index, ended in enumerate(self.list_ended()) if not ended]
                if not alive:
                    return
                if len(alive) < len(self.rows):
                    self.keep(alive)

    def scores(self, prefix: int | None) -> list[PrefixScores]:
        """Scores of every sequence so far."""
        columns = [
            self._depth.tokens().tolist(),
            self._depth.ratios()[0].tolist(),
            *self._depth.confidences().tolist(),
        ]
        return [
            PrefixScores(
                prefix=prefix,
                tokens=tokens,
                dtr=dtr,
                mean_log_prob=log_prob,
                entropy=entropy,
                self_certainty=certainty,
            )
            for tokens, dtr, log_prob, entropy, certainty in zip(*columns, strict=True)
        ]

    def samples(self, scores: Sequence[tuple[PrefixScores, ...]]) -> list[Sampled]:
        """Every sequence so far with its scores."""
        return [
            Sampled(
                response=sequence.response,
                ended=sequence.end is not None,
                scores=sample_scores,
            )
            for sequence, sample_scores in zip(self.sequences(), scores, strict=True)
        ]


def _rename_prefix(scores: PrefixScores, prefix: int) -> PrefixScores:
    names: dict[str, Any] = {name: getattr(scores, name) for name in PrefixScores.__struct_fields__}
    return PrefixScores(**(names | {"prefix": prefix}))
