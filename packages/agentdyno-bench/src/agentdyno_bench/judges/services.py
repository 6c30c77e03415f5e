"""Where an OpenAI-compatible model is served: a name and an address in, URL and key out.

    openai/MODEL               OPENAI_BASE_URL, OPENAI_API_KEY
    openrouter/MODEL           OPENROUTER_BASE_URL, OPENROUTER_API_KEY
    ollama/MODEL, vllm/MODEL   OLLAMA_BASE_URL, VLLM_BASE_URL; a key only where one is set
    openai-api/SERVICE/MODEL   SERVICE_BASE_URL, SERVICE_API_KEY

The variables are those that Inspect reads. Keys are read when a model is opened and never printed.
"""

import os
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from agentdyno.records import InputError, printable

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
