"""Names of ours in Inspect's registry.

Inspect puts the Python package before a name (`agentdyno_bench/...`); people type what they
installed, `agentdyno/...`. Both are found.
"""

from typing import TypeVar

from inspect_ai._util.registry import RegistryInfo, registry_add, registry_info

T = TypeVar("T")


def named(part: T) -> T:
    """Registers a part of ours under `agentdyno/` too."""
    info = registry_info(part)
    name = "agentdyno/" + info.name.rpartition("/")[2]
    registry_add(part, RegistryInfo(type=info.type, name=name, metadata=info.metadata))
    return part
