"""Checks that a judge's reason cites only what it was shown: a reason and a prompt in, spans out.

What the reason puts in quotes has to stand there word for word, letter case and blanks aside; so
has an id. A figure of three digits or more has to be one of those shown, or the sum or difference
of two of them from 10 on, rounded perhaps. Smaller figures, dates and paraphrases are not looked
at.

Worked: "it ignored the 1,184 returned" about a record in which 1184 stands cites well; "it
returned 'no such user'" about a record without these words does not.
"""

import json
import re
from itertools import combinations

from agentdyno_bench.shared.judges.forms import Prompt

SHORTEST = 6
"""Characters of a quote that is more than a word in passing."""
LONGEST = 400_000
"""Characters of a prompt that are looked at."""
MOST_FIGURES = 300
"""Figures of a prompt whose sums and differences are looked at."""
_QUOTE = re.compile(
    r"\"([^\"\n]{1,300})\"|“([^”\n]{1,300})”|`([^`\n]{1,300})`|(?<!\w)'([^'\n]{1,300})'(?!\w)"
)
_ID = re.compile(r"(?<![\w.-])[A-Za-z]+[-_]?\d[\w-]{2,}(?!\w)")
_FIGURE = re.compile(r"(?<![\w.,])(?<!\w-)(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
_BLOCK = re.compile(r"^\".*\"$", re.MULTILINE)


def unfounded(reason: str, prompt: Prompt) -> list[str]:
    """The spans of a reason that cite what the judge was not shown."""
    displayed = _prompt_text(prompt)
    low = _plain(displayed)
    quotes = [next(filter(None, match.groups())) for match in _QUOTE.finditer(reason)]
    missing = [q for q in quotes if len(q) >= SHORTEST and not _is_quoted(q, low)]
    ids = [match for match in _ID.findall(reason) if match.lower() not in low]
    figures = [match for match in _FIGURE.findall(reason) if len(_digits(match)) >= 3]
    numbers = {_number(match) for match in _FIGURE.findall(displayed)} if figures else set()
    claims = [*ids, *(figure for figure in figures if not _is_known(figure, numbers))]
    return list(dict.fromkeys([*missing, *(c for c in claims if not any(c in q for q in missing))]))


def _digits(figure: str) -> str:
    return re.sub(r"[.,]", "", figure)


def _number(figure: str) -> float:
    return float(figure.replace(",", ""))


def _is_known(figure: str, numbers: set[float]) -> bool:
    """True when the figure was shown, or is the sum or difference of two that were."""
    number, step = _number(figure), 0.5 * 10.0 ** -len(figure.partition(".")[2])
    if any(abs(value - number) <= step for value in numbers):
        return True
    parts = sorted(value for value in numbers if value >= 10)
    pairs = combinations(parts, 2) if len(parts) <= MOST_FIGURES else ()
    return any(min(abs(a + b - number), abs(b - a - number)) <= step for a, b in pairs)


def _prompt_text(prompt: Prompt) -> str:
    """The prompt with its quoted blocks as the texts that they hold, and the rubric's own words."""
    text = _BLOCK.sub(_decode, prompt.user[:LONGEST])
    return f"{prompt.system}\n{text}"


def _decode(block: re.Match[str]) -> str:
    try:
        return str(json.loads(block[0]))
    except ValueError:
        return block[0]


def _is_quoted(quote: str, low: str) -> bool:
    """True when the quoted words were shown; dots in the quote stand for an omission."""
    pieces = [_plain(piece) for piece in re.split(r"…|\.\.\.", quote)]
    return all(piece.strip(" .,;:!?") in low for piece in pieces if piece)


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
