"""Writes the lexicon of the reader: words for months, currencies, units and numbers.

Names come from CLDR through babel, number words from num2words; neither is needed at run time. What
CLDR does not hold (the size of a unit, words of everyday speech) is listed below.

    python tools/make_lexicon.py
"""

import json
import re
from pathlib import Path

from babel import Locale
from num2words import num2words

LOCALES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "da", "nb", "ja", "zh"]
TARGET = Path(__file__).parents[1] / "packages/agentdyno/src/agentdyno/matching/values/lexicon.json"

UNITS = """
length-kilometer length 1000 | length-meter length 1 | length-decimeter length .1
length-centimeter length .01 | length-millimeter length .001 | length-micrometer length 1e-6
length-nanometer length 1e-9 | length-mile length 1609.344 | length-yard length .9144
length-foot length .3048 | length-inch length .0254 | length-nautical-mile length 1852
length-light-year length 9.4607304725808e15 | length-parsec length 3.0856775814913673e16
length-astronomical-unit length 149597870700 | length-fathom length 1.8288
area-square-kilometer area 1e6 | area-hectare area 1e4 | area-square-meter area 1
area-square-centimeter area 1e-4 | area-square-mile area 2589988.11 | area-acre area 4046.8564224
area-square-yard area .83612736 | area-square-foot area .09290304 | area-square-inch area .00064516
volume-cubic-meter volume 1000 | volume-cubic-centimeter volume .001 | volume-liter volume 1
volume-hectoliter volume 100 | volume-deciliter volume .1 | volume-centiliter volume .01
volume-milliliter volume .001 | volume-cubic-foot volume 28.316846592
volume-gallon volume 3.785411784 | volume-quart volume .946352946 | volume-pint volume .473176473
volume-fluid-ounce volume .0295735295625 | volume-barrel volume 158.987294928
mass-metric-ton mass 1e6 | mass-kilogram mass 1000 | mass-gram mass 1 | mass-milligram mass .001
mass-microgram mass 1e-6 | mass-pound mass 453.59237 | mass-ounce mass 28.349523125
mass-stone mass 6350.29318 | mass-ton mass 907184.74 | mass-carat mass .2
mass-ounce-troy mass 31.1034768
duration-week time 604800 | duration-day time 86400 | duration-hour time 3600
duration-minute time 60 | duration-second time 1 | duration-millisecond time .001
duration-microsecond time 1e-6 | duration-nanosecond time 1e-9 | duration-month months 1
duration-year months 12 | duration-decade months 120 | duration-century months 1200
speed-kilometer-per-hour speed .2777777777777778 | speed-meter-per-second speed 1
speed-mile-per-hour speed .44704 | speed-knot speed .5144444444444445
temperature-celsius temperature 1 | temperature-fahrenheit temperature .5555555555555556
temperature-kelvin temperature 1
digital-terabyte data 1e12 | digital-gigabyte data 1e9 | digital-megabyte data 1e6
digital-kilobyte data 1e3 | digital-byte data 1 | digital-bit data .125
digital-gigabit data 1.25e8 | digital-megabit data 1.25e5 | digital-kilobit data 125
energy-kilowatt-hour energy 3.6e6 | energy-joule energy 1 | energy-kilojoule energy 1000
energy-kilocalorie energy 4184 | energy-calorie energy 4.184
power-gigawatt power 1e9 | power-megawatt power 1e6 | power-kilowatt power 1000 | power-watt power 1
power-milliwatt power .001 | power-horsepower power 745.69987
pressure-bar pressure 1e5 | pressure-millibar pressure 100 | pressure-hectopascal pressure 100
pressure-kilopascal pressure 1000 | pressure-pascal pressure 1 | pressure-megapascal pressure 1e6
pressure-pound-force-per-square-inch pressure 6894.757293168
pressure-millimeter-ofhg pressure 133.322387415 | pressure-atmosphere pressure 101325
frequency-gigahertz frequency 1e9 | frequency-megahertz frequency 1e6
frequency-kilohertz frequency 1000 | frequency-hertz frequency 1
electric-volt voltage 1 | electric-ampere current 1 | electric-milliampere current .001
electric-ohm resistance 1 | force-newton force 1 | angle-degree angle 1
concentr-part-per-million percent 1e-4 | concentr-percent percent 1 | concentr-permille percent .1
concentr-mole amount 1
"""
"""CLDR's key, the dimension, and how many of the dimension's base unit one of it is."""

MORE_UNITS = """
length 1 metre metres | length 1000 kilometre kilometres km's klicks | length .01 centimetre
length .01 centimetres | length .001 millimetre millimetres | length .0254 in. " ″ inch inches
length .3048 ' ft. | length 1e-6 µm μm micron microns | length 1852 nmi nm
length 9.4607304725808e15 light-years light-year lightyears
area 1 m2 m² sqm square-metre square-metres qm quadratmeter | area 1e6 km2 km² | area 1e4 ha
area .09290304 sqft sq-ft square-feet ft2 ft² | area 1e-4 cm2 cm² | area 1e-6 mm2 mm²
volume 1 litre litres ltr | volume .001 ml mL millilitre millilitres cc cm3 cm³ | volume .1 dl dL
volume 100 hl hectolitre hectolitres | volume .01 cl cL centilitres | volume 1000 m3 m³ cubic-metres
volume 1000 cubic-metre cubic-meters cubic-meter cbm | volume 1e-6 µl µL μl μL
mass 1 gramme grammes gms gm | mass 1000 kilo kilos kgs | mass 1e6 tonne tonnes tons t mt
mass 1e-6 mcg µg μg ug | mass 1e-9 ng | mass 1e-12 pg | mass 453.59237 lbs lb
time 60 min mins min. | time 1 sec secs s s. | time 3600 h hr hrs hours' std std. heure ore ora uur
time 86400 night nights d nuits nuit noches nächte overnight | time 1209600 fortnight fortnights
time 1e-6 µs μs us usec | months 3 quarter quarters | months 12 yr yrs jaar ans an
months 1 mo mos | speed 1 m/s ms-1 metres-per-second meters-per-second mètres-par-seconde
speed .2777777777777778 km/h kmh kph km-per-hour kilometres-per-hour kilometers-an-hour
speed .2777777777777778 kilometres-an-hour stundenkilometer | speed .44704 mph miles-an-hour
speed .5144444444444445 kn kt kts | speed 1000 km/s
temperature 1 °c ℃ degrees-celsius degrees-centigrade grad-celsius celsius centigrade degc deg-c
temperature .5555555555555556 °f ℉ degrees-fahrenheit fahrenheit degf deg-f | temperature 1 kelvins
data 1073741824 gib | data 1048576 mib | data 1024 kib | data 1099511627776 tib | data 1e15 pb
data 1e9 gig gigs | data 1e6 meg megs
energy 3.6e9 mwh megawatt-hours megawatt-hour | energy 3.6e12 gwh gigawatt-hours | energy 3600 wh
energy 3.6e6 kwh kilowattstunden | energy 1e6 mj
pressure 1e5 bars | pressure 6894.757293168 psi | pressure 133.322387415 mmhg
percent 1 % percent pct per-cent percentage-points percentage-point pp prozent pour-cent por-ciento
percent 1 per-cento por-cento procent procento ％ パーセント | percent .01 bps bp basis-points
percent .01 basis-point | percent .1 ‰ | percent 1e-4 ppm parts-per-million | percent 1e-7 ppb
percent .1 ppt
amount 1 mol mole moles | amount .001 mmol millimole millimoles millimol
amount 1e-6 µmol μmol umol
amount 1e-6 micromoles micromol | amount 1e-9 nmol nanomoles | amount 1e-12 pmol
frequency 0.016666666666666666 rpm revolutions-per-minute bpm beats-per-minute
current 1 amp amps | charge 1 mah | charge 1000 ah | loudness 1 db decibel decibels dba db(a)
radioactivity 1 bq becquerel | angle 1 ° degrees degree deg | angle 57.29577951308232 radians rad
count 12 dozen dozens dutzend
"""
"""Further words for units: dimension, size, words; a dash stands for a space."""

HOMOGRAPHS = frozenset(
    [
        "a",
        "an",
        "au",
        "al",
        "as",
        "at",
        "b",
        "ch",
        "don",
        "den",
        "dec",
        "e",
        "er",
        "fat",
        "lat",
        "no",
        "o",
        "om",
        "on",
        "on.",
        "pi",
        "po",
        "pie",
        "to",
        "To",
        "u",
        "m.",
        "in",
        "ara",
        "ah",
        "dia",
        "dag",
        "st",
        "CD",
        "DA",
        "tag",
        "pt",
        "pk",
        "c",
        "j",
        "nd",
        "ton",
        "akr",
    ]
)
"""Signs of units that are common words, or mean something else behind a number: 36 in stock."""

MONEY = """
usd $ dollar dollars us$ bucks buck dólares dólar dollari dollaro us-dollar us-dollars
eur € euro euros evro | gbp £ pound-sterling pounds-sterling quid sterling libras
jpy ¥ yen 円 日元 | cny rmb yuan 元 人民币 | inr ₹ rs rs. rupees rupee | krw ₩ won | try ₺ lira
chf fr. franken francs franc sfr | sek kronor skr | nok | dkk kroner | pln zł złotych zloty złote
rub ₽ rubles roubles | brl r$ reais real | ils ₪ shekels | thb ฿ baht | vnd ₫ dong | ngn ₦ naira
php ₱ | cad c$ ca$ | aud a$ au$ | nzd nz$ | hkd hk$ | sgd s$ | mxn mx$ | zar rand | czk kč korun
huf forint | uah ₴ | ars ar$ | clp | cop
"""
CENTS = "eur cent cents ct euro-cents eurocents céntimos centimes centesimi | gbp p pence penny"


def main() -> None:
    """Writes the file, sorted, so that a second run changes nothing."""
    locales = [Locale.parse(name) for name in LOCALES]
    lexicon = {
        "months": months(locales),
        "units": units(locales),
        "money": money(locales),
        "numbers": numbers(),
    }
    text = json.dumps(lexicon, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    TARGET.write_text(re.sub(r'(?<=[\]}]),(?=")', ",\n", text) + "\n", encoding="utf-8")
    print(f"{TARGET}: {TARGET.stat().st_size:,} bytes")


def months(locales: list[Locale]) -> dict[str, int]:
    """Names of months, 1 to 12, in all locales."""
    found: dict[str, int] = {}
    for locale in locales:
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in locale.months[context][width].items():
                    word = name.casefold().rstrip(".")
                    if not re.search(r"\d", word) and len(word) > 1:
                        found.setdefault(word, number)
    return found | {"sept": 9, "märz": 3, "mrz": 3}


def units(locales: list[Locale]) -> dict[str, list[object]]:
    """Words and signs of units; a sign of one or two letters keeps its case."""
    found: dict[str, list[object]] = {}
    for key, dimension, size in _rows(UNITS, 3):
        for locale in locales:
            for width in ("long", "short"):
                patterns = dict(locale._data["unit_patterns"].get(key) or {}).get(width) or {}
                for pattern in dict(patterns).values():
                    word = re.sub(r"\s*\{0\}\s*", "", str(pattern)).strip()
                    if word and "{" not in word:
                        found.setdefault(_key(word), [dimension, float(size)])
    for dimension, size, *words in _rows(MORE_UNITS):
        for word in words:
            found[_key(word.replace("-", " ") if word != "ms-1" else word)] = [
                dimension,
                float(size),
            ]
    found["°f"] = found["fahrenheit"] = found["degrees fahrenheit"] = [
        "temperature",
        5 / 9,
        -160 / 9,
    ]
    for word, unit in found.items():
        if unit[0] == "temperature" and abs(float(unit[1]) - 5 / 9) < 1e-9:
            found[word] = ["temperature", 5 / 9, -160 / 9]
        elif unit[0] == "temperature" and word in ("k", "K", "kelvin", "kelvins"):
            found[word] = ["temperature", 1.0, -273.15]
    return {
        w: u
        for w, u in found.items()
        if w not in HOMOGRAPHS and not w.startswith(("/", "每", "per "))
    }


def money(locales: list[Locale]) -> dict[str, list[object]]:
    """Codes, names and signs of currencies; a cent is a hundredth."""
    codes = sorted(Locale.parse("en").currencies)
    codes = [code for code in codes if re.fullmatch("[A-Z]{3}", code) and code in _CURRENT]
    found: dict[str, list[object]] = {code: [code.lower(), 1.0] for code in codes}
    for locale in locales:
        for code in codes:
            names = [
                locale.currencies.get(code),
                *(locale._data["currency_names_plural"].get(code) or {}).values(),
            ]
            for name in names:
                if (name and " " in name) or (name and len(name) > 3 and name.isalpha()):
                    found.setdefault(name.casefold(), [code.lower(), 1.0])
    for code, *words in _rows(MONEY):
        for word in words:
            found[word.replace("-", " ").casefold()] = [code, 1.0]
    for code, *words in _rows(CENTS):
        for word in words:
            found[word.replace("-", " ")] = [code, 0.01]
    return found


_CURRENT = {
    "USD",
    "EUR",
    "GBP",
    "JPY",
    "CNY",
    "INR",
    "KRW",
    "TRY",
    "CHF",
    "SEK",
    "NOK",
    "DKK",
    "PLN",
    "RUB",
    "BRL",
    "ILS",
    "THB",
    "VND",
    "NGN",
    "PHP",
    "CAD",
    "AUD",
    "NZD",
    "HKD",
    "SGD",
    "MXN",
    "ZAR",
    "CZK",
    "HUF",
    "UAH",
    "ARS",
    "CLP",
    "COP",
    "AED",
    "SAR",
    "EGP",
    "KES",
    "MAD",
    "RON",
    "BGN",
    "ISK",
    "IDR",
    "MYR",
    "TWD",
    "PKR",
    "BDT",
    "PEN",
}


def numbers() -> dict[str, int]:
    """English words for 0 to 100."""
    spelled = ((num2words(number, lang="en"), number) for number in range(101))
    words = {word.replace("-", " "): number for word, number in spelled}
    return words | {"nil": 0, "nought": 0}


def _key(word: str) -> str:
    return word if len(word) <= 2 and word.isascii() else word.casefold()


def _rows(text: str, _: int = 0) -> list[list[str]]:
    rows = (row.split() for line in text.strip().splitlines() for row in line.split("|"))
    return [row for row in rows if row]


if __name__ == "__main__":
    main()
