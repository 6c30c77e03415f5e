"""States in other words: a state that a record gives in, a pattern of what people say for it out.

A trend, a status or a result is one of a few words in a record, and a dozen in people's mouths. The
words of one line mean the same; none of them stands in two lines of one subject.

Worked: `falling` is "going down", `shipped` is "on its way", `rejected` is "turned down".
"""

import re
from functools import lru_cache

_GOES = r"(?:going|coming|trending|heading|edging|moving|creeping|ticking|drifting|pointing|way)"
_FAMILIES = {
    "falling fall down downward declining decreasing dropping sinking decrease receding": (
        rf"fall(?:s|ing|en)?|fell|dropp(?:ed|ing)|drops|declin(?:e|es|ed|ing)|decreas(?:e|es|ed|ing)"
        rf"|sink(?:s|ing)|reced(?:es|ed|ing)|subsid(?:es|ing)|{_GOES} (?:back )?down(?:wards?)?"
        r"|downwards?|went down|gone down|getting (?:lower|smaller|weaker|cheaper|shallower)|easing"
        r"|slipping|(?:is|are|trend:|still|currently|now) down\b(?! to)|lessening|dwindling|waning"
        r"|fallend|fällt|sink(?:t|end)|gesunken|en baisse|baisse|baja(?:ndo)?|desce(?:ndo)?|in calo"
    ),
    "rising rise up upward increasing climbing growing increase": (
        rf"ris(?:e|es|en|ing)|rose|climb(?:s|ed|ing)|increas(?:e|es|ed|ing)|grow(?:s|n|ing)|grew"
        rf"|{_GOES} (?:back )?up(?:wards?)?|upwards?|went up|gone up|getting (?:higher|bigger"
        rf"|stronger"
        r"|deeper|dearer)|(?:is|are|trend:|still|currently|now) up\b(?! to)|picking up|mounting"
        r"|steig(?:t|end)|gestiegen|en hausse|monte|sub(?:e|iendo|indo)|in aumento"
    ),
    "stable steady flat unchanged constant level": (
        r"stable|stead(?:y|ily)|flat|unchanged|constant|(?:is|are) level|neither (?:rising|going "
        r"up) nor \w+"
        r"|neither (?:falling|going down) nor \w+|not (?:really )?(?:changing|moving)|hasn['’]t "
        r"(?:changed|moved)|no (?:real |significant )?(?:change|movement)|holding|stays? the same"
        r"|(?:about|much) the same|stabil|gleichbleibend|unverändert|estable|estável"
    ),
    "delayed late": r"delay(?:s|ed)?|(?:is|are|be|was|running|runs) late|behind (?:schedule|time)"
                    r"|held up|late|verspätet|Verspätung|en retard|retrasado|atrasado|in ritardo",
    "on_time ontime punctual": r"on[ -]time|on schedule|punctual(?:ly)?|no delays?|(?:not"
    r"|isn['’]t) "
                               r"(?:delayed|late)|as (?:scheduled|planned)|to the minute|pünktlich"
                               r"|à l['’]heure|puntual",
    "cancelled canceled": r"cancell?(?:ed|ation)|call(?:ed|ing) (?:it |them )?off|scrubbed|axed"
                          r"|(?:won['’]t|will not|isn['’]t|not) (?:be )?(?:run(?:ning)?|tak(?:e"
                          r"|ing) "
                          r"place|go(?:ing)? ahead|happen(?:ing)?)|abgesagt|fällt aus|annulée?"
                          r"|cancelad[oa]|annullat[oa]",
    "pending under_review in_review processing": (
        r"pending|await(?:s|ing)|waiting for|under review|(?:still )?being (?:reviewed|processed"
        r"|checked|looked at)|in review|(?:not|n['’]t) (?:yet )?(?:been )?(?:decided|processed"
        r"|reviewed)|undecided|in progress|in the queue|ausstehend|in Bearbeitung|en attente"
        r"|pendiente|pendente"
    ),
    "approved accepted granted": r"approv(?:ed|al)|accepted|granted|signed off|(?:the )?green light"
                                 r"|given the go-ahead|gone through|genehmigt|approuvée?|apro(?:b"
                                 r"|v)ad[oa]",
    "adopted carried": r"adopted|passed|carried|approved|(?:went|got|voted|gone) through",
    "scheduled planned": r"scheduled|planned|booked (?:in|for)|set for|slated|lined up",
    "confirmed": r"confirmed|definite|locked in|all set|firm",
    "refunded reimbursed": r"refund(?:ed)?|reimbursed|(?:paid|sent|credited) back|money back",
    "in_progress ongoing under_way underway": r"in progress|ongoing|under ?way|being (?:worked on"
    r"|done|carried out|built|repaired|fixed)|still (?:running|going|open)|works? (?:is"
    r"|are) going on",
    "submitted filed": r"submitted|filed|handed in|sent in|lodged",
    "postponed deferred rescheduled": r"postponed|deferred|rescheduled|put off|pushed back"
    r"|moved (?:back|to)|verschoben|reportée?|aplazad[oa]|adiad[oa]",
    "withdrawn": r"withdrawn|pulled|taken back|retracted",
    "healthy ok normal": r"healthy|ok(?:ay)?|fine|normal|(?:in )?good (?:shape|order|health"
    r"|condition)|nothing wrong|no problems?|all (?:good|clear)|within (?:the )?(?:normal|limits)",
    "degraded impaired": r"degraded|impaired|part(?:ly|ially) (?:down|out)|having (?:problems"
    r"|trouble)|not at full|reduced",
    "offline unreachable": r"offline|unreachable|(?:is|are) down|not responding|out of service"
    r"|(?:not|n['’]t) (?:online|reachable|responding)|disconnected",
    "online reachable": r"online|reachable|(?:is|are) up|responding|connected|up and running",
    "locked": r"locked|verrouillé|abgeschlossen|bolted",
    "unlocked": r"unlocked|(?:not|n['’]t) locked",
    "full": r"full(?:y booked)?|no (?:more )?(?:room|space|seats|places)|booked (?:out|up)",
    "draw tied tie drawn": r"dr[ae]w[ns]?|tied?|level|honours even|shared the points",
    "ready ready_for_pickup ready_for_collection": r"ready|(?:can|may) (?:now )?be (?:picked up"
    r"|collected)|(?:pick|collect) it|waiting (?:for you|to be)|abholbereit|listo|prêt",
    "out_for_delivery": r"out for delivery|with the (?:driver|courier)|being delivered"
    r"|on (?:the|its) (?:van|way)",
    "missing": r"missing|lost|gone astray|(?:can(?:no|['’])t|cannot) be found|not found",
    "discontinued": r"discontinued|no longer (?:made|sold|produced|available)|phased out",
    "backordered on_backorder": r"(?:on )?back[- ]?order(?:ed)?",
    "enrolled registered": r"enrolled|registered|signed up|on the (?:list|course)",
    "critical": r"critical(?:ly)?|very serious|dire",
    "rejected denied declined refused": r"reject(?:ed|ion)|denied|declined|turned down|refused"
                                        r"|knocked back|(?:not|n['’]t) (?:been )?(?:approved"
                                        r"|accepted)",
    "delivered": r"delivered|arrived|dropped off|handed over|zugestellt|geliefert|livrée?"
    r"|entreg\w+",
    "shipped in_transit dispatched en_route": (
        r"shipped|dispatched|in transit|en route|(?:on|under) (?:its|the|their) way|underway"
        r"|sent (?:off|out)|been sent|left (?:the|our) (?:warehouse|depot)|travelling|posted"
        r"|unterwegs|versandt|expédiée?|enviad[oa]|en camino|a caminho"
    ),
    "paid settled": r"paid(?: off)?|settled|nothing (?:is )?(?:outstanding|owed|due)|bezahlt"
    r"|payée?|pagad[oa]",
    "unpaid overdue outstanding": r"unpaid|overdue|outstanding|past due|owed|owing|in arrears"
                                  r"|(?:not|n['’]t) (?:yet )?(?:been )?(?:paid|settled)|payment "
                                  r"is (?:still )?(?:open|due)"
                                  r"|unbezahlt|offen|impayée?|sin pagar|por pagar",
    "open": r"open(?:ed|ing)?|geöffnet|offen|ouverte?|abiert[oa]|abert[oa]|unresolved|(?:not"
    r"|n['’]t) (?:yet )?(?:been )?(?:closed|resolved|shut)",
    "closed shut": r"closed|shut(?:s|tered)?|geschlossen|fermée?|cerrad[oa]|fechad[oa]|(?:not"
    r"|n['’]t) open",
    "resolved fixed": r"resolved|fixed|solved|sorted(?: out)?|closed|dealt with",
    "available in_stock free vacant": r"available|in stock|vacant|verfügbar|vorrätig|disponible"
    r"|disponível|to be had|can be (?:booked"
                                      r"|ordered|had)|open for booking",
    "sold_out out_of_stock unavailable booked_out fully_booked": (
        r"sold out|ausverkauft|épuisée?|complet|agotad[oa]|esgotad[oa]|out of stock|unavailable|"
        r"(?:not|n['’]t) available|none (?:are )?left|fully booked"
        r"|booked (?:out|up|solid)|no (?:more )?(?:seats|tickets|places|rooms|stock|spaces)"
    ),
    "active enabled live in_force running on": (
        r"active|enabled|live|in (?:force|effect|use)|running|switched on|turned on|up and running"
    ),
    "inactive disabled suspended paused off on_hold": (
        r"inactive|disabled|suspended|paused|on hold|switched off|turned off|deactivated|frozen"
        r"|(?:not|n['’]t) (?:active|running|enabled)|stopped"
    ),
    "expired lapsed": r"expired|lapsed|r[au]n out|no longer valid|(?:not|n['’]t) valid",
    "completed complete done finished": r"complete(?:d|ly)?|done|finished|wrapped up",
    "failed fail": r"fail(?:ed|s|ure)?|unsuccessful|(?:not|n['’]t) (?:pass|succeed|work)(?:ed)?",
    "passed pass": r"pass(?:ed|es)?|succe(?:ed(?:ed)?|ss(?:ful)?)|made it",
    "moderate medium": r"moderate(?:ly)?|medium|middling|mid-(?:level|range)",
    "severe": r"severe(?:ly)?|serious|very (?:bad|strong|high)",
    "overcast cloudy": r"overcast|cloud(?:y|ed|s)",
    "sunny clear": r"sun(?:ny|shine)|clear|cloudless",
    "rain rainy": r"rain(?:y|ing|s)?|showers",
}  # fmt: skip
_PARTLY = ("partially", "partly", "part")
_BY_WORD = {word: said for words, said in _FAMILIES.items() for word in words.split()}


@lru_cache(maxsize=256)
def said_for(state: str) -> re.Pattern[str] | None:
    """What people say for a state; None for a word that is none."""
    words = re.split(r"[\s_-]+", state.strip().lower())
    said = _in_part(words[1]) if words[0] in _PARTLY and len(words) == 2 else None
    said = said or _BY_WORD.get("_".join(words))
    if said is None:
        return None
    return re.compile(rf"(?:\b|(?=n['’]t))(?:{said})(?!\w)", re.IGNORECASE)


def _in_part(state: str) -> str:
    """A state that holds for a part: approved in part, partial approval, paid part of it."""
    whole = rf"(?:{_BY_WORD.get(state, re.escape(state))})"
    return (
        rf"part(?:ly|ially|ial)?[\s-]+{whole}"
        rf"|part of [^.;!?\n]{{1,30}}? (?:is|are|was|were|has been|have been) {whole}"
        rf"|{whole},? (?:but )?(?:only )?(?:in part|part(?:ly|ially)|(?:a )?part of)"
    )
