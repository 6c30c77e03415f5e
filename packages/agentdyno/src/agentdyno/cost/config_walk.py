"""Counts a model from itself where a package that can build models is installed.

Takes a config whose type the core does not understand, returns the `Architecture` that a walker of
the group `agentdyno.config_walkers` gives, or refuses. The core builds no model; `agentdyno-depth`
registers a walker that does, with transformers, on a device without memory.
"""

from collections.abc import Callable
from importlib import import_module

from msgspec import Struct

from agentdyno.cost.config_reader import ConfigReader
from agentdyno.cost.shape import Architecture
from agentdyno.plugins import load_plugins
from agentdyno.records import InputError

GROUP = "agentdyno.config_walkers"
"""The entry points that name a `ConfigWalker`."""

Walk = Callable[[ConfigReader], Architecture]


class ConfigWalker(Struct, frozen=True):
    """Something that builds a model from its config and counts it."""

    name: str
    place: str
    """`module:function`, imported when a config is to be walked: building models takes a large
    library, which most verbs never need."""


def walk_config(config: ConfigReader) -> Architecture:
    """The shape by the first walker there is; `InputError` where there is none."""
    for walker in load_plugins(GROUP, ConfigWalker)[0].values():
        module, _, attribute = walker.place.partition(":")
        walk: Walk = getattr(import_module(module), attribute)
        return walk(config)
    raise InputError(
        f"{config.label}: models of type '{config.model_type}' are counted by building them, which "
        "needs transformers: pip install 'agentdyno[depth]'. Or pass the name of a known "
        "architecture, as `agentdyno about architectures` lists them, with --arch."
    )
