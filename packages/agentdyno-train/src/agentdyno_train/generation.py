"""Continues many prompts together, by the library's `generate`.

Takes prompts in tokens and what chooses a token; every token is handed to its row as it comes, and
a row says when it has enough. What all prompts begin with is read once and held for later prompts
(`Beginnings`): tasks of a benchmark share their system message and tools.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, Protocol

SHORTEST = 64
"""Tokens from which a common beginning is worth being read by itself."""
HELD = 4
"""Beginnings that are held at most."""


class Row(Protocol):
    """A prompt that is continued."""

    @property
    def prompt(self) -> Sequence[int]:
        """Its tokens."""
        ...

    def take(self, token: int) -> bool:
        """Takes the next token; whether it has enough."""
        ...


class Beginnings:
    """Keys and values of what prompts begin with, the last few of them."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._held: list[tuple[list[int], Any]] = []

    def match(self, prompts: Sequence[Sequence[int]]) -> tuple[int, int]:
        """How many tokens all prompts begin with, without their last ones, and how many of these
        are held; 0 where they share too little."""
        shared, reused, _ = self._match(prompts)
        return len(shared), reused

    def read(self, prompts: Sequence[Sequence[int]]) -> tuple[int, Any]:
        """How many tokens all prompts begin with, and what the model remembers of them."""
        shared, reused, cache = self._match(prompts)
        if not shared:
            return 0, None
        if reused < len(shared):
            cache = self._extend(shared, reused, cache)
        self._held = [entry for entry in self._held if entry[0] != shared][1 - HELD :]
        self._held.append((shared, cache))
        return len(shared), _first_tokens(cache, len(shared))

    def _match(self, prompts: Sequence[Sequence[int]]) -> tuple[list[int], int, Any]:
        shared = list(prompts[0])[: min(map(len, prompts)) - 1]
        for prompt in prompts:
            shared = shared[: _shared_length(shared, prompt)]
        matches = [(_shared_length(ids, shared), cache) for ids, cache in self._held]
        reused, cache = max(matches, key=lambda held: held[0], default=(0, None))
        return (shared, reused, cache) if len(shared) >= SHORTEST else ([], 0, None)

    def _extend(self, ids: list[int], reused: int, cache: Any) -> Any:
        import torch
        from transformers import DynamicCache

        copied = _first_tokens(cache, reused) if reused else DynamicCache(config=self._model.config)
        unread = torch.tensor([ids[reused:]], device=self._model.device)
        self._model(input_ids=unread, past_key_values=copied, use_cache=True, logits_to_keep=1)
        return copied


def _shared_length(first: Sequence[int], second: Sequence[int]) -> int:
    pairs = enumerate(zip(first, second, strict=False))
    return next((at for at, (a, other) in pairs if a != other), min(len(first), len(second)))


def _first_tokens(cache: Any, tokens: int) -> Any:
    """A copy of their keys and values."""
    copied = deepcopy(cache)
    if more := copied.get_seq_length() - tokens:
        copied.crop(-more)
    return copied


def continue_rows(
    model: Any,
    rows: Sequence[Row],
    most: int,
    choose: Callable[[Any], Any],
    beginnings: Beginnings | None = None,
) -> None:
    """Continues all rows until each has enough, by at most so many tokens. `choose` takes the
    logits of all rows and returns a token for each."""
    import torch
    from transformers import LogitsProcessorList, StoppingCriteriaList

    ended = torch.zeros(len(rows), dtype=torch.bool, device=model.device)

    def pick(_: Any, scores: Any) -> Any:
        tokens = choose(scores)[:, None]
        return torch.full_like(scores, -torch.inf).scatter_(1, tokens, 0.0)

    def hand_out(ids: Any, *_: Any, **__: Any) -> Any:
        for number, (row, token) in enumerate(zip(rows, ids[:, -1].tolist(), strict=True)):
            if not ended[number]:
                ended[number] = row.take(token)
        return ended.clone()

    with torch.inference_mode():
        prompts = [row.prompt for row in rows]
        shared, cache = beginnings.read(prompts) if beginnings else (0, None)
        if cache is not None:
            cache.batch_repeat_interleave(len(rows))
        ids, mask = _pad(prompts, shared, model.device)
        model.generate(
            input_ids=ids,
            attention_mask=mask,
            past_key_values=cache,
            max_new_tokens=most,
            do_sample=False,
            eos_token_id=None,
            pad_token_id=0,
            logits_processor=LogitsProcessorList([pick]),
            stopping_criteria=StoppingCriteriaList([hand_out]),
        )


def _pad(prompts: Sequence[Sequence[int]], shared: int, device: Any) -> tuple[Any, Any]:
    """Prompts of one length, filled up behind what they share, and which tokens are theirs."""
    import torch

    longest = max(map(len, prompts))
    ids = torch.zeros(len(prompts), longest, dtype=torch.long)
    mask = torch.zeros_like(ids)
    for number, prompt in enumerate(prompts):
        tokens = torch.tensor(list(prompt))
        extra = len(prompt) - shared
        ids[number, :shared], mask[number, :shared] = tokens[:shared], 1
        ids[number, longest - extra :], mask[number, longest - extra :] = tokens[shared:], 1
    return ids.to(device), mask.to(device)
