"""Whether a text affirms a span or rejects it: "not 0.45 %", "the feed says X but that is wrong".

Takes a text and the place of a value, returns the words that reject it, or None. Looks at the
clause around the value (a negation before it, a dismissal behind it), and at what follows directly
where that points back ("that must be wrong"). A dismissal belongs to the value nearest before it.
Only characters near the value are read, so it is linear in the number of values.
"""

import re
from collections.abc import Sequence

_NEAR = 160
_BREAK = re.compile(
    r"[;!?\n]|\.(?=\s|\Z)|,?\s(?:but|however|although|though|whereas|while|yet)\s", re.I
)
_BEFORE = re.compile(
    r"\b(?:not(?!\s(?:only|just|merely|simply|until|before|more|less|fewer|later|earlier|sure|yet))"
    r"|\w{2,6}n['’]t(?:\s(?:be|been|being|have been|equal|actually|really|currently|worth))?"
    r"|never|no longer|rather than|instead of|as opposed to|neither|nor|contrary to"
    r"|whatever|no matter what|regardless of|despite|in spite of|notwithstanding"
    r"|(?:ignor(?:e|es|ed|ing)|disregard(?:s|ed|ing)?|discard(?:s|ed|ing)?|dismiss(?:es|ed|ing)?"
    r"|forget(?:ting)?(?: about)?|(?:don['’]t|never) mind|pay no (?:heed|attention) to"
    r"|drop(?:ped|ping)?|skip(?:ped|ping)?|reject(?:s|ed|ing)?|scrap(?:ped|ping)?"
    r"|contradict(?:s|ed|ing)?|overrid(?:e|es|ing)|overrode|replac(?:e|es|ed|ing)))\b"
    r"(?P<gap>[^.;!?\n]{0,28})\Z",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(r"\b(?:unless|in case|except if)\b[^,:;]{1,40}\Z", re.IGNORECASE)
"""What may come about: "C12, unless they change it to C22"."""
_STALE = re.compile(
    r"\b(?:outdated|stale|incorrect|wrong|erroneous|bogus|mistaken|obsolete|superseded|false|old"
    r"|implausible|previous|former|earlier|claimed|supposed)"
    r"(?:\s(?:figure|value|number|reading|price|rate|entry|date|one|time|amount|level|score|result))?"
    r"(?:\s(?:of|is|was|:))?\s?[\"'“‘(*`]{0,2}\s?\Z",
    re.IGNORECASE,
)
_SUBJECT = (
    r"(?:,?\s?(?:but|and|yet|which|though|however|so)\s?,?\s?)?(?:i\s(?:think|believe|suspect|know|am"
    r" sure)(?:\sthat)?\s|clearly\s|obviously\s|surely\s)?(?:(?:that|this|it|which|the)"
    r"(?:\s(?:figure|value|number|reading|price|rate|entry|one|date|result|tool|record|feed|lookup"
    r"|return|output|response|time|amount|level|score))?\s)?"
)
_WRONG = (
    r"(?:wrong|incorrect|erroneous|mistaken|outdated|stale|implausible|unreliable|bogus|inaccurate"
    r"|a (?:mistake|typo|glitch|bug|misprint|data error)|an? (?:obvious |clear )?(?:error|outlier)"
    r"|in error|off|out of date|obsolete|superseded|not (?:right|correct|true|accurate|reliable"
    r"|plausible|what|credible|in use|in force|used|representative)|suspect|nonsense|invalid"
    r"|corrupt(?:ed)?|too (?:low|high) to be|unused|irrelevant|meaningless|expired|deprecated"
    r"|retired|broken|faulty|defective|miscalibrated|made up"
    r"|a (?:one-off|fluke|placeholder|default|guess)|an anomaly|hypothetical|fictitious)"
)
_AFTER = re.compile(
    r"[\s\"'”’)*`,–—-]{0,4}(?:[^.;!?\n\d]{0,40}?\b)??" + _SUBJECT +
    r"(?:(?:is|was|looks?|seems?|appears?|must be|has to be|can only be|may be|might be)\s"
    r"(?:to be\s)?(?:\w{2,12}\s){0,2}?" + _WRONG + r"\b"
    r"|(?:looks|seems|sounds|feels)\s(?:a bit\s|too\s|rather\s|very\s|quite\s)?(?!right|correct"
    r"|fine|good|plausible|ok|accurate|reasonable|like|to\b|about|true|consistent|normal|sound|certain)"
    r"[a-z]{3,14}\b"
    r"|is an?\s(?:\w{2,12}\s){0,2}(?:bug|error|mistake|glitch|typo|artefact|artifact|misprint)\b"
    r"|(?:can(?:no|['’])t|cannot|could(?: not|n['’]t)|does(?: not|n['’]t)|is(?: not|n['’]t)"
    r"|was(?: not|n['’]t))\s(?:\w{2,12}\s)?(?:be\s)?(?:right|correct|true|accurate|plausible|hold"
    r"|look right|seem right|sound right|make sense|apply|the case)\b"
    r"|(?:should|can|may) be (?:ignored|disregarded|discarded|dismissed|set aside)\b"
    r"|(?:i(?:['’]d| would| will|['’]ll|['’]m going to)?\s(?:\w{2,9}\s)?(?:ignore|disregard|discard"
    r"|dismiss|not (?:rely|trust|use)|do(?: not|n['’]t) (?:trust|believe|buy|rely)|distrust|doubt"
    r"|am ignoring|overrul(?:e|ed)|overrid(?:e|den)|overrode|second-guess|question|set aside))\b)",
    re.IGNORECASE,
)  # fmt: skip
_BACK = re.compile(
    r"[\s\"'”’)*`%]{0,4}[.;!?\n,:–—-]{1,2}\s{0,2}(?=(?:but |and |yet |though |however,? "
    r"|clearly,? |obviously,? )?(?:that|this|it|which|i)\b)",
    re.IGNORECASE,
)
_CONCEDED = re.compile(
    r"\b(?:although|though|even if|even though|while|whereas|albeit|granted)\b[^.;!?\n\d]{0,40}\Z",
    re.IGNORECASE,
)
"""What is granted in a side clause is no rejection: although 5 may look wrong, it is …"""
_NOT_WRONG = re.compile(r"\b(?:not|n['’]t|nothing|never)\s(?:\w{1,10}\s)?\Z", re.IGNORECASE)


_DISMISSING = re.compile(
    r"ignor|disregard|discard|dismiss|forget|don['’]t mind|never mind|pay no|reject|whatever"
    r"|no matter|regardless|despite|in spite|notwithstanding",
    re.IGNORECASE,
)
"""Words that set aside whoever says it, and not only the value."""


def rejection(
    text: str, start: int, end: int, others: Sequence[tuple[int, int]] = ()
) -> str | None:
    """The words that reject the span; None when the text lets it stand.

    `others` are places of other values: what is said behind one of them is about that one.
    """
    before = _clause_before(text, start)
    if (found := _BEFORE.search(before)) and _points_here(found, before, start, others):
        return found[0].strip()
    if found := _SUPPOSED.search(before[-60:]):
        return found[0].strip()
    if found := _STALE.search(before[-60:]):
        return found[0].strip()
    after = text[end : _limit(end, others)]
    if _CONCEDED.search(text[max(0, start - 60) : start]):
        return None
    if (found := _AFTER.match(_joined(after))) and not _is_denied(found[0]):
        return found[0].strip(" ,.;:–—-")
    return None


def is_rejected(text: str, start: int, end: int, others: Sequence[tuple[int, int]] = ()) -> bool:
    """Whether the text rejects the span."""
    return rejection(text, start, end, others) is not None


def _clause_before(text: str, start: int) -> str:
    near = text[max(0, start - _NEAR) : start]
    last = 0
    for found in _BREAK.finditer(near):
        last = found.end()
    return near[last:]


def _points_here(
    found: re.Match[str], before: str, start: int, others: Sequence[tuple[int, int]]
) -> bool:
    """A negation reaches the next value, not one behind it; "not X but Y" affirms Y."""
    gap_at = start - len(before) + found.start()
    if any(gap_at < o_start and o_end <= start for o_start, o_end in others):
        return False
    gap = found["gap"].lower()
    if re.search(r"\b(?:is|was|being|now|to|with|by|but|should)\b", gap):
        return False  # "not, it is 5", "replaced by 5".
    if re.search(r"\b(?:says|shows)\b", gap) and not _DISMISSING.match(found[0]):
        return False  # "not sure, it says 5".
    return "," not in gap and ":" not in gap


def _limit(end: int, others: Sequence[tuple[int, int]]) -> int:
    return min([end + _NEAR, *(o_start for o_start, _ in others if o_start >= end)])


def _joined(after: str) -> str:
    """What follows, over one end of a sentence: "… 0.45 %. That must be wrong." """
    head = _BACK.match(after)
    return after[head.end() :] if head else after


def _is_denied(words: str) -> bool:
    """ "is not wrong" rejects nothing."""
    found = re.search(_WRONG + r"\Z", words, re.IGNORECASE)
    return bool(found and _NOT_WRONG.search(words[: found.start()]))
