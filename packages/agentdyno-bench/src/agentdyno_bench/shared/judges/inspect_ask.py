"""A judge by any provider that Inspect knows: a conversation in, an answer with its usage out.

Services of one's own, the embedded models and every other provider are reached the same way.
"""

import json
import os
from collections.abc import Mapping
from typing import Any

from agentdyno.records import InputError, printable
from agentdyno_bench.shared.judges.asking import Answer, Message, answer_schema
from agentdyno_bench.shared.judges.clients import JudgeClient
from agentdyno_bench.shared.judges.forms import Form

WITH_SCHEMA = ("openai/", "azureai/", "google/", "mistral/", "vllm/", "openai-api/")
"""Providers of Inspect that hold a model to a JSON schema."""
IN_FLIGHT = 1000
"""Inspect's own limit, which is 10 unless stated: whoever asks has a limit already."""


class InspectClient:
    """A model of any provider that Inspect knows, opened when it is first asked."""

    def __init__(
        self,
        name: str,
        max_tokens: int = 1000,
        base_url: str | None = None,
        reasoning_effort: str | None = None,
        **arguments: Any,
    ) -> None:
        self.name = name
        self._generation: dict[str, Any] = {"max_tokens": max_tokens, "temperature": 0.0}
        if reasoning_effort is not None:
            self._generation["reasoning_effort"] = reasoning_effort
        self.base_url = base_url
        self.arguments = arguments
        self._model: Any = None

    @property
    def settings(self) -> str:
        """Where the model is, what its provider is given, and limits, as JSON. The key is left out:
        it decides who pays, and not what is answered."""
        arguments = {name: value for name, value in self.arguments.items() if name != "api_key"}
        settings = [_address(self.name, self.base_url), arguments, self._generation]
        return json.dumps(settings, sort_keys=True, default=repr)

    async def ask(self, conversation: tuple[Message, ...], form: Form) -> Answer:
        """One generation, temperature 0 where the provider takes it."""
        from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

        kinds: dict[str, Any] = {
            "system": ChatMessageSystem,
            "user": ChatMessageUser,
            "assistant": ChatMessageAssistant,
        }
        messages = [kinds[message.role](content=message.text) for message in conversation]
        output = await self._open_model().generate(messages, config=self._config(form))
        usage = output.usage
        return Answer(
            output.completion,
            None if usage is None else usage.input_tokens,
            None if usage is None else usage.output_tokens,
        )

    def require_reachable(self) -> None:
        """Asks the provider for its models before hundreds of questions fail one by one."""
        from agentdyno_bench.shared.models.reachability import require_reachable
        from agentdyno_bench.shared.running.options import ModelSpec

        require_reachable(ModelSpec(self.name, self.base_url, self.arguments))

    async def close(self) -> None:
        """Ends the provider's connections; asked again, the model is opened again."""
        if self._model is not None:
            model, self._model = self._model, None
            await model.__aexit__(None, None, None)

    def _open_model(self) -> Any:
        if self._model is None:
            from inspect_ai.model import get_model

            try:
                # Not shared: it is closed when the last question is answered.
                self._model = get_model(
                    self.name, base_url=self.base_url, memoize=False, **self.arguments
                )
            except Exception as error:
                message = printable(str(error), 300)
                raise InputError(f"{self.name}: cannot be opened: {message}") from error
        return self._model

    def _config(self, form: Form) -> Any:
        from inspect_ai.model import GenerateConfig, ResponseSchema
        from inspect_ai.util import JSONSchema

        config = GenerateConfig(max_retries=3, max_connections=IN_FLIGHT, **self._generation)
        if self.name.startswith(WITH_SCHEMA):
            shape = JSONSchema.model_validate(answer_schema(form))
            config.response_schema = ResponseSchema(name="verdict", json_schema=shape)
        return config


def _address(name: str, base_url: str | None) -> str | None:
    """Where the questions go: as given, or else by the variables that Inspect looks up, such as
    OPENAI_BASE_URL; None for the provider's own address."""
    providers = [part.upper().replace("-", "_") for part in name.split("/")[:-1]]
    names = [*(f"{provider}_BASE_URL" for provider in providers), "INSPECT_EVAL_MODEL_BASE_URL"]
    address = base_url or next(filter(None, map(os.environ.get, names)), None)
    return address and address.rstrip("/")


def _open(name: str, base_url: str | None, arguments: Mapping[str, Any]) -> InspectClient:
    if name.startswith("agentdyno/"):
        # Found by its entry point once installed; a checkout on the path has none.
        from agentdyno_bench.shared import registry  # noqa: F401
    return InspectClient(name, base_url=base_url, **arguments)


CLIENTS = (JudgeClient("inspect", lambda name: "/" in name, _open),)
