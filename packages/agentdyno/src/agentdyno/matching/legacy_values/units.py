"""Units as factors of a base: words in, dimension and factor out.

Metric units come from their grammar (`metric`), currencies from their codes (`currencies`), the
rest is listed here. Time and months are apart, because a month has no fixed number of days
(`comparing` bridges them where a text speaks in round terms). `per` makes a unit of two: mg/dL.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from agentdyno.matching.legacy_values import currencies, metric


class Unit(NamedTuple):
    """A unit within its dimension: base value = value * factor + offset."""

    dimension: str
    """What is measured: `time`, `length`, `money/usd`, `mass per volume`, …"""
    factor: float
    """How many of the base unit one of it is."""
    offset: float = 0.0
    """Added after the factor; only temperatures have one."""


_WORDS: dict[str, Unit] = {}
_SIGNS: dict[str, Unit] = {}
"""Signs that mean something only as they are written: M is no m."""


def _add(dimension: str, factor: float, *words: str, offset: float = 0.0) -> None:
    _WORDS.update(dict.fromkeys(words, Unit(dimension, factor, offset)))


for _word, _dimension, _factor in metric.words():
    _add(_dimension, _factor, _word)
for _word, _dimension, _factor in metric.signs():
    _SIGNS[_word] = Unit(_dimension, _factor)
_SMALL = [(s.lower(), found) for s, found in _SIGNS.items() if len(s) > 1 or s.islower()]
_WORDS.update(pair for pair in _SMALL if len({found for s, found in _SMALL if s == pair[0]}) == 1)
for _code in currencies.CODES:
    _SIGNS[_code] = Unit(f"money/{_code.lower()}", 1.0)
for _code in currencies.CODES - currencies.WORDS:
    _add(f"money/{_code.lower()}", 1.0, _code.lower())
for _word, _code in currencies.NAMES.items():
    _add(f"money/{_code}", 1.0, _word)
for _name, (_, _words) in currencies.SHARED.items():
    _add(f"money/{_name}", 1.0, *_words)
_add("money/cent", 0.01, "cent", "cents", "¢", "ct", "cts", "céntimos", "centavos")
_add("money/gbp", 0.01, "pence", "penny", "p")
_add("money/chf", 0.01, "rappen", "centimes")
_add("money/eur", 0.01, "eurocents", "eurocent", "euro cents")
_add("percent", 1.0, "%", "percent", "per cent", "pct", "percentage points", "percentage point",
     "pp", "prozent", "pour cent", "por ciento", "per cento", "procent", "por cento")  # fmt: skip
_add("percent", 0.1, "‰", "per mille")
_add("percent", 0.5, "proof", "us proof")
_add("percent", 0.01, "bps", "bp", "basis points", "basis point")
_add("percent", 1e-4, "ppm", "parts per million")
_add("percent", 1e-7, "ppb", "parts per billion")
_add("time", 1.0, "minute", "minutes", "min", "mins", "minuten", "minutos", "minuti", "minuter",
     "minut")  # fmt: skip
_add("time", 1 / 60, "second", "seconds", "sec", "secs", "s", "sekunden", "secondes", "segundos",
     "secondi", "sekunder")  # fmt: skip
_add("time", 1 / 60_000, "ms", "msec", "millisecond", "milliseconds", "millis")
_add("time", 1 / 6e7, "µs", "μs", "usec", "microsecond", "microseconds")
_add("time", 1 / 6e10, "ns", "nanosecond", "nanoseconds")
_add("time", 60.0, "hour", "hours", "h", "hr", "hrs", "stunde", "stunden", "std", "heure", "heures",
     "hora", "horas", "ore", "ora", "timmar", "uur")  # fmt: skip
_add("time", 1440.0, "day", "days", "d", "night", "nights", "tage", "tagen", "jour", "jours", "día",
     "días", "dia", "dias", "giorni", "giorno", "dagar", "dagen")  # fmt: skip
_add("time", 10080.0, "week", "weeks", "wk", "wks", "woche", "wochen", "semaine", "semaines",
     "semana", "semanas", "settimane", "settimana", "veckor", "weken")  # fmt: skip
_add("time", 20160.0, "fortnight", "fortnights")
_add("months", 1.0, "month", "months", "mo", "mos", "monat", "monate", "monaten", "mois", "mes",
     "meses", "mesi", "mese", "maanden")  # fmt: skip
_add("months", 3.0, "quarter", "quarters")
_add("months", 12.0, "year", "years", "yr", "yrs", "jahr", "jahre", "jahren", "ans", "années",
     "año", "años", "anni", "anno", "anos", "jaar")  # fmt: skip
_add("months", 120.0, "decade", "decades")
_add("months", 1200.0, "century", "centuries")
_add("mass", 0.001, "mcg")
_add("mass", 1e6, "kilo", "kilos", "kilogramm", "kilogramos", "chili")
_add("mass", 1e9, "tonne", "tonnes", "metric ton", "metric tons", "metric tonnes", "t")
_add("mass", 1e12, "kilotonne", "kilotonnes")
_add("mass", 1e15, "megatonne", "megatonnes")
_add("mass", 453_592.37, "lb", "lbs", "pound", "pounds")
_add("mass", 28_349.523125, "oz", "ounce", "ounces")
_add("mass", 6_350_293.18, "stone")
_add("mass", 200.0, "carat", "carats")
_add("length", 1.0, "ft", "foot", "feet")
_add("length", 1 / 12, "inch", "inches")
_add("length", 3.0, "yard", "yards", "yd", "yds")
_add("length", 5280.0, "mile", "miles", "mi")
_add("length", 3.280839895e-6, "micron", "microns")
_add("length", 3.280839895, "mètres", "mètre", "metros", "metri")
_add("length", 3280.839895, "kilómetros", "kilomètres", "chilometri")
_add("length", 6076.11549, "nautical mile", "nautical miles", "nmi")
_add("length", 4.90806662e11, "au", "astronomical unit", "astronomical units")
_add("length", 3.10390799e16, "ly", "light-year", "light-years", "light year", "light years")
_add("length", 1.01236139e17, "pc", "parsec", "parsecs")
_add("area", 1.0, "sqft", "sq ft", "square feet", "square foot", "sq. ft.", "sq. ft", "ft²", "ft2",
     "sf")  # fmt: skip
_add("area", 10.763910417, "qm", "quadratmeter", "mètres carrés", "metros cuadrados",
     "metros quadrados", "㎡", "sqm", "sq m", "square metres", "square metre", "square meters",
     "square meter", "m²", "m2")  # fmt: skip
_add("area", 10.763910417e-4, "cm²", "cm2", "square centimetres", "square centimeters")
_add("area", 10.763910417e-6, "mm²", "mm2", "square millimetres", "square millimeters")
_add("area", 1 / 144, "square inches", "square inch", "sq in")
_add("area", 9.0, "square yards", "square yard", "sq yd")
_add("area", 43_560.0, "acre", "acres")
_add("area", 107_639.10417, "hectare", "hectares", "ha")
_add("area", 10_763_910.417, "km²", "km2", "square kilometres", "square kilometers", "sq km")
_add("area", 27_878_400.0, "square miles", "square mile", "sq mi")
_add("volume", 1.0, "litros", "litri", "dm³", "dm3")
_add("volume", 0.001, "cc", "cm³", "cm3", "cubic centimetres", "cubic centimeters")
_add("volume", 1000.0, "m³", "m3", "cubic metres", "cubic metre", "cubic meters", "cubic meter")
_add("volume", 1e9, "hm³", "hm3", "cubic hectometres", "cubic hectometers")
_add("volume", 1e12, "km³", "km3", "cubic kilometres", "cubic kilometers")
_add("volume", 28.316846592, "ft³", "ft3", "cubic feet", "cubic foot", "cu ft")
_add("volume", 3.785411784, "gallon", "gallons", "gal", "us gallon", "us gallons")
_add("volume", 4.54609, "imperial gallon", "imperial gallons", "uk gallons")
_add("volume", 0.473176473, "pint", "pints")
_add("volume", 0.946352946, "quart", "quarts")
_add("volume", 0.0295735296, "fl oz", "fluid ounce", "fluid ounces")
_add("volume", 0.2365882365, "cup", "cups")
_add("volume", 0.0147867648, "tbsp", "tablespoon", "tablespoons")
_add("volume", 0.00492892159, "tsp", "teaspoon", "teaspoons")
_add("data", 1e-6, "byte", "bytes")
_add("data", 0.001, "kb", "kilobyte", "kilobytes")
_add("data", 1.0, "mb", "megabyte", "megabytes")
_add("data", 1000.0, "gb", "gigabyte", "gigabytes")
_add("data", 1e6, "tb", "terabyte", "terabytes")
_add("data", 1e9, "pb", "petabyte", "petabytes")
_add("data", 1024e-6, "kib", "kibibytes")
_add("data", 1.048576, "mib", "mebibytes")
_add("data", 1073.741824, "gib", "gibibytes")
_add("data", 1_099_511.627776, "tib", "tebibytes")
_add("temperature", 1.0, "°c", "degrees celsius", "degrees c", "celsius", "℃", "deg c",
     "degrees centigrade")  # fmt: skip
_add("temperature", 5 / 9, "°f", "degrees fahrenheit", "degrees f", "fahrenheit", "℉", "deg f",
     offset=-160 / 9)  # fmt: skip
_add("temperature", 1.0, "kelvin", offset=-273.15)
_add("angle", 60.0, "arcminute", "arcminutes", "arcmin")
_add("angle", 1.0, "arcsecond", "arcseconds", "arcsec")
_add("speed", 1.0, "km/h", "kph", "kmh", "kilometres per hour", "kilometers per hour")
_add("speed", 1.609344, "mph", "miles per hour")
_add("speed", 3.6, "m/s", "mps", "metres per second", "meters per second")
_add("speed", 1.852, "kn", "knot", "knots", "kt", "kts")
_add("pressure", 1.0, "mbar", "millibar", "millibars")
_add("pressure", 1000.0, "bar", "bars")
_add("pressure", 68.9476, "psi")
_add("pressure", 1.33322, "mmhg")
_add("pressure", 1013.25, "atm", "atmospheres", "atmosphere")
_add("energy", 4184e-3 / 3600, "kcal", "kilocalories", "calories")
_add("power", 0.745699872, "hp", "horsepower")
_add("frequency", 1 / 60, "rpm")
_add("frequency", 1e6, "mhz")
_add("count", 12.0, "dozen")
_add("year", -1.0, "bce", "b.c.", "b.c.e.")
_SIGNS["BC"], _SIGNS["AD"], _SIGNS["CE"] = Unit("year", -1.0), Unit("year", 1.0), Unit("year", 1.0)
_SIGNS["A.D."], _SIGNS["C.E."] = Unit("year", 1.0), Unit("year", 1.0)
_SIGNS['"'] = Unit("length", 1 / 12)
_SIGNS["K"] = Unit("temperature", 1.0, -273.15)
for _word, _sign in (("mw", "MW"), ("mwh", "MWh"), ("mj", "MJ"), ("mv", "mV"), ("mpa", "MPa")):
    _WORDS[_word] = _SIGNS[_sign]  # Of two readings in small letters, the one that people mean.

_THINGS = frozenset("bar bars cup cups stone carat gray crown rand mole ore ora std chili".split())
"""Units whose names are things, too: in a bar."""
UNIT_WORDS = "|".join(
    re.escape(word)
    for word in sorted(_WORDS, key=len, reverse=True)
    if len(word) > 2 and word not in _THINGS and word.isascii()
)
"""Those that may follow `a`, for a regular expression, the longest first."""
DAYS_A_MONTH, DAYS_A_YEAR = 30.4375, 365.25
_NAMED = {
    "length per time": Unit("speed", 0.018288),
    "data per time": Unit("bit rate", 8 / 60),
    "energy per time": Unit("power", 60.0),
}
"""Units of two that have a name of their own, and what one of their base units is of it."""


def unit(word: str) -> Unit | None:
    """The unit that a word names."""
    return _SIGNS.get(word) or _WORDS.get(" ".join(word.lower().split()))


@lru_cache(maxsize=1024)
def per(over: Unit, under: Unit) -> Unit:
    """The unit of so much of one for each of another."""
    dimension = f"{over.dimension} per {under.dimension}"
    factor = over.factor / under.factor
    if over.dimension == under.dimension:
        return Unit("percent", 100 * factor)  # 41.8 g/kg are 4.18 %.
    if named := _NAMED.get(dimension):
        return Unit(named.dimension, factor * named.factor)
    return Unit(dimension, factor)
