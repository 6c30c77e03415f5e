"""How a tool says that a call failed, and foreign words made fit to be shown.

Nothing here imports Inspect.
"""

import re

from agentdyno.records import printable

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_SECRET = re.compile(
    r"(?i)\b(bearer\s+|(?:x-)?api[-_]?key[\"']?\s*[:=]\s*[\"']?|token[\"']?\s*[:=]\s*[\"']?"
    r"|authorization[\"']?\s*[:=]\s*[\"']?(?:bearer\s+)?)[\w.~+/=-]{6,}"
)
_KEY = re.compile(
    r"\b(?:sk|pk|rk|gsk|hf|xai|ghp|gho|key)[-_][A-Za-z0-9_-]{8,}|\b[A-Fa-f0-9]{32,}\b"
)
_LONGEST = 8000


def clean(text: str, limit: int = 300) -> str:
    """Foreign words without terminal escapes and without what looks like a key."""
    plain = _ESCAPE.sub("", text[: 20 * limit])
    plain = _SECRET.sub(lambda found: f"{found[1]}[key]", plain)
    return printable(_KEY.sub("[key]", plain), limit)


class ToolFailedError(Exception):
    """A call that did not do what was asked; its text is what the model reads as the result."""

    @property
    def text(self) -> str:
        """The result for the model, line by line without escapes and keys."""
        lines = str(self.args[0])[:_LONGEST].splitlines()
        return "\n".join(clean(line, 1000) for line in lines)
