"""An answer that never says why it ended is none: it is asked for again, then it is an error."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentdyno_bench import ModelSpec, RunOptions, TaskRun, run_task
from agentdyno_bench.shared.models.metered import is_cut
from agentdyno_bench.shared.models.scripted import Reply, ReplyCall
from tests.bench.shared.running.tasks import recipe
from tests.zoo.server import Conversation, Cut, Zoo, serve

# Inspect leaves the connections of its providers to the garbage collector.
pytestmark = pytest.mark.filterwarnings(
    "ignore:unclosed:ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No pauses between one time and the next."""
    monkeypatch.setattr("tenacity.wait_exponential_jitter.__call__", lambda self, state: 0.0)
    yield
    gc.collect()


def _run(zoo: Zoo, out: Path, stream: bool) -> TaskRun:
    spec = ModelSpec(zoo.model("doubles"), zoo.address, {"api_key": "zoo", "stream": stream})
    return run_task(recipe(1), spec, RunOptions(out=out, max_retries=2))


def _doubles(asked: Conversation) -> Reply:
    if asked.results:
        return Reply(text=next(iter(asked.results.values())))
    return Reply(calls=[ReplyCall("double", {"x": int(asked.said[0].split()[1])})])


@pytest.mark.parametrize("stream", [True, False])
def test_a_cut_answer_is_asked_for_again(tmp_path: Path, stream: bool) -> None:
    seen: list[Conversation] = []

    def answer(policy: str, asked: Conversation) -> Reply:
        seen.append(asked)
        return Cut(text="0") if len(seen) in (1, 3, 4) else _doubles(asked)

    with serve([answer]) as zoo:
        run = _run(zoo, tmp_path, stream)
    assert (run.samples, run.failed, len(seen)) == (1, [], 5)
    assert {asked.streamed for asked in seen} == {stream}


@pytest.mark.parametrize("stream", [True, False])
def test_an_answer_that_is_cut_every_time_is_an_error(tmp_path: Path, stream: bool) -> None:
    with serve([lambda policy, asked: Cut(text="0")]) as zoo:
        run = _run(zoo, tmp_path, stream)
    assert len(zoo.requests) == 3
    assert [failed.error.partition("(")[0] for failed in run.failed] == ["CutAnswerError"]


@pytest.mark.parametrize(
    ("response", "cut"),
    [
        ({"choices": [{"finish_reason": None}]}, True),
        ({"choices": [{"finish_reason": "length"}]}, False),
        ({"type": "message", "stop_reason": None}, True),
        ({"type": "message", "stop_reason": "end_turn"}, False),
        ({"output": [], "status": "completed"}, False),
        (None, False),
    ],
)
def test_what_each_protocol_says(response: object, cut: bool) -> None:
    assert is_cut(response) is cut
