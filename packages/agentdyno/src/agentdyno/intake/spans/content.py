"""The request and the answer of a model call, from wherever the instrumentation put them.

Looks, in this order, at the conventions' attributes, at the events of earlier conventions, at
numbered attributes (OpenLLMetry, OpenInference), at the attributes of single frameworks. A call
without recorded content has None there.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from agentdyno.intake.builder import Schemas
from agentdyno.intake.spans.messages import (
    ChatRecord,
    Piece,
    conversation_of,
    join_messages,
    parse_json,
    parse_message,
)
from agentdyno.intake.spans.span import Event, Span
from agentdyno.intake.texts import function_schemas

_EVENT_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}


class Content(Struct, gc=False):
    """The texts of one model call."""

    sent: list[ChatRecord] | None = None
    answer: ChatRecord | None = None
    schemas: Schemas | None = None


def content_of(spans: Sequence[Span]) -> Content:
    """The first that is recorded on the spans of one call, the innermost first."""
    content = Content()
    for span in spans:
        for reading in _readings(span):
            content.sent = content.sent if content.sent is not None else reading.sent or None
            content.answer = content.answer if content.answer is not None else reading.answer
            content.schemas = content.schemas or reading.schemas
    return content


def schemas_of(span: Span) -> Schemas | None:
    """Tools that an agent's span says it offers."""
    return _schemas(span.attributes.get("gen_ai.tool.definitions"))


def _readings(span: Span) -> Iterator[Content]:
    attributes = span.attributes
    yield _conventions(attributes)
    yield _events(span.events)
    yield _events(_read_listed_events(attributes.get("events")))
    yield _openllmetry(attributes)
    yield _openinference(attributes)
    yield _frameworks(attributes)
    yield _adk(attributes)


def _conventions(attributes: dict[str, Any]) -> Content:
    sent: list[ChatRecord] = []
    if (system := attributes.get("gen_ai.system_instructions")) is not None:
        sent += conversation_of([{"role": "system", "content": parse_json(system)}])
    if (messages := attributes.get("gen_ai.input.messages")) is not None:
        sent += conversation_of(messages)
    else:
        sent = []
    answers = attributes.get("gen_ai.output.messages")
    schemas = _schemas(attributes.get("gen_ai.tool.definitions"))
    return Content(sent, _first_answer(answers), schemas)


def _first_answer(messages: Any) -> ChatRecord | None:
    """Of several choices, only the first is the agent's."""
    if messages is None:
        return None
    messages_read = conversation_of(messages, "assistant")
    return (
        ChatRecord("assistant", messages_read[0].pieces, messages_read[0].finish)
        if messages_read
        else None
    )


def _events(events: Sequence[Event]) -> Content:
    sent: list[ChatRecord] = []
    answer: ChatRecord | None = None
    for event in events:
        body = _body(event)
        if event.name in _EVENT_ROLES:
            sent.append(parse_message(body, _EVENT_ROLES[event.name]))
        elif event.name == "gen_ai.choice" and answer is None:
            answer = _choice(body)
        elif event.name == "gen_ai.content.prompt":
            sent += conversation_of(body.get("gen_ai.prompt"))
        elif event.name == "gen_ai.content.completion" and answer is None:
            answer = _first_answer(body.get("gen_ai.completion"))
    return Content(join_messages(statement for statement in sent if statement.pieces), answer)


def _body(event: Event) -> dict[str, Any]:
    body = event.body
    inner = parse_json(body.get("gen_ai.event.content"))
    return body | inner if isinstance(inner, dict) else body


def _choice(body: dict[str, Any]) -> ChatRecord | None:
    message = parse_json(body.get("message"))
    inner = message if isinstance(message, dict) else {"content": message}
    record = parse_message(body | {"message": None} | inner, "assistant")
    record.role = "assistant"
    return record if record.pieces else None


def _read_listed_events(value: Any) -> list[Event]:
    """Some SDKs write the events as one attribute: a list in JSON."""
    decoded = parse_json(value)
    listed = decoded if isinstance(decoded, list) else []
    return [Event(str(e.get("event.name")), e) for e in listed if isinstance(e, dict)]


def _openllmetry(attributes: dict[str, Any]) -> Content:
    sent = conversation_of(numbered(attributes, "gen_ai.prompt."))
    answer = _first_answer(numbered(attributes, "gen_ai.completion.") or None)
    functions = numbered(attributes, "llm.request.functions.")
    for function in functions:
        if isinstance(function, dict):
            function["parameters"] = parse_json(function.get("parameters"))
    if not sent and isinstance(attributes.get("gen_ai.prompt"), str):
        sent = conversation_of(attributes["gen_ai.prompt"])
    if answer is None and isinstance(attributes.get("gen_ai.completion"), str):
        answer = _first_answer(attributes["gen_ai.completion"])
    return Content(sent, answer, function_schemas(functions) or None)


def _openinference(attributes: dict[str, Any]) -> Content:
    sent = conversation_of(numbered(attributes, "llm.input_messages."))
    answer = _first_answer(numbered(attributes, "llm.output_messages.") or None)
    tools = []
    for entry in numbered(attributes, "llm.tools."):
        tool = entry.get("tool") if isinstance(entry, dict) else None
        tools.append(parse_json(tool.get("json_schema")) if isinstance(tool, dict) else None)
    return Content(sent, answer, function_schemas(tools) or None)


def _frameworks(attributes: dict[str, Any]) -> Content:
    """The Vercel SDK's own names, and Pydantic AI's for schemas."""
    sent = conversation_of(attributes.get("ai.prompt.messages") or [])
    pieces: list[Piece] = []
    if isinstance(text := attributes.get("ai.response.text"), str) and text:
        pieces.append(Piece("text", text))
    calls = {"tool_calls": parse_json(attributes.get("ai.response.toolCalls"))}
    pieces += parse_message(calls, "assistant").pieces
    offered = parse_json(attributes.get("model_request_parameters"))
    tools = attributes.get("ai.prompt.tools")
    listed = [parse_json(tool) for tool in tools] if isinstance(tools, list) else []
    if isinstance(offered, dict):
        for key in ("function_tools", "output_tools"):
            listed += offered[key] if isinstance(offered.get(key), list) else []
    answer = ChatRecord("assistant", pieces) if pieces else None
    return Content(sent, answer, function_schemas(listed) or None)


def _adk(attributes: dict[str, Any]) -> Content:
    """Google's ADK keeps the request and the response of the Gemini API as JSON."""
    request = parse_json(attributes.get("gcp.vertex.agent.llm_request"))
    response = parse_json(attributes.get("gcp.vertex.agent.llm_response"))
    content = Content()
    if isinstance(request, dict) and isinstance(request.get("contents"), list):
        config = request.get("config")
        config = config if isinstance(config, dict) else {}
        system = {"role": "system", "content": config.get("system_instruction")}
        content.sent = conversation_of([system, *request["contents"]])
        content.schemas = _read_declared(config.get("tools"))
    if isinstance(response, dict) and isinstance(response.get("content"), dict):
        content.answer = _first_answer([response["content"]])
    return content


def _read_declared(tools: Any) -> Schemas | None:
    groups = [t for t in tools if isinstance(t, dict)] if isinstance(tools, list) else []
    listed = [t.get("function_declarations") for t in groups]
    return function_schemas([f for fs in listed if isinstance(fs, list) for f in fs]) or None


def _schemas(value: Any) -> Schemas | None:
    decoded = parse_json(value)
    listed = [parse_json(tool) for tool in decoded] if isinstance(decoded, list) else []
    return function_schemas(listed) or None


def numbered(attributes: dict[str, Any], prefix: str) -> list[Any]:
    """Attributes `prefix.0.role`, `prefix.0.tool_calls.1.name` … as a list of objects."""
    tree: dict[str, Any] = {}
    for key, value in attributes.items():
        if key.startswith(prefix):
            _plant(tree, key[len(prefix) :].split(".", 12), value)
    listed = _list(tree)
    return listed if isinstance(listed, list) else []


def _plant(tree: dict[str, Any], path: list[str], value: Any) -> None:
    for step in path[:-1]:
        below = tree.setdefault(step, {})
        if not isinstance(below, dict):
            return
        tree = below
    tree.setdefault(path[-1], value)


def _list(tree: Any) -> Any:
    if not isinstance(tree, dict):
        return tree
    if tree and all(key.isdecimal() and len(key) < 9 for key in tree):
        return [_list(tree[key]) for key in sorted(tree, key=int)]
    return {key: _list(value) for key, value in tree.items()}
