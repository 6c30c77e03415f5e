"""One known time of day in German, French, Spanish, Italian, Portuguese and Dutch words, as a
pattern: minutes since midnight in, ways to say it out.

The words leave open which half of the day they mean, so a part of the day that is named right
behind them must not be the other one.

Worked: 06:40 is "las siete menos veinte de la mañana", 15:30 is "half vier 's middags", 19:30 is
"19 h 30" and "sept heures et demie du soir".
"""

from agentdyno.matching.legacy_values.foreign_counts import TONGUES, words_of

_EARLY = (r"(?:am |früh am )?(?:morgens?|vormittags?)|früh|du matin|de la mañana"
          r"|(?:di|del) mattin[ao]|da manhã|['’]s (?:ochtends|morgens)|van de ochtend")  # fmt: skip
_LATE = (r"(?:am )?(?:nachmittags?|abends?)|du soir|de l['’]après-midi|de la (?:tarde|noche)"
         r"|di sera|(?:di|del) pomeriggio|da (?:tarde|noite)|['’]s (?:middags|avonds)")  # fmt: skip
HALF, QUARTER = 30, 15


def times_in_words(minutes: int) -> list[str]:
    """The ways to say it, each a pattern."""
    hour, minute = divmod(minutes, 60)
    figures = rf"\b0?{hour}\s?h\s?{minute:02}\b(?!\s?m)"
    other = _LATE if hour < 12 else _EARLY
    said = _ways(hour % 12, minute)
    return [figures, *(rf"\b{way}\b(?!\s(?:{other})\b)" for way in said)]


def _hour(hour: int, name: str) -> str:
    """An hour of a twelve-hour clock in a language's words."""
    return words_of(hour % 12 or 12, TONGUES[name])


def _ways(hour: int, minute: int) -> list[str]:
    if not minute:
        return [rf"{_hour(hour, 'French')}\sheures?", rf"{_hour(hour, 'German')}\suhr",
                rf"{_hour(hour, 'Dutch')}\suur"]  # fmt: skip
    past, to = _counted(minute), _counted(60 - minute)
    after, nxt = _hours(hour), _hours(hour + 1)
    return [
        rf"{past['German']}\snach\s{after['German']}", rf"{to['German']}\svor\s{nxt['German']}",
        rf"{past['Dutch']}\sover\s{after['Dutch']}", rf"{to['Dutch']}\svoor\s{nxt['Dutch']}",
        rf"{after['French']}\sheures?\s(?:et\s)?{past['French']}",
        rf"{nxt['French']}\sheures?\smoins\s(?:le\s)?{to['French']}",
        rf"{after['Spanish']}\sy\s{past['Spanish']}", rf"{nxt['Spanish']}\smenos\s{to['Spanish']}",
        rf"{after['Italian']}\se\s{past['Italian']}", rf"{nxt['Italian']}\smeno\s{to['Italian']}",
        rf"{after['Portuguese']}(?:\shoras)?\se\s{past['Portuguese']}",
        rf"{to['Portuguese']}\spara\sas\s{nxt['Portuguese']}",
        *([rf"halb\s{nxt['German']}", rf"half\s{nxt['Dutch']}"] if minute == HALF else []),
    ]  # fmt: skip


def _hours(hour: int) -> dict[str, str]:
    return {name: _hour(hour, name) for name in TONGUES}


_HALVES = {"French": "demie?", "Spanish": "media", "Italian": "mezz[ao]", "Portuguese": "meia"}
_QUARTERS = {"German": "viertel", "French": "quart", "Spanish": "cuarto",
             "Italian": "(?:un )?quarto", "Portuguese": "quarto", "Dutch": "kwart"}  # fmt: skip


def _counted(minute: int) -> dict[str, str]:
    """Minutes as people say them: a quarter and a half have names of their own."""
    named = {HALF: _HALVES, QUARTER: _QUARTERS}.get(minute, {})
    return {
        name: "|".join(filter(None, (named.get(name), words_of(minute, tongue)))).join(("(?:", ")"))
        for name, tongue in TONGUES.items()
    }
