"""With a tiny model: a pool drawn and replayed, answers with early stopping, a server."""

import json

import pytest

pytest.importorskip("torch", reason="the depth extra is not installed")
pytest.importorskip("math_verify", reason="the bench extra is not installed")
httpx = pytest.importorskip("httpx", reason="the depth extra is not installed")

from agentdyno.benchmarks.thinking.problems import arithmetic
from agentdyno.metrics.depth.voting import decide
from agentdyno.pipelines.think.answering import AnswerOptions, answer_problems
from agentdyno.pipelines.think.drawing import PoolOptions
from agentdyno.pipelines.think.generating import draw_pool
from agentdyno.pipelines.think.pool import read_pool, write_pool
from agentdyno.probes.generating import Sampling
from agentdyno.probes.served import Server, ServerOptions
from agentdyno.records import InputError
from agentdyno.records.thinking import Pool
from agentdyno.studies.thinking.answers import graded
from agentdyno.studies.thinking.comparison import ThinkOptions, compare_methods
from tests.tiny import tiny_model

PROBLEMS = arithmetic(3)
OPTIONS = PoolOptions(samples=6, prefixes=(5, 10), max_tokens=16, sampling=Sampling(1.0, seed=2))


@pytest.fixture(scope="module")
def drawn() -> Pool:
    return draw_pool(tiny_model(), PROBLEMS, OPTIONS)


def test_a_replayed_pool_compares_as_the_live_one(drawn, tmp_path):
    write_pool(tmp_path / "pool.jsonl", graded(drawn))
    options = ThinkOptions(n=4, prefix=5, trials=3)
    live = compare_methods(graded(drawn), options)
    assert compare_methods(read_pool(tmp_path / "pool.jsonl"), options) == live


def test_an_interrupted_drawing_goes_on_with_the_same_samples(drawn, tmp_path):
    file = tmp_path / "pool.jsonl"
    draw_pool(tiny_model(), PROBLEMS[:1], OPTIONS, record=file)
    with file.open("ab") as torn:
        torn.write(b'{"problem": {"pro')
    went_on = draw_pool(tiny_model(), PROBLEMS, OPTIONS, record=file)
    assert read_pool(file) == went_on
    assert [s.text for i in went_on.problems for s in i.samples] == [
        s.text for i in drawn.problems for s in i.samples
    ]


def test_stopping_for_real_decides_and_costs_as_over_the_pool(drawn):
    options = AnswerOptions(OPTIONS, keep=0.5, rank="self_certainty")
    answers = answer_problems(tiny_model(), PROBLEMS, options).answers
    for item, answer in zip(graded(drawn).problems, answers, strict=True):
        decision = decide("self_certainty", item.samples, keep=0.5, prefix=5)
        assert (answer.answer, float(answer.correct)) == (decision.answer, decision.accuracy)
        assert answer.cost_tokens == decision.cost_tokens
        assert answer.generated_tokens == decision.generated_tokens
        assert (answer.kept, answer.rejected) == (3, 3)


def test_samples_cannot_be_stopped_by_a_length_they_do_not_have_yet():
    with pytest.raises(InputError, match="--rank length"):
        answer_problems(tiny_model(), PROBLEMS, AnswerOptions(OPTIONS, rank="length"))


class Scripted:
    """A server that writes the same few texts; counts what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[dict] = []

    def __call__(self, request: "httpx.Request") -> "httpx.Response":
        body = json.loads(request.content)
        self.asked.append(body | {"path": request.url.path})
        if "messages" in body:
            choices = [
                {"message": {"content": f"It is \\boxed{{{n}}}"}, "finish_reason": "stop"}
                for n in range(min(body["n"], 4))  # never more than four at once
            ]
        elif body["prompt"].endswith("<model>"):
            choices = [{"text": f"Try {n} ", "finish_reason": "length"} for n in range(body["n"])]
        else:
            choices = [{"text": "so \\boxed{41}", "finish_reason": "stop"}]
        return httpx.Response(200, json={"choices": choices})

    def server(self) -> Server:
        client = httpx.Client(
            transport=httpx.MockTransport(self), base_url="http://served.example/v1"
        )
        return Server(ServerOptions("http://served.example/v1", "big"), client)


def test_a_pool_from_a_server_is_scored_by_the_local_model():
    script = Scripted()
    pool = draw_pool(tiny_model(), PROBLEMS[:1], OPTIONS, server=script.server(), model="big")
    assert (pool.head.model, pool.head.scorer) == ("big", "tiny")
    assert [ask["n"] for ask in script.asked] == [6, 2]
    assert script.asked[0]["seed"] != script.asked[1]["seed"]
    samples = graded(pool).problems[0].samples
    assert [sample.answer for sample in samples] == ["0", "1", "2", "3", "0", "1"]
    assert [scores.tokens for scores in samples[0].scores] == [5, 10, 15]
    assert samples[0].scores[0].dtr is not None


def test_a_server_finishes_only_the_kept_samples():
    script = Scripted()
    options = AnswerOptions(OPTIONS, keep=0.5)
    (answer,) = answer_problems(tiny_model(), PROBLEMS[:1], options, script.server()).answers
    assert [ask["max_tokens"] for ask in script.asked] == [5, 11, 11, 11]
    assert all(ask["path"] == "/v1/completions" for ask in script.asked)
    assert (answer.answer, answer.votes, answer.kept) == ("41", 3, 3)


def test_a_server_that_refuses_is_an_error_with_its_words():
    client = httpx.Client(
        transport=httpx.MockTransport(lambda request: httpx.Response(401, text="no key")),
        base_url="http://served.example/v1",
    )
    server = Server(ServerOptions("http://served.example/v1", "big"), client)
    with pytest.raises(InputError, match="status 401: no key"):
        server.chat([{"role": "user", "content": "hello"}], 1, 5)
