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
    line[:2]: line[3:]
    for line in """AE United Arab Emirates Emirati
AR Argentina Argentine Argentinian
AT Austria Austrian
AU Australia Australian
BE Belgium Belgian
BR Brazil Brazilian
CA Canada Canadian
CH Switzerland Swiss
CN China Simplified Mainland
CO Colombia Colombian
CR Costa Rica
CZ Czech Republic
DE Germany German
DO Dominican Republic
EG Egypt Egyptian
ES Spain European Castilian
FR France French
GB United Kingdom Great Britain British
HK Hong Kong
IE Ireland Irish
IN India Indian
IT Italy Italian
JP Japan Japanese
KR South Korea Korean
LK Sri Lanka
MX Mexico Mexican
NL Netherlands Dutch
NZ New Zealand
PG Papua New Guinea
PT Portugal European
SA Saudi Arabia
SG Singapore
SV El Salvador
TW Taiwan Taiwanese Traditional
US United States American
ZA South Africa African""".splitlines()
}


def words_of_codes(values: Iterable[object]) -> Iterator[str]:
    """What people say for those values that are codes of a language or a country."""
    for value in values:
        code = _CODE.fullmatch(value) if isinstance(value, str) else None
        if code is not None:
            yield _LANGUAGES.get(code["language"] or "", "")
            yield _COUNTRIES.get(code["spoken"] or code["country"] or "", "")
