"""Checks that a model's service answers before hundreds of samples are run.

Takes a model by name, returns nothing, or an error that says what to mend: the address, the
key, the name, or a service that does not run. The service is asked for its list of models, which
costs nothing; only where that leaves a doubt is it asked for a few words. Slow answers, refusals
and limits are the benchmark's to meet. Models of this process are not asked.
"""

import asyncio
import re
from typing import Any

import msgspec
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import ChatMessageUser, GenerateConfig, ModelAPI

from agentdyno.records import InputError, printable
from agentdyno_bench.shared.models.metered import open_model
from agentdyno_bench.shared.running.options import ModelSpec

PATIENCE_SECONDS = 30.0
"""A service that takes longer is there, and slow."""
_CLIENTS = ("AsyncOpenAI", "AsyncAzureOpenAI", "AsyncAnthropic")
_NO_KEY, _NOT_THERE = (401, 403), (404, 405)
_PRINTED_NAMES = 8
_MISSED = re.compile(r"No ([A-Z0-9_]+(?:,? or [A-Z0-9_]+)*) defined in the environment")


def require_reachable(spec: ModelSpec) -> None:
    """An error that says what to mend when the model cannot be reached."""
    key = msgspec.json.encode(spec, enc_hook=repr)
    if spec.name.startswith("agentdyno/") or key in _reached:
        return
    problem = asyncio.run(_find_problem(spec))
    if problem is not None:
        raise InputError(problem)
    _reached.add(key)


_reached: set[bytes] = set()
"""A run has many benchmarks and asks once."""


async def _find_problem(spec: ModelSpec) -> str | None:
    try:
        async with open_model(spec) as model, asyncio.timeout(PATIENCE_SECONDS):
            client = _client(model.api, spec)
            return None if client is None else await _problem(model.api, client, spec)
    except PrerequisiteError as error:
        return f"model {printable(spec.name)}: {_plain(error)}"
    except TimeoutError:
        return None


def _plain(error: PrerequisiteError) -> str:
    """Inspect's words, or ours where it misses a variable."""
    text = " ".join(re.sub(r"\[/?(?:bold|blue|italic)\]", "", str(error.message)).split())
    missed = _MISSED.search(text)
    if missed is None:
        return printable(text.removeprefix("ERROR: "), 400)
    instead = " or pass --base-url" if missed[1].endswith("_URL") else ""
    any_text = ", to any text where the service wants no key" if missed[1].endswith("_KEY") else ""
    return f"expected {missed[1]} in the environment, found none. Set it{any_text}{instead}."


def _client(api: ModelAPI, spec: ModelSpec) -> Any:
    """The provider's own client; None where it has none that could be asked."""
    client = getattr(api, "client", None)
    if type(client).__name__ in _CLIENTS:
        return client
    if client is None and spec.base_url and hasattr(api, "tools_to_openai"):
        from openai import AsyncOpenAI

        # A provider that connects only when it is first used.
        return AsyncOpenAI(base_url=spec.base_url, api_key=api.api_key or "none")
    return None


async def _problem(api: ModelAPI, client: Any, spec: ModelSpec) -> str | None:
    names, error = await _list_served(client)
    where = f"model {printable(spec.name)}: "
    address = printable(str(client.base_url), 200)
    if error is None and names is not None and (not names or _name_served(api) in names):
        return None
    if error is None or (_status(error) in (None, *_NOT_THERE) and not _is_away(error)):
        error = await _ask_once(api)
    reason = error is not None and (
        _no_service(error, address) or _no_key(error, address, api) or _no_model(error, names)
    )
    return where + reason if reason else None


async def _list_served(client: Any) -> tuple[list[str] | None, Exception | None]:
    """The models that a service says it has, or why it does not say; neither from a web page."""
    try:
        page = await client.models.list()
    except Exception as error:
        return None, error
    items = getattr(page, "data", None)
    if not isinstance(items, list):
        return None, None
    return [str(item.id) for item in items if hasattr(item, "id")], None


def _name_served(api: ModelAPI) -> str:
    name = getattr(api, "service_model_name", None)
    return str(name()) if name is not None else api.model_name


async def _ask_once(api: ModelAPI) -> Exception | None:
    """Send a few words; return the error, if any."""
    config = GenerateConfig(max_tokens=16)
    try:
        result = await api.generate([ChatMessageUser(content="Say yes.")], [], "none", config)
    except Exception as error:
        return error
    output = result[0] if isinstance(result, tuple) else result
    return output if isinstance(output, Exception) else None


def _status(error: Exception) -> int | None:
    return getattr(error, "status_code", None)


def _is_away(error: Exception) -> bool:
    return type(error).__name__ == "APIConnectionError"


def _no_service(error: Exception, address: str) -> str | None:
    if _is_away(error):
        why = printable(str(error.__cause__ or error), 150)
        return (
            f"expected a service at {address}, found none that can be reached ({why}). Start it, "
            "or pass its address with --base-url."
        )
    if "non-ChatCompletion" in str(error) or _status(error) == 405:
        return (
            f"expected an OpenAI-compatible service at {address}, found something else. Its "
            "address usually ends in /v1; pass it with --base-url."
        )
    return None


def _no_key(error: Exception, address: str, api: ModelAPI) -> str | None:
    if _status(error) not in _NO_KEY:
        return None
    variables = " or ".join(getattr(api, "api_key_vars", None) or ["the provider's variable"])
    return (
        f"expected a key that {address} accepts, found one that it refuses "
        f"({printable(str(error), 150)}). Set {variables}."
    )


def _no_model(error: Exception, names: list[str] | None) -> str | None:
    if _status(error) != 404:
        return None
    if not names:
        return (
            f"expected a service that has this model, found {printable(str(error), 150)}. The "
            "address usually ends in /v1 (--base-url), or the name is not the one it is served as."
        )
    more = f" and {len(names) - _PRINTED_NAMES} more" if len(names) > _PRINTED_NAMES else ""
    available = ", ".join(printable(name, 80) for name in names[:_PRINTED_NAMES])
    return f"expected a model that the service has, found another name. It has {available}{more}."
