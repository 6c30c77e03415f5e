"""Model providers that Inspect loads by the entry point `inspect_ai`.

`agentdyno/smollm2` is the embedded model, `agentdyno/smollm2-agent` the same taught to call tools,
`agentdyno/scripted` answers by a script.
"""

from typing import Any

from inspect_ai.model import GenerateConfig, ModelAPI, modelapi

from agentdyno_bench.shared.models.embedded import EmbeddedModel, find_model


@modelapi(name="agentdyno")
def agentdyno() -> Any:
    """The provider; Inspect calls what it returns with the model's name and arguments."""
    return _open


def _open(
    model_name: str,
    base_url: str | None = None,
    api_key: str | None = None,
    config: GenerateConfig | None = None,
    **arguments: Any,
) -> ModelAPI:
    opened: ModelAPI = find_model(model_name).open(
        model_name, base_url, api_key, config, **arguments
    )
    return opened


def _open_scripted(*given: Any, **arguments: Any) -> ModelAPI:
    from agentdyno_bench.shared.models.scripted import ScriptedAPI

    return ScriptedAPI(*given, **arguments)


SCRIPTED = EmbeddedModel("scripted", _open_scripted)
