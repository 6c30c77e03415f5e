"""What a failed call did wrong, by its tool first and by what came back second.

Takes a tool's name, its arguments and what it returned; returns words, or None where nothing about
the call itself was wrong: a probe that finds nothing, a result too long for the context that was
saved to a file, a call that was stopped. What a tool quotes of a file or a query is not looked at:
an editor's first line says what it refused, and the rest is the text that it did not find.

Worked: `Edit` with "String to replace not found in file.", then the string -> an edit that does not
match its file. `Bash` with `ls src/old`, "ls: src/old: No such file or directory" -> None.
"""

import re
from typing import Any

PATH, ARGUMENT = "a wrong path", "a wrong option or argument"
MISMATCH, UNREAD = "an edit that does not match its file", "an edit of a file not read as it is now"
NO_CHANGE, TOO_LARGE = "an edit that changes nothing", "a file too large to read at once"
NO_TOOL, NO_COMMAND = "a tool that is not offered", "a command that is not installed"
SYNTAX = "a shell line that does not parse"
LEAST = 10
"""Characters of a line that says something."""
Rules = tuple[tuple[re.Pattern[str], str | None], ...]


def _rules(*pairs: tuple[str, str | None]) -> Rules:
    flags = re.IGNORECASE | re.MULTILINE
    return tuple((re.compile(pattern, flags), label) for pattern, label in pairs)


SANDBOX = re.compile(r"^failed in sandbox .{0,200}?stderr: ", re.DOTALL | re.MULTILINE)
"""What a client puts before the output of any command that did not end with 0."""
_SAVED = re.compile(
    r"\b(?:output|result|response)\b[^\n]{0,120}\bsaved (?:to|at|in)\b", re.IGNORECASE
)
_EVERY_TOOL = _rules(
    (r"no such tool|tool .{0,60}(?:not found|does not exist|not available)|unknown tool", NO_TOOL),
    (r"InputValidationError|invalid (?:arguments|parameters|input)|schema validation", ARGUMENT),
)
_MISSING = r"(?:does not|doesn't|not) exist|no such file|not found|ENOENT"
_NO_FOLDER = r"is a directory|EISDIR|illegal operation on a directory|not a directory|ENOTDIR"
_USE = (
    r"\binvalid|\bmust\b|\bmissing\b|\brequired?\b|unexpected|unknown|unrecogni[sz]ed|malformed"
    r"|syntax|parse error|wrong type|not a valid|should be|usage:|argument|parameter|out of range"
    r"|regex|has the key|add up|(?:type|name|key|value|attribute|index)error|modulenotfound"
)
_EDIT = _rules(
    (r"\b(?:not|n't) (?:been |yet )?read|read it (?:first|again)|modified since", UNREAD),
    (r"exactly the same|no changes? (?:to make|made)|are identical", NO_CHANGE),
    (r"(?:string|text|block|lines?|context|hunk)\b.{0,80}(?:not found|not match|n't match|no match)"
     r"|(?:found|has) (?:\d+|multiple) (?:matches|occurrences)|failed to find|could not find"
     r"|old_?str|(?:does|did) not match|no match|occurrences? found"
     r"|multiple (?:matches|occurrences)|patch (?:failed|does not apply)|cell .{0,40}not found"
     r"|verification failed", MISMATCH),
    (f"{_MISSING}|{_NO_FOLDER}", PATH),
    (_USE, ARGUMENT),
)  # fmt: skip
_READ = _rules(
    (r"exceeds? (?:the )?(?:maximum|limit)|too (?:large|big|long|many)", TOO_LARGE),
    (f"{_MISSING}|{_NO_FOLDER}", PATH),
    (_USE, ARGUMENT),
)
_LIST = _rules((f"{_MISSING}|{_NO_FOLDER}", PATH), (_USE, ARGUMENT))
_OTHER = _rules(
    (r"(?:file|path|directory|folder)\b.{0,80}(?:not exist|n't exist|not found)|no such file"
     r"|exist.{0,20}(?:file|path)|EISDIR|is a directory", PATH),
    (f"{_MISSING}|does not match|did not match|no match|{_USE}", ARGUMENT),
)  # fmt: skip
_LINE = r"""(?:^|[\"'])(?:\S*/)?"""
"""Where a line begins, also in a client's JSON or behind what its sandbox says."""
_PROGRAMS = "cd|cat|cp|mv|rm|head|tail|sed|wc|source|pushd|diff|tar|chmod|python3?|node"
_SHELL = _rules(
    (r"syntax error near|unexpected EOF while|unmatched [\"'`(]|parse error near"
     rf"|{_LINE}(?:ba|z|da|k)?sh:.{{0,20}} (?:syntax error|no matches found)", SYNTAX),
    (r"command not found|: not found$", NO_COMMAND),
    (r"(?:invalid|unrecognized|unknown|illegal) option|unknown (?:command|flag|subcommand)|^usage:"
     r"|missing operand|unrecognized arguments|regex parse error|not allowed in a regex"
     rf"|{_LINE}(?:jq|sed|awk|grep|rg): .{{0,40}}(?:syntax|compile|expression|pattern)", ARGUMENT),
    (rf"{_LINE}(?:{_PROGRAMS}): .*(?:no such file or directory|not a directory|is a directory)"
     rf"|can't open file|{_LINE}(?:ba|z|da)?sh: .*no such file or directory"
     r"|^execution error: no such file", PATH),
)  # fmt: skip
_SHELL_ALONE = frozenset({NO_COMMAND, PATH, SYNTAX})
"""What the shell itself says; of a program that no rule knows the rest may be what is tested."""
_PROBES = re.compile(
    r"\|\||2>\s*/dev/null|(?:^|[;&|(]\s*)(?:ls|which|type|command -v|test|\[|stat|file|pgrep|grep"
    r"|rg|find)\s|--version\b|(?:^|\s)-[vV]\s*$|\bhelp\b"
)
_IS_EDIT = re.compile(r"edit|replace|patch|^write|write_file|create_file|insert_", re.IGNORECASE)
_IS_READ = re.compile(
    r"^(?:notebook)?read|read_file|^view$|view_file|open_file|^cat$", re.IGNORECASE
)
_IS_LIST = re.compile(
    r"^(?:glob|grep|ls|find)$|list_(?:dir|files)|search_file|grep_|glob_", re.IGNORECASE
)


def name_failure(tool: str, sentence: str) -> str | None:
    """Of a tool that is no shell; `sentence` is what it returned."""
    if _SAVED.search(sentence):
        return None
    # What follows is quoted: the text that was not found, the page that was asked for. A first line
    # such as "ERROR:" says nothing.
    lines = [line.strip() for line in sentence.split("\n") if line.strip()]
    first = next((line for line in lines if len(line) >= LEAST), "")[:300]
    rules = _OTHER
    for pattern, own in ((_IS_EDIT, _EDIT), (_IS_READ, _READ), (_IS_LIST, _LIST)):
        if pattern.search(tool):
            rules = own
            break
    return _first_that_holds((*_EVERY_TOOL, *rules), first)


def name_shell_failure(arguments: Any, sentence: str, *, is_program_unknown: bool) -> str | None:
    """Of a shell; a line that looks whether something is there may find that it is not."""
    if _SAVED.search(sentence):
        return None
    label = _first_that_holds(_SHELL, sentence)
    if label is None or (is_program_unknown and label not in _SHELL_ALONE):
        return None
    command = arguments.get("command", "") if isinstance(arguments, dict) else arguments
    is_probe = isinstance(command, str) and _PROBES.search(command)
    return None if is_probe and label in (PATH, NO_COMMAND) else label


def _first_that_holds(rules: Rules, text: str) -> str | None:
    return next((label for pattern, label in rules if pattern.search(text)), None)
