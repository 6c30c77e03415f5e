"""Text that has the shape of a tool call and was never run. A text in, the span that shows it out.

Shapes: `<tool_call>{"name": …`, `<function=name>`, `<invoke name="…"`, a text that is nothing but
{"name": …, "arguments": …} of a known tool, and a text that ends with a ```python block: whoever
stops there expects it to run. Reasoning is not looked at: models think aloud about calls.
"""

import re
from collections.abc import Collection
from typing import Any

import msgspec

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
