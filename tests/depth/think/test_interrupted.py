"""A real process, a real server, a real signal: samples that were paid for are not lost."""

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

import pytest

pytest.importorskip("torch", reason="the depth extra is not installed")
pytest.importorskip("math_verify", reason="the bench extra is not installed")
pytest.importorskip("httpx", reason="the depth extra is not installed")

from agentdyno_depth.think.pool_files import read_pool
from tests.cli.run import Agentdyno
from tests.tiny import tiny_model

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


@pytest.mark.skipif(os.name != "posix", reason="sends signals as a terminal and a scheduler do")
@pytest.mark.parametrize(
    "how", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
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
