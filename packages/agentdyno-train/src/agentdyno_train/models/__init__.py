"""The embedded models, for Inspect: `agentdyno/smollm2`, and the same taught to call tools.

`smollm2-agent` learnt from demonstrations; `smollm2-agent-reinforced` went on with some that call
one tool a turn, then with reinforcement, and is no better but over the critical path.
"""

from typing import Any

from agentdyno_bench.models.embedded import EmbeddedModel


def _open_model(*given: Any, **arguments: Any) -> Any:
    # Here, so that Inspect can list its providers without loading torch.
    from agentdyno_train.models.smollm2 import SmolLM2API

    return SmolLM2API(*given, **arguments)


def _open_agent(*given: Any, **arguments: Any) -> Any:
    from agentdyno_train.models.agent import AgentAPI

    return AgentAPI(*given, **arguments)


def _open_reinforced(*given: Any, adapter: str | None = None, **arguments: Any) -> Any:
    from agentdyno_train.models.agent import REINFORCED

    return _open_agent(*given, adapter=adapter or str(REINFORCED), **arguments)


MODELS = (
    EmbeddedModel("smollm2", _open_model),
    EmbeddedModel("smollm2-agent", _open_agent),
    EmbeddedModel("smollm2-agent-reinforced", _open_reinforced),
)
