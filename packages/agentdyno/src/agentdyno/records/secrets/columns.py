"""Passwords in columns: the name stands in the head, the values in the rows below.

Takes a text, yields where secrets stand in its CSV, in its Markdown tables and in its SQL INSERTs.
The column's name decides (`key_names`); a value with blanks, a placeholder or a plain word of prose
is left alone. Lines may end with `\\n` written out, as they do inside JSON.
"""

import re
from collections.abc import Iterator

from agentdyno.records.secrets.key_names import Strength, judge_name
from agentdyno.records.secrets.placeholders import is_placeholder
from agentdyno.records.secrets.randomness import has_digit, is_hex, is_wordy
from agentdyno.records.secrets.spans import Span

_WORDS = ("pass", "Pass", "PASS", "pwd", "PWD", "ecret", "ECRET", "ennwort", "ontrase")
_NAME_END = re.compile(r"\w{3,32}[ \"'`]*(?=[,;|\t\r\n]|\\[nrt\"]|\Z)")
"""The end of a cell that may be a password's name."""
_HEAD = re.compile(r"[ \t|]*[\w \-\"'`\\]{1,48}(?:[,;|\t][\w \-\"'`\\]{0,48})+|[\w \-\\]{1,200}")
"""A line of names."""
_BREAK = re.compile(r"\r?\n|(?:\\r)?\\n")
_WRITTEN_BREAK = re.compile(r"(?:\\r)?\\n|(?<!\\)\"")
_RULER = re.compile(r"[|:\- ]{3,}")
_INSERT = re.compile(
    r"(?i:insert\s+into\s+\S{1,80}?\s*)\(([^()]{1,400})\)(?i:(?:\s|\\n)*values(?:\s|\\n)*)"
)
_TUPLE = re.compile(r"(?:\s|\\n|,)*\(")
_VALUE = re.compile(
    r"(?:\s|\\n)*(?:(?P<quote>\\?['\"])(?P<text>(?:''|(?!(?P=quote)).)*)(?P=quote)|[^,()'\"]*)"
    r"(?:\s|\\n)*(?P<end>[,)])",
    re.DOTALL,
)
LONGEST_HEAD, MOST_ROWS = 400, 2_000


def find_columns(text: str) -> Iterator[Span]:
    """Values of columns that a password's name stands over."""
    end = 0
    lines = "\n" in text or "\\n" in text
    for at in sorted(at for word in _WORDS for at in _find_all(text, word)) if lines else ():
        if at >= end and _NAME_END.match(text, at):
            end, below = _line_end(text, at)
            yield from _find_below(text, at, end, below)
    if "nsert " in text or "NSERT " in text:
        for statement in _INSERT.finditer(text):
            yield from _find_inserted(text, statement)


def _find_all(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _find_below(text: str, named: int, end: int, below: int) -> Iterator[Span]:
    line_break = _WRITTEN_BREAK if text[end : end + 1] == "\\" else _BREAK
    start = _line_start(text, named, line_break is _WRITTEN_BREAK)
    if text[start:end].rstrip().endswith("|"):
        start = text.find("|", start)  # In Markdown, what stands before is no cell.
    if not 0 < end - start <= LONGEST_HEAD or _HEAD.fullmatch(text, start, end) is None:
        return
    sign = next((sign for sign in ("|", "\t", "\\t", ";", ",") if sign in text[start:end]), ",")
    head = _cells(text, start, end, sign)
    names = [text[a:b] for a, b in head]
    columns = [at for at, name in enumerate(names) if judge_name(name) is Strength.STRONG]
    for _ in range(MOST_ROWS if columns and len(head) > 1 and all(names) else 0):
        if below >= len(text):
            return
        start, (end, below) = below, _line_end(text, below, line_break)
        if _RULER.fullmatch(text, start, end):
            continue
        cells = _cells(text, start, end, sign)
        if len(cells) != len(head):
            return
        for at in columns:
            if _is_secret(text[slice(*cells[at])], is_prose=sign == "|"):
                yield Span(*cells[at], "password")


def _line_start(text: str, at: int, is_written: bool) -> int:
    """In a JSON string, a line may begin with the string."""
    start = text.rfind("\n", 0, at) + 1
    if is_written:
        opened = text.rfind('"', start, at)
        while opened > start and text[opened - 1] == "\\":
            opened = text.rfind('"', start, opened)
        start = max(start, text.rfind("\\n", 0, at) + 2, opened + 1)
    return start


def _line_end(text: str, at: int, line_break: re.Pattern[str] = _BREAK) -> tuple[int, int]:
    """The end of a line, and the beginning of the next one."""
    match = line_break.search(text, at)
    return match.span() if match else (len(text), len(text))


def _cells(text: str, start: int, end: int, sign: str) -> list[tuple[int, int]]:
    """Spans of a line's cells, without their quotes and the blanks around them."""
    cells, quoted, begins, at = [], False, start, start
    while at < end:
        if text[at] == '"':
            quoted = not quoted
        if not quoted and text.startswith(sign, at):
            cells.append(_strip(text, begins, at))
            begins = at = at + len(sign)
        else:
            at += 1
    cells.append(_strip(text, begins, end))
    # A row of Markdown begins and ends with a line.
    return [cell for cell in cells if cell[0] < cell[1]] if sign == "|" else cells


def _strip(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in " \t\"'`\\":
        start += 1
    while end > start and text[end - 1] in " \t\"'`\\":
        end -= 1
    return start, end


def _find_inserted(text: str, statement: re.Match[str]) -> Iterator[Span]:
    names = [name.strip(" \t\r\n\"'`\\[]") for name in statement[1].split(",")]
    columns = {at for at, name in enumerate(names) if judge_name(name) is Strength.STRONG}
    at = statement.end()
    while columns and (opened := _TUPLE.match(text, at)):
        index, at = 0, opened.end()
        while value := _VALUE.match(text, at):
            if index in columns and value["text"] and _is_secret(value["text"], is_prose=False):
                yield Span(*value.span("text"), "password")
            index, at = index + 1, value.end()
            if value["end"] == ")":
                break
        else:
            return


def _is_secret(value: str, is_prose: bool) -> bool:
    if len(value) < 4 or any(map(str.isspace, value)) or is_placeholder(value):
        return False
    if value.isdigit() or (is_hex(value) and len(value) < 12):
        return not is_prose and len(value) >= 6
    is_plain = not has_digit(value) and (value.isalpha() or is_wordy(value))
    return not (is_prose and is_plain)
