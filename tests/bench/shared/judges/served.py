"""A stand-in for a service of models, in this process."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Fields = dict[str, Any]
Reply = tuple[int, Fields | str]


class Service:
    """Answers what its function says, and keeps what it was sent."""

    def __init__(self) -> None:
        self.reply: Callable[[Fields], Reply] = lambda asked: (200, completion("yes"))
        self.asked: list[Fields] = []
        self.address = ""


@contextmanager
def serve() -> Iterator[Service]:
    """A service on a port of its own."""
    found = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(200, {"object": "list", "data": []})

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            found.asked.append(asked)
            self._send(*found.reply(asked))

        def _send(self, status: int, body: Fields | str) -> None:
            data = (body if isinstance(body, str) else json.dumps(body)).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        found.address = f"http://127.0.0.1:{server.server_port}/v1"
        yield found
        server.shutdown()
        thread.join()


def completion(text: str) -> Fields:
    """A reply with its usage."""
    usage = {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return {"id": "c", "object": "chat.completion", "created": 0, "model": "m",
            "choices": [choice], "usage": usage}  # fmt: skip
