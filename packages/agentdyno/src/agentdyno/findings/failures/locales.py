"""Languages and countries by their codes: values of a return in, the words that people say out.

Worked: `pt-BR` is Brazilian Portuguese, `NZ` New Zealand. A code that is not in the tables has no
words, and a word of two letters in a sentence is none.
"""

import re
from collections.abc import Iterable, Iterator

_CODE = re.compile(r"(?P<language>[a-z]{2})(?:[-_](?:[A-Z][a-z]{3}[-_])?(?P<spoken>[A-Z]{2}))?"
                   r"|(?P<country>[A-Z]{2})")  # fmt: skip
_LANGUAGES = {
    "ar": "Arabic", "bg": "Bulgarian", "cs": "Czech", "da": "Danish", "de": "German",
    "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian", "fa": "Persian",
    "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian",
    "hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ja": "Japanese", "ko": "Korean",
    "lt": "Lithuanian", "lv": "Latvian", "nb": "Norwegian", "nl": "Dutch", "no": "Norwegian",
    "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak",
    "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish", "sw": "Swahili", "th": "Thai",
    "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
_COUNTRIES = {
    code: tuple(names.split("/"))
    for code, _, names in (
        line.partition(" ")
        for line in """AE United Arab Emirates/Emirati
AR Argentina/Argentine/Argentinian
AT Austria/Austrian
AU Australia/Australian
BE Belgium/Belgian
BR Brazil/Brazilian
CA Canada/Canadian
CH Switzerland/Swiss
CL Chile/Chilean
CN China/Chinese/Simplified/Mainland
CO Colombia/Colombian
CR Costa Rica/Costa Rican
CZ Czech Republic/Czechia/Czech
DE Germany/German
DK Denmark/Danish
DO Dominican Republic/Dominican
EG Egypt/Egyptian
ES Spain/European/Castilian/Spanish
FI Finland/Finnish
FR France/French
GB United Kingdom/Great Britain/Britain/UK/British
GR Greece/Greek
HK Hong Kong
HU Hungary/Hungarian
IE Ireland/Irish
IN India/Indian
IT Italy/Italian
JP Japan/Japanese
KE Kenya/Kenyan
KR South Korea/Korean
LK Sri Lanka/Sri Lankan
MA Morocco/Moroccan
MX Mexico/Mexican
NG Nigeria/Nigerian
NL Netherlands/Dutch
NO Norway/Norwegian
NZ New Zealand
PE Peru/Peruvian
PG Papua New Guinea
PL Poland/Polish
PT Portugal/European/Portuguese
RO Romania/Romanian
SA Saudi Arabia/Saudi
SE Sweden/Swedish
SG Singapore/Singaporean
SV El Salvador/Salvadoran
TH Thailand/Thai
TN Tunisia/Tunisian
TR Turkey/Türkiye/Turkish
TW Taiwan/Taiwanese/Traditional
UA Ukraine/Ukrainian
US United States/USA/American
VN Vietnam/Vietnamese
ZA South Africa/South African""".splitlines()
    )
}
"""A country's names, and what people call things of it."""
_TOLD_BY_CODE = re.compile(
    r"(?:\A|_)(?:lang|language|locale|country|origin|nationality|made_in|target)(?:_code)?\Z"
)


def words_of_codes(values: Iterable[object]) -> Iterator[str]:
    """What people say for those values that are codes of a language or a country."""
    for value in values:
        code = _CODE.fullmatch(value) if isinstance(value, str) else None
        if code is not None:
            yield _LANGUAGES.get(code["language"] or "", "")
            yield " ".join(_COUNTRIES.get(code["spoken"] or code["country"] or "", ()))


def ways_to_say(value: str, field: str) -> tuple[str, ...]:
    """What people say for a code in a field of such codes; nothing where either is none."""
    code = _CODE.fullmatch(value) if _TOLD_BY_CODE.search(field) else None
    if code is None:
        return ()
    if code["country"]:
        return _COUNTRIES.get(code["country"], ())
    language, places = _LANGUAGES.get(code["language"]), _COUNTRIES.get(code["spoken"] or "", ())
    if language is None or code["spoken"] is None:
        return (language,) if language else ()
    of_places = (f"{language} {way}" for place in places for way in (f"({place})", f"of {place}"))
    return (*(f"{place} {language}" for place in places), *of_places)
