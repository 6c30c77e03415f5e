"""Small readings that formats share: text out of content blocks, schemas, times, counts, errors.

Formats may not import each other; what they have in common is here, by idea.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote

import msgspec

from agentdyno.records import printable
from agentdyno.records.local_days import plausible_time
from agentdyno.records.secrets.excerpts import cut_text

LONGEST_PATH = 400
_ENCODER = msgspec.json.Encoder()


def fields_of(value: Any) -> dict[str, Any]:
    """An object; empty for anything else."""
    return value if isinstance(value, dict) else {}


def dicts_of(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; none for anything else."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_of(value: Any) -> str | None:
    """A text; None for an empty one, and for anything else."""
    return value if isinstance(value, str) and value else None


def project_folder(path: Any) -> str | None:
    """A folder that a trace names, in one line; None where it names none."""
    if not isinstance(path, str) or not path.strip():
        return None
    local = unquote(path.removeprefix("file://")) if path.startswith("file://") else path
    return printable(local.strip(), LONGEST_PATH)


def arguments_of(value: Any) -> str:
    """A call's arguments as text; empty where there are none."""
    return "" if value is None else compact_json(value)


def compact_json(value: Any) -> str:
    """A decoded JSON value as text; a string stays as it is."""
    return value if isinstance(value, str) else _ENCODER.encode(value).decode()


def flat_text(content: Any) -> str:
    """The text of a message's content: a string, a list of blocks, or nothing.

    Blocks without text (images, audio) are left out: their tokens show up as `unseen`.
    """
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content]
    if not isinstance(content, list):
        return "" if content is None else compact_json(content)
    return "\n".join(text for block in content if (text := _block_text(block)))


def _block_text(block: Any) -> str:
    if isinstance(block, str):
        return block
    if not isinstance(block, dict):
        return "" if block is None else compact_json(block)
    for key in ("text", "content", "refusal", "output", "input_text", "output_text"):
        value = block.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            return flat_text(value)
    return ""


def function_schemas(tools: Any) -> tuple[tuple[str, str], ...]:
    """Offered tools as (name, schema text), for the shapes {function: {…}} and {name, …}."""
    if not isinstance(tools, list):
        return ()
    return tuple(_schema(tool) for tool in tools if isinstance(tool, dict))


def _schema(tool: dict[str, Any]) -> tuple[str, str]:
    function = tool.get("function")
    inner = function if isinstance(function, dict) else tool
    return str(inner.get("name") or tool.get("type") or ""), compact_json(inner)


def seconds(value: Any) -> float | None:
    """A moment as seconds since 1970, from ISO 8601 text or a count of seconds, milliseconds,
    microseconds or nanoseconds; None for anything else, and outside the years 2000 to 2100."""
    if value is None or isinstance(value, bool):
        return None
    try:
        # Text is the usual case, and often enough to be asked for first.
        if type(value) is not str and isinstance(value, int | float):
            return next((at for unit in _UNITS if (at := plausible_time(value / unit))), None)
        moment = datetime.fromisoformat(str(value))
        # A stamp without a zone is taken as UTC, so that every machine reads the same time.
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return plausible_time(moment.timestamp())
    except (ValueError, OverflowError):
        return None


_UNITS = (1, 1e3, 1e6, 1e9)
"""Counts to a second. A moment of these years is plausible in one of them only."""


def thousandth(milliseconds: Any) -> float | None:
    """A span of time in seconds; None for what is none."""
    is_number = isinstance(milliseconds, int | float) and not isinstance(milliseconds, bool)
    return milliseconds / 1000 if is_number and 0 <= milliseconds < 1e12 else None


def whole(value: Any) -> int | None:
    """A count of tokens; None for what is none (missing, negative, not a number)."""
    if type(value) is int:  # The usual case, and often enough to be worth a shortcut.
        return value if 0 <= value < 2**53 else None
    return int(value) if isinstance(value, float) and 0 <= value < 2**53 else None


def amount(value: Any) -> float | None:
    """A finite number that is not negative, also one written as text; None for anything else."""
    try:
        number = float(value) if isinstance(value, int | float | str) else -1.0
    except (ValueError, OverflowError):
        return None
    return number if not isinstance(value, bool) and 0 <= number < float("inf") else None


def short_text(value: Any) -> str | None:
    """A name, made printable; None for what is none."""
    return printable(value.strip(), 200) or None if isinstance(value, str) else None


def number(value: Any) -> Any:
    """A count that was written as text, as OTLP writes 64-bit integers; other text is no number."""
    if isinstance(value, str):
        try:
            return int(value) if len(value) < 20 else None
        except ValueError:
            return None
    return value


def beyond(total: int | None, into: int | None, out: int | None) -> int:
    """Tokens that a total has and neither count."""
    return 0 if total is None else max(total - (into or 0) - (out or 0), 0)


def is_beside(part: int, total: int | None, surplus: int) -> bool:
    """True when a finer count is not inside its total, as conventions want it: it is larger, or is
    the surplus of the sum."""
    return part > 0 and (part > (total or 0) or part == surplus)


# The colon is looked for first: to try every beginning of a plain word takes longer.
_ERROR = re.compile(
    r"\s*+(?:error\b|traceback \(most recent call last\)|exception\b"
    r"|(?=\w*+:)\w*(?:error|exception):)",
    re.IGNORECASE,
)
_EXIT = re.compile(r"(?:exit(?:ed with)? code|returncode|exit status)\W{1,4}(-?\d+)", re.IGNORECASE)
LONGEST_ERROR = 200
"""Characters of an error that are kept."""
BEGINNING, END = 400, 200
"""Characters at either end of a result in which an exit code is looked for."""


def error_in(text: str) -> str | None:
    """An error that the result's text tells of where the format has no flag: its first line.

    Looks at how the text begins, and at exit codes near its start and end. Runs on every result,
    so plain searches rule out most texts before a pattern is tried.
    """
    if _ERROR.match(text):
        return first_line(text)
    edges = text if len(text) <= BEGINNING + END else text[:BEGINNING] + text[-END:]
    # A rare letter is found ten times as quickly as a word, and is mostly not there.
    if (
        ("x" in edges and "xit" in edges)
        or ("X" in edges and "XIT" in edges)
        or "eturncode" in edges
    ):
        return _exit_code(text[:BEGINNING]) or _exit_code(text[-END:])
    return None


def _exit_code(piece: str) -> str | None:
    if "xit" in piece or "XIT" in piece or "eturncode" in piece:
        code = _EXIT.search(piece)
        if code and code[1] != "0":
            return f"exit code {code[1]}"
    return None


def first(values: Iterable[Any]) -> Any:
    """The first value that is not None."""
    return next((value for value in values if value is not None), None)


def read_solved(mark: Any) -> bool | None:
    """True for a mark of 1, False for 0; anything else is None."""
    return bool(mark) if isinstance(mark, bool | int | float) and mark in (0, 1) else None


def first_line(text: str) -> str:
    """The first line of a text that holds anything, cut to 200 characters. What follows the line
    may say what stands in it."""
    stripped = text.strip()
    end = stripped.find("\n")
    return cut_text(stripped, LONGEST_ERROR if end < 0 else min(end, LONGEST_ERROR))
