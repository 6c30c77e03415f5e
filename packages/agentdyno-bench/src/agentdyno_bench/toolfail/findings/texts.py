"""Texts that are no answer: tool calls written out and never run, and broken output.

A text in, spans or a reason out. Knows nothing of tasks.
"""

import re
from collections.abc import Collection

_MARKUP = re.compile(
    r"<\|?tool_calls?\|?>.*?(?:</?\|?/?tool_calls?\|?>|\Z)"
    r"|\[TOOL_CALLS\].*\Z"
    r"|<function=[\w.-]+>.*?(?:</function>|\Z)"
    r"|<invoke name=.*?(?:</invoke>|\Z)"
    r"|<\|python_tag\|>.*\Z",
    re.DOTALL,
)
_OBJECT = re.compile(
    r"(?:```(?:json|tool_code|python)?\s*)?[\[{]?\s*\{\s*\"(?:name|tool|function)\"\s*:\s*"
    r"\"([\w.-]+)\""
    r"[^`]{0,500}?\"(?:arguments|parameters|args|input)\"\s*:.{0,4000}?\}\s*\}?\s*\]?(?:\s*```)?",
    re.DOTALL,
)
_CLAIM = (
    r"\b(?:per|from|using|via|according to|based on|called|calling|queried)\s+(?:the\s+)?"
    r"[`'\"]?{}\b"
)
_RAW = re.compile(r"<\|[\w]{2,40}\|>|[ĠĊ▁]|<0x[0-9A-F]{2}>|<unk>|\ufffd")
LONGEST = 20_000
"""Characters of a text that are read; 1,024 tokens are a quarter of that."""
FEWEST_RAW = 3
FEWEST_WORDS = 20
LEAST_VARIETY = 0.15
"""Distinct words among all words of a long text, at the least; English prose has 0.5."""


def find_written_calls(text: str, tools: Collection[str]) -> list[tuple[int, int]]:
    """Spans that have the shape of a tool call."""
    spans = [match.span() for match in _MARKUP.finditer(text)]
    spans += [m.span() for m in _OBJECT.finditer(text) if m[1] in tools]
    for tool in (name for name in tools if f"{name}(" in text):
        written = rf"\b{re.escape(tool)}\([^()\n=]{{0,60}}=[^()\n]{{0,500}}\)"
        spans += [match.span() for match in re.finditer(written, text)]
    return spans


def find_claimed_call(text: str, tools: Collection[str], executed: Collection[str]) -> str | None:
    """The span that says a tool was asked which was not executed."""
    for tool in tools:
        if tool in executed or tool not in text:
            continue
        if match := re.search(_CLAIM.format(re.escape(tool)), text, re.IGNORECASE):
            return match[0]
    return None


def why_broken(text: str) -> str | None:
    """Why a text is no output of a working model; None when it may well be."""
    raw = _RAW.findall(text)
    if len(raw) >= FEWEST_RAW and 12 * len(raw) > len(text) / 4:
        return f"raw tokens: {' '.join(raw[:4])}"
    words = text.lower().split()
    if len(words) >= FEWEST_WORDS and len(set(words)) < LEAST_VARIETY * len(words):
        return f"repetition: {len(set(words))} distinct words of {len(words)}"
    return None
