"""The embedded models, for Inspect: `agentdyno/smollm2`, and the same taught to call tools.

`smollm2-agent` learnt from demonstrations.
"""

from typing import Any

from agentdyno_bench.shared.models.embedded import EmbeddedModel


def _open_model(*given: Any, **arguments: Any) -> Any:
    # Here, so that Inspect can list its providers without loading torch.
    from agentdyno_train.models.smollm2 import SmolLM2API

    return SmolLM2API(*given, **arguments)


def _open_agent(*given: Any, **arguments: Any) -> Any:
    from agentdyno_train.models.agent import AgentAPI

    return AgentAPI(*given, **arguments)


MODELS = (
    EmbeddedModel("smollm2", _open_model),
    EmbeddedModel("smollm2-agent", _open_agent),
)
