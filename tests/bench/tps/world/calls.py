"""One successful call to every tool of the world, in an order in which they can be made.

They are in `tests/data/world_calls.jsonl`; `{"$from": tool, …}` is a value from an earlier result.
"""

from typing import Any

from agentdyno_bench.tps.tasks.references import resolve
from tests.labelled import read_set

CALLS: dict[str, dict[str, dict[str, Any]]] = {}
for _call in read_set("world_calls"):
    CALLS.setdefault(_call["server"], {})[_call["tool"]] = _call["arguments"]


def arguments_of(arguments: dict[str, Any], results: dict[str, Any]) -> dict[str, Any]:
    """Arguments with values from earlier results."""
    found: dict[str, Any] = resolve(arguments, results)
    return found
