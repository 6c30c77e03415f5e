"""What Inspect finds of AgentDyno by its entry point `inspect_ai`: the model providers.

`agentdyno/smollm2` is the embedded model, `agentdyno/smollm2-agent` the same taught to call tools,
`agentdyno/scripted` answers by a script.
"""

from typing import Any

from inspect_ai.model import GenerateConfig, ModelAPI, modelapi

from agentdyno.records import InputError, printable

MODELS = ("smollm2", "smollm2-agent", "scripted")


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
    # Here, so that Inspect can list its providers without loading torch.
    if model_name == "scripted":
        from agentdyno_bench.models.scripted import ScriptedAPI

        return ScriptedAPI(model_name, base_url, api_key, config, **arguments)
    if model_name == "smollm2":
        from agentdyno_train.models.smollm2 import SmolLM2API

        return SmolLM2API(model_name, base_url, api_key, config, **arguments)
    if model_name == "smollm2-agent":
        from agentdyno_train.models.agent import AgentAPI

        return AgentAPI(model_name, base_url, api_key, config, **arguments)
    raise InputError(
        f"expected one of {', '.join(f'agentdyno/{name}' for name in MODELS)}, "
        f"found agentdyno/{printable(model_name)}."
    )
