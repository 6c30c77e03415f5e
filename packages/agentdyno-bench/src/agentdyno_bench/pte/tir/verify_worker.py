"""Compares mathematical answers with math-verify, in a process of its own.

Lines of JSON in, `[expected, given]`; lines of JSON out: true, false, or null for "cannot tell".
Model-written mathematics can keep a computer algebra system busy for ever or fill the memory, so
whoever started this process stops it, and the system limits its memory.

False is only returned for two formulas. Where either side has words in it, parsers see products of
letters, and "seventy-two" would differ from 72.
"""

import json
import logging
import re
import signal
import sys
from collections.abc import Iterator
from typing import Any

MEMORY_BYTES = 2 * 2**30
ALONE_SECONDS = 30
"""A comparison without end is stopped from outside, or by this limit."""
_DELIMITERS = re.compile(r"^(?:\$+|\\\(|\\\[)|(?:\$+|\\\)|\\\])$")
_BOXED = re.compile(r"^\\boxed\{(.*)\}$", re.DOTALL)
_COMMANDS = re.compile(r"\\[A-Za-z]+")
_FUNCTIONS = re.compile(r"\b(?:sqrt|sin|cos|tan|cot|sec|csc|log|exp|arcsin|arccos|arctan|inf)\b")
_WORD = re.compile(r"[A-Za-z]{3,}|\b[A-Za-z]{2}\s")
_ROOT = re.compile(r"\bsqrt\(([^()]*)\)")


def main() -> None:
    """Serves until its input ends."""
    _limit_memory()
    logging.disable(logging.CRITICAL)  # math-verify warns of the time limit that is not its own.
    compare("1", "1")  # Loads what is needed; takes a second or two.
    print("ready", flush=True)
    for line in sys.stdin:
        expected, answer = json.loads(line)
        _alarm(ALONE_SECONDS)
        try:
            verdict = compare(expected, answer)
        except (Exception, MemoryError, RecursionError):
            verdict = None
        _alarm(0)
        print(json.dumps(verdict), flush=True)


def _alarm(seconds: int) -> None:
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)  # Nobody catches it: it ends the process.


def compare(expected: str, answer: str) -> bool | None:
    """Compare two formulas; None when undecided."""
    from math_verify import verify

    gold = _read(_formula(expected))
    readings = [read for text in _spellings(_formula(answer)) if (read := _read(text))]
    if not gold or not readings:
        return None
    if any(verify(gold, read, timeout_seconds=None) for read in readings):
        return True
    return None if _has_words(expected) or _has_words(answer) else False


def _formula(text: str) -> str:
    """The formula without what marks it as one."""
    bare = _DELIMITERS.sub("", text.strip()).strip().rstrip(".")
    boxed = _BOXED.match(bare)
    return boxed[1] if boxed else bare


def _spellings(text: str) -> Iterator[str]:
    """As LaTeX; and, when it is none, as if a programming language's formula were meant."""
    yield text
    if "\\" not in text:
        rooted = _ROOT.sub(r"\\sqrt{\1}", text.replace("**", "^"))
        yield re.sub(r"\bpi\b", r"\\pi ", rooted).replace("*", r" \cdot ")


def _read(text: str) -> Any:
    from math_verify import parse

    return parse(f"${text}$", parsing_timeout=None, fallback_mode="no_fallback")


def _has_words(text: str) -> bool:
    bare = _FUNCTIONS.sub(" ", _COMMANDS.sub(" ", text.replace("\\text", "word")))
    return _WORD.search(bare) is not None


def _limit_memory() -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError, OSError):
        pass  # No such limits on this system; the time limit remains.


if __name__ == "__main__":
    main()
