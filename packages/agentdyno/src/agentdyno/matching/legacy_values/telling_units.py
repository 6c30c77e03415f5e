"""Units that only the words around them tell: a text and the end of a number in, a unit out.

Worked: the years of "3420 ± 35 BP", the days of "45 working days", the inches of "12 in, 4 deep".
"""

import re

_BEFORE_PRESENT = re.compile(r"[ \u00a0](?:cal )?BP\b")
_LONG_AGO = re.compile(r"(?:\d[.,' \u00a0]?\d{3}|(?:±|\+/-|\bage\b|\bdated\b).{0,12}\d)\Z")
"""3420 ± 35 BP: years, and no basis points."""
QUALIFIED = re.compile(
    r"[ \u00a0-](?:[a-z]{3,9}ing|business|calendar|full|whole|consecutive|straight|more"
    r"|additional|extra|further"
    r"|entire|solid) "
    r"(?P<unit>seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?)\b",
    re.IGNORECASE,
)
"""45 working days."""
INCHES = re.compile(
    r"[ \u00a0-]?in(?=\**\.?\s?(?:[),;:]|\([≈~]?\d)|\.?\s?\Z|\.\s| (?:tall|wide|high|long|deep)\b)"
)
"""Before a mark, `in` is no preposition."""


def years_before_present(text: str, end: int) -> int | None:
    """Where `BP` ends behind a number that counts years; None where it may be basis points."""
    ago = _BEFORE_PRESENT.match(text, end)
    return ago.end() if ago and _LONG_AGO.search(text, max(0, end - 30), end) else None
