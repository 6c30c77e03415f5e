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

    label: str
    voters: int
    """Raters that gave a label, the rule included."""
    tied: bool
    """Whether no label had more votes than all others, so that the rule decided."""
    overruled: bool
    """Whether the label is not the rule's."""


def majority(rule: str, judges: Mapping[str, str | None]) -> Vote:
    """The label of the ensemble."""
    labels = [rule, *(label for label in judges.values() if label is not None)]
    ranked = Counter(labels).most_common()
    tied = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
    label = rule if tied else ranked[0][0]
    return Vote(label, len(labels), tied, label != rule)
