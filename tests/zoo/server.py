"""A stand-in for a service of models: chat completions over HTTP, answered by policies.

    with serve() as zoo:
        agentdyno bench toolfail --model zoo.model("good") --base-url zoo.address -M api_key=zoo

A model's name is the name of a policy. What it is asked about is found from the conversation, so
one address serves every benchmark. The same request always gets the same answer.
"""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from agentdyno_bench.shared.models.scripted import Reply

Fields = dict[str, Any]


class Cut(Reply, frozen=True):
    """A reply that breaks off: its stream ends and never says why."""


class Refusal(Reply, frozen=True):
    """No reply but an error of the service, such as 429 or 500."""

    status: int = 500


class Conversation(NamedTuple):
    """What a model is asked."""

    messages: list[Fields]
    """System, user, assistant and tool messages, as the protocol has them."""
    offered: tuple[str, ...]
    """Names of the offered tools."""
    choice: Any = "auto"
    """`auto`, `none`, or the tool that is asked for."""
    streamed: bool = False
    """Whether the answer is to be streamed."""
    temperature: float | None = None
    """The temperature that is asked for."""

    @property
    def said(self) -> list[str]:
        """The user's messages."""
        return [str(m["content"]) for m in self.messages if m["role"] == "user"]

    @property
    def system(self) -> str:
        """The system message; empty without one."""
        return next((str(m["content"]) for m in self.messages if m["role"] == "system"), "")

    @property
    def results(self) -> dict[str, str]:
        """What tools returned, by the id of the call."""
        return {m["tool_call_id"]: _text(m) for m in self.messages if m["role"] == "tool"}

    def turn_after(self, message: str) -> int:
        """Replies since the user's last message of this text."""
        places = [n for n, m in enumerate(self.messages) if m["role"] == "user"]
        begin = max(n for n in places if str(self.messages[n]["content"]) == message)
        return sum(m["role"] == "assistant" for m in self.messages[begin:])


def _text(message: Fields) -> str:
    content = message["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


Answering = Callable[[str, Conversation], Reply | None]
"""A policy's reply; None where the conversation is about something else."""


class Zoo:
    """The running service."""

    def __init__(self, address: str, answering: Sequence[Answering]) -> None:
        self.address = address
        self.requests: list[tuple[str, Conversation]] = []
        """Every request so far: policy and conversation."""
        self.billed_tokens = 0
        """Of all answers, those that were cut too."""
        self._answering = answering

    def model(self, policy: str) -> str:
        """The name by which Inspect reaches a policy."""
        return f"openai-api/zoo/{policy}"

    def reply(self, policy: str, asked: Conversation) -> Reply | None:
        """What the policy says; None where nobody knows it, or what it is asked about."""
        self.requests.append((policy, asked))
        found = (answer(policy, asked) for answer in self._answering)
        return next((reply for reply in found if reply is not None), None)


def everything() -> list[Answering]:
    """The policies of all benchmarks, and the judge of failures."""
    from tests.zoo import judge, tir, toolfail, tps

    return [judge.answer, toolfail.answer, tps.answer, tir.answer]


@contextmanager
def serve(answering: Sequence[Answering] | None = None, port: int = 0) -> Iterator[Zoo]:
    """The service, on a free port unless one is given: a run goes on only at the same address."""
    with ThreadingHTTPServer(("127.0.0.1", port), _Handler) as server:
        address = f"http://127.0.0.1:{server.server_port}/v1"
        zoo = Zoo(address, everything() if answering is None else answering)
        server.zoo = zoo  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield zoo
        server.shutdown()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """The list of models names none, so that any may be asked."""
        self._send(200, {"object": "list", "data": []})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        tools = tuple(tool["function"]["name"] for tool in asked.get("tools") or ())
        streamed = bool(asked.get("stream"))
        talk = Conversation(
            asked["messages"],
            tools,
            asked.get("tool_choice", "auto"),
            streamed,
            asked.get("temperature"),
        )
        zoo: Zoo = self.server.zoo  # type: ignore[attr-defined]
        reply = zoo.reply(asked["model"], talk)
        if reply is not None and not isinstance(reply, Refusal):
            zoo.billed_tokens += _usage(asked, reply)["total_tokens"]
        if reply is None:
            self._send(404, {"error": {"message": f"no policy {asked['model']} for this"}})
        elif isinstance(reply, Refusal):
            self._send(reply.status, {"error": {"message": "as asked"}})
        elif streamed:
            self._stream(_pieces(asked, reply))
        else:
            self._send(200, _completion(asked, reply))

    def _send(self, status: int, body: Fields) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, pieces: list[Fields]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for piece in pieces:
            self.wfile.write(f"data: {json.dumps(piece)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""


def _completion(asked: Fields, reply: Reply) -> Fields:
    message = {"role": "assistant", "content": reply.text, "tool_calls": _calls(asked, reply)}
    choice = {"index": 0, "message": message, "finish_reason": _finish(reply)}
    return {**_head(asked, "chat.completion"), "choices": [choice], "usage": _usage(asked, reply)}


def _pieces(asked: Fields, reply: Reply) -> list[Fields]:
    calls = [{"index": n, **call} for n, call in enumerate(_calls(asked, reply) or ())]
    delta: Fields = {"role": "assistant", "content": reply.text}
    head = _head(asked, "chat.completion.chunk")
    begun = {"index": 0, "delta": delta | ({"tool_calls": calls} if calls else {})}
    first = {**head, "choices": [{**begun, "finish_reason": None}]}
    if isinstance(reply, Cut):
        return [first]
    last = {"index": 0, "delta": {}, "finish_reason": _finish(reply)}
    usage = {**head, "choices": [], "usage": _usage(asked, reply)}
    return [first, {**head, "choices": [last]}, usage]


def _head(asked: Fields, kind: str) -> Fields:
    return {"id": "zoo", "object": kind, "created": 0, "model": asked["model"]}


def _finish(reply: Reply) -> str | None:
    if isinstance(reply, Cut):
        return None
    return "tool_calls" if reply.calls else "stop"


def _calls(asked: Fields, reply: Reply) -> list[Fields] | None:
    turn = len(asked["messages"])
    return [
        {
            "id": call.id or f"call_{turn}_{number}",
            "type": "function",
            "function": {
                "name": call.tool,
                "arguments": call.arguments
                if isinstance(call.arguments, str)
                else json.dumps(call.arguments),
            },
        }
        for number, call in enumerate(reply.calls)
    ] or None


def _usage(asked: Fields, reply: Reply) -> Fields:
    """Characters, four to the token."""
    given = len(json.dumps([asked["messages"], asked.get("tools")])) // 4
    written = 1 + len(reply.text + json.dumps(_calls(asked, reply))) // 4
    return {
        "prompt_tokens": given,
        "completion_tokens": written,
        "total_tokens": given + written,
    }
