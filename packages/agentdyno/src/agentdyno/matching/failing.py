"""Calls that came back with a failure or with nothing, read off their results.

Takes a call and the text of its result, returns a reason or None. Many formats mark no errors, so
the beginning of a text counts: exit codes, tracebacks, what shells, editors and installers say when
they did not do it. What a file or a page says further down is its content.
"""

import re
from functools import lru_cache

from agentdyno.records import ToolCall

HEAD = 400
"""Characters in which a failure shows itself."""
SHORT = 2_000
"""Characters of an output whose last line may be the failure."""
_BEGINS = re.compile(
    r"\W{0,3}(?:tool_use_error|exception>|error\b|errors:|traceback \(most recent|fatal:|bash: "
    r"|sh: \d|\(eval\):\d|execution timed out|your proposed edit|wrong |invalid )"
)
_SAYS = (
    "no such file or directory", "command not found", "cannot access ", "file does not exist",
    "no replacement was performed", "no module named", "does not exist",
)  # fmt: skip
"""Texts of failures, in lower case."""
_CODE = re.compile(r"<returncode>-?[1-9]|exit code:? [1-9]|exited with (?:code|status) [1-9]")
_LAST = re.compile(
    r"(?:\w*Error|\w*Exception|make: \*\*\* \[?.{0,80}|npm ERR!)\b.{0,300}\Z", re.DOTALL
)
_NOTHING = re.compile(
    r"(?:<returncode>\d+</returncode>)?\s*(?:<output>\s*</output>)?\s*"
    r"(?:no (?:files|matches|results)(?: were)? found\.?|\[\]|\{\}"
    r"|\(bash completed with no output\)|tool ran without output(?: or errors)?\.?)?\s*\Z",
    re.IGNORECASE,
)


def has_failed(call: ToolCall, text: str) -> bool:
    """True when the call did not do what it was asked to."""
    if call.error is not None or call.harness not in (None, "cwd_reset"):
        return True
    return _looks_failed(text[:HEAD], text[-HEAD:] if len(text) <= SHORT else "")


@lru_cache(maxsize=4096)
def _looks_failed(head: str, tail: str) -> bool:
    if head[:24].startswith(("Here's the result", "     1", "1\t", "# ", "diff ")):
        return False  # What a file holds.
    low = head.lower()
    if _BEGINS.match(low) or any(words in low for words in _SAYS):
        return True
    if ("code" in low or "status" in low) and _CODE.search(low):
        return True
    ends = "Error" in tail or "Exception" in tail or "ERR!" in tail or "***" in tail
    return ends and _LAST.search(tail.rstrip()) is not None


def is_nothing(text: str) -> bool:
    """True when a search or a listing found nothing."""
    return len(text) <= HEAD and _NOTHING.match(text) is not None
