"""Which value an answer settles on where it names the returned one and another: a text and the
places of both in, the words that settle on the other out.

The other value is the answer when the text lets it stand, does not lay it on somebody else or
another time, and one of these holds:

settled    a word of choosing stands in its clause, or in the next one, which points back to it
           ("2,000, so plan with that")
turned     it follows the returned value behind "but" or its like
leading    the answer begins with it, and only talks about the returned value behind it
aside      the returned value is only laid on its source ("the tool says …"), and the other is plain

Worked: "They quote CHF 6.20, but everybody pays CHF 5" settles on 5 (turned); "It went up from
CHF 5 to CHF 6.20" does not (`from`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from agentdyno.matching.values import Found, contains_words
from agentdyno.matching.values.stance_words import AWAY, ELSEWHERE, RETRACT, SETTLE, SOURCE, THING

_END = re.compile(
    r"[;!?\n()]|\.(?=\s|\Z)|:(?=\s)|\s[–-]\s|—|,?\s(?=(?:but|yet|however|although|though|even if"
    r"|while|whereas|nevertheless|nonetheless|so|and so|therefore|hence)\b)|,\s(?=still\b)",
    re.IGNORECASE,
)
_BUT = re.compile(r"\W*(?:but|yet|however|still|nevertheless|nonetheless)\b", re.IGNORECASE)
_GRANTED = re.compile(
    r"\A\W*(?:although|though|even if|even though|while|whereas|despite|in spite of)\b",
    re.IGNORECASE,
)
_SETTLES = re.compile(rf"\b{SETTLE}\b", re.IGNORECASE)
_KIND = re.compile(
    r"\bthe (?:usual|typical|normal|common|old|older|original|previous|average)(?: \w{2,12})?\W*\Z",
    re.IGNORECASE,
)
_SAY = re.compile(r"\W*(?:so |just |let['’]s |better )?say,?\s(?:\w+\s)?\Z", re.IGNORECASE)
_NOW = re.compile(
    r"\b(?:now|today|current(?:ly)?|correct(?:ion|ed|ly)?|as of|these days|in fact|no)\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(rf"\b{ELSEWHERE}(?![\w])|n['’]t\b", re.IGNORECASE)
_AWAY = re.compile(rf"\b{AWAY}\W{{0,3}}(?:\w+\W{{1,2}}){{0,3}}\Z", re.IGNORECASE)
_TAKEN_BACK = re.compile(
    rf"[^.;!?\n]{{0,30}}?[\s.,;:!?–—-]{{1,4}}(?:(?:oh|ah|hmm|well|and),?\s)?{RETRACT}",
    re.IGNORECASE,
)
_CORRECTS = re.compile(rf"[.,;:!?–—-]\W{{0,3}}{RETRACT}", re.IGNORECASE)
_GIVES = r"(?:is|are|be|has|have|gets?|comes? to|stands? at|amounts? to|remains?|makes?|reads?)"
_ASSERTED = re.compile(rf"(?:\b{_GIVES}|t['’]s)\W{{1,4}}\Z|[:=]\W{{1,4}}\Z", re.IGNORECASE)
_FOLLOWS = re.compile(
    r"\A\W{0,4}(?:and )?(?:so|therefore|hence|thus|which means|meaning)\b"
    rf"(?:(?!\bnot\b|n['’]t|\bno\b|\byou)[^\d]){{0,80}}\b(?:{_GIVES}|was|were)\s(?:\w+\s){{0,2}}\W?\Z",
    re.IGNORECASE,
)
"""What draws a conclusion: "so he should have 25 days"."""
_OPINION = re.compile(
    r"\b(?:i|we)(?:['’]m| am)? (?:\w{1,12}ly )?"
    r"(?:believe|think|reckon|suspect|estimate|sure|confident)\b"
    r"(?:(?!\bnot\b|n['’]t|\byou|\bthan\b|\bfrom\b)[^\d,]){0,60}\Z",
    re.IGNORECASE,
)
"""What somebody holds now; what they held before is no answer."""
_TRULY = re.compile(
    r"\b(?:in (?:truth|reality|fact|actual fact)|actually|the truth is)\b"
    r"(?:(?!\bnot\b|n['’]t|\byou|\bthan\b|\bfrom\b|\bused\b)[^\d]){0,40}\Z",
    re.IGNORECASE,
)
_RESOLVES = re.compile(
    r"\b(?:i|we)(?:['’](?:d|ll)| would| will) (?!not|never|have|be|guess|like|love|need|then|also)"
    r"(?!\w+ed\b|thought|heard|seen|read|taken|had)[a-z]{3,9} "
    r"(?:(?:it|them|this|that) )?(?:(?:as|at|to|down|in) )?(?:the )?\W{0,3}\Z",
    re.IGNORECASE,
)
"""What somebody is going to do with the value: "I'd book the 450 l"; behind a participle, "I'd" is
what they had done before."""
_REVISED = re.compile(
    r"\b(?:corrected|revised|amended|updated|adjusted) (?:down |up )?to (?:the )?\W{0,3}\Z",
    re.IGNORECASE,
)
_DECLARED = re.compile(
    r"\W{0,4}(?:is|would be|remains) (?:the|my) (?:\w{2,12} )?(?:value|figure|number|one|answer)\b",
    re.IGNORECASE,
)
_SOURCED = re.compile(
    rf"\b(?:the|this|that|its?|my)\s(?:\w{{2,14}}\s)?{SOURCE}(?:['’]s)?\b|\b(?:lists?|listed|shows?"
    r"|shown|says?|said|claims?|claimed|returned|prints?|gave|quotes?|quoted|reads|reports|mentions"
    r"|indicates|displays)\b",
    re.IGNORECASE,
)
_THE = re.compile(r"\b(?:the|that|this|your|my|any)\W{1,3}\Z", re.IGNORECASE)
_THING = re.compile(rf"\s?{THING}\b", re.IGNORECASE)
"""The 85 % figure: what follows talks about it."""
_OPENS = re.compile(r"\W*(?:\w+\W+){0,2}|.{0,60}\b(?:at|of|to|for|on|by|in|about|around)\W+")
"""What leads up to an answer: nothing, a word or two, or a preposition."""
_POINTS_BACK = re.compile(
    r"\b(?:that|this|it|those|there|the latter)\b\W*\Z"
    r"|\A\W*(?:so |and )?(?:that|this|it)(?:['’]s| is)\b",
    re.IGNORECASE,
)


LONGEST_LABEL = 3
"""Words in front of a colon that say what the value is."""


class Clause(NamedTuple):
    """A piece of a text that says one thing."""

    start: int
    end: int


class Mention(NamedTuple):
    """Where an answer names the other value."""

    text: str
    clauses: Sequence[Clause]
    place: int
    """The clause it stands in."""
    other: Found
    asked: Sequence[Found]
    """Where the returned value is let stand."""
    shared: bool
    """Whether the returned value stands in the same clause."""
    before: str
    """The clause up to the value, from the returned one where that comes first."""
    after: str

    @property
    def own(self) -> str:
        """What the clause says of this value alone."""
        return f"{self.before} \x00 {self.after}"


def settles_on_other(
    text: str,
    asked: Sequence[Found],
    others: Sequence[Found],
    plainly: bool = True,
    about: str = "",
) -> str | None:
    """The words by which the answer goes with another value; None when it does not.

    Without `plainly` it has to choose the other one in words: that it leads with it, or that the
    returned one is only quoted, is not enough. `about` is what the question is about.
    """
    if not others:
        return None
    clauses = list(_parted(text, _clauses(text)))
    standing = [found for found in asked if found.rejected is None]
    for other in others:
        if other.rejected is not None:
            continue
        mention = _mention(text, clauses, other, standing)
        words = _chosen(mention)
        if words is None and plainly and not _set_aside(mention):
            words = _left_standing(mention, about)
        if words is not None and not _settled_later(mention):
            return f"{text[other.start : other.end].strip()}: {words}"
    return None


def _clauses(text: str) -> Iterator[Clause]:
    start = 0
    for found in _END.finditer(text):
        if found.start() > start:
            yield Clause(start, found.start())
        start = found.end()
    if start < len(text):
        yield Clause(start, len(text))


def _parted(text: str, clauses: Iterable[Clause]) -> Iterator[Clause]:
    """What is granted ends at its comma: "even though the feed says 5, it is 6"."""
    for clause in clauses:
        comma = text.find(", ", clause.start, clause.end)
        if comma > 0 and _GRANTED.match(text[clause.start : clause.end]):
            yield Clause(clause.start, comma)
            yield Clause(comma + 1, clause.end)
        else:
            yield clause


def _clause_of(clauses: Sequence[Clause], at: int) -> int:
    return next((n for n, c in enumerate(clauses) if c.start <= at < c.end), 0)


def _mention(text: str, clauses: Sequence[Clause], other: Found, asked: Sequence[Found]) -> Mention:
    place = _clause_of(clauses, other.start)
    clause = clauses[place]
    shared = [a for a in asked if clause.start <= a.start < clause.end]
    start = max([clause.start, *(a.end for a in shared if a.end <= other.start)])
    end = min([clause.end, *(a.start for a in shared if a.start >= other.end)])
    if place and start == clause.start and _is_label(text, clauses[place - 1], start):
        start = clauses[place - 1].start
    before, after = text[start : other.start], text[other.end : end]
    return Mention(text, clauses, place, other, asked, bool(shared), before, after)


def _is_label(text: str, clause: Clause, end: int) -> bool:
    """Whether a few words name what follows: "Reality: 85 %"."""
    few = len(text[clause.start : clause.end].split()) <= LONGEST_LABEL
    return few and text[clause.end : end].strip() == ":"


def _chosen(mention: Mention) -> str | None:
    """The words that choose the value; None when there are none, or it is set aside."""
    text, other, before = mention.text, mention.other, mention.before
    chosen = _SETTLES.search(before) or _SAY.match(before)
    granted = _GRANTED.sub("", before, count=1)
    if chosen:  # "Stick to the usual 65 %" chooses it, whatever it is called.
        granted = _KIND.sub("", granted)
    if chosen and not _ELSEWHERE.search(granted) and not _AWAY.search(granted):
        return chosen[0]
    if opinion := _OPINION.search(before) or _TRULY.search(before):
        return opinion[0]
    if resolved := _RESOLVES.search(before):
        return resolved[0].strip()
    if mention.asked and (revised := _REVISED.search(before)):
        return revised[0].strip()
    if (declared := _DECLARED.match(mention.after)) and not _ELSEWHERE.search(mention.after):
        return declared[0].strip()
    if (follow := _next(mention)) is not None:
        return follow
    earlier = [a for a in mention.asked if a.end <= other.start]
    if earlier and not mention.shared and _FOLLOWS.match(before):
        return "the answer concludes so"
    if _set_aside(mention):
        return None
    if found := _SETTLES.search(mention.own):
        return found[0]
    if not earlier:
        return None
    if back := _CORRECTS.search(text, earlier[-1].end, other.start):
        return back[0].strip(" .,;:!?–—-")
    return _turn(mention, earlier[-1])


def _set_aside(mention: Mention) -> bool:
    """Whether the value is somebody else's, another time's, or taken back."""
    return bool(
        _ELSEWHERE.search(mention.own)
        or _AWAY.search(mention.before)
        or _TAKEN_BACK.match(mention.text, mention.other.end)
    )


def _left_standing(mention: Mention, about: str) -> str | None:
    """Why the value is the answer though nothing chooses it."""
    text, clauses, asked = mention.text, mention.clauses, mention.asked
    if not asked or mention.shared or _SOURCED.search(mention.own):
        return None
    if mention.place == 0 and _leads(mention) and not _is_anothers(mention, about):
        return "the answer leads with it"
    if all(_is_granted(text, clauses, found) for found in asked):
        return "the returned value is only granted"
    if all(_is_sourced(text, clauses, found) for found in asked):
        return "the returned value is only quoted"
    return None


def _leads(mention: Mention) -> bool:
    """Whether the returned value is only talked about behind the other one."""
    text, clauses = mention.text, mention.clauses
    asks = text[clauses[0].end : clauses[0].end + 1] == "?"
    named = _THE.search(mention.before) and _THING.match(mention.after)
    return (
        not asks
        and not named
        and not any(_is_given(text, clauses, found) for found in mention.asked)
    )


def _is_anothers(mention: Mention, about: str) -> bool:
    """Whether the value's clause does not name what the question is about, and the returned one's
    does: "The hill's K-point is 120 m; Aalto jumped 137.5 m"."""
    text, clauses = mention.text, mention.clauses
    clause = clauses[mention.place]
    return contains_words(text[clause.end :], about) and not contains_words(
        text[clause.start : clause.end], about
    )


def _is_given(text: str, clauses: Sequence[Clause], found: Found) -> bool:
    """Whether a clause gives the value as the answer, and does not only talk about it."""
    clause = clauses[_clause_of(clauses, found.start)]
    said = text[clause.start : clause.end]
    if _NOW.search(said) or _BUT.match(said) or _SETTLES.search(said):
        return True
    plain = _ASSERTED.search(text[max(0, clause.start - 2) : found.start])
    return plain is not None and not _SOURCED.search(said)


def _next(mention: Mention) -> str | None:
    """Words of choosing in the next clause, which points back."""
    if mention.place + 1 >= len(mention.clauses):
        return None
    clause = mention.clauses[mention.place + 1]
    said = mention.text[clause.start : clause.end]
    found = _SETTLES.search(said)
    if found and _POINTS_BACK.search(said) and not any(c.isdigit() for c in said):
        return found[0]
    return None


def _turn(mention: Mention, last: Found) -> str | None:
    """Where the answer turns from the returned value to the other one."""
    first = _clause_of(mention.clauses, last.start)
    for clause in mention.clauses[first + 1 : mention.place + 1]:
        if found := _BUT.match(mention.text[clause.start : clause.end]):
            return found[0].strip()
    return None


def _is_sourced(text: str, clauses: Sequence[Clause], found: Found) -> bool:
    clause = clauses[_clause_of(clauses, found.start)]
    return _SOURCED.search(text, clause.start, clause.end) is not None


def _is_granted(text: str, clauses: Sequence[Clause], found: Found) -> bool:
    clause = clauses[_clause_of(clauses, found.start)]
    return _GRANTED.match(text[clause.start : clause.end]) is not None


def _settled_later(mention: Mention) -> bool:
    """Whether a clause behind it settles on the returned value after all."""
    text, clauses = mention.text, mention.clauses
    for found in mention.asked:
        if found.start < mention.other.end:
            continue
        clause = clauses[_clause_of(clauses, found.start)]
        said = text[max(clause.start, mention.other.end) : clause.end]
        if not _GRANTED.match(said) and (_SETTLES.search(said) or _BUT.match(said)):
            return True
    return False
