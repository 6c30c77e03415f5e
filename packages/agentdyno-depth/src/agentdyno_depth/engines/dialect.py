"""The small agent's way of speaking: tools as signatures, calls as JSON lines, results together.

Takes tools, calls and results, returns the texts that a small model reads; takes what it wrote,
returns calls and answer. A signature is a tenth of a JSON schema, which is what makes thirty tools
fit into a small window:

    weather_air_quality(city: str, date: str) - Air quality of a day.
    {"name": "weather_air_quality", "arguments": {"city": "Lisbon", "date": "2026-04-14"}}

A turn is calls, one a line, or an answer; before either, the model may think between tags. What
looks like a call and cannot be read is a problem with its reason; nothing is repaired. Training,
the embedded agent and the export of plans all speak by this file. Knows nothing of tasks and of
models.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from agentdyno_depth.engines.chat import ChatMessage, ChatTool
from agentdyno_depth.engines.thinking import TAGS, split_thinking

OFFER = """Tools, one a line:
{tools}
To use tools write nothing but calls, one JSON object a line:
{{"name": "TOOL", "arguments": {{"PARAMETER": "VALUE"}}}}
Otherwise answer in plain words."""
LONGEST_RESULT = 3_000
"""Characters of one result; the longest that a reference plan needs has about as many."""
CUT = "…(cut)"
MOST_CALLS = 64
"""Calls of one turn that are read; no plan has so many."""
_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}


class WrittenTurn(Struct, frozen=True):
    """A model's turn, parsed."""

    calls: list[tuple[str, dict[str, Any]]]
    """Tool and arguments of every call that can be read."""
    problems: list[str]
    """Why a line that looks like a call is none."""
    answer: str
    """The text besides; the answer where nothing was called."""
    thought: str = ""
    """What was thought before, without tags."""

    @property
    def is_answer(self) -> bool:
        """True when the turn called nothing, not even in vain."""
        return not self.calls and not self.problems


def signature(tool: ChatTool) -> str:
    """One line: name, parameters with types and defaults, what it does."""
    schema = tool.parameters
    required = set(schema.get("required") or ())
    parts = [
        f"{name}: {_type(about)}" + ("" if name in required else f" = {_default(about)}")
        for name, about in (schema.get("properties") or {}).items()
    ]
    return f"{tool.name}({', '.join(parts)}) - {tool.description}"


def offer_tools(system: str, tools: Sequence[ChatTool]) -> str:
    """The system message with the tools."""
    if not tools:
        return system
    offer = OFFER.format(tools="\n".join(signature(tool) for tool in tools))
    return f"{system}\n\n{offer}" if system else offer


def write_call(tool: str, arguments: dict[str, Any]) -> str:
    """A call as the model writes it."""
    return json.dumps({"name": tool, "arguments": arguments}, ensure_ascii=False)


def write_turn(thought: str, written: str) -> str:
    """A turn with what was thought before it, where there is something."""
    before, after = TAGS[0]
    return f"{before}\n{thought}\n{after}\n{written}" if thought else written


def write_results(results: Iterable[str]) -> ChatMessage:
    """All results of a turn in one message, so that roles take turns in every template."""
    lines = "\n".join(render_result(text) for text in results)
    return ChatMessage("user", f"<tool_response>\n{lines}\n</tool_response>")


def render_result(text: str) -> str:
    """A result as the model sees it: in one line, cut when it is too long, without odd bytes."""
    clean = " ".join(text.encode("utf-8", "replace").decode().split("\n"))
    return clean if len(clean) <= LONGEST_RESULT else clean[:LONGEST_RESULT] + CUT


def read_turn(text: str) -> WrittenTurn:
    """Calls, problems, thought and the rest of what a model wrote."""
    parts = split_thinking(text)
    calls, problems, plain_lines = list[tuple[str, dict[str, Any]]](), list[str](), list[str]()
    for line in parts.answer.strip().splitlines():
        line = line.strip()
        if not line.startswith("{"):
            plain_lines += [line] if line else []
        elif len(calls) + len(problems) < MOST_CALLS:
            call = _read_call(line)
            problems += [call] if isinstance(call, str) else []
            calls += [] if isinstance(call, str) else [call]
    answer = "\n".join(plain_lines) if calls or problems else parts.answer.strip()
    return WrittenTurn(calls, problems, answer, parts.thinking)


def _read_call(line: str) -> tuple[str, dict[str, Any]] | str:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        return f"This call is malformed: it is not JSON ({str(error)[:80]})."
    name = value.get("name") if isinstance(value, dict) else None
    arguments = value.get("arguments") if isinstance(value, dict) else None
    if not isinstance(name, str) or not isinstance(arguments, dict):
        return "This call is malformed: a call has a name and arguments."
    return name, arguments


def _type(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        kinds = [_type(kind) for kind in schema["anyOf"] if kind.get("type") != "null"]
        return "|".join(kinds) or "any"
    if "enum" in schema:
        return "|".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((name for name in kind if name != "null"), None)
    if kind == "array":
        return f"list[{_type(schema.get('items') or {})}]"
    return _TYPES.get(str(kind), "any")


def _default(schema: dict[str, Any]) -> str:
    return json.dumps(schema.get("default"), ensure_ascii=False)
