"""Lines of a final answer that can be learnt: what was asked about, and fields with their values.

    Corvid Systems: price usd 24.1, change percent 0.98
    Grace Okafor, Small question: done

Every word of a line is a copy: the subject from the user's message, names and values from a result.
Takes texts and values, returns a line. Knows nothing of tasks and of tools.
"""

from collections.abc import Iterable, Sequence
from typing import Any

LONGEST_NAME = 50
"""Characters of something that can be named in passing; more is a text."""
MOST_NAMES = 3
DONE = "done"


def answer_line(subject: str, said: Sequence[tuple[str, Any]]) -> str:
    """One line; without fields it says that it is done."""
    told = ", ".join(f"{label.replace('_', ' ')} {spoken(value)}".strip() for label, value in said)
    return f"{subject}: {told or DONE}" if subject else told or "Done."


def subject_of(values: Iterable[Any]) -> str:
    """What a line is about: the first names among these, or figures where there is no name."""
    flat = [item for value in values for item in (value if isinstance(value, list) else [value])]
    plain = [v for v in flat if not isinstance(v, (dict, bool)) and v is not None]
    names = [v for v in plain if isinstance(v, str) and 0 < len(v) <= LONGEST_NAME]
    return ", ".join(map(str, list(dict.fromkeys(names or plain))[:MOST_NAMES]))


def spoken(value: Any) -> str:
    """A value as the services give it, on one line."""
    if isinstance(value, list):
        return ", ".join(map(spoken, value)) or "none"
    return str(value).lower() if isinstance(value, bool) else " ".join(str(value).split())
