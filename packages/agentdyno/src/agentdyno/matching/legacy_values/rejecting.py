"""Whether a text affirms a span or rejects it: "not 0.45 %", "the feed says X but that is wrong".

Takes a text and the place of a value, returns the words that reject it, or None. Looks at the
clause around the value (a negation before it, a dismissal behind it), and at what follows directly
where that points back ("that must be wrong"). A dismissal belongs to the value nearest before it.
Only characters near the value are read, so it is linear in the number of values.
"""

import re
from collections.abc import Sequence

from agentdyno.matching.legacy_values.stance_words import (
    DISMISS,
    DISMISSED,
    DOUBTED,
    HOLDS,
    MISTAKE,
    NEGATION,
    RETRACT,
    SOUND,
    SOURCE,
    THING,
)

_NEAR = 160
_BREAK = re.compile(
    r"[;!?\n]|(?<!\bM[rs])(?<!\bDr)(?<!\bMrs)\.(?=\s|\Z)|,?\s(?:but|however|although|though|whereas|while|yet)\s",
    re.I,
)
_BEFORE = re.compile(
    rf"\b(?P<cue>{NEGATION}|{DISMISS})\b(?P<gap>[^.;!?\n]{{0,32}})\Z", re.IGNORECASE
)
_EMBEDDED = re.compile(
    r"\b(?:no way|(?:not|\w{2,6}n['’]t|never) (?:think|believe|imagine|suppose)|doubt|impossible"
    r"|unlikely|implausible|hard to (?:believe|imagine))(?: that| if| whether)?,? (?:it|this|that"
    r"|there|they|he|she|the \w{2,14})(?:['’]s| \w{2,8}){1,2}\s?[\"'“‘(*`]{0,2}\Z",
    re.IGNORECASE,
)
"""What denies a whole sentence: "no way it is 620", "I don't think the rent is 620"."""
_SUPPOSED = re.compile(r"\b(?:unless|in case|except if)\b[^,:;]{1,40}\Z", re.IGNORECASE)
"""What may come about: "C12, unless they change it to C22"."""
_STALE = re.compile(
    rf"\b(?:{DOUBTED}|old|previous|former|earlier|claimed|supposed|alleged|so-called|purported)"
    rf"(?:\s{THING}(?:\s(?:of|is|was|:))?)?\s?[\"'“‘(*`]{{0,2}}\s?\Z",
    re.IGNORECASE,
)
_NOT_STALE = re.compile(r"\b(?:off|odd|dated|too \w+|not to be \w+|years? old)\W*\Z", re.IGNORECASE)
"""Of these some stand before a value that they do not judge: "off 12 %", "dated 3 May"."""
_SUBJECT = (
    r"(?:,?\s?(?:but|and|yet|which|though|however|so)\s?,?\s?)?(?:i\s(?:think|believe|suspect|know|am"
    r" sure)(?:\sthat)?\s|clearly\s|obviously\s|surely\s)?(?:(?:that|this|it|which|the)"
    rf"(?:\s(?:{THING}|{SOURCE}))?\s)?"
)
_WRONG = rf"(?:{DOUBTED}|{MISTAKE}|not {SOUND})"
_IS = (
    r"(?:is|was|are|were|looks?|seems?|appears?|sounds?|feels?|must be|has to be|can only be|may be"
    r"|would be|might be|could be|remains|strikes me as|reads like|looks like|seems like)"
)
_POINTING = rf"(?:that|this|it|them|those|(?:the|that|this)\s(?:{THING}|{SOURCE}))\b"
_JUDGED = (
    _SUBJECT +
    rf"(?:(?:{_IS}\s|(?<=t)['’]s\s)(?:to be\s)?(?:\w{{2,12}}\s){{0,2}}?{_WRONG}(?!\w)"
    r"|(?:can(?:no|['’])t|cannot|could(?: not|n['’]t)|does(?: not|n['’]t)|is(?: not|n['’]t)|hardly"
    r"|scarcely|do(?: not|n['’]t)|was(?: not|n['’]t)|can hardly|cannot possibly)\s(?:\w{2,12}\s)?"
    rf"(?:be\s|look\s|seem\s|sound\s)?(?:{SOUND}|{HOLDS})\b"
    r"|(?:is|was|are|were)(?: not|n['’]t) the (?!only|same|first|last|whole|full|end)\w{3,14}\b"
    r"|(?:should|can|may|must|could|ought to|is best|is better|has to|is to) (?:\w{2,8} )?be "
    rf"{DISMISSED}\b"
    r"|with (?:a|some) (?:\w{2,8} )?(?:pinch|grain|dose|handful) of s(?:alt|cepticism|kepticism)\b"
    r"|(?:und|ov)er(?:stat|estimat|count|report)(?:e?s|ed)\b"
    rf"|which (?:i|we)(?:['’]\w{{1,2}}| \w{{2,6}})? ?{DISMISS}\b"
    rf"|{DISMISS}\s{_POINTING}"
    r"|(?:i|we|you|i['’]d|we['’]d|i['’]ll|would|should|will|must|please|best|better)\s(?:\w{2,9}\s)?"
    rf"{DISMISS}(?=\s?[.,;!)–—]))"
)  # fmt: skip
_AFTER = re.compile(
    rf"[\s\"'”’)*`,–—-]{{0,4}}+(?-i:(?!The\s))(?:[^.;!?\n\d]{{0,40}}?\b)??{_JUDGED}",
    re.IGNORECASE,
)
_IN_NEXT = re.compile(
    r"[\s*`]{0,3}(?:but |and |yet |so |please |however,? |though |clearly,? |obviously,? )?"
    rf"(?:(?:i|we|you|one|do|best|better|don)\b[^.;!?\n\d]{{0,24}}?\b)??{_JUDGED}",
    re.IGNORECASE,
)
"""The same at the head of the next sentence, whose subject has to be the value."""
_BESIDE = re.compile(
    r"[\s\"'”’*`]{0,2}[,(–—?!.;:-]{1,3}\s{0,2}(?:(?:\w{2,10}ly|surely|that['’]s|that is|which"
    rf" is|what a|just|no doubt)\s){{0,2}}(?:{DOUBTED}|{MISTAKE}|no way|surely not|as if"
    r"|i think not)(?=\s?[.,;!?)–—]|\s?\Z)",
    re.IGNORECASE,
)
"""What is put beside the value: "1,275 (a typo)", "1,275? Nonsense." """
_BACK = re.compile(
    r"[\s\"'”’)*`%]{0,4}[.…;!?\n,:–—-]{1,3}\s{0,2}"
    rf"(?:{RETRACT},?\s)?(?=(?:but |and |yet |though |however,? "
    r"|clearly,? |obviously,? |so |please |personally,? )?(?:that|this|it|which|i|we|you|one|the"
    rf"\s(?:{THING}|{SOURCE})|hard|don|do|ignore|disregard|forget|never|not|looks|seems|sounds|feels|can|cannot|could|must"
    r"|is|best|better)\b)",
    re.IGNORECASE,
)
_FAR_BACK = re.compile(
    r"[^.;!?\n\d]{1,40}?[.;!?]\s{1,2}(?=(?:but |however,? )?(?:(?:that|this|the)\s"
    rf"(?:{THING}|{SOURCE})\b|(?:that|this)\s(?:is|was|must|can|cannot|looks|seems|sounds)\b))",
    re.IGNORECASE,
)
"""The end of the sentence, where the next one points back to its figure."""
_STRUCK = re.compile(r"~~[\s*$€£]*\Z")
_CONCEDED = re.compile(
    r"\b(?:although|though|even if|even though|while|whereas|albeit|granted)\b[^.;!?\n\d]{0,40}\Z",
    re.IGNORECASE,
)
"""What is granted in a side clause is no rejection: although 5 may look wrong, it is …"""
_ONLY_IF = re.compile(
    r"\W*(?:(?:but|and|so|only),? )?(?:if|should|in case|unless|wenn|falls|sollte)\b", re.IGNORECASE
)
"""What leaves it to the reader: "if this does not fit, measure again" lets the value stand."""
_NOT_WRONG = re.compile(r"\b(?:not|n['’]t|nothing|never)\s(?:\w{1,10}\s)?\Z", re.IGNORECASE)


_DISMISSING = re.compile(
    rf"(?:{DISMISS}|whatever|no matter|regardless|despite|in spite|notwithstanding)", re.IGNORECASE
)
"""Words that set aside whoever says it, and not only the value."""


def rejection(
    text: str, start: int, end: int, others: Sequence[tuple[int, int]] = ()
) -> str | None:
    """The words that reject the span; None when the text lets it stand.

    `others` are places of other values: what is said behind one of them is about that one.
    """
    if (
        text[max(0, start - 8) : start].rstrip(" *$€£").endswith("~~")
        and "~~" in text[end : end + 20]
    ):
        return "struck out"
    before = _clause_before(text, start)
    if (
        (found := _BEFORE.search(before))
        and _points_here(found, before, start, others)
        and not _NOT_DISMISSED.search(before[: found.start()])
    ):
        return found[0].strip()
    if found := _EMBEDDED.search(before[-80:]) or _SUPPOSED.search(before[-60:]):
        return found[0].strip()
    found = _STALE.search(before[-60:])
    if (
        found
        and not _NOT_STALE.search(found[0])
        and not _NOT_WRONG.search(before[-60:][: found.start()])
    ):
        return found[0].strip()
    after = text[end : _limit(end, others)]
    if _CONCEDED.search(text[max(0, start - 60) : start]):
        return None
    head = _BACK.match(after) or _FAR_BACK.match(after)
    said = _IN_NEXT.match(after, head.end()) if head else _AFTER.match(after)
    if said is not None and not _is_denied(said[0]) and not _ONLY_IF.match(said[0]):
        return said[0].strip(" ,.;:–—-")
    whole = len(after) == min(_NEAR, len(text) - end)
    if (found := _BESIDE.match(after)) and (whole or found.end() < len(after)):
        return found[0].strip(" ,.;:–—-(")
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
    # What is denied ends at the next mark: "not final (under appeal)".
    return re.search(r"[,:|]|\w\s?[(–—]", gap) is None


def _limit(end: int, others: Sequence[tuple[int, int]]) -> int:
    return min([end + _NEAR, *(o_start for o_start, _ in others if o_start >= end)])


def _is_denied(words: str) -> bool:
    """ "is not wrong", "don't ignore it", "no reason to doubt that" reject nothing."""
    found = re.search(_WRONG + r"\Z", words, re.IGNORECASE)
    if found and _NOT_WRONG.search(words[: found.start()]):
        return True
    verb = _DISMISSAL.search(words)
    return bool(verb and _NOT_DISMISSED.search(words[: verb.start()]))


_DISMISSAL = re.compile(rf"\b(?:{DISMISS}|{DISMISSED})\b", re.IGNORECASE)
_NOT_DISMISSED = re.compile(
    r"(?:\bnot|n['’]t|\bnever|\bno (?:reason|need|grounds|cause) to|\bcannot)\s(?:be\s|just\s)?\Z",
    re.IGNORECASE,
)
