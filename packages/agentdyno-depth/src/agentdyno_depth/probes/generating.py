"""Samples continuations of prompts in one batch that can be stopped, thinned and gone on with.

Takes prompts as token ids, returns `TokenSequence`s. The caches are kept between calls, so that
some sequences can be dropped after a prefix and the others finished from where they are. Knows
nothing of answers and scores.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any
from zlib import crc32

import numpy as np
import torch
from msgspec import Struct

from agentdyno_depth.engines.chat import end_tokens
from agentdyno_depth.engines.sampling import draw
from agentdyno_depth.probes.loading import OpenModel
from agentdyno_depth.probes.online import OnlineDepth
from agentdyno_depth.records.sequences import IDS, TokenSequence

Tensor = torch.Tensor


class Sampling(Struct, frozen=True):
    """How the next token is chosen."""

    temperature: float = 1.0
    """What logits are divided by; 0 always takes the likeliest token."""
    top_p: float = 1.0
    """Only the likeliest tokens that together have this probability are drawn from."""
    seed: int = 0
    """Start of the random numbers; the same batch with the same seed gives the same tokens."""


class SampleKey(Struct, frozen=True):
    """The name of a sample's random numbers."""

    name: str
    """The problem's, or the text's."""
    number: int


def uniforms(keys: Sequence[SampleKey], seed: int, steps: int) -> Tensor:
    """Samples x steps of numbers that depend on the seed and the sample's key alone."""
    rows = [
        np.random.default_rng([seed, crc32(key.name.encode()), key.number]).random(steps)
        for key in keys
    ]
    return torch.tensor(np.array(rows), dtype=torch.float64)


class Batch:
    """Sequences that are generated together."""

    def __init__(
        self,
        opened: OpenModel,
        prompts: Sequence[Sequence[int]],
        sampling: Sampling | None = None,
        online: OnlineDepth | None = None,
        template: str = IDS,
        uniform: Tensor | None = None,
    ) -> None:
        self._opened, self._online, self._template = opened, online, template
        self._sampling = sampling or Sampling()
        self._prompts = [tuple(prompt) for prompt in prompts]
        self._responses: list[list[int]] = [[] for _ in prompts]
        self.rows = list(range(len(prompts)))
        """The sequences that are still in the batch, in its order."""
        device = opened.model.device
        self._uniform = None if uniform is None else uniform.to(device)
        self._place = 0
        self._random = torch.Generator(device).manual_seed(self._sampling.seed)
        self._next, self._mask = _left_padded(self._prompts, device)
        self._alive = torch.ones(len(prompts), dtype=torch.bool, device=device)
        self._end_ids = end_tokens(opened.tokenizer, opened.model)
        self._ends = torch.tensor(self._end_ids, device=device, dtype=torch.long)
        self._cache: Any = None

    def advance(self, steps: int) -> None:
        """Generates up to so many tokens in each sequence; ended ones stay as they are."""
        with torch.no_grad(), self._online.watch() if self._online else nullcontext():
            for _ in range(steps):
                if not self._alive.any():
                    break
                self._step()

    def keep(self, places: Sequence[int]) -> None:
        """Drops all but these places of the batch; what was generated stays readable."""
        index = torch.tensor(list(places), device=self._mask.device, dtype=torch.long)
        self.rows = [self.rows[row_index] for row_index in places]
        self._mask, self._alive = self._mask[index], self._alive[index]
        self._next = self._next[index]
        if self._cache is not None:
            self._cache.batch_select_indices(index)
        if self._online:
            self._online.keep(index)

    def list_ended(self) -> list[bool]:
        """Which sequences of the batch wrote an end token."""
        return [not alive for alive in self._alive.tolist()]

    def sequences(self) -> list[TokenSequence]:
        """Every sequence so far, dropped ones included, in the order of the prompts."""
        return [
            TokenSequence(prompt, tuple(response), self._end_of(response), self._template)
            for prompt, response in zip(self._prompts, self._responses, strict=True)
        ]

    def _end_of(self, response: list[int]) -> int | None:
        return response[-1] if response and response[-1] in self._end_ids else None

    def _step(self) -> None:
        positions = (self._mask.cumsum(-1) - 1).clamp(min=0)[:, -self._next.shape[1] :]
        output = self._opened.model(
            self._next,
            attention_mask=self._mask,
            position_ids=positions,
            past_key_values=self._cache,
            use_cache=True,
            logits_to_keep=1,
        )
        self._cache = output.past_key_values
        tokens = self._draw(output.logits[:, -1].float())
        if self._online:
            self._online.record(tokens, self._alive)
        for row, token, alive in zip(self.rows, tokens.tolist(), self._alive.tolist(), strict=True):
            if alive:
                self._responses[row].append(token)
        self._alive = self._alive & ~torch.isin(tokens, self._ends)
        self._next = tokens[:, None]
        self._mask = torch.cat([self._mask, torch.ones_like(self._mask[:, :1])], 1)

    def _draw(self, logits: Tensor) -> Tensor:
        """The next token of each row, by its own numbers where it has some."""
        if self._uniform is None:
            uniform = torch.rand(
                len(logits), generator=self._random, device=logits.device, dtype=torch.float64
            )
        else:
            uniform = self._uniform[self.rows, self._place]
        self._place += 1
        drawn: torch.Tensor = draw(
            logits, self._sampling.temperature, self._sampling.top_p, uniform
        )
        return drawn


def _left_padded(prompts: list[tuple[int, ...]], device: Any) -> tuple[Tensor, Tensor]:
    width = max(map(len, prompts))
    ids = torch.zeros(len(prompts), width, dtype=torch.long)
    mask = torch.zeros(len(prompts), width, dtype=torch.long)
    for row, prompt in enumerate(prompts):
        ids[row, width - len(prompt) :] = torch.tensor(prompt)
        mask[row, width - len(prompt) :] = 1
    return ids.to(device), mask.to(device)
