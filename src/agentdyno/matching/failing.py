"""Whether a call came back with a failure or with nothing, read off its result.

Takes a call and the text of its result, returns a reason or None. Many formats mark no errors, so
the beginning of a text counts: exit codes, tracebacks, what shells, editors and installers say when
they did not do it. What a file or a page says further down is its content.
"""

import re

from agentdyno.records import ToolCall

HEAD = 400
"""Characters in which a failure shows itself."""
SHORT = 2_000
"""Characters of an output whose last line may be the failure."""
_FAILED = re.compile(
    r"\A\W{0,3}(?:tool_use_error|exception>|error\b|errors:|traceback \(most recent|fatal:|bash: "
    r"|sh: \d|\(eval\):\d|execution timed out|permission for this tool|the user doesn't want"
    r"|your proposed edit|wrong |invalid )|<returncode>-?[1-9]|exit code:? [1-9]"
    r"|exited with (?:code|status) [1-9]|no such file or directory|command not found"
    r"|cannot access |file does not exist|no replacement was performed|no module named"
    r"|does not exist\b",
    re.IGNORECASE,
)
_LAST = re.compile(
    r"(?:\w*Error|\w*Exception|make: \*\*\* \[?.{0,80}|npm ERR!)\b.{0,300}\Z", re.DOTALL
)
_NOTHING = re.compile(
    r"(?:<returncode>\d+</returncode>)?\s*(?:<output>\s*</output>)?\s*"
    r"(?:no (?:files|matches|results)(?: were)? found\.?|\[\]|\{\})?\s*\Z",
    re.IGNORECASE,
)


def failed(call: ToolCall, text: str) -> bool:
    """Whether the call did not do what it was asked to."""
    if call.error is not None:
        return True
    head = text[:HEAD]
    if head[:24].startswith(("Here's the result", "     1", "1\t", "# ", "diff ")):
        return False  # What a file holds.
    if _FAILED.search(head):
        return True
    return len(text) <= SHORT and _LAST.search(text.rstrip()[-400:]) is not None


def is_nothing(text: str) -> bool:
    """Whether a search or a listing found nothing."""
    return len(text) <= HEAD and _NOTHING.match(text) is not None


def quoted_in(text: str) -> set[str]:
    """What a failure puts in quotes: the module, the file, the name that was missing."""
    return {found.lower() for found in _QUOTED.findall(text[-SHORT:])}


_QUOTED = re.compile(r"['\"`]([\w./-]{3,60})['\"`]")
