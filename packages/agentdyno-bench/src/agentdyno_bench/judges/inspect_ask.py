"""A judge by any provider that Inspect knows: a conversation in, an answer with its usage out.

For the providers that the core's own client does not reach, and for the embedded models.
"""

from collections.abc import Mapping
from typing import Any

from agentdyno.judges.asking import Answer, Message, answer_schema
from agentdyno.judges.clients import JudgeClient
from agentdyno.judges.forms import Form
from agentdyno.records import InputError, printable

WITH_SCHEMA = ("openai/", "azureai/", "google/", "mistral/", "vllm/", "openai-api/")
"""Providers of Inspect that hold a model to a JSON schema."""


class InspectAsk:
    """A model of any provider that Inspect knows, opened when it is first asked."""

    def __init__(
        self, name: str, max_tokens: int = 1000, base_url: str | None = None, **arguments: Any
    ) -> None:
        self.name = name
        self._max_tokens = max_tokens
        self.base_url = base_url
        self.arguments = arguments
        self._model: Any = None

    async def ask(self, conversation: tuple[Message, ...], form: Form) -> Answer:
        """One generation, temperature 0 where the provider takes it."""
        from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

        kinds: dict[str, Any] = {
            "system": ChatMessageSystem,
            "user": ChatMessageUser,
            "assistant": ChatMessageAssistant,
        }
        messages = [kinds[said.role](content=said.text) for said in conversation]
        output = await self._opened().generate(messages, config=self._config(form))
        usage = output.usage
        return Answer(
            output.completion,
            None if usage is None else usage.input_tokens,
            None if usage is None else usage.output_tokens,
        )

    def require_reachable(self) -> None:
        """Asks the provider for its models before hundreds of questions fail one by one."""
        from agentdyno_bench.models.reachability import require_reachable
        from agentdyno_bench.running.options import ModelSpec

        require_reachable(ModelSpec(self.name, self.base_url, self.arguments))

    async def close(self) -> None:
        """Ends the provider's connections; asked again, the model is opened again."""
        if self._model is not None:
            model, self._model = self._model, None
            await model.__aexit__(None, None, None)

    def _opened(self) -> Any:
        if self._model is None:
            from inspect_ai.model import get_model

            try:
                # Not shared: it is closed when the last question is answered.
                self._model = get_model(
                    self.name, base_url=self.base_url, memoize=False, **self.arguments
                )
            except Exception as error:
                said = printable(str(error), 300)
                raise InputError(f"{self.name}: cannot be opened: {said}") from error
        return self._model

    def _config(self, form: Form) -> Any:
        from inspect_ai.model import GenerateConfig, ResponseSchema
        from inspect_ai.util import JSONSchema

        config = GenerateConfig(max_tokens=self._max_tokens, temperature=0.0, max_retries=3)
        if self.name.startswith(WITH_SCHEMA):
            shape = JSONSchema.model_validate(answer_schema(form))
            config.response_schema = ResponseSchema(name="verdict", json_schema=shape)
        return config


def _open(name: str, base_url: str | None, arguments: Mapping[str, Any]) -> InspectAsk:
    if name.startswith("agentdyno/"):
        # Found by its entry point once installed; a checkout on the path has none.
        from agentdyno_bench import registry  # noqa: F401
    return InspectAsk(name, base_url=base_url, **arguments)


CLIENT = JudgeClient("inspect", lambda name: "/" in name, _open)
