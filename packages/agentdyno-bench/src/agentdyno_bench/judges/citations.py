"""What a judge's reason cites and nobody showed it: a reason and a prompt in, spans out.

The same values as everywhere (`matching`): a figure, a day, a time or an id of the reason has to
stand in what the judge was shown, in any notation, or be worked out of it; what it puts in quotes
has to stand there word for word, letter case and blanks aside. Paraphrases are not looked at.

Worked: "it ignored the 1,184 returned" about a record in which 1184 stands cites well; "it
returned 'no such user'" about a record without these words does not.
"""

import json
import re

from agentdyno_bench.judges.prompt import Prompt
from agentdyno_bench.values import Value, is_derived, read_values

SHORTEST = 6
"""Characters of a quote that is more than a word in passing."""
LONGEST = 400_000
"""Characters of a prompt that are looked at."""
SMALL_COUNT = 5
"""Bare whole numbers up to this are words like `two`."""
_QUOTE = re.compile(
    r"\"([^\"\n]{1,300})\"|“([^”\n]{1,300})”|`([^`\n]{1,300})`|(?<!\w)'([^'\n]{1,300})'(?!\w)"
)
_BLOCK = re.compile(r"^\".*\"$", re.MULTILINE)


def unfounded(reason: str, prompt: Prompt) -> list[str]:
    """The spans of a reason that cite what the judge was not shown."""
    displayed = _prompt_text(prompt)
    low = _plain(displayed)
    quotes = [next(filter(None, found.groups())) for found in _QUOTE.finditer(reason)]
    missing = [q for q in quotes if len(q) >= SHORTEST and not _stands(q, low)]
    stated = [value for value in read_values(reason) if value.sure and _is_specific(value)]
    if not stated:
        return missing
    # Only a reason that states anything is worth reading all the evidence for.
    known = read_values(displayed)
    codes = [reason[v.start : v.end] for v in stated if v.kind == "code"]
    bare = [code for code in codes if code.lower() not in low]
    figures = [v for v in stated if v.kind != "code" and not is_derived(v, known)]
    claims = [*bare, *(reason[v.start : v.end] for v in figures)]
    return list(dict.fromkeys([*missing, *(c for c in claims if not any(c in q for q in missing))]))


def _is_specific(value: Value) -> bool:
    """Whether it is more than a small count or a mark of a list."""
    return value.kind != "number" or value.unit is not None or abs(value.number) > SMALL_COUNT


def _prompt_text(prompt: Prompt) -> str:
    """The prompt with its quoted blocks as the texts that they hold, and the rubric's own words."""
    text = _BLOCK.sub(_decode, prompt.user[:LONGEST])
    return f"{prompt.system}\n{text}"


def _decode(block: re.Match[str]) -> str:
    try:
        return str(json.loads(block[0]))
    except ValueError:
        return block[0]


def _stands(quote: str, low: str) -> bool:
    """Whether the words stand there; what a judge leaves out it marks with dots."""
    pieces = [_plain(piece) for piece in re.split(r"…|\.\.\.", quote)]
    return all(piece.strip(" .,;:!?") in low for piece in pieces if piece)


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
