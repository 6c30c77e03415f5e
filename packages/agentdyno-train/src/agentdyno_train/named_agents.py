"""Agents as users name them: `NAME=WHAT` in, how each is reached out.

WHAT is a model of Inspect, a folder of weights, an adapter, or `smollm2`. Knows which of them are
local; loads nothing.
"""

from collections.abc import Sequence
from pathlib import Path

from agentdyno.records import InputError, printable
from agentdyno_bench.models.embedded import AGENT
from agentdyno_bench.running.options import ModelSpec
from agentdyno_depth.engines.adapters import is_adapter
from agentdyno_depth.engines.smollm2 import NAME


def read_agents(texts: Sequence[str]) -> dict[str, ModelSpec]:
    """Agents by name."""
    found: dict[str, ModelSpec] = {}
    for text in texts:
        name, equals, what = text.partition("=")
        if not equals or not name.replace("-", "").replace("_", "").isalnum() or name in found:
            raise InputError(
                f"--agent {printable(text, 80)}: expected NAME=WHAT, each name once, such as "
                "warm=training/adapter."
            )
        found[name] = _spec(what)
    return found


def _spec(what: str) -> ModelSpec:
    if what == NAME:
        return ModelSpec(AGENT, arguments={"weights": NAME})
    folder = Path(what)
    if folder.is_dir():
        key = "adapter" if is_adapter(folder) else "weights"
        return ModelSpec(AGENT, arguments={key: str(folder.resolve())})
    model, _, script = what.partition("#")
    if what.startswith(("/", ".", "~")) or "/" not in model:
        raise InputError(
            f"--agent …={printable(what, 80)}: expected {NAME}, a folder that exists (an adapter "
            "or weights), or a model of Inspect such as openai/gpt-4.1."
        )
    return ModelSpec(model, arguments={"script": script} if script else {})


def local_weights(spec: ModelSpec) -> str | None:
    """What a local agent's weights are called; None for others, an error where they are gone."""
    from agentdyno_train.models.agent import choose_weights

    if spec.name != AGENT:
        return None
    model, adapter = choose_weights(spec.arguments.get("weights"), spec.arguments.get("adapter"))
    return adapter or model or NAME
