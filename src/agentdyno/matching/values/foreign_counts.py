"""Small counts in German, French, Spanish, Portuguese and Italian words: a known count in, places
out.

Some of these words are English ones, too ("once", "due"), so they are only looked for where the
count is known and the text is in another language.

Worked: 11 is "once" in "te quedan once días", and nowhere in "we met once".
"""

import re
from collections.abc import Iterator

_WORDS = (
    "zwei zwo deux dos dois duas due", "drei trois tres três tre", "vier quatre cuatro quatro "
    "quattro",
    "fünf cinq cinco cinque", "sechs six seis sei", "sieben sept siete sete sette",
    "acht huit ocho oito otto", "neun neuf nueve nove", "zehn dix diez dez dieci",
    "elf onze once undici", "zwölf douze doce doze dodici", "dreizehn treize trece treze tredici",
    "vierzehn quatorze catorce catorze quattordici", "fünfzehn quinze quince quindici",
    "sechzehn seize dieciséis dezasseis sedici", "siebzehn dix-sept diecisiete diciassette",
    "achtzehn dix-huit dieciocho dezoito diciotto", "neunzehn dix-neuf diecinueve diciannove",
    "zwanzig vingt veinte vinte venti",
)  # fmt: skip
_BY_COUNT = {
    count: re.compile(rf"\b(?:{words.replace(' ', '|')})\b", re.IGNORECASE)
    for count, words in enumerate(_WORDS, 2)
}
_OTHER_TONGUE = re.compile(
    r"\b(?:der|die|das|und|ist|sind|noch|für|mit|ein|eine|le|les|des|est|pour|une|vous|votre|il|el"
    r"|los|las|una|por|que|tu|su|está|de|del|os|não|são|seu|sua|è|che|sono|ancora|gli|y|e|o|al|en|mes|días|dias|jours|tage|aún|nur|nel|della|dos|das)\b",
    re.IGNORECASE,
)
FEWEST = 3
"""Words of another language that show it."""


def count_in_words(text: str, count: float) -> Iterator[tuple[int, int]]:
    """Where a text of another language names the count."""
    words = _BY_COUNT.get(int(count)) if float(count).is_integer() else None
    for place in words.finditer(text) if words else ():
        if len(_OTHER_TONGUE.findall(text)) >= FEWEST:
            yield place.span()
