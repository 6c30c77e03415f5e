"""How many answers our own rule leaves unclear, and why: rated attempts in, counts out.

What a reason quotes from one answer is left out, so that answers with the same reason are counted
together.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from agentdyno.records.failures import OWN
from agentdyno.studies.failures.rated_attempts import RatedTrajectory

_QUOTES = re.compile(
    r"(does not state|does not say whether|says both about|perhaps adds|beside the name of another"
    r" field|the value is \w+|states) .*"
)


class UnclearAnswers(Struct, frozen=True):
    """Answers that our own rule does not decide."""

    answers: int
    """Answers that it looked at."""
    unclear: int
    """Those of them that it left undecided."""
    reasons: dict[str, int]
    """How many of those have which reason, the commonest first."""
    by_model: dict[str, int]
    """How many of those are of which model; models without any are left out."""


def count_unclear(rated: Sequence[RatedTrajectory]) -> UnclearAnswers:
    """What our own rule left undecided."""
    unclear = [each for each in rated if OWN in each.unclear]
    return UnclearAnswers(
        answers=sum(OWN in each.labels for each in rated),
        unclear=len(unclear),
        reasons=_count(_QUOTES.sub(r"\1 …", each.unclear[OWN]) for each in unclear),
        by_model=_count(each.model for each in unclear),
    )


def _count(names: Iterable[str]) -> dict[str, int]:
    return dict(Counter(names).most_common())
