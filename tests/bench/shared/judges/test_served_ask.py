"""The core's own client of OpenAI-compatible services, against a service in this process."""

import asyncio
import threading
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from agentdyno.records import InputError
from agentdyno_bench.shared.judges import http_json
from agentdyno_bench.shared.judges.asking import Answer, Message
from agentdyno_bench.shared.judges.clients import Reachable, open_judge
from agentdyno_bench.shared.judges.forms import Form
from agentdyno_bench.shared.judges.http_json import ServiceError, request_json
from agentdyno_bench.shared.judges.served_ask import ServedAsk
from tests.bench.shared.judges.served import Fields, Reply, Service, completion, serve

FORM = Form(("yes", "no"))
SAID = (Message("system", "Judge."), Message("user", "Is it so?"))
KEY = "key-of-this-test"


@pytest.fixture
def service() -> Iterator[Service]:
    with serve() as found:
        yield found


def opened(service: Service, **arguments: Any) -> ServedAsk:
    return ServedAsk("openai-api/lab/m", service.address, {"api_key": KEY, **arguments})


def ask(model: ServedAsk) -> Answer:
    return asyncio.run(model.ask(SAID, FORM))


def test_an_answer_comes_with_its_usage_and_is_asked_for_in_its_schema(service: Service) -> None:
    assert ask(opened(service, reasoning_effort="low")) == Answer("yes", 12, 3)
    (asked,) = service.asked
    assert (asked["model"], asked["temperature"], asked["max_tokens"]) == ("m", 0, 1000)
    assert [message["role"] for message in asked["messages"]] == ["system", "user"]
    schema = asked["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["label"]["enum"] == ["yes", "no"]
    assert asked["reasoning_effort"] == "low"
    assert "api_key" not in asked
    assert service.keys == [f"Bearer {KEY}"]


def test_many_questions_are_in_flight_at_once(service: Service) -> None:
    together = threading.Barrier(12, timeout=60)

    def reply(asked: Fields | None) -> Reply:
        together.wait()  # Nobody is answered before all have asked.
        return 200, completion("yes")

    service.reply = reply
    model = opened(service)

    async def all_of_them() -> list[Answer]:
        return await asyncio.gather(*(model.ask(SAID, FORM) for _ in range(12)))

    assert len(asyncio.run(all_of_them())) == 12


def test_a_busy_service_is_asked_again_when_it_says(service: Service) -> None:
    service.headers = {"Retry-After": "7"}
    statuses = iter([429, 503, 200])
    service.reply = lambda asked: (next(statuses), completion("yes"))
    waited: list[float] = []
    found = request_json(f"{service.address}/x", {}, sleep=waited.append)
    assert found["choices"]
    assert waited == [7.0, 7.0]


def test_without_a_time_the_pauses_grow_and_end(service: Service) -> None:
    service.reply = lambda asked: (500, "no")
    waited: list[float] = []
    with pytest.raises(ServiceError, match="500 no") as refused:
        request_json(f"{service.address}/x", {}, sleep=waited.append)
    assert refused.value.status == 500
    assert len(waited) == http_json.RETRIES
    assert all(later > sooner for sooner, later in pairwise(waited))
    assert len(service.asked) == http_json.RETRIES + 1


def test_an_option_that_a_service_does_not_know_is_left_out(service: Service) -> None:
    def reply(asked: Fields | None) -> Reply:
        asked = asked or {}
        for option in ("max_tokens", "temperature", "response_format"):
            if option in asked:
                return 400, {"error": {"message": f"Unsupported parameter: '{option}'"}}
        return 200, completion("no")

    service.reply = reply
    model = opened(service)
    assert ask(model).text == "no"
    assert service.asked[-1]["max_completion_tokens"] == 1000
    asked = len(service.asked)
    assert ask(model).text == "no"  # What was learnt is kept.
    assert len(service.asked) == asked + 1


def test_a_key_is_in_no_message_and_no_name(service: Service) -> None:
    service.reply = lambda asked: (401, {"error": f"Incorrect API key provided: {KEY}"})
    model = opened(service)
    with pytest.raises(ServiceError) as refused:
        ask(model)
    with pytest.raises(InputError, match="found one that it refuses") as told:
        model.require_reachable()
    assert "Set LAB_API_KEY" in str(told.value)
    assert KEY not in str(refused.value) + str(told.value) + repr(model._service)


def test_a_service_that_is_none_is_told_from_one_that_is_away(service: Service) -> None:
    assert isinstance(opened(service), Reachable)
    service.reply = lambda asked: (200, "<html>hello</html>")
    with pytest.raises(InputError, match="found something else"):
        opened(service).require_reachable()
    away = ServedAsk("openai-api/lab/m", "http://127.0.0.1:1/v1", {"api_key": KEY})
    with pytest.raises(InputError, match="found none that can be reached"):
        away.require_reachable()
    service.reply = lambda asked: (200, {"data": [{"id": "other"}]})
    with pytest.raises(InputError, match="It has other"):
        opened(service).require_reachable()
    service.reply = lambda asked: (404, "")
    opened(service).require_reachable()  # It does not list its models, and may still have them.


def test_an_answer_that_is_no_completion_is_an_error_and_not_a_crash(service: Service) -> None:
    for hostile in ({}, {"choices": []}, {"choices": [{"message": {"content": 7}}]}, [1]):
        service.reply = lambda asked, body=hostile: (200, body)
        with pytest.raises(ServiceError, match="expected a chat completion"):
            ask(opened(service))


def test_a_redirect_is_not_followed_with_the_key(service: Service) -> None:
    service.headers = {"Location": f"{service.address}/elsewhere"}
    service.reply = lambda asked: (302, "")
    with pytest.raises(ServiceError, match="302"):
        ask(opened(service))
    assert len(service.asked) == 1


def test_addresses_and_keys_come_from_the_environment(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_LAB_BASE_URL", service.address)
    with pytest.raises(InputError, match="expected MY_LAB_API_KEY in the environment"):
        open_judge("openai-api/my-lab/m", None, {})
    monkeypatch.setenv("MY_LAB_API_KEY", KEY)
    ask(open_judge("openai-api/my-lab/org/m", None, {}))  # type: ignore[arg-type]
    assert (service.asked[0]["model"], service.keys) == ("org/m", [f"Bearer {KEY}"])
    with pytest.raises(InputError, match="expected NO_LAB_BASE_URL in the environment"):
        open_judge("openai-api/no-lab/m", None, {})
    with pytest.raises(InputError, match="expected http"):
        open_judge("openai-api/my-lab/m", "file:///etc/passwd", {})
    with pytest.raises(InputError, match="expected PROVIDER/MODEL"):
        open_judge("gpt", None, {})


def test_other_providers_need_another_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "agentdyno_bench.shared.judges.clients.load_plugins", lambda group, kind: ({}, [])
    )
    with pytest.raises(InputError, match="found one that no client knows"):
        open_judge("anthropic/claude", None, {})
