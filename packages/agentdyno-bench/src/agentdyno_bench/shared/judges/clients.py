"""How a judge's model is reached: clients by the entry point group `agentdyno.judge_clients`.

Takes a model's name, returns an `Ask`. Ours is Inspect, which knows every provider. The first
client that takes a name opens it.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from agentdyno.plugins import load_plugins
from agentdyno.records import InputError, printable
from agentdyno_bench.shared.judges.asking import Ask

GROUP = "agentdyno.judge_clients"


class JudgeClient(Struct, frozen=True):
    """A way to reach models."""

    name: str
    """Unique among the judge clients."""
    takes: Callable[[str], bool]
    """Whether it can reach the model of this name, PROVIDER/MODEL."""
    open: Callable[[str, str | None, Mapping[str, Any]], Ask]
    """Opens a model by name, address (None for the provider's own) and arguments. Sends nothing."""


@runtime_checkable
class Reachable(Protocol):
    """A model whose service can be asked, before any question is, whether it is there."""

    def require_reachable(self) -> None:
        """An `InputError` that says what to change when the service does not answer."""
        ...


def open_judge(name: str, base_url: str | None, arguments: Mapping[str, Any]) -> Ask:
    """A judge's model; nothing is sent before it is asked."""
    if "/" not in name:
        raise InputError(
            f"{printable(name, 60)}: expected PROVIDER/MODEL, as in openai/gpt-4.1 or "
            "agentdyno/smollm2."
        )
    for client in load_plugins(GROUP, JudgeClient)[0].values():
        if client.takes(name):
            return client.open(name, base_url, arguments)
    raise InputError(
        f"{printable(name, 60)}: expected openai/MODEL, openrouter/MODEL, ollama/MODEL, "
        "openai-api/SERVICE/MODEL or a provider of Inspect, found one that no client knows."
    )
