"""Attributes that a platform stores in a shape of its own, as the plain ones they were.

Phoenix nests OpenInference's names, and has rows with a column for each; MLflow keeps every value
as JSON, and a call as the request and the response of its API.
"""

from collections.abc import Iterator
from typing import Any

from agentdyno.intake.exchanges import exchange_attributes, usage_attributes
from agentdyno.intake.loose_bodies import loose_request, loose_response
from agentdyno.intake.spans.messages import parse_json

_NESTED = ("llm", "openinference", "input", "output", "tool", "session", "gen_ai", "tool_call")
_COLUMN = "attributes."
_KINDS = {
    "CHAT_MODEL": "LLM", "LLM": "LLM", "AGENT": "AGENT", "TOOL": "TOOL", "GUARDRAIL": "GUARDRAIL",
    "EVALUATOR": "EVALUATOR",
}  # fmt: skip


def read_columns(row: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a span that is a row, with a column for each."""
    named = {k.removeprefix(_COLUMN): v for k, v in row.items() if k.startswith(_COLUMN)}
    return flatten({name: value for name, value in named.items() if value is not None})


def flatten(attributes: dict[str, Any]) -> dict[str, Any]:
    """With `{"llm": {"token_count": {"prompt": 3}}}` as `llm.token_count.prompt`."""
    if not any(
        k.partition(".")[0] in _NESTED and isinstance(v, dict | list) for k, v in attributes.items()
    ):
        return attributes
    flat: dict[str, Any] = {}
    for name, value in attributes.items():
        is_nested = name.partition(".")[0] in _NESTED and not name.startswith("gen_ai.")
        flat.update(_leaves(name, value) if is_nested else [(name, value)])
    return flat


def _leaves(name: str, value: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    if depth > 12 or not isinstance(value, dict | list) or name.endswith(_TEXTS):
        yield name, value
        return
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in pairs:
        yield from _leaves(f"{name}.{key}", inner, depth + 1)


_TEXTS = ("json_schema", "arguments", "parameters", "input.value", "output.value")
"""Values that are texts: where a platform decoded them, they stay together."""


def read_mlflow(attributes: dict[str, Any]) -> dict[str, Any]:
    """MLflow's names as those of the conventions; other attributes as they are."""
    if "mlflow.spanType" not in attributes:
        return attributes
    decoded = {name: parse_json(_unquote(value)) for name, value in attributes.items()}
    kind = _KINDS.get(str(decoded["mlflow.spanType"]))
    renamed = dict(decoded)
    if kind is not None:
        renamed["openinference.span.kind"] = kind
    if kind == "LLM":
        renamed |= _call(decoded)
    elif kind == "TOOL":
        renamed["input.value"] = decoded.get("mlflow.spanInputs")
        renamed["output.value"] = decoded.get("mlflow.spanOutputs")
    return {name: value for name, value in renamed.items() if value is not None}


def _call(decoded: dict[str, Any]) -> dict[str, Any]:
    request = loose_request(decoded.get("mlflow.spanInputs"))
    response = loose_response(decoded.get("mlflow.spanOutputs"))
    counted = usage_attributes(decoded.get("mlflow.chat.tokenUsage"))
    tools = decoded.get("mlflow.chat.tools")
    fields = exchange_attributes({**request, **({"tools": tools} if tools else {})}, response)
    model = decoded.get("mlflow.llm.model") or decoded.get("model")
    cost = decoded.get("mlflow.llm.cost")
    fields.setdefault("gen_ai.request.model", model)
    fields.setdefault(
        "gen_ai.usage.cost", cost.get("total_cost") if isinstance(cost, dict) else None
    )
    fields |= {} if "gen_ai.usage.input_tokens" in fields else counted
    return {name: value for name, value in fields.items() if value is not None}


def _unquote(value: Any) -> Any:
    is_quoted = isinstance(value, str) and len(value) > 1 and value[0] == value[-1] == '"'
    return value[1:-1] if is_quoted else value
