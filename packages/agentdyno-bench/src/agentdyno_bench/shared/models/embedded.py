"""Models that come with AgentDyno, for Inspect: the entry point group `agentdyno.models`.

`agentdyno/NAME` is one of them, and so is `agentdyno/NAME/LABEL`, where the label only tells
settings apart, such as two scripts. This package brings `scripted`; agentdyno-train brings the
embedded ones. Knows nothing of how a model answers.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from agentdyno.plugins import load_plugins
from agentdyno.records import InputError, printable

GROUP = "agentdyno.models"
AGENT = "agentdyno/smollm2-agent"
"""The agent that attempts a benchmark where the user names no model."""
OF_TRAIN = ("smollm2", "smollm2-agent")


class EmbeddedModel(Struct, frozen=True):
    """A model that Inspect opens as `agentdyno/NAME`."""

    name: str
    """Name without the prefix `agentdyno/`."""
    open: Callable[..., Any]
    """Takes what Inspect gives a provider: name, address, key, config and arguments. Returns a
    `ModelAPI`."""


def find_model(name: str) -> EmbeddedModel:
    """The model of this name; an `InputError` says what is there, or which package has it."""
    models = load_plugins(GROUP, EmbeddedModel)[0]
    name = name.partition("/")[0]
    if name in models:
        return models[name]
    if name in OF_TRAIN:
        raise InputError(f"agentdyno/{name} needs agentdyno-train: pip install agentdyno[train]")
    names = ", ".join(f"agentdyno/{entry}" for entry in models)
    raise InputError(f"expected one of {names}, found agentdyno/{printable(name)}.")
