"""How a text stands to a span of it: the cues around the span, each with its scope.

A cue before the span reaches it when no other value stands between them; a cue behind it reaches
back from its own clause, or from the next one when that one points back ("which", "but that").

The rules are data (`CUES`), so that a script can leave out one after the other and count.
"""

import re
from typing import Literal, NamedTuple

from agentdyno.matching.commitments.clauses import Layout

Stance = Literal[
    "asserted", "denied", "hedged", "alternative", "range", "question", "quoted", "past", "withdrawn"
]
"""`quoted`: somebody else's word, or a guess before looking; `past`: of another time."""


class Cue(NamedTuple):
    """Words that tell a stance."""

    name: str
    stance: Stance
    where: Literal["before", "after", "sentence"]
    pattern: re.Pattern[str]


def _cue(name: str, stance: Stance, where: Literal["before", "after", "sentence"], pattern: str) -> Cue:
    return Cue(name, stance, where, re.compile(pattern, re.IGNORECASE))


_GAP = r"(?:[^\w,;:]+[\w'’-]+){0,%d}[^\w,;:]*\Z"
_BE = r"(?:is|are|was|were|looks?|seems?|sounds?|appears?|must be|has to be|strikes? me as|feels?|would be|ist|sind|est|es|è)"
_WRONG = (
    r"(?:wrong|incorrect|outdated|out[- ]of[- ]date|stale|obsolete|mistaken?|(?:an? )?(?:\w+ )?(?:error|typo|mistake|glitch|bug|slip|misprint|"
    r"leftover|placeholder|artefact|artifact|fluke|outlier)|implausibl[ey]|impossible|nonsense|absurd|unreliable|bogus|fake|fictional|far too \w+|too (?:high|low|"
    r"good|old|small|large|big|few|many|much)\b|not (?:right|correct|true|plausible|valid|reliable|current|credible|it)|superseded|suspicious|"
    r"questionable|garbage|veraltet|falsch|faux|incorrecto|sbagliato|off|dated|test data|bad data)"
)
CUES: tuple[Cue, ...] = (
    _cue("negator", "denied", "before",
         r"(?:\b(?:not|never|neither|nor|no longer|cannot|nicht|kein\w*|nie|niet|geen|inte|ikke|pas|non)|n['’]t)\b"
         r"(?!\s+(?:only|just|until|before|later|earlier|less|fewer|more|exactly|bad|far|least|quite|nur|seulement|sólo|solo)\b)" + _GAP % 4),
    _cue("romance negator", "denied", "before", r"(?:\bno (?:es|son|está|era|fue)|\bn['’](?:est|était))\b" + _GAP % 3),
    _cue("instead of", "denied", "before",
         r"\b(?:rather than|instead of|as opposed to|contrary to|unlike|other than|in place of|statt|anstatt|au lieu de|en lugar de|en vez de|"
         r"invece di|plutôt que|correct\w* from|replac(?:es|ed|ing)|supersed(?:es|ed|ing)|overrid(?:es|den|ing))\b" + _GAP % 5),
    _cue("set aside", "denied", "before",
         r"\b(?:ignor\w+|disregard\w*|forget|discount\w*|set(?:ting)? aside|overrul\w+|dismiss\w*|reject\w*|distrust\w*|doubt\w*|rule out|over the tool['’]s|"
         r"over the record['’]s|suspicious of|sceptical of|skeptical of|discard\w*|throw out)\b(?! that this)" + _GAP % 5),
    _cue("free of", "denied", "before", r"\b(?:free (?:of|from)|without|lacks?|lacking|sans|ohne|sin)(?:[^\w,;:]+\w+)?[^\w,;:]*\Z"),
    _cue("wrong one", "denied", "before",
         r"\b(?:wrong|mistaken|erroneous|outdated|stale|incorrect|obsolete|bogus|supposed|alleged)(?:ly)?\b" + _GAP % 2),
    _cue("is wrong", "denied", "after", rf"\A[^.;!?]{{0,60}}?\b{_BE}\b(?:\W+\w+){{0,4}}?\W+{_WRONG}"),
    _cue("which is wrong", "denied", "after", rf"\A\W*(?:which|that|this|it|and that|but that|but this|but it|those|these|but those|but these)\b[^.;!?]{{0,30}}\b{_WRONG}"),
    _cue("cannot be right", "denied", "after",
         r"\A[^.;!?]{0,60}\b(?:can(?:no|['’])t be|couldn['’]t be|isn['’]t|aren['’]t|is not|are not|never|hardly)\s(?:be\s)?(?:quite |really |actually )?(?:right|correct|true|accurate|plausible|possible|credible|believable)"),
    _cue("not trusted", "denied", "after",
         r"\A[^.;!?]{0,70}?(?:\b(?:not|never)|n['’]t)\s(?:\w+\s){0,2}?(?:believe|trust|rely|accept|buy|count on|go with|add up|make sense|hold|apply|match|ring true|stand)\b"),
    _cue("set aside after", "denied", "after",
         r"\A[^.;!?]{0,50}\b(?:I(?:['’]d| would|['’]ll| will| have to)? (?:\w+ )?(?:ignor\w*|disregard\w*|doubt|discount|question|distrust)|makes no sense|(?:can|should|may|must|to) be "
         r"(?:ignored|disregarded|discounted|dismissed)|with caution|with a (?:pinch|grain) of salt|no longer (?:holds|applies|valid|current|true)|has (?:expired|been (?:replaced|superseded|corrected|withdrawn)))"),
    _cue("is not the", "denied", "after", r"\A\s*(?:(?:is|was|are|were)n['’]t|(?:is|was|are|were) not)\s+(?:the|it|what|our|my|their)\b"),
    _cue("would be", "hedged", "after", r"\A[^.;!?,]{0,20}\bwould be\b"),
    _cue("users word", "quoted", "before",
         r"\b(?:you(?:['’]d|['’]ve| had| have)? (?:\w+ )?(?:said|mention\w*|thought|quoted|expect\w*|wrote|remember\w*|assum\w*|had in mind|heard|guess\w*|recall\w*|gave|suggest\w*|estimat\w*|were told|believe\w*|cited|note\w*|name\w*)"
         r"|your (?:old |own |original )?(?:figure|number|estimate|guess|assumption|memory|value|information|quote)|(?:der|die|das) von Ihnen|Ihre|votre|vous (?:aviez|pensiez)|(?:the )?user(?:['’]s)?)\W*(?:(?:was|is|of|it was|about|around|that|it['’]s|said|at|figure|number|estimate|guess)\W+){0,3}\Z"),
    _cue("own guess", "quoted", "before",
         r"\b(?:I(?:['’]d| would| had)?(?: have)? (?:\w+ )?(?:thought|guessed|assumed|expected|remembered|recalled|going to say|said)|my first guess)\b[^.;!?]{0,30}\Z"),
    _cue("other source", "quoted", "before",
         r"(?:\b(?:hand ?book|poster|brochure|flyer|leaflet|advert\w*|rumou?rs?|textbooks?|newspapers?|sticker|rule of thumb|list price)\b[^.;!?]{0,40}|\b(?:colleagues?|landlord|neighbou?r|people|every(?:one|body)|"
         r"some(?:one|body)|boss|sign|press|forum|blog|wiki\w*|sites?|websites?|sources|they|he|she)\b[^.;!?]{0,25}\b(?:say|says|said|quot\w+|claim\w*|wrote|mention\w*|heard|had|told|thinks?|thought|remember\w*|puts?|lists?)\b[^.;!?]{0,20}"
         r"|\b(?:usual|typical|textbook))\W*\Z"),
    _cue("you mentioned after", "quoted", "after", r"\A\s*(?:\w+\s){0,2}?(?:that )?(?:you|they|he|she|people|everyone|somebody|someone) (?:\w+ )?(?:mention\w*|quoted?|had|have|said|remember\w*|thought|heard|expect\w*|saw|assumed|gave|cited|were told|think|wrote|guess\w*)\b"),
    _cue("on the flyer", "quoted", "after", r"\A\s*(?:\w+\s){0,2}?(?:on|in|from|of) (?:the|your|their) (?:flyer|poster|brochure|advert\w*|handbook|sign|website|leaflet|old|window|press|papers?|internet)\b"),
    _cue("hedge", "hedged", "before",
         r"\b(?:maybe|perhaps|possibly|might|could(?! not)|probably|presumably|likely|I(?:['’]d)? (?:think|guess|believe|suppose|assume)|my (?:best )?guess|supposedly|allegedly|vielleicht|peut-être|quizás?|forse|wahrscheinlich|"
         r"typically|usually|normally|generally|commonly|as a rule|in the ballpark)\b[^.;!?]{0,50}\Z"),
    _cue("may be", "hedged", "before", r"\b(?-i:may) (?:well )?(?:be|have)\b[^.;!?]{0,30}\Z"),
    _cue("unsure after", "hedged", "after", r"\A[^.;!?]{0,25}\b(?:I(?:['’]m| am) not (?:sure|certain|100)|but don['’]t quote me|I think|I guess|I suppose|if I (?:remember|recall)|presumably|or thereabouts|perhaps|maybe)\b"),
    _cue("condition", "hedged", "before", r"\b(?:if|whether|were it|had it been|suppose|supposing|in case|falls|wenn|si)\b[^.;!?,]{0,40}\Z"),
    _cue("for example", "hedged", "before", r"\b(?:for example|for instance|e\.g\.|say|such as|let['’]s say|zum Beispiel|par exemple)\W*\Z"),
    _cue("change from", "past", "before", r"\b(?:up|down|rose|risen|fell|fallen|dropped|increased|decreased|raised|lowered|changed|moved|grew|cut|reduced|came down|went up|extended|postponed|moved back|brought forward|away)\b[^.;!?]{0,25}\bfrom\W*\Z"),
    _cue("once", "past", "before", r"\b(?:used to be|previously|formerly|originally|until recently|before that|former|previous|prior|old(?:er)?|declared as|initially|at first|earlier|last (?:year|month|week|time|spring|summer|autumn|winter|season)['’]?s?|früher|zuvor|auparavant|antes)\b" + _GAP % 4),
    _cue("held against", "past", "before", r"\b(?:compared (?:with|to)|versus|vs\.?|against|than|(?:twice|double|half|times) (?:the|that)|(?:above|below|over|under|beyond|within|out of|limit of|maximum of|minimum of|threshold of|target of|cap of)(?: (?:the|a|its|your))?(?: \w+)?)\W*\Z"),
    _cue("back then", "past", "after", r"\A\W*(?:\w+\s){0,2}?(?:last (?:year|month|week|time|spring|summer|autumn|winter|season)|previously|a (?:year|month|week) (?:ago|earlier|before)|the year before|back then|until (?:last|recently|19|20))\b"),
)  # fmt: skip
"""In the order in which they are asked; the first that holds counts."""

ADOPTS = re.compile(
    r"\b(?:go(?:ing)? (?:with|by)|us(?:e|ing)|say|answer|assume|quote|budget|stick(?:ing)? (?:with|to)|settle on|plan (?:on|with|for)|count on|expect|figure|trust|call it|"
    r"real(?:ly|istically| figure| value| number)|actual(?:ly)?|in (?:truth|fact|reality)|(?:correct|true|right|proper|final|accurate) (?:\w+ )?(?:is|:)|(?:final )?answer is|"
    r"rely on|take|should be|must be|it['’]s (?:more like|closer to)|more like|closer to)\b[^.;!?]{0,40}\Z",
    re.IGNORECASE,
)
"""Words by which a writer chooses a value over one that was stated."""
CORRECTS = re.compile(
    r"(?:\A|(?<=[.;!?—–,(-])|(?<=\s[-–—]))\W*(?:no[,.—– ]+(?:wait|sorry|actually|hold on|scratch|that['’]s|it(?:['’]s| is| was))|wait\b|hold on|correction|sorry\b(?!\s(?:to|for|about|that))|scratch that|strike that|oops|my mistake|"
    r"I (?:misread|misspoke|meant|mean|stand corrected|take that back)|make that|or rather|on second thoughts?|let me (?:correct|fix|rephrase|redo)|apologies|check that|nein|non,|pardon|perdón|no,)",
    re.IGNORECASE,
)
"""Where a writer takes back what stands before."""
OPEN = re.compile(
    r"\b(?:just as (?:likely|well|possibl[ey]|plausibl[ey])|equally (?:likely|possible|plausible|well)|alternatively|could (?:just as well|also|equally) be|or (?:else|possibly|maybe|perhaps)|as likely as not|either way|"
    r"one of (?:them|these|the two)|take your pick|hard to (?:say|tell) which|can['’]t (?:say|tell|decide) which|not sure which|whichever|both are possible|it['’]s either)\b",
    re.IGNORECASE,
)
"""Where two values are left open."""
_POINTS_BACK = re.compile(r"\W*(?:which|that|this|these|those|it|they|but (?:that|this|it|I|those|these|we|the|ignore|disregard)|though (?:I|that|it|those|we)|although|and (?:that|it|this)|I|we|the (?:figure|value|number|reading|tool|feed|record|lookup|data|entry|system|latter)|both|so I|yet I|however|clearly|obviously|surely|probably|honestly|das|ce)\b", re.IGNORECASE)  # fmt: skip


_GRANTS = re.compile(r"\W*(?:although|though|even (?:if|though)|while|obwohl|bien que|aunque)\b", re.IGNORECASE)


def stance_of(layout: Layout, start: int, end: int, floor: int, ceiling: int) -> tuple[Stance, str]:
    """The stance to a span, and the words that tell it; `floor` and `ceiling` are the ends of the
    values before and behind it."""
    text = layout.text
    if any(first <= start and end <= last for first, last in layout.struck):
        return "withdrawn", "struck out"
    number = layout.clause_number(start)
    clause = layout.clauses[number]
    before = text[max(clause.start, floor, start - 120) : start]
    after = text[end : min(clause.end, ceiling if ceiling > end else clause.end)]
    behind = _behind(layout, number, end, ceiling)
    granted = _GRANTS.match(text, clause.start)
    for cue in CUES:
        if granted and cue.where == "after" and cue.stance == "denied":
            continue
        found = cue.pattern.search(before if cue.where == "before" else after)
        if not found and cue.where == "after" and behind:
            found = cue.pattern.search(behind)
        if found:
            return cue.stance, found[0].strip()[:80]
    if _is_asked(layout, start, end):
        return "question", "?"
    return "asserted", ""


def _behind(layout: Layout, number: int, end: int, ceiling: int) -> str:
    """What the next clause says of a value that stands last in its own, where it points back."""
    clause = layout.clauses[number]
    if ceiling <= clause.end or number + 1 >= len(layout.clauses):
        return ""
    following = layout.clauses[number + 1]
    if following.sentence > clause.sentence + 1:
        return ""
    text = layout.text[following.start : min(following.end, max(following.start, ceiling))]
    return text if _POINTS_BACK.match(text) else ""


def _is_asked(layout: Layout, start: int, end: int) -> bool:
    """Whether the sentence asks; an answer may stand before a question behind a dash."""
    first, last = layout.sentence_of(start)
    sentence = layout.text[first:last].rstrip("\"'”’)] \n")
    if not sentence.endswith(("?", "？")):
        return False
    clause = layout.clauses[layout.clause_number(start)]
    return clause.end >= last - 2 or not re.search(r"[:;—–]", layout.text[end:last])
