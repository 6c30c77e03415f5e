"""Answers that the agent's own program gave in place of a tool: a result's text in, its kind out.

sibling_error  another call of the same batch failed, so this one was not run
rejected       the user, or a rule of permission, refused the call
interrupted    the call was stopped or discarded before it came back
not_started    the program that should have run could not be started
cwd_reset      the tool said nothing; the harness notes that the shell is back in its folder

Wordings of Claude Code, Codex and Gemini CLI. Only how a text begins counts: further down it is the
content of a file or a page. Whether a call of `intake` ran is decided with this, once; detectors
read the field `ToolCall.harness`.
"""

import re

from agentdyno.records.trajectory import HarnessMessage

HEAD = 240
"""Characters in which such a message begins."""
_KINDS: tuple[tuple[HarnessMessage, str], ...] = (
    ("sibling_error", r"sibling tool call errored|cancelled: parallel tool call\b"),
    (
        "rejected",
        r"the user doesn't want to (?:proceed|take this action)|user rejected\b|rejected by user"
        r"|permission for this tool use was denied|permission to use .{1,200}(?:denied|not granted)"
        r"|claude requested permissions?\b|the user denied\b|permission request denied by user"
        r"|\[operation cancelled\] reason: (?:user )?denied",
    ),
    (
        "interrupted",
        r"\[?request interrupted by user|\[operation cancelled\]|(?:command )?aborted by user"
        r"|request cancelled\.?\s*\Z|streaming fallback - tool execution discarded"
        r"|\[?tool (?:use|call|execution) (?:was )?(?:interrupted|cancelled|aborted)",
    ),
    (
        "not_started",
        r"(?-i:E[A-Z0-9]{3,9}: [^\n]{1,80}, )(?:posix_)?spawn\b"
        r"|(?:posix_)?spawn [^\n]{0,120}(?-i:\bE[A-Z0-9]{3,9}\b)|failed to spawn\b"
        r"|working directory \"[^\n\"]{1,200}\""
        r" no longer exists",
    ),
    ("cwd_reset", r"shell cwd was reset to [^\n]+\s*\Z"),
)
_MESSAGE = re.compile(
    r"\s*(?:<tool_use_error>\s*)?(?:error:\s*)?(?:"
    + "|".join(f"(?P<{kind}>{words})" for kind, words in _KINDS)
    + ")",
    re.IGNORECASE | re.DOTALL,
)


def harness_message(text: str) -> HarnessMessage | None:
    """The kind of the harness's message in place of a tool's answer; None where the tool
    answered.
    """
    match = _MESSAGE.match(text[:HEAD] if len(text) > HEAD else text)
    kind: HarnessMessage | None = match.lastgroup if match else None  # type: ignore[assignment]
    return kind
