"""Format collapse: the model meant to call a tool and got the form wrong.

Rule, the first that holds for a call: its arguments begin as JSON and do not parse; it was refused
as malformed; it names a tool that was not offered, whatever came of it (only where the trace shows
what was offered); its arguments breach the tool's JSON schema. And for a turn
without any call: its text has the shape of one (`shaped_text`), in a trajectory that calls tools or
is offered some; a Python block counts only where a tool for code is offered. Protocols that write
every call as text leave no calls and no schemas in a trace, so nothing is said about them.

Source: "Schema/JSON Error in output" (the PTE paper, Table 7 and Figure 15).
Worked: `python` needs `code`; {"script": "print(1)"} -> "`code` is missing".
"""

import re
from collections.abc import Collection
from typing import Any

import msgspec

from agentdyno.findings.patterns.families import family_of
from agentdyno.findings.patterns.reading import BROKEN, Reading
from agentdyno.matching.quoting import quote, quote_around
from agentdyno.matching.schema_breach import breach, parameters_of
from agentdyno.records import Part, ToolCall
from agentdyno.records.patterns import Finding

# Shapes: `<tool_call>{"name": …`, `<function=name>`, `<invoke name="…"`, a text that is nothing
# but {"name": …, "arguments": …} of a known tool, and a text that ends with a ```python block:
# whoever stops there expects it to run. Reasoning is not looked at: models think aloud about
# calls.
Span = tuple[int, int]

_TAGS = re.compile(
    r"<\|?tool_calls?\|?>\s*(?:```(?:json)?\s*)?[\[{]|<function=[\w.-]+>|<invoke name=\""
    r"|<\|python_tag\|>|\[TOOL_CALLS\]\s*[\[{]"
)
_FENCE = "```"
_CODE = re.compile(r"```(?:python|py|tool_code)\s*\n")
_MAX_TAIL = 40
"""Characters that may follow a block which was meant to be run: a closing tag, not a paragraph."""


def find_tagged_call(text: str) -> Span | None:
    """A call in the markup of some model's own training format."""
    if "<" not in text and "[TOOL" not in text:
        return None
    found = _TAGS.search(text)
    return (found.start(), min(len(text), found.end() + 120)) if found else None


def bare_call(text: str, tools: Collection[str]) -> Span | None:
    """A text that is a JSON object naming a known tool and its arguments, fenced or not."""
    if '"name"' not in text or not ('"arguments"' in text or '"parameters"' in text):
        return None
    bare = text.strip()
    if bare.startswith(_FENCE):
        bare = bare.strip("`").removeprefix("json").strip()
    if bare[:1] not in ("{", "["):
        return None
    try:
        value: Any = msgspec.json.decode(bare)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    calls = value if isinstance(value, list) else [value]
    named = calls and all(_is_call(call, tools) for call in calls)
    return (0, len(text)) if named else None


def _is_call(value: Any, tools: Collection[str]) -> bool:
    if not isinstance(value, dict) or value.get("name") not in tools:
        return False
    arguments = value.get("arguments", value.get("parameters"))
    return isinstance(arguments, dict | str)


def find_trailing_code(text: str) -> Span | None:
    """A block of Python that the text ends with."""
    end = text.rfind(_FENCE)
    if end < 0 or len(text) - end - len(_FENCE) > _MAX_TAIL:
        return None
    start = text.rfind(_FENCE, 0, end)
    return (start, end) if start >= 0 and _CODE.match(text, start) else None


_INVALID = re.compile(
    r"validation error|invalid (?:tool )?(?:arguments|parameters|input)|field required"
    r"|missing required|InputValidationError",
    re.IGNORECASE,
)


def detect(reading: Reading) -> list[Finding]:
    """Malformed calls and text in place of calls, in the order of turns."""
    found = []
    for place, call in enumerate(reading.calls):
        if wrong := _wrong_with(reading, place, call):
            evidence = quote(f"{call.tool} {call.arguments}")
            found.append(Finding("format_collapse", call.turn, call.call, evidence, wrong))
    found += _calls_as_text(reading)
    return sorted(found, key=lambda f: (f.turn, -1 if f.call is None else f.call))


def _wrong_with(reading: Reading, place: int, call: ToolCall) -> str | None:
    arguments = reading.arguments[place]
    if arguments is BROKEN:
        return "the arguments are not valid JSON"
    if not call.executed and call.error and _INVALID.search(call.error):
        return "the call was refused as malformed"
    offered = reading.schemas.get(call.tool)
    if offered is None:
        return "no such tool was offered" if reading.schemas else None
    schema = _find_current_schema(offered, call.turn)
    parameters = None if schema is None else parameters_of(schema.text)
    if parameters is None:
        return None
    if not isinstance(arguments, dict):
        return "the arguments are no JSON object"
    return breach(arguments, parameters)


def _find_current_schema(offered: list[Part], turn: int) -> Part | None:
    """The schema that stood in that turn's context."""
    for part in offered:
        if part.enters is not None and part.enters <= turn < (part.leaves or turn + 1):
            return part
    return None


def _calls_as_text(reading: Reading) -> list[Finding]:
    if not reading.calls and not reading.schemas:
        return []
    tools = reading.schemas.keys() | {call.tool for call in reading.calls}
    runs_code = any(family_of(name) == "compute" for name in reading.schemas)
    found = []
    for turn, parts in enumerate(reading.written):
        if reading.calls_by_turn[turn]:
            continue
        for part in parts:
            if part.kind == "text" and (shaped := _has_shape(part.text, tools, runs_code)):
                span, detail = shaped
                evidence = quote_around(part.text, *span, margin=0)
                found.append(Finding("format_collapse", turn, None, evidence, detail))
                break
    return found


def _has_shape(text: str, tools: set[str], runs_code: bool) -> tuple[Span, str] | None:
    if span := find_tagged_call(text) or bare_call(text, tools):
        return span, "a call written as text, never run"
    if runs_code and (span := find_trailing_code(text)):
        return span, "code written as text where a tool would have run it"
    return None
