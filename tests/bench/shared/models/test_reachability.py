"""A model that cannot be reached is said before anything runs: what to mend, in one line."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import pytest

web = pytest.importorskip("aiohttp.web", reason="the server of the test needs aiohttp")

from agentdyno.records import InputError
from agentdyno_bench import ModelSpec
from agentdyno_bench.shared.models import reachability
from agentdyno_bench.shared.models.reachability import require_reachable

Handler = Callable[[Any], Any]


@pytest.fixture(autouse=True)
def _asked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is reached is not asked again, and a later test's service may get the same port."""
    monkeypatch.setattr(reachability, "_reached", set())


@contextmanager
def serving(models: Handler, chat: Handler) -> Iterator[str]:
    """A service with a list of models and an answer of the test's own."""
    loop, ready, place = asyncio.new_event_loop(), Event(), []

    async def start() -> Any:
        app = web.Application()
        app.router.add_get("/v1/models", _async(models))
        app.router.add_post("/v1/chat/completions", _async(chat))
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        place.append(runner.addresses[0][1])
        return runner

    def run() -> None:
        runner = loop.run_until_complete(start())
        ready.set()
        loop.run_forever()
        loop.run_until_complete(runner.cleanup())
        loop.close()

    thread = Thread(target=run, daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield f"http://127.0.0.1:{place[0]}/v1"
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)


def _async(handler: Handler) -> Handler:
    async def answer(request: Any) -> Any:
        return handler(request)

    return answer


def lists(*names: str) -> Handler:
    data = [{"id": name, "object": "model", "created": 0, "owned_by": "me"} for name in names]
    return lambda request: web.json_response({"object": "list", "data": data})


def fails(status: int) -> Handler:
    body = {"error": {"message": "as asked", "type": "t", "code": "c"}}
    return lambda request: web.json_response(body, status=status)


def never(request: Any) -> Any:
    raise AssertionError("nothing had to be generated")


def says_yes(request: Any) -> Any:
    message = {"role": "assistant", "content": "yes"}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return web.json_response({"id": "x", "object": "chat.completion", "created": 0, "model": "m",
                              "choices": [choice], "usage": usage})  # fmt: skip


def spec(address: str, name: str = "openai-api/my-lab/qwen") -> ModelSpec:
    return ModelSpec(name, address, {"api_key": "secret"})


def page(request: Any) -> Any:
    return web.Response(text="<html>hello</html>", content_type="text/html")


@pytest.mark.parametrize(
    ("models", "chat"),
    [
        (lists("qwen"), never),
        (lists("other", "qwen"), never),
        (lists(), never),
        (lists("other"), says_yes),
        (fails(404), says_yes),
        # What may pass is left to the run.
        *((fails(status), never) for status in (400, 429, 500)),
    ],
)
def test_a_service_that_lists_the_model_or_answers_will_do(models: Handler, chat: Handler) -> None:
    with serving(models, chat) as address:
        require_reachable(spec(address))


@pytest.mark.parametrize("model", [None, "vllm/qwen"], ids=["at once", "connects late"])
def test_nobody_there(model: str | None) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(InputError, match=r"found none that can be reached .* --base-url"):
            require_reachable(ModelSpec(model, address) if model else spec(address))


def test_an_address_without_a_scheme() -> None:
    with pytest.raises(InputError, match=r"http://.*--base-url"):
        require_reachable(spec("localhost:1/v1"))


@pytest.mark.parametrize(
    ("models", "chat", "said"),
    [
        (fails(401), never, r"expected a key.*MY_LAB_API_KEY"),
        (fails(403), never, r"expected a key.*MY_LAB_API_KEY"),
        (fails(404), fails(401), "MY_LAB_API_KEY"),
        (lists("llama", "mistral"), fails(404), r"It has llama, mistral\.$"),
        (lists(*(f"m{n}" for n in range(30))), fails(404), r"m7 and 22 more\.$"),
        (fails(404), fails(404), "usually ends in /v1"),
        (fails(404), fails(405), "usually ends in /v1"),
        (fails(404), page, "usually ends in /v1"),
        (page, page, "usually ends in /v1"),
    ],
)
def test_what_is_wrong_is_said_with_a_remedy(models: Handler, chat: Handler, said: str) -> None:
    with serving(models, chat) as address, pytest.raises(InputError, match=said) as caught:
        require_reachable(spec(address))
    assert "secret" not in str(caught.value)


def test_a_missing_key_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MY_LAB_API_KEY", raising=False)
    expected = r"expected MY_LAB_API_KEY in the environment, found none\. Set it"
    with pytest.raises(InputError, match=expected):
        require_reachable(ModelSpec("openai-api/my-lab/qwen", "http://127.0.0.1:1/v1"))


def test_a_missing_address_names_the_option() -> None:
    with pytest.raises(InputError, match=r"MY_LAB_BASE_URL .* or pass --base-url\."):
        require_reachable(ModelSpec("openai-api/my-lab/qwen", None, {"api_key": "none"}))


def test_models_of_this_process_are_not_asked() -> None:
    require_reachable(ModelSpec("agentdyno/scripted"))
