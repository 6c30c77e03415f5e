"""Units as factors of a base: words in, dimension and factor out.

Time and months are apart, because a month has no fixed number of days (`comparing` bridges them
where a text speaks in round terms). Each currency is a dimension of its own. Field names carry
their unit (`price_usd`, `taper_days`, `days_allowed`), which `unit_of_field` reads.
"""

import re
from functools import lru_cache
from typing import NamedTuple


class Unit(NamedTuple):
    """A unit within its dimension: base value = value * factor + offset."""

    dimension: str
    """What is measured: `time`, `length`, `money/usd`, …"""
    factor: float
    """How many of the base unit one of it is."""
    offset: float = 0.0
    """Added after the factor; only temperatures have one."""


_WORDS: dict[str, Unit] = {}
_SIGNS: dict[str, Unit] = {}
"""Signs that mean something only as they are written: M is no m."""


def _add(dimension: str, factor: float, *words: str, offset: float = 0.0) -> None:
    _WORDS.update(dict.fromkeys(words, Unit(dimension, factor, offset)))


CURRENCIES = {
    "$": "usd", "us$": "usd", "usd": "usd", "dollar": "usd", "dollars": "usd", "bucks": "usd",
    "€": "eur", "eur": "eur", "euro": "eur", "euros": "eur",
    "£": "gbp", "gbp": "gbp", "pound sterling": "gbp", "pounds sterling": "gbp",
    "¥": "jpy", "jpy": "jpy", "yen": "jpy", "₹": "inr", "inr": "inr", "rupees": "inr",
    "chf": "chf", "fr.": "chf", "swiss francs": "chf", "francs": "chf", "cny": "cny", "yuan": "cny",
    "a$": "aud", "aud": "aud", "c$": "cad", "cad": "cad", "sek": "sek", "nok": "nok", "dkk": "dkk",
    "kronor": "sek", "pln": "pln", "krw": "krw", "won": "krw", "brl": "brl", "r$": "brl",
}  # fmt: skip
for _word, _code in CURRENCIES.items():
    _add(f"money/{_code}", 1.0, _word)
_add("money/usd", 0.01, "cent", "cents", "¢")
_add("percent", 1.0, "%", "percent", "per cent", "pct", "percentage points", "percentage point")
_add("percent", 0.1, "‰", "per mille")
_add("percent", 0.01, "bps", "bp", "basis points", "basis point")
_add("time", 1.0, "minute", "minutes", "min", "mins")
_add("time", 1 / 60, "second", "seconds", "sec", "secs", "s")
_add("time", 1 / 60_000, "ms", "msec", "millisecond", "milliseconds")
_add("time", 1 / 6e7, "µs", "μs", "usec", "microsecond", "microseconds")
_add("time", 1 / 6e10, "ns", "nanosecond", "nanoseconds")
_add("time", 60.0, "hour", "hours", "h", "hr", "hrs")
_add("time", 1440.0, "day", "days", "d", "night", "nights")
_add("time", 10080.0, "week", "weeks", "wk", "wks")
_add("time", 20160.0, "fortnight", "fortnights")
_add("months", 1.0, "month", "months", "mo", "mos")
_add("months", 3.0, "quarter", "quarters")
_add("months", 12.0, "year", "years", "yr", "yrs")
_add("months", 120.0, "decade", "decades")
_add("mass", 1.0, "mg", "milligram", "milligrams", "milligramme", "milligrammes")
_add("mass", 0.001, "mcg", "µg", "μg", "ug", "microgram", "micrograms")
_add("mass", 1e-6, "ng", "nanogram", "nanograms")
_add("mass", 1000.0, "g", "gram", "grams", "gramme", "grammes")
_add("mass", 1e6, "kg", "kilogram", "kilograms", "kilo", "kilos")
_add("mass", 1e9, "tonne", "tonnes", "metric ton", "metric tons")
_add("mass", 453_592.37, "lb", "lbs", "pound", "pounds")
_add("mass", 28_349.523125, "oz", "ounce", "ounces")
_add("length", 1.0, "ft", "foot", "feet")
_add("length", 1 / 12, "inch", "inches")
_add("length", 3.0, "yard", "yards", "yd", "yds")
_add("length", 5280.0, "mile", "miles", "mi")
_add("length", 3.280839895, "metre", "metres", "meter", "meters", "m")
_add("length", 3280.839895, "km", "kilometre", "kilometres", "kilometer", "kilometers")
_add("length", 0.03280839895, "cm", "centimetre", "centimetres", "centimeter", "centimeters")
_add("length", 0.003280839895, "mm", "millimetre", "millimetres", "millimeter", "millimeters")
_add("length", 3.280839895e-6, "µm", "μm", "um", "micron", "microns", "micrometres", "micrometers")
_add("length", 3.280839895e-9, "nm", "nanometres", "nanometers")
_add("length", 6076.11549, "nautical mile", "nautical miles", "nmi")
_add("area", 1.0, "sqft", "sq ft", "square feet", "square foot", "sq. ft.", "sq. ft", "ft²", "ft2",
     "sf")  # fmt: skip
_add("area", 10.763910417, "sqm", "sq m", "square metres", "square metre", "square meters",
     "square meter", "m²", "m2")  # fmt: skip
_add("area", 1 / 144, "square inches", "square inch", "sq in")
_add("area", 9.0, "square yards", "square yard", "sq yd")
_add("area", 43_560.0, "acre", "acres")
_add("area", 107_639.10417, "hectare", "hectares", "ha")
_add("area", 10_763_910.417, "km²", "km2", "square kilometres", "square kilometers", "sq km")
_add("area", 27_878_400.0, "square miles", "square mile", "sq mi")
_add("volume", 1.0, "litre", "litres", "liter", "liters", "l")
_add("volume", 0.001, "ml", "millilitre", "millilitres", "milliliter", "milliliters", "cc", "cm³")
_add("volume", 1000.0, "m³", "m3", "cubic metres", "cubic metre", "cubic meters", "cubic meter")
_add("volume", 28.316846592, "ft³", "cubic feet", "cubic foot", "cu ft")
_add("volume", 3.785411784, "gallon", "gallons", "gal", "us gallon", "us gallons")
_add("volume", 4.54609, "imperial gallon", "imperial gallons", "uk gallons")
_add("volume", 0.01, "cl", "centilitre", "centilitres", "centiliters")
_add("volume", 0.1, "dl", "decilitre", "decilitres", "deciliters")
_add("volume", 1e-6, "µl", "μl", "microlitre", "microlitres", "microliters")
_add("volume", 100.0, "hl", "hectolitre", "hectolitres")
_add("volume", 0.473176473, "pint", "pints")
_add("data", 1e-6, "byte", "bytes")
_add("data", 0.001, "kb", "kilobyte", "kilobytes")
_add("data", 1.0, "mb", "megabyte", "megabytes")
_add("data", 1000.0, "gb", "gigabyte", "gigabytes")
_add("data", 1e6, "tb", "terabyte", "terabytes")
_add("data", 1e9, "pb", "petabyte", "petabytes")
_add("data", 1024e-6, "kib", "kibibytes")
_add("data", 1.048576, "mib", "mebibytes")
_add("data", 1073.741824, "gib", "gibibytes")
_add("temperature", 1.0, "°c", "degrees celsius", "degrees c", "celsius", "℃", "deg c")
_add("temperature", 5 / 9, "°f", "degrees fahrenheit", "degrees f", "fahrenheit", "℉", "deg f",
     offset=-160 / 9)  # fmt: skip
_add("temperature", 1.0, "kelvin", offset=-273.15)
_add("speed", 1.0, "km/h", "kph", "kmh", "kilometres per hour", "kilometers per hour")
_add("speed", 1.609344, "mph", "miles per hour")
_add("speed", 3.6, "m/s", "metres per second", "meters per second")
_add("speed", 1.852, "knots", "kt", "kts")
_add("pressure", 1.0, "hpa", "mbar", "millibar", "millibars")
_add("pressure", 1000.0, "bar", "bars")
_add("pressure", 68.9476, "psi")
_add("pressure", 10.0, "kpa", "kilopascal", "kilopascals")
_add("pressure", 1.33322, "mmhg")
_add("energy", 0.001, "wh", "watt-hours", "watt hours")
_add("energy", 1e6, "gwh", "gigawatt-hours", "gigawatt hours")
_add("power", 1.0, "kw", "kilowatt", "kilowatts")
_add("power", 0.001, "watt", "watts")
_add("power", 1000.0, "megawatt", "megawatts")
_add("power", 1e6, "gw", "gigawatt", "gigawatts")
_add("power", 0.745699872, "hp", "horsepower")
_add("frequency", 1.0, "hz", "hertz")
_add("frequency", 1e3, "khz", "kilohertz")
_add("frequency", 1e6, "mhz", "megahertz")
_add("frequency", 1e9, "ghz", "gigahertz")
_add("bit rate", 0.001, "kbps", "kbit/s")
_add("bit rate", 1.0, "mbps", "mbit/s")
_add("bit rate", 1000.0, "gbps", "gbit/s")
_add("amount", 1.0, "mmol", "millimole", "millimoles")
_add("amount", 1000.0, "mole", "moles")
_add("amount", 0.001, "µmol", "μmol", "umol", "micromole", "micromoles")
_add("energy", 1.0, "kwh", "kilowatt-hours", "kilowatt hours")
_add("energy", 1000.0, "mwh", "megawatt-hours", "megawatt hours")
_add("food energy", 1.0, "kcal", "calories")
_add("count", 12.0, "dozen")
_add("money/gbp", 0.01, "pence", "penny")
_add("money/chf", 0.01, "rappen", "centimes")
_add("money/eur", 0.01, "eurocents", "eurocent", "euro cents")
_add("mass", 6_350_293.18, "stone")
_add("length", 0.3280839895, "decimetre", "decimetres", "dm")
_add("volume", 1000.0, "kilolitre", "kilolitres", "kiloliters")
_add("time", 1.0, "minuten", "minutos", "minuti", "minuter", "minut")
_add("time", 1 / 60, "sekunden", "secondes", "segundos", "secondi", "sekunder")
_add("time", 60.0, "stunde", "stunden", "std", "heure", "heures", "hora", "horas", "ore", "ora",
     "timmar", "uur")  # fmt: skip
_add("time", 1440.0, "tage", "tagen", "jour", "jours", "día", "días", "dia", "dias", "giorni",
     "giorno", "dagar", "dagen")  # fmt: skip
_add("time", 10080.0, "woche", "wochen", "semaine", "semaines", "semana", "semanas", "settimane",
     "settimana", "veckor", "weken")  # fmt: skip
_add("months", 1.0, "monat", "monate", "monaten", "mois", "mes", "meses", "mesi", "mese", "maanden")
_add("months", 12.0, "jahr", "jahre", "jahren", "ans", "années", "año", "años", "anni", "anno",
     "anos", "jaar")  # fmt: skip
_add("percent", 1.0, "prozent", "pour cent", "por ciento", "per cento", "procent", "por cento")
_add("length", 3.280839895, "mètres", "mètre", "metros", "metri")
_add("length", 3280.839895, "kilómetros", "kilomètres", "chilometri")
_add("mass", 1e6, "kilogramm", "kilogrammes", "kilogramos", "chili")
_add("volume", 1.0, "litros", "litri")
_SIGNS['"'] = Unit("length", 1 / 12)
_SIGNS["K"] = Unit("temperature", 1.0, -273.15)
_SIGNS["W"], _SIGNS["kW"] = Unit("power", 0.001), Unit("power", 1.0)
_SIGNS["MW"], _SIGNS["mW"] = Unit("power", 1000.0), Unit("power", 1e-6)

UNIT_WORDS = "|".join(re.escape(word) for word in sorted(_WORDS, key=len, reverse=True))
"""For a regular expression, the longest first."""
DAYS_A_MONTH, DAYS_A_YEAR = 30.4375, 365.25

_ENDINGS: dict[str, Unit] = {
    "musd": Unit("money/usd", 1e6),
    "kusd": Unit("money/usd", 1e3),
    "meur": Unit("money/eur", 1e6),
    "sqft": Unit("area", 1.0),
    "sqm": Unit("area", 10.763910417),
    "celsius": Unit("temperature", 1.0),
    "c": Unit("temperature", 1.0),
    "f": Unit("temperature", 5 / 9, -160 / 9),
    "kmh": Unit("speed", 1.0),
    "us": Unit("time", 1 / 6e7),
}
_SHORT = frozenset(
    """usd eur gbp chf jpy cny aud cad pct percent bps ms sec secs min mins hr hrs mg mcg g kg lb
    lbs oz ft in cm mm km mi m ml l kb mb gb tb mph kwh kcal m2 m3 ft2 ft3 km2 ha ns cl dl hl
    um nm kw mwh gwh hp hz khz mhz ghz kbps mbps gbps hpa psi bar mmhg kpa gib mib kib kph bp mmol
    lb""".split()
)
_WHOLE = frozenset(
    """seconds minutes hours days nights weeks months years bytes kilobytes megabytes gigabytes
    dollars euros percent pounds grams kilograms metres meters feet inches miles kilometres
    kilometers litres liters""".split()
)


def unit(word: str) -> Unit | None:
    """The unit that a word names."""
    return _SIGNS.get(word) or _WORDS.get(" ".join(word.lower().split()))


@lru_cache(maxsize=4096)
def unit_of_field(name: str) -> Unit | None:
    """The unit that a field's name carries: at its end, or as a whole word anywhere."""
    words = _words(name)
    if not words:
        return None
    last = words[-1]
    if len(words) > 1 and (last in _ENDINGS or last in _SHORT):
        return _ENDINGS.get(last) or _WORDS.get("inch" if last == "in" else last)
    if "per" in words:
        return None
    return next((_WORDS.get(word) for word in reversed(words) if word in _WHOLE), None)


def words_of_field(name: str) -> str:
    """A field's name as people would write it, without its unit."""
    words = _words(name)
    if len(words) > 1 and (words[-1] in _ENDINGS or words[-1] in _SHORT or words[-1] in _WHOLE):
        words = words[:-1]
    return " ".join(words)


_PARTS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


def _words(name: str) -> list[str]:
    return [word.lower() for word in _PARTS.findall(name[:200])]
