"""A judge by an OpenAI-compatible service: a conversation in, an answer with its usage out.

The small client of the core: chat completions, temperature 0, the answer held to its schema. A
service that does not know one of these options is asked again without it.
"""

import asyncio
import json
import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.records import InputError, printable
from agentdyno_bench.shared.judges.asking import Answer, Message, answer_schema
from agentdyno_bench.shared.judges.clients import JudgeClient
from agentdyno_bench.shared.judges.forms import Form
from agentdyno_bench.shared.judges.http_json import ServiceError, request_json

#     openai/MODEL               OPENAI_BASE_URL, OPENAI_API_KEY
#     openrouter/MODEL           OPENROUTER_BASE_URL, OPENROUTER_API_KEY
#     ollama/MODEL, vllm/MODEL   OLLAMA_BASE_URL, VLLM_BASE_URL; a key only where one is set
#     openai-api/SERVICE/MODEL   SERVICE_BASE_URL, SERVICE_API_KEY
#
# The variables are those that Inspect reads. Keys are read when a model is opened and never
# printed.
KNOWN_ADDRESSES = {
    "openai": "https://api.openai.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "ollama": "http://localhost:11434/v1",
    "vllm": "http://localhost:8000/v1",
}
WITHOUT_KEY = ("ollama", "vllm")
"""Services that usually run on one's own machine and ask for no key."""
OTHER = "openai-api"


class Service(Struct, frozen=True):
    """One model at one address."""

    model: str
    """The name that the service knows it by."""
    base_url: str
    """Without a slash at its end."""
    key: str | None
    """Sent as a bearer token; None where the service asks for none."""
    key_variable: str
    """The variable of the environment that holds the key."""

    def __repr__(self) -> str:
        """Without the key."""
        return f"Service({self.model!r}, {self.base_url!r})"


def is_served(name: str) -> bool:
    """Whether a model's name says that its service is OpenAI-compatible."""
    provider, _, model = name.partition("/")
    return provider in KNOWN_ADDRESSES or (provider == OTHER and "/" in model)


def find_service(name: str, base_url: str | None, arguments: Mapping[str, Any]) -> Service:
    """The service of a model; an `InputError` names the variable that is missing."""
    provider, _, model = name.partition("/")
    if provider == OTHER:
        provider, _, model = model.partition("/")
    prefix = provider.upper().replace("-", "_")
    address = base_url or os.environ.get(f"{prefix}_BASE_URL") or KNOWN_ADDRESSES.get(provider)
    if not address:
        raise InputError(_describe_missing(name, f"{prefix}_BASE_URL", " or pass --base-url"))
    if not address.startswith(("http://", "https://")):
        found = printable(address, 100)
        raise InputError(f"--base-url: expected http://… or https://…, found {found}.")
    key = arguments.get("api_key") or os.environ.get(f"{prefix}_API_KEY")
    if key is None and provider not in WITHOUT_KEY:
        any_text = ", to any text where the service wants no key"
        raise InputError(_describe_missing(name, f"{prefix}_API_KEY", any_text))
    return Service(
        model, address.rstrip("/"), None if key is None else str(key), f"{prefix}_API_KEY"
    )


def _describe_missing(name: str, variable: str, instead: str) -> str:
    return (
        f"model {printable(name, 60)}: expected {variable} in the environment, found none. "
        f"Set it{instead}."
    )


LISTING_SECONDS = 30.0
"""A service that takes longer to list its models is there, and slow."""
_READ, _NO_KEY, _ELSEWHERE = 200, (401, 403), (404, 405)
_MOST_NAMES = 8
_OURS = ("api_key", "timeout_seconds")


class _Reply(Struct):
    content: str | None = None


class _Choice(Struct):
    message: _Reply


class _Usage(Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Completion(Struct):
    choices: list[_Choice]
    usage: _Usage | None = None


class ServedAsk:
    """A model of an OpenAI-compatible service."""

    def __init__(
        self,
        name: str,
        base_url: str | None = None,
        arguments: Mapping[str, Any] | None = None,
        max_tokens: int = 1000,
    ) -> None:
        self.name = name
        self.base_url = base_url
        self.arguments = dict(arguments or {})
        """`api_key`, `timeout_seconds`; anything else is a field of every request."""
        self._service: Service = find_service(name, base_url, self.arguments)
        self._max_tokens = max_tokens
        self._refused: set[str] = set()

    @property
    def settings(self) -> str:
        """Where the model is, what every request holds, and limits, as JSON; never the key."""
        given = {name: value for name, value in self.arguments.items() if name not in _OURS}
        settings = [self._service.base_url, given, {"max_tokens": self._max_tokens}]
        return json.dumps(settings, sort_keys=True, default=repr)

    async def ask(self, conversation: tuple[Message, ...], form: Form) -> Answer:
        # A thread of its own, which ends with the process: Ctrl-C waits for no service.
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[Answer] = loop.create_future()

        def hand_over(found: Answer | Exception) -> None:
            if answered.done():  # Nobody waits any more.
                return
            if isinstance(found, Exception):
                answered.set_exception(found)
            else:
                answered.set_result(found)

        def ask() -> None:
            try:
                found: Answer | Exception = self._ask(conversation, form)
            except Exception as error:
                found = error
            with suppress(RuntimeError):  # The loop is gone.
                loop.call_soon_threadsafe(hand_over, found)

        threading.Thread(target=ask, daemon=True).start()
        return await answered

    async def close(self) -> None:
        """Every request has a connection of its own, and nothing stays open."""

    def require_reachable(self) -> None:
        """Asks the service for its list of models, which costs nothing."""
        where = f"model {printable(self.name)}: "
        address = printable(self._service.base_url, 200) + "/"
        try:
            found = self._request("/models", None, LISTING_SECONDS, retries=0)
        except ServiceError as error:
            if problem := self._unreachable(error, address):
                raise InputError(where + problem) from None
            return
        names = _names(found)
        if names and self._service.model not in names:
            more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
            known = ", ".join(printable(name, 80) for name in names[:_MOST_NAMES])
            raise InputError(
                f"{where}expected a model that the service has, found another name. It has "
                f"{known}{more}."
            )

    def _unreachable(self, error: ServiceError, address: str) -> str | None:
        """What is wrong; None for a service that is there but does not list its models."""
        if error.status is None:
            return (
                f"expected a service at {address}, found none that can be reached ({error}). "
                "Start it, or pass its address with --base-url."
            )
        if error.status == _READ:
            return (
                f"expected an OpenAI-compatible service at {address}, found something else. Its "
                "address usually ends in /v1; pass it with --base-url."
            )
        if error.status in _NO_KEY:
            return (
                f"expected a key that {address} accepts, found one that it refuses ({error}). "
                f"Set {self._service.key_variable}."
            )
        return None

    def _ask(self, conversation: tuple[Message, ...], form: Form) -> Answer:
        while True:
            fields = self._fields(conversation, form)
            try:
                return self._answer(self._request("/chat/completions", fields))
            except ServiceError as error:
                option = _find_refused_option(error, fields)
                if option is None:
                    raise self._explain(error) from None
                self._refused.add(option)

    def _request(
        self,
        path: str,
        fields: Mapping[str, Any] | None,
        timeout_seconds: float | None = None,
        **how: Any,
    ) -> Any:
        patience = timeout_seconds or float(self.arguments.get("timeout_seconds", 600.0))
        return request_json(
            self._service.base_url + path, fields, self._service.key, patience, **how
        )

    def _fields(self, conversation: tuple[Message, ...], form: Form) -> dict[str, Any]:
        schema = {"name": "verdict", "schema": answer_schema(form)}
        options: dict[str, Any] = {
            "temperature": 0.0,
            "response_format": {"type": "json_schema", "json_schema": schema},
            "max_tokens": self._max_tokens,
        }
        if "max_tokens" in self._refused:
            options["max_completion_tokens"] = self._max_tokens
        kept = {name: value for name, value in options.items() if name not in self._refused}
        own = {name: value for name, value in self.arguments.items() if name not in _OURS}
        messages = [
            {"role": statement.role, "content": statement.text} for statement in conversation
        ]
        return {"model": self._service.model, "messages": messages, **kept, **own}

    def _answer(self, found: Any) -> Answer:
        try:
            completion = msgspec.convert(found, _Completion)
            text = completion.choices[0].message.content or ""
        except (msgspec.ValidationError, IndexError) as error:
            raise ServiceError(f"expected a chat completion, found none ({error})") from None
        usage = completion.usage or _Usage()
        return Answer(text, usage.prompt_tokens, usage.completion_tokens)

    def _explain(self, error: ServiceError) -> Exception:
        if error.status in _ELSEWHERE:
            return ServiceError(
                f"{error}. Its address usually ends in /v1 (--base-url), or the name is not the "
                "one it is served as.",
                error.status,
            )
        return error


def _find_refused_option(error: ServiceError, fields: Mapping[str, Any]) -> str | None:
    """The option that a service of this kind may not know, where its refusal names one."""
    if error.status not in (400, 422):
        return None
    options = ("max_tokens", "temperature", "response_format")
    return next((name for name in options if name in fields and name in str(error)), None)


def _names(found: Any) -> list[str]:
    items = found.get("data") if isinstance(found, dict) else None
    listed = items if isinstance(items, list) else []
    return [str(item["id"]) for item in listed if isinstance(item, dict) and "id" in item]


CLIENT = JudgeClient("openai-compatible", is_served, ServedAsk)
