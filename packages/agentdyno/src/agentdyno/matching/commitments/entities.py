"""Whether a sentence speaks of another thing than the one asked about: "field 11" of field 12,
"Marlow Road" of Marlow Close, "from Thailand" of Vietnam."""

import re
from collections.abc import Sequence

from agentdyno.matching.commitments.reading import Reading
from agentdyno.matching.values import fold
from agentdyno.matching.values.calendar import weekday_names
from agentdyno.matching.values.lexicon import month_named

_NUMBERED = re.compile(
    r"\b([^\W\d_]{3,})\s(?:no\.?\s?|number\s|#)?(\d+)(?![\w,.]*\d)", re.IGNORECASE
)
_NAMED = re.compile(r"\b(from|in|at|for|of|to|[A-Z]\w+)\s(?=([A-Z][^\W\d_]{2,}))")


def find_other_entity(
    reading: Reading, place: int, entities: Sequence[str], sources: str
) -> str | None:
    """The name of another thing of the same sort in the sentence of a place, which no source
    knows."""
    if reading.language != "en":
        return None
    start, end = reading.layout.sentence_of(place)
    sentence = reading.text[start:end]
    for entity in entities:
        for pattern in (_NUMBERED, _NAMED):
            asked = {fold(a): fold(b) for a, b in pattern.findall(entity)}
            stated = [(fold(a), fold(b)) for a, b in pattern.findall(sentence)]
            for label, name in asked.items():
                others = [b for a, b in stated if a == label and not _is_sourced(b, sources)]
                if others and name not in fold(sentence):
                    return f"{label} {others[0]}"
    return None


def _is_sourced(name: str, sources: str) -> bool:
    is_day = month_named(name) is not None or name in weekday_names()
    is_held = name in sources and re.search(rf"\b{re.escape(name)}", sources)
    return is_day or bool(is_held)
