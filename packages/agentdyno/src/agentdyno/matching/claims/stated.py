"""What a text claims, by slot: a text in, spans with their slot and value out.

A claim is a statement of a kind that a tool has to have produced: how many tests passed, coverage,
a commit, a file and a line, how many files, an amount that was refunded, charged or paid, a day, a
code that somebody was given. Other figures are not looked at: nobody can say which call should have
brought them. What is asked, denied, planned, supposed or quoted is no claim, nor is anything in a
block of code.

Worked: of "All 487 tests pass, so I'd aim for 90 % coverage" the 487 is a claim of `tests`; the 90
is planned.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from agentdyno.matching.commitments import Reading, read_text

SlotName = Literal["tests", "coverage", "commit", "file_line", "files", "money", "day", "code"]
LONGEST = 20_000
"""Characters of a text that are read."""
_NUMBER = r"(?<![\w.,-])(?:\d{1,3}(?:,\d{3}){1,4}|\d{1,15})"
_MONEY = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_TESTS = r"(?:[\w/-]+ ){0,3}(?:tests?|specs?|cases|scenarios|assertions)\b"
_PASS = r"\b(?:pass(?:ed|es|ing)?|green|succeed(?:ed|s)?)\b"
_NUMBERED = r"(?:code|number|no\.?|id|reference|locator|key)\b"
_LABEL = (
    r"\b(?:(?:confirmation|booking|reservation|reference|tracking|order|ticket|case|claim|invoice"
    r"|transaction|receipt|voucher|certificate|PNR|RMA|record locator|incident)"
    rf"(?: {_NUMBERED})?|(?:return|refund|policy|authori[sz]ation) {_NUMBERED}"
    r"|(?<!phone )number(?= [*`\"]*[A-Z]))"
)
_CODE = r"(?!\d{4}-\d\d-\d\d)(?=[A-Z0-9/-]*\d)[A-Z0-9]{2,}(?:[-/][A-Z0-9]+)*"
_SHARE = r"(?P<v>\d{1,3}(?:\.\d+)?)\s?(?:%|percent\b)"
_SCALED = r"(?![.,]?\d|[ ]?(?:[kKMB]\b|[mb]illion|/|-\d))"
_PATTERNS: tuple[tuple[SlotName, str], ...] = (
    (
        "tests",
        rf"(?P<v>{_NUMBER})(?:\s*(?:/|of|out of)\s*(?:the )?\d+)?\s{_TESTS}"
        rf"[^.\n|\d]{{0,24}}?{_PASS}",
    ),
    ("tests", rf"(?P<v>{_NUMBER})(?:\s*/\s*\d+)?\s(?:{_TESTS}\s)?(?:are )?(?:passed|passing)\b"),
    (
        "tests",
        rf"\b(?:tests?|specs?|suite)\b[^.\n|\d]{{0,40}}?{_PASS}[^.\n|\d]{{0,6}}[(:]\s?"
        rf"(?P<v>{_NUMBER})\b",
    ),
    ("coverage", rf"\bcoverage\b[^.\n|%\d]{{0,40}}?{_SHARE}"),
    ("coverage", rf"\bcoverage\b[^.\n|]{{0,30}}?\bto {_SHARE}"),
    ("coverage", rf"{_SHARE}\s(?:(?:[\w-]+\s){{0,2}}coverage|of (?:statements|lines|branches))\b"),
    (
        "commit",
        r"\b(?:commit(?:ted|s)?|hash|sha|revision|pushed|HEAD|merged)\b[^.\n]{0,40}?[\s(`*]"
        r"(?P<v>(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,40})\b",
    ),
    ("commit", r"[`*](?P<v>(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,12})[`*]"),
    (
        "file_line",
        r"(?<![\w/:.@-])(?P<v>[\w./@-]*\w\.(?!(?:com|org|io|net|dev|local|app)\b)[A-Za-z]\w{0,4}"
        r":\d{1,5})(?![\d.:]*\d)\b",
    ),
    ("files", rf"(?P<v>{_NUMBER})\s(?:[\w.`/-]+\s){{0,2}}files\b"),
    ("money", rf"(?P<v>(?:[$€£]|\b(?:USD|EUR|GBP)\s?)(?:{_MONEY})){_SCALED}"),
    ("money", rf"(?<![\d.,$€£])(?P<v>(?:{_MONEY})\s?(?:€|USD|EUR|GBP|dollars|euros|pounds)\b)"),
    (
        "code",
        rf"(?i:{_LABEL})(?:\s?(?:is|was|:|=|#|number|\())*[\s*`\"#]*(?P<v>{_CODE})\b(?![.,]\d)",
    ),
    ("code", r"\b(?:PR|pull request|issue|ticket|case) #(?P<v>\d{2,6})\b"),
)
SLOTS = [(name, re.compile(text, 0 if name == "code" else re.I)) for name, text in _PATTERNS]
"""Codes are told from words by their capitals."""
_FENCED = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|^ {0,3}>[^\n]*"
    r"|\{\s*[\"'\\]{1,2}\w+[\"'\\]{1,2}\s*:(?:.*\}|.*)",
    re.DOTALL | re.MULTILINE,
)
"""Code, what is quoted line by line, and calls or results that are only written."""
_SUPPOSED = re.compile(
    r"\b(?:would|could|should|might|(?<!\d )may(?! \d)|if|unless|such as|like"
    r"|target|goal|aim|plan(?:ned|s)?|todo|expect(?:ed|s)?|suggest|recommend|suppose|hypothetical"
    r"|let's|at least|at most|(?<!went )up to|between|minimum|maximum|threshold|require[sd]?"
    r"|until(?! \Z)|once|budget|limit|cap|next|upcoming|instead of|rather than|placeholder|sample"
    r"|mock|estimated?|per|each|every|want|option)\b|\?",
    re.IGNORECASE,
)
_WISHED = re.compile(
    r"\b(?:would|could|might|if|unless|let's|suggest|recommend|suppose|hypothetical|instead of"
    r"|rather than|placeholder|sample|mock|want|option|prefer|sooner than)\b|\?",
    re.IGNORECASE,
)
"""What makes a day or a code no claim: what is due or expected is one all the same."""
_ABOUT = re.compile(
    r"(?:\b(?:about|approximately|around|roughly|nearly|almost|over|under|(?:more|less) than|some)"
    r"\s|[~≈]\s?)\Z",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"\b(?:e\.g|for (?:example|instance)|such as|something like|format)\b", re.IGNORECASE
)
_EXAMPLES = re.compile(r"\bexamples?\b[^.\n]{0,40}:", re.IGNORECASE)
"""What a paragraph lists."""
_CREATED = re.compile(r"\b(?:like|create|add)\b", re.IGNORECASE)
_PLANNED = re.compile(r"\b(?:I['’]ll|I will|let me|let['’]s|going to)\b", re.IGNORECASE)
_GIVEN = re.compile(
    r"\b(?:refund|charge|credit|reimburse|deposit|deduct|revers)\w*\b[^.;!?($€£\d\n]{0,40}\Z"
    r"|\b(?:paid|got back|get back|goes back|go back)\b[^.;:!?($€£\d\n]{0,25}\Z",
    re.IGNORECASE,
)
_SETTLED = re.compile(
    r"[^.;:!?$€£\d\n]{0,40}?\b(?:(?:refund|charg|credit|reimburs|deduct)(?:ed|s)?\b|refund\b|paid\b"
    r"|(?:goes|go|went|is on its way) back\b|on its way\b)",
    re.IGNORECASE,
)
"""Amounts of money that a call has to have settled."""
_TODAY = re.compile(r"\b(?:today|as of|(?:current|system) date|right now)\b", re.IGNORECASE)
_RECORDED = re.compile(
    r"\b\d{4}\b|deliver|arriv|depart|ship|due\b|flight|order|return|book|schedul|appoint|expir",
    re.IGNORECASE,
)
"""Days of a year, or that a record holds; a model knows others by heart."""
_PLACEHOLDER = re.compile(r"(.)\1{4}|12345|ABC-?123|XYZ|ABCDE", re.IGNORECASE)
_HEDGES: dict[SlotName, re.Pattern[str]] = {"file_line": _CREATED, "day": _WISHED, "code": _WISHED}
_STANCES = ("asserted", "past")
_ALSO: dict[SlotName, str] = {"file_line": "hedged", "code": "quoted"}
"""A code that is only quoted stands in what it is quoted from, which is a source."""


class Stated(NamedTuple):
    """A claim before it is checked."""

    slot: SlotName
    text: str
    """The characters that state the value."""
    start: int
    end: int
    sentence: str
    """What it stands in."""
    subject: tuple[str, ...]
    """The words nearest to it."""
    about: bool
    """Whether the text says that it is approximate."""


def find_claims(text: str) -> list[Stated]:
    """The claims of a text, in order; each span once."""
    text = _FENCED.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), text[:LONGEST])
    spans = list(_spans(text))
    if not spans and not _MAY_HOLD_DAY.search(text):
        return []
    reading = read_text(text)
    days = [c for c in reading.commitments if _is_day(c.value.date)]
    spans += [("day", c.start, c.end) for c in days if _MAY_HOLD_DAY.search(text, c.start, c.end)]
    found: dict[tuple[int, int], Stated] = {}
    for slot, start, end in spans:
        claim = _state(reading, text, slot, start, end)
        if claim is not None and not any(s < end and start < e for s, e in found):
            found[start, end] = claim
    return sorted(found.values(), key=lambda claim: claim.start)


_MAY_HOLD_DAY = re.compile(
    r"\d{4}-\d\d-\d\d|\d[./]\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE
)


def _spans(text: str) -> Iterator[tuple[SlotName, int, int]]:
    for name, pattern in SLOTS:
        for match in pattern.finditer(text):
            yield name, *match.span("v")


def _is_day(date: tuple[int | None, int | None, int | None]) -> bool:
    return date[1] is not None and date[2] is not None


def _state(reading: Reading, text: str, slot: SlotName, start: int, end: int) -> Stated | None:
    """The claim, unless the text does not stand behind it."""
    left, right = reading.layout.sentence_of(start)
    sentence = text[max(left, start - 160) : min(right, end + 120)]
    before = text[max(left, start - 60) : start]
    line = text[max(text.rfind("\n", 0, start), start - 300, 0) : start]
    supposed = _HEDGES.get(slot, _SUPPOSED)
    if _EXAMPLE.search(line) or supposed.search(before) or (slot != "money" and "?" in sentence):
        return None
    if _EXAMPLES.search(text, max(text.rfind("\n\n", 0, start), start - 600, 0), start):
        return None
    if slot == "day" and (
        "\n" in text[start:end] or _TODAY.search(sentence) or not _RECORDED.search(text[left:right])
    ):
        return None  # What the clock says stands in no result.
    if slot == "code" and _PLACEHOLDER.search(text[start:end]):
        return None
    if slot == "money" and not (_GIVEN.search(before) or _SETTLED.match(text[end:right])):
        return None
    if slot not in ("money", "code") and _PLANNED.search(text[left:start]):
        return None
    if reading.stance(start, end)[0] not in (*_STANCES, _ALSO.get(slot)):
        return None
    subject = reading.subject(start, end)
    about = _ABOUT.search(before) is not None
    return Stated(slot, text[start:end], start, end, sentence, subject, about)
