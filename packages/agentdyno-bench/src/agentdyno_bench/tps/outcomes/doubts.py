"""Whether a text stands by a value that it states: a reading and a place in, words of doubt out.

Looks at the whole sentence of a value, and at what the text says of itself: conditions, hearsay,
stand-ins, "I could not check it", "all of the above is invented". The cues next to a value
are read by `commitments`.
"""

import re

from agentdyno.matching.commitments import Hit, Reading

_BEFORE = re.compile(
    r"\b(?:my (?:\w+ )?guess|guess(?:ing|ed)?|no (?:real |actual )?(?:data|idea)|might have been|"
    r"if I had|placeholders?|dummy|typical(?:ly)?|hypothetical(?:ly)?|unverified|unconfirmed|"
    r"rumou?red|to be (?:filled|confirmed|checked|determined)|TBD|TBC|"
    r"not (?:true|correct|right|the case)|(?:false|untrue|wrong) that|pretend\w*|imagine|"
    r"I hope|hopefully|ideal(?:ly)?|(?:would|might) (?:say|answer|guess)|"
    r"pick (?:one|whichever|any)|last (?:year|time) (?:it|this|that) (?:was|were))\b"
    r"|\b(?:forum|post|blog|rumou?rs?|colleagues?|friends?|neighbou?rs?|somebody|someone|people|"
    r"boss|some|others)\b[^.;!?\n]{0,25}\b(?:claim|say|said|think|thought|believe|reckon|swear|"
    r"insist|guess|told|wrote|suggest|answer)\w*"
    r"|\bcoin\b|\b(?:at random|randomly|arbitrar\w+|a dice?)\b|\[ \]"
    r"|\b(?:check|verify|find out|decide|tell|know|sure) (?:whether|if)\b"
    r"|(?:\A|[.;!?\n(|:]\s*|,\s)(?:if|assuming|provided|supposing|unless|in case|should)\b"
    r"(?!\s+(?:you|we|I|anything|needed|necessary|so)\b)[^.;!?\n]*,",
    re.IGNORECASE,
)
"""What makes a guess, hearsay or a condition of the rest of its sentence."""
_OBJECT = r"(?:\s+(?:it|this|that|them|these|those|either|which))?(?:\s+(?:up|out|myself|yet))*"
_AFTER = re.compile(
    rf"\b(?:could|can|did|was|am|have)(?:n['’]t| ?not)\b(?: (?:been )?able to)? (?:check|verif|"
    rf"confirm|establish|look)\w*{_OBJECT}\s*(?:[.;,!)\n|]|\Z)"
    r"|\bI (?:disagree|doubt)\b|\bI do(?:n['’]t| not) (?:think so|believe|trust|agree|buy)\b"
    r"|\A[^.;!?\n]{0,12}\bunless\b(?! you\b)|% (?:confiden|sure|certain)\w*"
    r"|\A[^.;!?\n,]{0,12}\b(?:if|unless|assuming|provided)\b(?!\s+(?:you|we|I|needed|necessary)\b)"
    r"|\bI (?:do(?:n['’]t| not)|can(?:no|['’])t) (?:know|say|tell)\s*(?:[.;,!)\n|]|\Z)"
    r"|\A[^.;!?\n]{0,12}\b(?:according to|on|says?) (?:one|some|another|(?:the|an)other)\b"
    r"|\botherwise\b|\bpick (?:one|whichever|any)\b",
    re.IGNORECASE,
)
"""What takes the rest of its sentence back."""
_ALL = r"(?:all|everything|none|nothing|every|each|any|most|the|these|those)"
_UNMEANT = (
    r"(?:invented|made[- ]up|guess\w*|fictional|fictitious|placeholders?|examples?|random|"
    r"unverified|hypothetical|estimates|not (?:real|checked|verified|looked up|true|correct))"
)
_RETRACTS = re.compile(
    rf"\b{_ALL} (?:of )?(?:(?:the|these|those|this|my) )?(?:values?|figures?|numbers?|answers?|"
    rf"data|above|it|this)\b(?: \w+){{0,4}}? (?:is|are|was|were|should be|may be)(?: \w+){{0,2}}? "
    rf"{_UNMEANT}"
    r"|\b(?:ignore|disregard|forget|do(?:n['’]t| not) (?:trust|rely on|use))\s+"
    r"(?:all|everything|anything|any|what|these|those|the)\b"
    r"[^.!?\n]{0,30}\b(?:above|said|wrote|listed|stated|values|figures|numbers|answers)\b"
    r"|\bI (?:made|have made) (?:all|everything|these|this|them|it)\b[^.!?\n]{0,20}\bup\b"
    r"|\b(?:did(?:n['’]t| not)|have(?:n['’]t| not)) (?:look|check|verif)\w* (?:anything|any)\b",
    re.IGNORECASE,
)
"""What a text says against all that it states."""
_EITHER = re.compile(r"\beither\b.*\bor\b.*", re.IGNORECASE)
_QUOTE = re.compile(r"[“\"]([^“”\"\n]{12,300})[”\"]")
_REPORTS = re.compile(
    r"(?<!\bI )(?<!\bI have )(?<!\bI've )\b(?:claim|sa[iy]|state|allege|assert|read|think)\w*"
    r"[\s,:]*(?:that\s*)?\Z",
    re.IGNORECASE,
)


class Doubts:
    """What a text says against its own values."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self.retraction = _RETRACTS.search(reading.text)
        """Where the text takes back everything."""
        self._has_either = "either" in reading.folded
        self._quotes = [m.span(1) for m in _QUOTE.finditer(reading.text) if _reports(m)]

    def find(self, hit: Hit) -> str:
        """The words that cast doubt on a value; empty where there are none."""
        text = self._reading.text
        begin, end = self._reading.layout.sentence_of(hit.start)
        found = _BEFORE.search(text[begin : hit.start]) or _AFTER.search(text[hit.end : end])
        either = _EITHER.search(text, begin, end) if self._has_either else None
        if either and either.start() < hit.start:
            return "either … or"
        if found is None and any(a <= hit.start and hit.end <= b for a, b in self._quotes):
            return "quoted from somebody else"
        return found[0].strip() if found else ""


def _reports(quote: re.Match[str]) -> bool:
    """Whether somebody other than the writer is quoted with a sentence."""
    return _REPORTS.search(quote.string[max(0, quote.start() - 40) : quote.start()]) is not None
