"""Tells texts drawn at random from words, names, paths and placeholders.

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
_BETWEEN = re.compile(r"[^A-Za-z0-9]")
_VOWEL = re.compile(r"[aeiouyAEIOUY]")
_PIECE = re.compile(r"[A-Za-z0-9]+")
_SPLIT = re.compile(r"[a-z]+|[A-Z]+|[0-9]+")


def shannon(text: str) -> float:
    """Bits for each character, by how often each occurs in the text itself."""
    size = len(text)
    return -sum(n / size * math.log2(n / size) for n in Counter(text).values()) if size else 0.0


def is_hex(text: str) -> bool:
    """True for a number in base 16, as hashes and some keys are."""
    return _HEX.fullmatch(text) is not None


def is_uuid(text: str) -> bool:
    return _UUID.fullmatch(text) is not None


def has_digit(text: str) -> bool:
    return _DIGIT.search(text) is not None


def has_letter(text: str) -> bool:
    return _LETTER.search(text) is not None


def is_wordy(text: str) -> bool:
    """True when most of it is words and short numbers: `gpt-4o-mini`,
    `Wav2Vec2FeatureExtractor`.
    """
    runs = _WORDS.findall(text)
    size = sum(map(len, runs))
    if has_digit(text) and _BETWEEN.search(text) is None:
        runs = [run for run in runs if not run.isupper()]  # Capitals between digits are no words.
    spoken = sum(len(run) for run in runs if _is_spoken(run))
    if size and spoken >= (0.54 if has_both_cases(text) else 0.75) * size:
        return True
    if len(text) >= 12 and has_digit(text) and alternation(text) >= _least_alternation(text):
        return False
    return sum(len(run) for run in runs if _is_word(run)) >= 0.7 * size


def _is_word(run: str) -> bool:
    if run.isdigit():
        return len(run) in (1, 4, 8)  # A count, a year, a day.
    return 3 <= len(run) <= 18 and _VOWEL.search(run) is not None and not _is_scrambled(run, 4)


def _is_spoken(run: str) -> bool:
    """A word that could be read aloud, as chance seldom makes one."""
    vowels = len(_VOWEL.findall(run))
    longest = 12 if run.isupper() else 18
    return 4 <= len(run) <= longest and 0.2 * len(run) <= vowels and not _is_scrambled(run, 3)


def _is_scrambled(run: str, most: int) -> bool:
    """More letters in a row without a vowel than words have."""
    return any(len(part) > most for part in _VOWEL.split(run))


def alternation(text: str) -> float:
    """Changes of the kind of character, per step from one to the next."""
    runs, pieces = _SPLIT.findall(text), len(_PIECE.findall(text))
    size = sum(map(len, runs))
    return (len(runs) - pieces) / max(size - pieces, 1)


def looks_random(text: str, shortest: int = 16) -> bool:
    """True when letters and digits are mixed as chance mixes them; no hash in base 16 and no UUID,
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
    return _LOWER.search(text) is not None and _UPPER.search(text) is not None
