"""A fake OpenAI-compatible server with a set latency, for measuring and testing clients.

It answers `/v1/chat/completions`: a conversation without a tool result gets a tool call when
tools are offered, any other gets text. How long the server itself took stands in each answer as
`served_seconds`, and for all of them at `/v1/served`, so that a client's latencies can be checked
against the truth. Streams when asked to.

    python bench/fake_server.py --latency 0.5        prints its address and serves until killed
    with FakeServer(reply=my_function) as server:    in a thread; server.requests is what came in
"""

import argparse
import asyncio
import json
import threading
import time
from collections.abc import Callable
from typing import Any

from aiohttp import web

Body = dict[str, Any]
Reply = Callable[[Body], Body]
"""Request body in, assistant message out."""


def default_reply(body: Body) -> Body:
    """A tool call first, text after its result."""
    tools = body.get("tools") or []
    answered = any(message["role"] == "tool" for message in body["messages"])
    if not tools or answered or body.get("tool_choice") == "none":
        return {"role": "assistant", "content": "<ANSWER>4</ANSWER>"}
    function = tools[0]["function"]
    names = list(function["parameters"].get("properties", {}))
    arguments = json.dumps(dict.fromkeys(names, "2 + 2"))
    call = {"name": function["name"], "arguments": arguments}
    made = [{"id": "call_1", "type": "function", "function": call}]
    return {"role": "assistant", "content": None, "tool_calls": made}


def make_app(
    latency_seconds: float, reply: Reply = default_reply, seen: list[Body] | None = None
) -> web.Application:
    """The server's application; requests are kept in `seen`."""

    served: list[float] = []

    async def complete(request: web.Request) -> web.StreamResponse:
        began = time.perf_counter()
        body = await request.json()
        if seen is not None:
            seen.append(body)
        message = reply(body)
        if "status" in message:
            return web.json_response({"error": {"message": "as asked"}}, status=message["status"])
        if body.get("stream"):
            return await _stream(request, body, message, latency_seconds, began)
        await asyncio.sleep(latency_seconds - (time.perf_counter() - began))
        served.append(time.perf_counter() - began)
        return web.json_response(_completion(body, message, served[-1]))

    async def told(request: web.Request) -> web.Response:
        """The truth about the latencies since the last question."""
        answer = web.json_response(list(served))
        served.clear()
        return answer

    async def models(request: web.Request) -> web.Response:
        """Any name will do, so none is listed."""
        return web.json_response({"object": "list", "data": []})

    app = web.Application(client_max_size=64 * 2**20)
    app.router.add_post("/v1/chat/completions", complete)
    app.router.add_get("/v1/models", models)
    app.router.add_get("/v1/served", told)
    return app


def _completion(body: Body, message: Body, seconds: float) -> Body:
    finish = "tool_calls" if message.get("tool_calls") else "stop"
    return {
        "id": "chatcmpl-fake",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": body.get("model", "fake"),
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": _usage(body),
        "served_seconds": seconds,
    }


def _usage(body: Body) -> dict[str, int]:
    prompt = sum(len(str(message.get("content"))) for message in body["messages"]) // 4
    return {"prompt_tokens": prompt, "completion_tokens": 12, "total_tokens": prompt + 12}


async def _stream(
    request: web.Request, body: Body, message: Body, latency_seconds: float, began: float
) -> web.StreamResponse:
    """The first piece after half of the latency, the rest after all of it."""
    response = web.StreamResponse(headers={"content-type": "text/event-stream"})
    await response.prepare(request)
    await asyncio.sleep(latency_seconds / 2)
    first = {"role": "assistant", "content": (message.get("content") or "")[:1]}
    await _send(response, _chunk(body, first, None))
    await asyncio.sleep(latency_seconds / 2)
    rest: Body = {"content": (message.get("content") or "")[1:]}
    if calls := message.get("tool_calls"):
        rest = {"tool_calls": [{"index": i, **call} for i, call in enumerate(calls)]}
    await _send(response, _chunk(body, rest, "tool_calls" if calls else "stop"))
    usage = _chunk(body, None, None) | {"choices": [], "usage": _usage(body)}
    await _send(response, usage | {"served_seconds": time.perf_counter() - began})
    await response.write(b"data: [DONE]\n\n")
    return response


def _chunk(body: Body, delta: Body | None, finish: str | None) -> Body:
    return {
        "id": "chatcmpl-fake",
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": body.get("model", "fake"),
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }


async def _send(response: web.StreamResponse, chunk: Body) -> None:
    await response.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")


class FakeServer:
    """The server in a thread of this process, on a free port."""

    def __init__(self, latency_seconds: float = 0.0, reply: Reply = default_reply) -> None:
        self.requests: list[Body] = []
        self.address = ""
        self._app = make_app(latency_seconds, reply, self.requests)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._ready = threading.Event()

    def __enter__(self) -> "FakeServer":
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        runner, self.address = self._loop.run_until_complete(started(self._app))
        self._ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(runner.cleanup())
        self._loop.close()


async def started(app: web.Application, port: int = 0) -> tuple[web.AppRunner, str]:
    """Serves on the loopback; the address as clients want it."""
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port, backlog=4096)
    await site.start()
    port = runner.addresses[0][1]
    return runner, f"http://127.0.0.1:{port}/v1"


async def serve(latency_seconds: float, port: int) -> None:
    """Until killed."""
    _, address = await started(make_app(latency_seconds), port)
    print(address, flush=True)
    await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--latency", type=float, default=0.5, help="seconds for each answer")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    options = parser.parse_args()
    asyncio.run(serve(options.latency, options.port))


if __name__ == "__main__":
    main()
