"""With a tiny model: a pool drawn and replayed, answers with early stopping, a server, a second
start."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from agentdyno.records import InputError
from agentdyno_depth.pipelines.think.answering import AnswerOptions, answer_problems
from agentdyno_depth.pipelines.think.drawing import PoolOptions
from agentdyno_depth.pipelines.think.generating import draw_pool
from agentdyno_depth.probes import served
from agentdyno_depth.probes.generating import Sampling
from agentdyno_depth.probes.served import Server, ServerOptions, ServerRequest
from agentdyno_depth.records.thinking import Pool
from agentdyno_depth.studies.thinking.answers import grade_pool
from agentdyno_depth.studies.thinking.methods import ThinkOptions, compare_methods
from agentdyno_depth.think.choosing import decide
from agentdyno_depth.think.pool_files import read_pool, write_pool
from agentdyno_depth.think.problems import arithmetic
from tests.cli.run import Agentdyno
from tests.tiny import tiny_model

PROBLEMS = arithmetic(3)
OPTIONS = PoolOptions(samples=6, prefixes=(5, 10), max_tokens=16, sampling=Sampling(1.0, seed=2))


@pytest.fixture(scope="module")
def drawn() -> Pool:
    return draw_pool(tiny_model(), PROBLEMS, OPTIONS)


def test_a_replayed_pool_compares_as_the_live_one(drawn, tmp_path):
    write_pool(tmp_path / "pool.jsonl", grade_pool(drawn))
    options = ThinkOptions(n=4, prefix=5, trials=3)
    live = compare_methods(grade_pool(drawn), options)
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
    for item, answer in zip(grade_pool(drawn).problems, answers, strict=True):
        decision = decide("self_certainty", item.samples, keep=0.5, prefix=5)
        assert (answer.answer, float(answer.correct)) == (decision.answer, decision.accuracy)
        assert answer.cost_tokens == decision.cost_tokens
        assert answer.generated_tokens == decision.generated_tokens
        assert (answer.selected, answer.rejected) == (3, 3)


def test_samples_cannot_be_stopped_by_a_length_they_do_not_have_yet():
    with pytest.raises(InputError, match="--rank length"):
        answer_problems(tiny_model(), PROBLEMS, AnswerOptions(OPTIONS, rank="length"))


class Scripted:
    """A server that writes a few texts; counts what it is asked for, and how much of it at once."""

    def __init__(self, seconds: float = 0.0, thinking: str = "none") -> None:
        self.asked: list[dict] = []
        self.most = 0
        self._now, self._lock = 0, threading.Lock()
        self._seconds, self._thinking = seconds, thinking

    def __call__(self, request: "httpx.Request") -> "httpx.Response":
        body = json.loads(request.content)
        with self._lock:
            self.asked.append(body | {"path": request.url.path})
            self._now += 1
            self.most = max(self.most, self._now)
        time.sleep(self._seconds)
        with self._lock:
            self._now -= 1
        return httpx.Response(200, json={"choices": [self._choice(body)]})

    def _choice(self, body: dict) -> dict:
        if "messages" in body:
            return {"message": self._message(body["seed"] % 4), "finish_reason": "stop"}
        if body["prompt"].endswith("<model>"):
            return {"text": f"Try {body['seed'] % 10} ", "finish_reason": "length"}
        return {"text": "so \\boxed{41}", "finish_reason": "stop"}

    def _message(self, number: int) -> dict:
        said = f"It is \\boxed{{{number}}}"
        if self._thinking == "inline":
            return {"content": f"<think>\nI add them.\n</think>\n\n{said}"}
        if self._thinking == "none":
            return {"content": said}
        return {"content": said, self._thinking: "I add them."}

    def server(self, at_once: int = 64) -> Server:
        client = httpx.Client(
            transport=httpx.MockTransport(self), base_url="http://served.example/v1"
        )
        return Server(ServerOptions("http://served.example/v1", "big", at_once=at_once), client)


def test_a_pool_from_a_server_is_scored_by_the_local_model():
    script = Scripted()
    pool = draw_pool(tiny_model(), PROBLEMS[:1], OPTIONS, server=script.server(), model="big")
    assert (pool.head.model, pool.head.scorer) == ("big", "tiny")
    assert [ask["n"] for ask in script.asked] == [1] * 6
    assert len({ask["seed"] for ask in script.asked}) == 6
    samples = grade_pool(pool).problems[0].samples
    assert all(sample.answer in "0123" for sample in samples)
    # "It is \\boxed{0}" are 15 letters, and its end is a token too.
    assert [scores.tokens for scores in samples[0].scores] == [5, 10, 16]
    assert samples[0].scores[0].dtr is not None
    assert samples[0].thinking_scores is None


@pytest.mark.parametrize("where", ["reasoning_content", "reasoning", "inline"])
def test_48_samples_of_a_server_that_thinks_overlap_and_their_thinking_is_scored(where):
    script = Scripted(seconds=0.5, thinking=where)
    options = PoolOptions(samples=48, prefixes=(5,), max_tokens=60, sampling=Sampling(1.0))
    pool = draw_pool(tiny_model(), PROBLEMS[:2], options, server=script.server(), model="big")
    assert len(script.asked) == 96
    assert 32 < script.most <= 64  # 64 at once, where the machine starts as many threads in time
    for item in grade_pool(pool).problems:
        for sample in item.samples:
            assert sample.thinking == "I add them."
            assert sample.text == f"It is \\boxed{{{sample.answer}}}"
            both = sample.thinking_scores.tokens + sample.answer_scores.tokens
            assert both == sample.tokens == sample.scores[-1].tokens
            # <think>, a line, the thought, a line, </think>, two lines; then 15 letters and an end.
            assert (sample.thinking_scores.tokens, sample.answer_scores.tokens) == (30, 16)
            deep = sum(
                part.dtr * part.tokens for part in (sample.thinking_scores, sample.answer_scores)
            )
            assert deep / both == pytest.approx(sample.scores[-1].dtr, abs=1e-5)


def test_a_busy_server_is_asked_again_and_a_kill_costs_no_whole_problem(tmp_path, monkeypatch):
    monkeypatch.setattr(served, "FIRST_WAIT", 0.001)
    script, refused = Scripted(), []

    def busy(request):
        if len(refused) < 3:
            refused.append(request)
            return httpx.Response(429, text="slow down", headers={"retry-after": "0"})
        if b"Problem 3" in request.content or len(script.asked) >= 9:
            return httpx.Response(500, text="broken")
        return script(request)

    client = httpx.Client(transport=httpx.MockTransport(busy), base_url="http://served.example/v1")
    options = ServerOptions("http://served.example/v1", "big", at_once=1)
    file = tmp_path / "pool.jsonl"
    with pytest.raises(InputError, match=r"status 500: broken.*the same command continues"):
        draw_pool(tiny_model(), PROBLEMS, OPTIONS, file, Server(options, client), "big")
    assert len(read_pool(file).problems) == 1  # six of nine samples were its own
    again = Scripted()
    pool = draw_pool(tiny_model(), PROBLEMS, OPTIONS, file, again.server(), "big")
    assert (len(pool.problems), len(again.asked)) == (3, 12)


def test_a_server_finishes_only_the_kept_samples():
    script = Scripted()
    options = AnswerOptions(OPTIONS, keep=0.5)
    (answer,) = answer_problems(tiny_model(), PROBLEMS[:1], options, script.server()).answers
    assert [ask["max_tokens"] for ask in script.asked] == [5] * 6 + [11] * 3
    assert all(ask["path"] == "/v1/completions" for ask in script.asked)
    assert (answer.answer, answer.votes, answer.selected) == ("41", 3, 3)


def test_a_server_that_refuses_is_an_error_with_its_words():
    client = httpx.Client(
        transport=httpx.MockTransport(lambda request: httpx.Response(401, text="no key")),
        base_url="http://served.example/v1",
    )
    server = Server(ServerOptions("http://served.example/v1", "big"), client)
    with pytest.raises(InputError, match="status 401: no key"):
        server.all([ServerRequest("q", 0, 5, ({"role": "user", "content": "hello"},))])


COMMAND = "from agentdyno.cli import main; main()"
SAMPLES, ANSWERED, AT_ONCE = 8, 5, 2


class Provider(ThreadingHTTPServer):
    """Answers the first few requests at once, and the others when it may."""

    daemon_threads = True

    def __init__(self, at_once: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked, self.free, self.lock = 0, threading.Semaphore(at_once), threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed is no failure of the server."""


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        self._send({})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.server.lock:
            self.server.asked += 1
        self.server.free.acquire()
        said = {"content": f"It is \\boxed{{{body['seed'] % 4}}}"}
        self._send({"choices": [{"message": said, "finish_reason": "stop"}]})

    def _send(self, value: Any) -> None:
        written = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(written)))
        self.end_headers()
        self.wfile.write(written)

    def log_message(self, *_: Any) -> None:
        pass


def _words(provider: Provider, model: Path, pool: Path) -> list[str]:
    words = ["--model", model, "--limit", 1, "--n", 2, "--samples", SAMPLES, "--record", pool]
    words += ["--server", f"http://127.0.0.1:{provider.server_port}/v1", "--server-model", "big"]
    words += ["--at-once", AT_ONCE, "--max-tokens", 40, "--prefix", 5, "--json"]
    return ["think", *map(str, words)]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends signals as a terminal and a scheduler do")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_second_start_requests_only_what_the_first_did_not_get(
    how: signal.Signals,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "")
    model, pool = tmp_path / "model", tmp_path / "pool.jsonl"
    tiny_model().model.save_pretrained(model)
    tiny_model().tokenizer.save_pretrained(model)
    provider = Provider(ANSWERED)
    words = _words(provider, model, pool)
    command = [sys.executable, "-c", COMMAND, *words]
    first = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while provider.asked < ANSWERED + AT_ONCE:  # Five are answered, two are under way.
        assert first.poll() is None, first.communicate()
        time.sleep(0.01)
    first.send_signal(how)
    if how is signal.SIGINT:
        provider.free.release(SAMPLES)
    _, err = first.communicate()
    assert first.returncode == (130 if how is signal.SIGINT else -signal.SIGTERM)
    assert b"Traceback" not in err
    kept = Path(f"{pool}.samples").read_bytes().count(b'"request"')
    # What was under way at Ctrl-C is waited for; the eighth may have begun before it was heard.
    assert kept in ((7, 8) if how is signal.SIGINT else (5,))

    # The address is part of a request: the second start finds the same server.
    provider.asked = 0
    provider.free.release(SAMPLES)
    again = Agentdyno(capsys, tmp_path)
    assert again.run(*words) == 0, again.err
    provider.shutdown()
    provider.server_close()
    assert provider.asked == SAMPLES - kept
    assert again.object()["samples"] == SAMPLES
    assert len(read_pool(pool).problems[0].samples) == SAMPLES
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["pool.jsonl"]
