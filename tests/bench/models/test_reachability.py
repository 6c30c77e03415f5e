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
from agentdyno_bench.models import reachability
from agentdyno_bench.models.reachability import require_reachable

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


def problem(models: Handler, chat: Handler) -> str:
    with serving(models, chat) as address, pytest.raises(InputError) as caught:
        require_reachable(spec(address))
    assert "secret" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("names", [["qwen"], ["other", "qwen"], []])
def test_a_service_that_lists_the_model_or_nothing_is_not_asked_more(names: list[str]) -> None:
    with serving(lists(*names), never) as address:
        require_reachable(spec(address))


def test_a_model_that_is_served_without_being_listed_will_do() -> None:
    with serving(lists("other"), says_yes) as address:
        require_reachable(spec(address))


def test_a_service_without_a_list_is_asked_for_a_word() -> None:
    with serving(fails(404), says_yes) as address:
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


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key(status: int) -> None:
    told = problem(fails(status), never)
    assert "expected a key" in told
    assert "MY_LAB_API_KEY" in told


def test_a_key_that_only_the_answer_needs() -> None:
    assert "MY_LAB_API_KEY" in problem(fails(404), fails(401))


def test_an_unknown_model_is_told_which_there_are() -> None:
    told = problem(lists("llama", "mistral"), fails(404))
    assert told.endswith("It has llama, mistral.")


def test_many_models_are_not_all_named() -> None:
    told = problem(lists(*(f"m{n}" for n in range(30))), fails(404))
    assert told.endswith("m7 and 22 more.")


def test_a_wrong_path() -> None:
    assert "usually ends in /v1" in problem(fails(404), fails(404))
    assert "usually ends in /v1" in problem(fails(404), fails(405))


def test_a_page_where_a_service_was_expected() -> None:
    def page(request: Any) -> Any:
        return web.Response(text="<html>hello</html>", content_type="text/html")

    assert "usually ends in /v1" in problem(fails(404), page)
    assert "usually ends in /v1" in problem(page, page)


@pytest.mark.parametrize("status", [400, 429, 500])
def test_what_may_pass_is_left_to_the_run(status: int) -> None:
    with serving(fails(status), never) as address:
        require_reachable(spec(address))


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
