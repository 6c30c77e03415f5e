"""Answers as texts: found in their tag, and compared as words."""

import re
import unicodedata

_TAG = re.compile(r"<answer>(.*?)</answer>", re.IGNORECASE | re.DOTALL)
_FORMULA = re.compile(r"[\[\](){}\\^*/=<>|]")
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_NOT_WORD = re.compile(r"[^\w%.+-]+")
_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?%?")
MAX_CHARACTERS = 4000
"""Longer answers are no answers."""


def tagged_answer(text: str) -> str | None:
    """What stands in the last answer tag; None without one, or with an empty one."""
    found: list[str] = _TAG.findall(text)
    answer = found[-1].strip() if found else ""
    return answer if 0 < len(answer) <= MAX_CHARACTERS else None


def boxed_answer(text: str) -> str | None:
    """What stands in the last `\\boxed{…}`, braces matched; None without one."""
    start = text.rfind("\\boxed{")
    if start < 0:
        return None
    depth, begin = 1, start + len("\\boxed{")
    for place in range(begin, min(len(text), begin + MAX_CHARACTERS)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return text[begin:place].strip() or None
    return None


def same_words(one: str, other: str) -> bool:
    """Whether two texts are equal but for case, punctuation, accents and articles.

    "The Eiffel Tower." and "eiffel tower" are; "12 May 1901" and "May 1901" are not. In formulas
    every sign counts: "[1,2)" and "(1,2)" are not.
    """
    if _FORMULA.search(one + other):
        return "".join(one.split()) == "".join(other.split()) != ""
    return _plain_words(one) == _plain_words(other) != ""


def _plain_words(text: str) -> str:
    """A text as its words: no case, punctuation, accents or articles."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    words = _NOT_WORD.sub(" ", _ARTICLE.sub(" ", bare.casefold())).split()
    return " ".join(word.strip(".") for word in words)


def is_number(text: str) -> bool:
    """Whether the text is one plain number and nothing else."""
    return _NUMBER.fullmatch(text.strip()) is not None
