"""Servers that take more or less of what a calibration asks: real HTTP, on this machine."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from agentdyno.records import InputError
from agentdyno_depth.fitting import calibration
from agentdyno_depth.pipelines.calibrate import CalibrateOptions, run_calibration
from agentdyno_depth.probes.calibration import measuring
from agentdyno_depth.probes.calibration.measuring import Plan

SMALL = Plan((16, 64), ((1, 33), (2, 33)), 2, 6, 2)
TOKENS_A_WORD = 2


@contextmanager
def served(
    *,
    ids: bool,
    extras: str,
    paths: set[str],
    ends_at: int | None = None,
    own: dict[str, object] | None = None,
    most_tokens: int = 4096,
) -> Iterator[str]:
    """A server; `extras`: `taken`, `ignored` or `refused`; answers end at `ends_at` tokens; `own`:
    what it answers by path, beside completions; more than `most_tokens` are refused."""
    gets = {"/v1/models": {"data": [{"id": "m", "max_model_len": 4096}]}, **(own or {})}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.answer(200 if self.path in gets else 404, gets.get(self.path, {}))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.answer(*reply(self.path, body))

        def answer(self, code: int, said: object) -> None:
            data = json.dumps(said).encode()
            self.send_response(code)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    def reply(path: str, body: dict[str, Any]) -> tuple[int, object]:
        if path not in paths:
            return 404, {"error": "no such path"}
        if "ignore_eos" in body and extras == "refused":
            return 422, {"detail": "unexpected fields: ignore_eos"}
        prompt = body.get("prompt") or body["messages"][0]["content"]
        if isinstance(prompt, list) and not ids:
            return 400, {"error": "prompt must be a string"}
        read = len(prompt) if isinstance(prompt, list) else TOKENS_A_WORD * len(prompt.split())
        made = body["max_tokens"]
        if read + made > most_tokens:
            return 400, {"error": "exceeds the available context size"}
        if ends_at is not None and not (extras == "taken" and body.get("ignore_eos")):
            made = min(made, ends_at)
        time.sleep(0.01 * made)
        return 200, {"usage": {"prompt_tokens": read, "completion_tokens": made}}

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True)
def small_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "SERVER", SMALL)
    monkeypatch.setattr(measuring, "SLOW_SERVER", SMALL)
    monkeypatch.setattr(calibration, "MOST_ERROR", 1e9)  # These servers only sleep.
    monkeypatch.setattr(calibration, "STARTS", 1)


def calibrated(url: str, tmp_path: Path) -> tuple[list[str], str, list[list[str]]]:
    """What was told, the profile, and the rows."""
    told: list[str] = []
    options = CalibrateOptions(model="m", endpoint=url, arch="smollm2-135m")
    run_calibration(options, tmp_path / "m.toml", tmp_path / "m.csv", told.append)
    rows = [line.split(",") for line in (tmp_path / "m.csv").read_text().splitlines()[1:]]
    return told, (tmp_path / "m.toml").read_text(), rows


def test_token_ids_are_taken_where_the_server_takes_them(tmp_path: Path) -> None:
    with served(ids=True, extras="taken", paths={"/v1/completions"}, ends_at=3) as url:
        told, profile, rows = calibrated(url, tmp_path)
    assert told[0] == "asking with token ids"
    assert {int(row[2]) for row in rows} == {16, 64, 33}
    assert f'engine = "{url}, token ids"' in profile


def test_a_llama_cpp_server_gets_no_burst_beyond_its_slots_or_their_context(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = Plan((16, 64, 600), ((1, 33), (2, 33), (4, 33), (1, 513)), 2, 6, 2)
    monkeypatch.setattr(measuring, "SERVER", wide)
    own: dict[str, object] = {
        "/v1/models": {"data": [{"id": "m", "meta": {"n_ctx": 512}}]},
        "/props": {"total_slots": 2, "build_info": "b9000-abc"},
    }
    paths = {"/v1/completions"}
    with served(ids=True, extras="taken", paths=paths, own=own, most_tokens=512) as url:
        _, profile, rows = calibrated(url, tmp_path)
    assert {(int(row[1]), int(row[2])) for row in rows} == {(1, 16), (1, 64), (1, 33), (2, 33)}
    assert f'engine = "{url} (b9000-abc), token ids"' in profile


def test_a_fit_that_misses_its_bursts_is_refused_and_its_rows_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "MOST_ERROR", -1.0)
    with (
        served(ids=True, extras="taken", paths={"/v1/completions"}) as url,
        pytest.raises(InputError, match=r"misses its own bursts by .* no profile was written"),
    ):
        calibrated(url, tmp_path)
    assert not (tmp_path / "m.toml").exists()
    assert (tmp_path / "m.csv").exists()


def test_a_server_of_texts_counts_the_prompt_itself_and_that_is_said(tmp_path: Path) -> None:
    with served(ids=False, extras="taken", paths={"/v1/completions"}, ends_at=3) as url:
        told, profile, rows = calibrated(url, tmp_path)
    assert told[0].startswith("not taken: token ids: found HTTP 400")
    assert "prompt must be a string" in told[0]
    assert told[1] == "asking with texts"
    # 33 tokens are 16 words, each of two tokens.
    assert {int(row[2]) for row in rows} == {16, 64, 32}
    assert f'engine = "{url}, texts"' in profile


def test_a_server_that_refuses_unknown_fields_is_asked_without_them(tmp_path: Path) -> None:
    with served(ids=False, extras="refused", paths={"/v1/completions"}) as url:
        told, _, rows = calibrated(url, tmp_path)
    assert told[2] == "asking with texts without ignore_eos"
    assert all(row[0] == "decode" for row in rows if row[1] == "2")


def test_a_server_of_chats_is_asked_for_a_chat(tmp_path: Path) -> None:
    with served(ids=False, extras="refused", paths={"/v1/chat/completions"}) as url:
        told, *_ = calibrated(url, tmp_path)
    assert told[3] == "asking with texts of a chat"


def test_answers_that_end_early_are_an_error_that_says_what_the_server_must_take(
    tmp_path: Path,
) -> None:
    with (
        served(ids=True, extras="ignored", paths={"/v1/completions"}, ends_at=3) as url,
        pytest.raises(InputError, match=r"expected 6 generated tokens, found 3.*ignore_eos"),
    ):
        calibrated(url, tmp_path)
    assert not (tmp_path / "m.toml").exists()


def test_where_nothing_answers_every_way_is_named(tmp_path: Path) -> None:
    with (
        served(ids=True, extras="taken", paths=set()) as url,
        pytest.raises(InputError, match=r"every way was refused: token ids: found HTTP 404.*chat"),
    ):
        calibrated(url, tmp_path)


def test_a_slow_engine_gets_the_small_plan_and_no_prompt_too_long_for_it() -> None:
    large, small = measuring.Plan((16, 9000), ((8, 4097),), 2, 4, 1), SMALL
    assert large.within(4100) == large._replace(prefills=(16,), decodes=())
    assert large.within(None) == large
    assert large.within(None, 4).decodes == ((4, 4097),)
    assert small.prompt_tokens == 16 + 64 + 33 + 2 * 33
