"""Decoding together, and from a shared prefix, gives what decoding alone gives. On a tiny model
with random weights."""

import copy
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from agentdyno_train.models.batcher import Batcher, Continued, Request
from tests.train.models.tiny import WORDS, Letters, alone, tiny


@pytest.fixture(scope="module")
def model() -> Any:
    return tiny()


@pytest.fixture(scope="module")
def batcher(model: Any) -> Iterator[Batcher]:
    """As the embedded model is served."""
    found = Batcher(copy.deepcopy(model), Letters())
    yield found
    found.close()


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


def test_a_later_request_waits_and_gets_what_it_gets_alone(model: Any, batcher: Batcher) -> None:
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
    after = batcher.submit(Request(prompts()[4], 5))
    time.sleep(0.5)  # It would otherwise be given up before it has begun.
    assert long.cancel()
    assert after.result(60).tokens == alone(model, prompts()[4], 5)
    batcher.close()


ENDS_WHILE_DECODING = """
from agentdyno_train.models.batcher import Batcher, Request
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


def conversation(last: int, length: int = 400) -> list[int]:
    generator = torch.Generator().manual_seed(3)
    shared = torch.randint(3, WORDS, (length,), generator=generator).tolist()
    return [*shared, *([last] * 5)]


def test_tasks_that_begin_alike_are_read_once(model: Any) -> None:
    batcher = Batcher(model, Letters())
    shared = torch.randint(3, WORDS, (400,), generator=torch.Generator().manual_seed(3)).tolist()
    asked = [Request([*shared, *([last] * many)], 6) for last, many in ((10, 5), (20, 9), (30, 2))]
    for _ in range(2):
        done = [future.result(60) for future in [batcher.submit(request) for request in asked]]
        assert [d.tokens for d in done] == [alone(model, r.prompt, 6) for r in asked]
    assert [d.reused_tokens for d in done[1:]] == [400, 400]
    batcher.close()


def test_the_next_turn_reads_what_is_new(model: Any) -> None:
    batcher = Batcher(model, Letters())
    first = list(range(3, 90))
    said = batcher.submit(Request(first, 60)).result(60).tokens
    done = batcher.submit(Request([*first, *said, 11, 12], 20)).result(60)
    assert done.tokens == alone(model, [*first, *said, 11, 12], 20)
    assert done.reused_tokens == len(first) - 1
    batcher.close()
