"""Any Inspect model, with the defaults undone that would corrupt a benchmark.

- Tools stay in the request when `tool_choice` is "none" (Inspect drops them for most providers).
- `strict: true` is not sent; models of other families answer differently under it.
- Malformed arguments are not repaired: Inspect turns `5` into the first parameter and drops a stray
  quote; here the call is refused with a parse error that quotes what the model wrote, which is
  taken from the provider's own answer: chat completions or responses.
- An answer that breaks off, with no reason why it ended, or has no choices, is none: it is asked
  for again, and after the usual number of times it is an error.
- Every answer says how it was timed, in `output.metadata["agentdyno"]`: time to the first token
  where the provider streams, and how busy this process was, as a validity flag on the latency.
"""

import json
import time
from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    Model,
    ModelAPI,
    ModelCall,
    ModelOutput,
    get_model,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo
from tenacity import RetryError

from agentdyno.records import InputError, printable
from agentdyno_bench.shared.models.load import Load, loop_load, now
from agentdyno_bench.shared.models.refusals import parse_error
from agentdyno_bench.shared.running.budget import Budget
from agentdyno_bench.shared.running.options import ModelSpec

METADATA = "agentdyno"
"""Where the timing stands in an answer's metadata."""


def open_model(spec: ModelSpec | str, stream: bool = False, budget: Budget | None = None) -> Model:
    """The model, metered; with `stream`, providers that can are asked to stream."""
    import agentdyno_bench.shared.registry  # noqa: F401  Registers our own providers.

    spec = ModelSpec(spec) if isinstance(spec, str) else spec
    try:
        model = get_model(spec.name, base_url=spec.base_url, memoize=False, **spec.arguments)
    except (ValueError, TypeError) as error:
        raise InputError(
            f"--model {printable(spec.name)}: expected a model that Inspect knows, found "
            f"{printable(str(error), 300)}"
        ) from None
    if budget is not None:
        budget.price(spec.name)
        _charge(model.api, spec.name, budget)
    return MeteredModel(model, stream)


class MeteredModel(Model):
    """A model whose calls are timed and left as they are."""

    def __init__(self, model: Model, stream: bool) -> None:
        super().__init__(meter_api(model.api), model.config, model.model_args)
        self._explicit_base_url = model.explicit_base_url
        self._stream = stream

    async def generate(self, *args: Any, **kwargs: Any) -> ModelOutput:
        """Inspect's own `generate`, listening for the first token."""
        if not self._stream or kwargs.get("on_stream") is not None:
            return await self._generate_plain(*args, **kwargs)
        watch = _FirstToken()
        token = _watch.set(watch)
        try:
            return await self._generate_plain(*args, **kwargs | {"on_stream": watch.see})
        finally:
            _watch.reset(token)

    async def _generate_plain(self, *args: Any, **kwargs: Any) -> ModelOutput:
        try:
            return await super().generate(*args, **kwargs)
        except RetryError as error:
            # What went wrong each time says more than that it did.
            raise error.last_attempt.exception() or error from None


class CutAnswerError(Exception):
    """A stream ended before the answer did."""


def is_cut(response: Any) -> bool:
    """True when the provider's answer has no choices, or gives no finish reason."""
    choices = _get(response, "choices")
    if isinstance(choices, list):
        return not choices or _get(choices[0], "finish_reason") is None
    return _get(response, "type") == "message" and _get(response, "stop_reason") is None


class _FirstToken:
    """When the first piece of the attempt that succeeded came."""

    def __init__(self) -> None:
        self.began = time.perf_counter()
        self.seconds: float | None = None

    def restart(self) -> None:
        self.began, self.seconds = time.perf_counter(), None

    async def see(self, event: Any) -> None:
        if event.type != "retry" and self.seconds is None:
            self.seconds = time.perf_counter() - self.began


_watch: ContextVar[_FirstToken | None] = ContextVar("_watch", default=None)


def meter_api(api: ModelAPI) -> ModelAPI:
    """The same provider; its class and its name stay, which logs and pools go by."""
    original = api.generate

    async def generate(
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput | tuple[ModelOutput | Exception, ModelCall]:
        watch, load, start = _watch.get(), loop_load(), now()
        if watch is not None:
            watch.restart()
        result = await original(input, tools, tool_choice, config)
        output, call = result if isinstance(result, tuple) else (result, None)
        if isinstance(output, ModelOutput):
            if call is not None and is_cut(call.response):
                raise CutAnswerError("The answer broke off: no reason was given why it ended.")
            refuse_malformed(output, call, tools)
            metadata = (output.metadata or {}).get(METADATA, {})
            timing = metadata | _measure_timing(load.since(start), watch)
            output.metadata = (output.metadata or {}) | {METADATA: timing}
        return result

    retry = api.should_retry
    changes: dict[str, Any] = {
        "generate": generate,
        "tools_required": lambda: True,
        "should_retry": lambda error: isinstance(error, CutAnswerError) or retry(error),
    }
    if (offered := getattr(api, "tools_to_openai", None)) is not None:
        # Not by the provider's own switch: some set it again when they first connect.
        changes["tools_to_openai"] = lambda tools: _not_strict(offered(tools))
    for name, value in changes.items():
        setattr(api, name, value)
    return api


def _charge(api: ModelAPI, name: str, budget: Budget) -> None:
    """Every request is entered in the budget; one that no longer fits is not sent."""
    original = api.generate

    async def generate(
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput | tuple[ModelOutput | Exception, ModelCall]:
        characters = sum(len(message.model_dump_json()) for message in (*input, *tools))
        request = await budget.begin(name, characters, config.max_tokens or api.max_tokens())
        if request is None:
            return await original(input, tools, tool_choice, config)
        try:
            result = await original(input, tools, tool_choice, config)
        except Exception:
            budget.refuse(request, name)
            raise
        except BaseException:
            budget.abandon(request, name)
            raise
        output = result[0] if isinstance(result, tuple) else result
        if isinstance(output, ModelOutput):
            budget.end(request, name, output)
        else:
            budget.refuse(request, name)
        return result

    object.__setattr__(api, "generate", generate)


def _not_strict(tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for tool in tools:
        tool["function"].pop("strict", None)
    return tools


def _measure_timing(load: Load, watch: _FirstToken | None) -> dict[str, Any]:
    first = None if watch is None else watch.seconds
    return {
        "latency_valid": load.is_light,
        "loop_cpu_share": round(load.loop_share, 4),
        "process_cpu_share": round(load.process_share, 4),
        "loop_late_seconds": round(load.late_seconds, 4),
        "tools_kept": True,
    } | ({} if first is None else {"first_token_seconds": round(first, 6)})


__all__ = ["METADATA", "CutAnswerError", "MeteredModel", "is_cut", "meter_api", "open_model"]


def refuse_malformed(
    output: ModelOutput, call: ModelCall | None, tools: Sequence[ToolInfo]
) -> None:
    """Marks malformed calls in the answer; sound ones stay as they are."""
    calls = output.message.tool_calls if output.choices else None
    if not calls or call is None:
        return
    takes_none = {tool.name for tool in tools if not tool.parameters.properties}
    for tool_call, text in _pair_calls(calls, _find_written(call.response)):
        empty_is_fine = tool_call.function in takes_none and not text.strip()
        if not empty_is_fine and (problem := _problem(text)) is not None:
            tool_call.arguments = {}
            tool_call.parse_error = parse_error(text, problem)


def _problem(text: str) -> str | None:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        return f"They are not JSON: {error.msg} at character {error.pos}."
    except RecursionError:
        return "They are nested too deep."
    return None if isinstance(value, dict) else "They are JSON but not an object."


def _pair_calls(
    calls: list[ToolCall], written: list[tuple[str, str]]
) -> list[tuple[ToolCall, str]]:
    """Calls with their texts: in order where there are as many, else by id."""
    if len(calls) == len(written):
        return [(call, text) for call, (_, text) in zip(calls, written, strict=True)]
    texts = dict(written)
    return [(call, texts[call.id]) for call in calls if call.id in texts]


def _find_written(response: Any) -> list[tuple[str, str]]:
    """Id and arguments of each call, as the provider sent them."""
    items = _chat_items(response) or _response_items(response)
    return [(str(name), text) for name, text in items if isinstance(text, str)]


def _chat_items(response: Any) -> list[tuple[Any, Any]]:
    choices = _get(response, "choices")
    message = _get(choices[0], "message") if isinstance(choices, list) and choices else None
    calls = _get(message, "tool_calls")
    if not isinstance(calls, list):
        return []
    return [(_get(c, "id"), _get(_get(c, "function"), "arguments")) for c in calls]


def _response_items(response: Any) -> list[tuple[Any, Any]]:
    output = _get(response, "output")
    if not isinstance(output, list):
        return []
    calls = [item for item in output if _get(item, "type") == "function_call"]
    return [(_get(c, "call_id"), _get(c, "arguments")) for c in calls]


def _get(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None
