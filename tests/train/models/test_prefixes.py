"""What was read before is not read again, and that changes nothing."""

from typing import Any

import pytest
import torch

from agentdyno_train.models import batching
from agentdyno_train.models.batching import Batcher, Request
from agentdyno_train.models.prefixes import BLOCK, Layers, Prefixes
from agentdyno_train.models.row_states import RowStates
from tests.train.models.tiny import WORDS, Letters, alone, tiny


@pytest.fixture(scope="module")
def model() -> Any:
    return tiny()


def states(tokens: list[int]) -> Layers:
    """Two layers whose keys are the tokens themselves, and whose values are ten times them."""
    one = torch.tensor(tokens, dtype=torch.float32)[None, :, None].repeat(2, 1, 3)
    return [(one, one * 10), (one + 1, one * 10 + 1)]


def keep(prefixes: Prefixes, tokens: list[int]) -> None:
    prefixes.keep(tokens, lambda start: [(k[:, start:], v[:, start:]) for k, v in states(tokens)])


def held(prefixes: Prefixes, tokens: list[int]) -> int:
    return BLOCK * len(prefixes.longest([*tokens, 0]))


def test_a_prompt_finds_whole_blocks_of_what_was_read() -> None:
    prefixes = Prefixes()
    read = list(range(BLOCK * 3 + 5))
    keep(prefixes, read)
    blocks = prefixes.longest(read)
    joined = torch.cat(blocks, 3)
    assert joined.shape == (2, 2, 2, 3 * BLOCK, 3)
    assert joined[0, 0, 0, :, 0].tolist() == read[: 3 * BLOCK]
    assert joined[1, 1, 1, :, 2].tolist() == [10 * token + 1 for token in read[: 3 * BLOCK]]


def test_the_last_token_is_always_left_to_be_read() -> None:
    prefixes = Prefixes()
    read = list(range(BLOCK * 2))
    keep(prefixes, read)
    assert len(prefixes.longest(read)) == 1
    assert len(prefixes.longest([*read, 7])) == 2


def test_the_same_block_after_another_beginning_is_another() -> None:
    prefixes = Prefixes()
    first, second = [1] * BLOCK, [2] * BLOCK
    keep(prefixes, first + second)
    assert held(prefixes, second) == 0
    assert held(prefixes, first + second) == 2 * BLOCK


def test_what_was_not_used_goes_first_and_its_beginning_last() -> None:
    one = sum(layer.nbytes for pair in states([0] * BLOCK) for layer in pair)
    prefixes = Prefixes(budget=4 * one)
    old, new = [1] * (3 * BLOCK), [2] * (2 * BLOCK)
    keep(prefixes, old)
    keep(prefixes, new)
    assert held(prefixes, new) == 2 * BLOCK
    assert held(prefixes, old) == 2 * BLOCK


def test_shared_beginnings_are_held_once() -> None:
    one = sum(layer.nbytes for pair in states([0] * BLOCK) for layer in pair)
    prefixes = Prefixes(budget=6 * one)
    begin = [9] * (4 * BLOCK)
    for last in (1, 2):
        keep(prefixes, begin + [last] * BLOCK)
    assert held(prefixes, begin + [1] * BLOCK) == held(prefixes, begin + [2] * BLOCK) == 5 * BLOCK


@pytest.fixture
def read_tokens(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many tokens each reading of prompts took, padding included."""
    found: list[int] = []
    plain = RowStates.prefill.__func__  # type: ignore[attr-defined]

    def counted(cls: type, model: Any, prompts: list[list[int]], known: Any = ()) -> RowStates:
        unread = [
            len(p) - BLOCK * len(k)
            for p, k in zip(prompts, known or [[]] * len(prompts), strict=True)
        ]
        found.extend(unread)
        return plain(cls, model, prompts, known)  # type: ignore[no-any-return]

    monkeypatch.setattr(RowStates, "prefill", classmethod(counted))
    return found


def conversation(last: int, length: int = 400) -> list[int]:
    generator = torch.Generator().manual_seed(3)
    shared = torch.randint(3, WORDS, (length,), generator=generator).tolist()
    return [*shared, *([last] * 5)]


def test_tasks_that_begin_alike_are_read_once(model: Any, read_tokens: list[int]) -> None:
    batcher = Batcher(model, Letters())
    asked = [Request(conversation(last), 6) for last in (10, 20, 30, 40)]
    done = [future.result(60) for future in [batcher.submit(request) for request in asked]]
    assert [d.tokens for d in done] == [alone(model, r.prompt, 6) for r in asked]
    assert max(read_tokens) == 405
    assert sum(read_tokens) < 405 + 3 * (5 + BLOCK)
    assert sorted(d.reused_tokens or 0 for d in done) == [0, 384, 384, 384]


def test_the_next_turn_reads_what_is_new(model: Any, read_tokens: list[int]) -> None:
    batcher = Batcher(model, Letters())
    first = conversation(10)
    said = batcher.submit(Request(first, 60)).result(60).tokens
    second = [*first, *said, 11, 12, 13]
    done = batcher.submit(Request(second, 20)).result(60)
    assert done.tokens == alone(model, second, 20)
    assert done.reused_tokens is not None
    assert done.reused_tokens >= len(first) + len(said) - BLOCK


def test_short_and_long_prompts_at_once(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "LONG", 40)
    batcher = Batcher(model, Letters())
    asked = [Request(conversation(last, size), 9) for last, size in
             ((10, 3), (20, 200), (30, 33), (40, 200), (50, 90), (60, 64))]  # fmt: skip
    for _ in range(2):  # The second time nearly everything is known.
        done = [future.result(60) for future in [batcher.submit(request) for request in asked]]
        assert [d.tokens for d in done] == [alone(model, r.prompt, 9) for r in asked]
