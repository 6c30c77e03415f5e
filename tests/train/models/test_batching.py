"""Decoding together, and from a shared prefix, gives what decoding alone gives. On a tiny model
with random weights."""

import copy
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from agentdyno_train.decoding import Decoder
from agentdyno_train.models import batching
from agentdyno_train.models.batching import BLOCK, Batcher, Continued, Prefixes, Request
from agentdyno_train.models.grouped_attention import use_grouped_attention
from agentdyno_train.row_cache import Layers
from tests.train.models.tiny import WORDS, Letters, alone, tiny


@pytest.fixture(scope="module")
def model() -> Any:
    return tiny()


@pytest.fixture(scope="module")
def batcher(model: Any) -> Iterator[Batcher]:
    """As the embedded model is served; with so little room it has to grow again and again."""
    served = copy.deepcopy(model)
    use_grouped_attention(served)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batching, "ROOM", 5)
        yield Batcher(served, Letters())


def prompts() -> list[list[int]]:
    generator = torch.Generator().manual_seed(1)
    return [
        torch.randint(3, WORDS, (length,), generator=generator).tolist()
        for length in (3, 17, 1, 9, 30, 5)
    ]


def test_rows_of_any_length_get_what_they_get_alone(model: Any, batcher: Batcher) -> None:
    lengths = [12, 3, 40, 1, 25, 8]
    asked = [Request(p, n) for p, n in zip(prompts(), lengths, strict=True)]
    found = [future.result(60).tokens for future in [batcher.submit(r) for r in asked]]
    assert found == [alone(model, r.prompt, r.max_tokens) for r in asked]


def test_a_request_may_join_late(model: Any, batcher: Batcher) -> None:
    first, second = prompts()[1], prompts()[4]
    early = batcher.submit(Request(first, 60))
    late = batcher.submit(Request(second, 20))
    assert late.result(60).tokens == alone(model, second, 20)
    assert early.result(60).tokens == alone(model, first, 60)


def test_times_add_up(batcher: Batcher) -> None:
    done = batcher.submit(Request(prompts()[0], 5)).result(60)
    assert 0 <= done.first_token_seconds <= done.seconds
    assert done.queued_seconds >= 0
    assert done.finish in ("max_tokens", "stop")


def test_a_stop_text_ends_the_answer(batcher: Batcher) -> None:
    free = batcher.submit(Request(prompts()[0], 30)).result(60)
    stop = free.text[3:5]
    at = free.text.index(stop)
    done = batcher.submit(Request(prompts()[0], 30, stop=(stop,))).result(60)
    assert (done.text, done.finish, len(done.tokens)) == (free.text[:at], "stop", at + 2)


def test_the_seed_alone_decides_what_is_sampled(batcher: Batcher) -> None:
    def sampled(seed: int) -> Request:
        return Request(prompts()[0], 12, temperature=1.5, top_p=0.95, seed=seed)

    def run(requests: list[Request]) -> list[Continued]:
        return [future.result(60) for future in [batcher.submit(r) for r in requests]]

    apart = [run([sampled(1)])[0].tokens, run([sampled(2)])[0].tokens]
    together = [done.tokens for done in run([sampled(1), Request(prompts()[3], 30), sampled(2)])]
    assert apart[0] != apart[1]
    assert [together[0], together[2]] == apart


def test_a_cancelled_request_frees_its_place(model: Any, batcher: Batcher) -> None:
    busy = [batcher.submit(Request(p, 30)) for p in prompts()]
    waiting = batcher.submit(Request(prompts()[0], 30))
    waiting.cancel()
    assert [f.result(60).tokens for f in busy] == [alone(model, p, 30) for p in prompts()]


def test_a_request_that_has_begun_can_be_given_up(model: Any) -> None:
    batcher = Batcher(copy.deepcopy(model), Letters())
    long = batcher.submit(Request(prompts()[0], 20_000))
    beside = batcher.submit(Request(prompts()[1], 20))
    assert beside.result(60).tokens == alone(model, prompts()[1], 20)
    assert long.cancel()
    after = batcher.submit(Request(prompts()[4], 5))
    assert after.result(60).tokens == alone(model, prompts()[4], 5)
    batcher.close()
    assert batcher._rows == []


ENDS_WHILE_DECODING = """
from agentdyno_train.models.batching import Batcher, Request
from tests.train.models.tiny import Letters, tiny

batcher = Batcher(tiny(), Letters())
batcher.submit(Request([5, 6, 7], 30_000))
batcher.submit(Request([8, 9], 2)).result(60)
"""


@pytest.mark.slow
def test_python_ends_in_peace_while_something_is_decoded() -> None:
    # Without waiting for the thread: "terminate called without an active exception", exit 134.
    command = [sys.executable, "-c", ENDS_WHILE_DECODING]
    done = subprocess.run(command, capture_output=True, cwd=Path(__file__).parents[3])
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_failure_reaches_who_asked_and_nobody_else(model: Any, batcher: Batcher) -> None:
    broken = batcher.submit(Request([WORDS + 5], 3))  # A token that the model has no row for.
    with pytest.raises(IndexError):
        broken.result(60)
    assert batcher.submit(Request(prompts()[0], 4)).result(60).tokens == alone(
        model, prompts()[0], 4
    )


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
    """How many tokens each reading of prompts took."""
    found: list[int] = []
    plain = Decoder.read

    def counted(self: Decoder, texts: Mapping[int, Sequence[int]]) -> None:
        found.extend(map(len, texts.values()))
        plain(self, texts)

    monkeypatch.setattr(Decoder, "read", counted)
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
    assert done.reused_tokens >= len(first) + len(said) - BLOCK


def test_short_and_long_prompts_at_once(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "LONG", 40)
    batcher = Batcher(model, Letters())
    asked = [Request(conversation(last, size), 9) for last, size in
             ((10, 3), (20, 200), (30, 33), (40, 200), (50, 90), (60, 64))]  # fmt: skip
    for _ in range(2):  # The second time nearly everything is known.
        done = [future.result(60) for future in [batcher.submit(request) for request in asked]]
        assert [d.tokens for d in done] == [alone(model, r.prompt, 9) for r in asked]
