"""Several raters -> one label: the majority, ties to the rule; who gives no label is left out.

Worked: rule `result_ignore`, judges `correct` and `correct` -> `correct`, the rule overruled. Three
different labels -> the rule's. Rule and one judge of two opinions, the other judge silent -> the
rule's, by two voters.
"""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple


class Vote(NamedTuple):
    """The outcome of a vote."""

    label: str | None
    voters: int
    """Raters that gave a label, the rule included."""
    tied: bool
    """Whether no label had more votes than all others, so that the rule decided."""


def majority(rule: str | None, judges: Mapping[str, str | None]) -> Vote:
    """The label of the ensemble; None where the rule is unclear and the judges are tied."""
    labels = [label for label in (rule, *judges.values()) if label is not None]
    ranked = Counter(labels).most_common()
    tied = not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1])
    label = rule if tied else ranked[0][0]
    return Vote(label, len(labels), tied)
