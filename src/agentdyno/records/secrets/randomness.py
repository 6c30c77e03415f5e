"""Whether a text looks drawn at random, or like a word, a name, a path or a placeholder.

A key is drawn from an alphabet, so letters, digits and cases alternate in it far more often than
they do in a name: about 0.62 times a character in base 62, 0.4 in lower-case letters and digits,
0.2 to 0.3 in `getUserByIdV2`. Worked: `tR7xQ2` changes 5 times in 5 steps, `handler2` once in 7.
"""

import math
import re
from collections import Counter

_HEX = re.compile(r"(?:0x)?[0-9a-fA-F]+")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_DIGIT, _LETTER = re.compile(r"[0-9]"), re.compile(r"[^\W\d_]")
_LOWER, _UPPER = re.compile(r"[a-z]"), re.compile(r"[A-Z]")
_VOWEL = re.compile(r"[aeiouyAEIOUY]")
_PIECE = re.compile(r"[A-Za-z0-9]+")
_SPLIT = re.compile(r"[a-z]+|[A-Z]+|[0-9]+")


def shannon(text: str) -> float:
    """Bits for each character, by how often each occurs in the text itself."""
    size = len(text)
    return -sum(n / size * math.log2(n / size) for n in Counter(text).values()) if size else 0.0


def is_hex(text: str) -> bool:
    """Whether it is a number in base 16, as hashes and some keys are."""
    return _HEX.fullmatch(text) is not None


def is_uuid(text: str) -> bool:
    """Whether it has the form of a UUID."""
    return _UUID.fullmatch(text) is not None


def has_digit(text: str) -> bool:
    """Whether a digit is among its characters."""
    return _DIGIT.search(text) is not None


def has_letter(text: str) -> bool:
    """Whether a letter is among its characters."""
    return _LETTER.search(text) is not None


def is_wordy(text: str) -> bool:
    """Whether most of it is words and short numbers: `gpt-4o-mini`, `access_denied_2`."""
    if len(text) >= 12 and has_digit(text) and alternation(text) >= _least_alternation(text):
        return False
    runs = _WORDS.findall(text)
    letters = sum(map(len, runs))
    plain = sum(len(run) for run in runs if _is_word(run))
    return letters == 0 or plain >= 0.7 * letters


def _is_word(run: str) -> bool:
    if run.isdigit():
        return len(run) in (1, 4, 8)  # A count, a year, a day.
    return len(run) >= 3 and _VOWEL.search(run) is not None and not _is_scrambled(run)


def _is_scrambled(run: str) -> bool:
    """Many letters without a vowel among them, as no word has."""
    return any(len(part) > 5 for part in _VOWEL.split(run))


def alternation(text: str) -> float:
    """How often the kind of character changes, for each step from one to the next."""
    runs, pieces = _SPLIT.findall(text), len(_PIECE.findall(text))
    size = sum(map(len, runs))
    return (len(runs) - pieces) / max(size - pieces, 1)


def looks_random(text: str, shortest: int = 16) -> bool:
    """Whether letters and digits are mixed as chance mixes them; no hash in base 16 and no UUID,
    which look the same whether they are secret or not."""
    plain = re.sub(r"[^A-Za-z0-9]", "", text)
    if len(plain) < shortest or is_hex(plain) or is_wordy(text):
        return False
    digits = len(_DIGIT.findall(plain))
    if digits < 2 or digits == len(plain):
        return False
    enough = shannon(plain) >= (3.0 if len(plain) < 24 else 3.4)
    return enough and alternation(text) >= _least_alternation(text)


def _least_alternation(text: str) -> float:
    """Two standard deviations below what chance makes of 24 characters."""
    return 0.36 if has_both_cases(text) else 0.22


def has_both_cases(text: str) -> bool:
    """Whether there are small and capital letters in it."""
    return _LOWER.search(text) is not None and _UPPER.search(text) is not None
