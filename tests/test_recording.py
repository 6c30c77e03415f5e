"""`agentdyno.record` around real clients and a real HTTP service, held against the service's own
count."""

import asyncio
import json
import threading
import warnings
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

import agentdyno
from tests.fake_secrets import FAKES

SECRET, _ = FAKES["anthropic-key"]
PIECES = [SECRET[:9], SECRET[9:30], SECRET[30:], " is the key"]


class Service(ThreadingHTTPServer):
    """Answers as OpenAI and Anthropic do, and counts what it billed."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.billed: list[tuple[int, int]] = []
        self.lock = threading.Lock()

    def bill(self, sent: Any) -> tuple[int, int]:
        """Counts that no other request of the test has."""
        with self.lock:
            number = len(self.billed) + 1
            self.billed.append((100 + number, 10 + number))
            return self.billed[-1]


class Handler(BaseHTTPRequestHandler):
    server: Service
    protocol_version = "HTTP/1.1"

    def log_message(self, *words: Any) -> None:
        """Silent."""

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if "break" in json.dumps(sent):
            return self._send(500, "application/json", b'{"error": {"message": "broken"}}')
        read, wrote = self.server.bill(sent)
        chat = self.path.endswith("/chat/completions")
        answer = (_chat if chat else _message)(read, wrote, bool(sent.get("stream")))
        if not sent.get("stream"):
            return self._send(200, "application/json", json.dumps(answer[0]).encode())
        lines = "".join(
            f"event: {event.get('type')}\ndata: {json.dumps(event)}\n\n" for event in answer
        )
        end = "data: [DONE]\n\n" if chat else ""
        return self._send(200, "text/event-stream", (lines + end).encode())

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _chat(read: int, wrote: int, streamed: bool) -> list[dict[str, Any]]:
    about = {"id": f"chatcmpl-{read}", "created": 1, "model": "gpt-4.1"}
    usage = {"prompt_tokens": read, "completion_tokens": wrote, "total_tokens": read + wrote}
    if not streamed:
        call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
        return [{**about, "object": "chat.completion", "choices": [choice], "usage": usage}]
    about["object"] = "chat.completion.chunk"
    choices = [{"index": 0, "delta": {"content": piece}} for piece in PIECES]
    choices.append({"index": 0, "delta": {}, "finish_reason": "stop"})
    return [*({**about, "choices": [c]} for c in choices), {**about, "choices": [], "usage": usage}]


def _message(read: int, wrote: int, streamed: bool) -> list[dict[str, Any]]:
    usage = {"input_tokens": read, "output_tokens": wrote}
    message = {"id": f"msg_{read}", "type": "message", "role": "assistant",
               "model": "claude-sonnet-4-5", "stop_reason": "end_turn", "stop_sequence": None,
               "content": [{"type": "text", "text": "Yes."}], "usage": usage}  # fmt: skip
    if not streamed:
        return [message]
    begin = {**message, "content": [], "usage": {"input_tokens": read, "output_tokens": 1}}
    block = {"type": "content_block_start", "index": 0,
             "content_block": {"type": "text", "text": ""}}  # fmt: skip
    deltas = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
        for piece in PIECES
    ]
    return [
        {"type": "message_start", "message": begin}, block, *deltas,
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"},
         "usage": {"output_tokens": wrote}},
        {"type": "message_stop"},
    ]  # fmt: skip


@pytest.fixture
def service() -> Iterator[Service]:
    """Listens on this machine."""
    with Service() as service:
        threading.Thread(target=service.serve_forever, daemon=True).start()
        yield service
        service.shutdown()


def _ask(text: str, **options: Any) -> dict[str, Any]:
    return {"model": "gpt-4.1", "messages": [{"role": "user", "content": text}], **options}


STREAM = {"stream": True, "stream_options": {"include_usage": True}}


def _use_openai(client: openai.OpenAI) -> str:
    client.chat.completions.create(**_ask("sync"))
    pieces = client.chat.completions.create(**_ask("sync stream", **STREAM))
    return "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices)


async def _use_openai_async(client: openai.AsyncOpenAI) -> None:
    await client.chat.completions.create(**_ask("async"))
    async for _ in await client.chat.completions.create(**_ask("async stream", **STREAM)):
        pass
    await client.close()


def _use_anthropic(client: anthropic.Anthropic) -> str:
    client.messages.create(max_tokens=50, **_ask("sync"))
    with client.messages.stream(max_tokens=50, **_ask("sync stream")) as stream:
        return "".join(stream.text_stream)


async def _use_anthropic_async(client: anthropic.AsyncAnthropic) -> None:
    await client.messages.create(max_tokens=50, **_ask("async"))
    async with client.messages.stream(max_tokens=50, **_ask("async stream")) as stream:
        async for _ in stream.text_stream:
            pass
    await client.close()


def _measured(file: Path, folder: Path) -> list[tuple[int, int]]:
    ledger = agentdyno.measure(file, out=folder)
    turns = ledger.table("turns").select("prefill_tokens", "decode_tokens")
    return sorted(turns.iter_rows())


def test_every_call_is_in_the_ledger_with_the_services_own_counts(
    service: Service, tmp_path: Path
) -> None:
    address, file = f"http://127.0.0.1:{service.server_port}", tmp_path / "runs" / "agent.jsonl"
    of_openai: Any = {"api_key": SECRET, "base_url": f"{address}/v1"}
    of_anthropic: Any = {"api_key": SECRET, "base_url": address}
    said: Any = {"task": "t1", "outcome": True, "variant": "lean"}
    text = _use_openai(agentdyno.record(openai.OpenAI(**of_openai), file, **said))
    assert text == "".join(PIECES)
    assert _use_anthropic(agentdyno.record(anthropic.Anthropic(**of_anthropic), file)) == text
    asyncio.run(_use_openai_async(agentdyno.record(openai.AsyncOpenAI(**of_openai), file)))
    asyncio.run(
        _use_anthropic_async(agentdyno.record(anthropic.AsyncAnthropic(**of_anthropic), file))
    )
    assert len(service.billed) == 8
    assert _measured(file, tmp_path / "ledger") == service.billed
    rows = agentdyno.open(tmp_path / "ledger").table("trajectories")
    solved = rows.filter(task_id="t1", correct=True, variant="lean")
    assert (len(solved), rows["correct"].count(), rows["calls"].sum()) == (2, 2, 2)


def test_no_secret_reaches_the_file_whole_or_in_pieces(service: Service, tmp_path: Path) -> None:
    address, file = f"http://127.0.0.1:{service.server_port}", tmp_path / "agent.jsonl"
    client = agentdyno.record(openai.OpenAI(api_key=SECRET, base_url=f"{address}/v1"), file)
    client.chat.completions.create(**_ask(f"The key is {SECRET}."))
    _use_openai(client)
    written = file.read_text()
    assert "is the key" in written
    assert not [piece for piece in (SECRET, *PIECES[1:3]) if piece in written]
    assert file.stat().st_mode & 0o077 == 0


def test_an_error_and_a_cancelled_stream_are_recorded_as_such(
    service: Service, tmp_path: Path
) -> None:
    address, file = f"http://127.0.0.1:{service.server_port}", tmp_path / "agent.jsonl"
    client = openai.OpenAI(api_key="x", base_url=f"{address}/v1", max_retries=0)
    agentdyno.record(client, file)
    with pytest.raises(openai.InternalServerError):
        client.chat.completions.create(**_ask("break"))
    with client.chat.completions.with_raw_response.create(**_ask("go", **STREAM)).parse() as pieces:
        next(iter(pieces))
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["response"]["status"] for line in lines] == [500, 200]
    assert _measured(file, tmp_path / "ledger")[-1] == service.billed[0]


def test_a_client_that_is_recorded_twice_writes_each_call_once(
    service: Service, tmp_path: Path
) -> None:
    address, file = f"http://127.0.0.1:{service.server_port}", tmp_path / "agent.jsonl"
    client = openai.OpenAI(api_key="x", base_url=f"{address}/v1")
    for task in ("first", "second"):
        agentdyno.record(client, file, task=task)
    client.chat.completions.create(**_ask("go"))
    [line] = map(json.loads, file.read_text().splitlines())
    assert line["task_id"] == "second"


def test_what_goes_wrong_while_recording_breaks_no_call(service: Service, tmp_path: Path) -> None:
    def wrong() -> str:
        raise RuntimeError("no task")

    address = f"http://127.0.0.1:{service.server_port}"
    client = openai.OpenAI(api_key="x", base_url=f"{address}/v1")
    agentdyno.record(client, tmp_path / "agent.jsonl", task=wrong)
    with pytest.warns(UserWarning, match="a call was not recorded: no task"):
        assert client.chat.completions.create(**_ask("go")).id == "chatcmpl-101"
    with warnings.catch_warnings(), pytest.raises(TypeError, match="expected a client of openai"):
        agentdyno.record(object(), tmp_path / "agent.jsonl")
