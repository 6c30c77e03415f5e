"""Counts below a hundred in German, French, Spanish, Portuguese, Italian and Dutch words: a known
count in, places out.

Some of these words are English ones, too ("once", "due"), so they are only looked for where the
count is known and the text is in another language.

Worked: 11 is "once" in "te quedan once días", and nowhere in "we met once"; 34 is "trente-quatre".
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple


class Tongue(NamedTuple):
    """How a language counts."""

    ones: tuple[str, ...]
    """From 1 to 20; of several words for one count, a stroke stands between them."""
    tens: tuple[str, ...]
    """20, 30 and so on up to 90."""
    joint: str
    """What stands between tens and ones."""
    ones_first: bool = False
    """Whether people say four-and-thirty."""


TONGUES = {
    "German": Tongue(
        tuple("eins|ein zwei|zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn "
              "vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig".split()),
        tuple("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()),
        "und", ones_first=True,
    ),
    "French": Tongue(
        tuple("un|une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze "
              "quinze seize dix-sept dix-huit dix-neuf vingt".split()),
        tuple("vingt trente quarante cinquante soixante soixante quatre-vingts? "
              "quatre-vingt".split()),
        r"(?:[\s-]et)?[\s-]",
    ),
    "Spanish": Tongue(
        tuple("uno?|una d[oó]s tr[eé]s cuatro cinco s[eé]is siete ocho nueve diez once doce trece "
              "catorce quince dieciséis diecisiete dieciocho diecinueve veinte".split()),
        tuple("veinti treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()),
        r"(?:(?<=veinti)|\sy\s)",
    ),
    "Portuguese": Tongue(
        tuple("uma? dois|duas três quatro cinco seis sete oito nove dez onze doze treze "
              "catorze|quatorze quinze dezesseis|dezasseis dezessete|dezassete dezoito "
              "dezenove|dezanove vinte".split()),
        tuple("vinte trinta quarenta cinquenta sessenta setenta oitenta noventa".split()),
        r"\se\s",
    ),
    "Italian": Tongue(
        tuple("uno?|una due tre|tré quattro cinque sei sette otto nove dieci undici dodici tredici "
              "quattordici quindici sedici diciassette diciotto diciannove venti".split()),
        tuple("venti? trenta? quaranta? cinquanta? sessanta? settanta? ottanta? novanta?".split()),
        "",
    ),
    "Dutch": Tongue(
        tuple("een|één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien "
              "vijftien zestien zeventien achttien negentien twintig".split()),
        tuple("twintig dertig veertig vijftig zestig zeventig tachtig negentig".split()),
        "[eë]n", ones_first=True,
    ),
}  # fmt: skip
"""Italian tens lose their last letter before a vowel, and Spanish ones grow together up to 29."""
SMALLEST, LARGEST = 2, 99
"""One is an article, too."""
_OTHER_TONGUE = re.compile(
    r"\b(?:der|die|das|und|ist|sind|noch|für|mit|ein|eine|le|les|des|est|pour|une|vous|votre|il|el"
    r"|los|las|una|por|que|tu|su|está|de|del|os|não|são|seu|sua|è|che|sono|ancora|gli|y|e|o|al|en|mes|días|dias|jours|tage|aún|nur|nel|della|dos|das"
    r"|het|een|er|zijn|nog|voor|van|op|la|et|reste)\b",
    re.IGNORECASE,
)
FEWEST = 3
"""Words of another language that show it."""


def count_in_words(text: str, count: float) -> Iterator[tuple[int, int]]:
    """Where a text of another language names the count."""
    if not float(count).is_integer() or not SMALLEST <= count <= LARGEST:
        return
    places = [place.span() for place in _pattern(int(count)).finditer(text)]
    if not places or len(_OTHER_TONGUE.findall(text)) < FEWEST:
        return
    wholes = [whole.span() for whole in _COMPOUND.finditer(text)]
    for start, end in places:
        if not any(a <= start and end <= b and (a, b) != (start, end) for a, b in wholes):
            yield start, end  # The quatre of trente-quatre is none.


@lru_cache(maxsize=LARGEST)
def _pattern(count: int) -> re.Pattern[str]:
    ways = "|".join(words_of(count, tongue) for tongue in TONGUES.values())
    return re.compile(rf"\b(?:{ways})\b", re.IGNORECASE)


def words_of(count: int, tongue: Tongue) -> str:
    """A count in a language's words, as a pattern."""
    if count <= 20:
        return f"(?:{tongue.ones[count - 1]})"
    tens, rest = divmod(count, 10)
    ten = f"(?:{tongue.tens[tens - 2]})"
    if tongue is TONGUES["French"] and tens in (7, 9):
        rest += 10  # Sixty-ten.
    if not rest:
        return ten.replace("a?", "a")
    one = f"(?:{tongue.ones[rest - 1]})"
    return f"{one}{tongue.joint}{ten}" if tongue.ones_first else f"{ten}{tongue.joint}{one}"


def _compound(tongue: Tongue) -> str:
    """Any count of tens and ones that are words of their own."""
    tens, ones = "|".join(tongue.tens), "|".join(tongue.ones)
    return rf"(?:{tens}){tongue.joint}(?:{ones})"


_COMPOUND = re.compile(
    r"\b(?:"
    + "|".join(_compound(tongue) for tongue in TONGUES.values() if not tongue.ones_first)
    + r"|dix-(?:sept|huit|neuf)|quatre-vingts?)\b",
    re.IGNORECASE,
)
