"""Words around a number that say it is approximate, or negative: a text and a place in, both out.

Worked: "about 620" is approximate; "down 3.2 %" and "19.5 below zero" are negative.
"""

import re

from agentdyno.matching.legacy_values.letters import any_of, lowered

_HARDLY = r" (?:over|under|more than|less than|above|below|shy of)"
_ABOUT_WORDS = (
    r"about", r"around", r"roughly", r"approximately", r"approx\.?", r"nearly", r"almost", r"some",
    r"circa", r"ca\.", r"rund", r"etwa", r"ungefähr", r"knapp", r"environ", r"presque", r"unos",
    r"unas", r"casi", r"aproximadamente", r"alrededor de", r"cerca de", r"quase", r"~", r"≈",
    r"in the region of", r"close to", r"more or less", r"give or take",
    r"a good", r"upwards of", r"getting on for", r"just about",
    r"a little" + _HARDLY, r"a bit" + _HARDLY, r"slightly" + _HARDLY, r"just" + _HARDLY,
)  # fmt: skip
ABOUT = re.compile(any_of(_ABOUT_WORDS) + r"\s*(?:us)?[$€£]?\s*\Z")
"""In lower case, as what follows."""
_ABOUT_AFTER = re.compile(r"\W{0,3}(?:give or take|or so|or thereabouts|-?ish\b)")
_FALL_WORDS = (
    r"down", r"fell", r"fallen", r"falls", r"falling", r"dropp\w{1,4}", r"drops?", r"declin\w{1,4}",
    r"decreas\w{1,4}", r"lost", r"loss(?:es)? of", r"lower by", r"minus", r"negative", r"behind",
    r"below zero", r"deficit of", r"shr[aiu]nk\w*", r"contract\w{1,3}", r"west of", r"south of",
    r"reduced", r"reduction of", r"off", r"ow(?:e|es|ed|ing)", r"overdrawn", r"shortfall of",
    r"short by", r"debit of", r"arrears of", r"debt of", r"in debt by", r"in the red by",
    r"under by", r"falls? of", r"dip(?:s|ped)?", r"slip(?:s|ped)?", r"slid(?:e|es)?", r"sank",
    r"sunk", r"slump\w{0,3}", r"tumbl\w{1,3}", r"plung\w{1,3}", r"eas(?:ed|es) by", r"went down",
    r"go(?:ne|ing) down",
    r"retreat\w{1,3}", r"cut (?:by|of)",
)  # fmt: skip
_FALL = re.compile(r"\b" + any_of(_FALL_WORDS) + r"\b[^.;!?\n\d]{0,24}\Z")
_FALL_AFTER = re.compile(
    r"\W{0,3}(?:degrees?\s|°\s?)?(?:in the red|overdrawn|in arrears|in debt|of debt"
    r"|debit|short|below (?:zero|freezing)|lower|less|fewer|decline|decrease|drop|loss"
    r"|down|cut|reduction|fall|dip|slump|behind|earlier|below(?=\s?[.,;:!)|\n–—]|\s?\Z|\s(?:rather|and|but|as)\b))\b"
)


def hedges(text: str, start: int, end: int) -> tuple[bool, bool]:
    """Whether the words around a number say that it is approximate, and that it is negative."""
    near, after = lowered(text[max(0, start - 40) : start]), lowered(text[end : end + 20])
    return (
        bool(ABOUT.search(near[-26:]) or _ABOUT_AFTER.match(after)),
        bool(_FALL.search(near) or _FALL_AFTER.match(after)),
    )
