"""A tool's answer in Anthropic's blocks: its text, its error, the tools it points to.

Takes the content of a result block as it was decoded, of the caller's tools or the server's.
Knows nothing of turns or of the context.
"""

import re
from collections.abc import Iterator
from typing import Any

from agentdyno.intake import texts
from agentdyno.intake.texts import error_in, flat_text
from agentdyno.records.secrets.excerpts import cut_text


def result_text(content: Any) -> str:
    """The text of a result, also of those that server-side tools wrap in their own objects."""
    if isinstance(content, str):
        return content
    plain = flat_text(content) if isinstance(content, list) else ""
    return plain or "\n".join(_leaves(content))


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, dict) and value.get("type") != "base64":
        for key, item in value.items():
            if isinstance(item, dict | list):
                yield from _leaves(item)
            elif isinstance(item, str) and item and key in _READABLE:
                yield item


_READABLE = {"text", "title", "url", "stdout", "stderr", "data", "error_code", "error_message"}


def references(content: Any) -> Iterator[str]:
    """Names of deferred tools that this content puts before the model."""
    if isinstance(content, list):
        for item in content:
            yield from references(item)
    elif isinstance(content, dict):
        if content.get("type") == "tool_reference":
            yield str(content.get("tool_name") or content.get("name") or "")
        yield from references(content.get("tool_references"))


def error_of(content: Any, is_error: bool | None, text: str) -> str | None:
    """The error, by the block's flag or, since flags under-report, by the text."""
    if is_error:
        return first_line(text) or "error"
    if isinstance(content, dict):
        if code := content.get("error_code"):
            return cut_text(str(code), 200)
        if content.get("return_code"):
            return f"exit code {content['return_code']}"
    return error_in(text)


def first_line(text: str) -> str:
    """The first line of an error, without the tags Claude Code puts around it."""
    inner = text.replace("<tool_use_error>", "", 1).replace("</tool_use_error>", "", 1)
    return texts.first_line(inner)


def is_refusal(text: str) -> bool:
    """True when an error says that there is no such tool, or that the arguments are not its own."""
    return _REFUSAL.match(text[:300]) is not None


_REFUSAL = re.compile(
    r"\s*(?:<tool_use_error>\s*)?(?:error:\s*)?(?:"
    r"(?:no such|unknown) tool\b"
    r"|tool '?\"?[\w.-]+'?\"? (?:not found|does not exist|is not available)"
    r"|inputvalidationerror"
    r"|\d+ validation errors?\b"
    r"|invalid (?:tool )?(?:arguments|parameters|input)\b"
    r")",
    re.IGNORECASE,
)
