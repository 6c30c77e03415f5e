"""How many labels of our own rule rest on thin evidence, and why: rated attempts in, counts out.

A reason is the kind of verdict that was wrong in a fifth to a third of hand-labelled answers. What
the reason quotes from one answer is left out, so that answers with the same reason are counted
together.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from agentdyno.records.failures import OWN
from agentdyno.studies.failures.rated_attempts import RatedTrajectory


class ThinEvidence(Struct, frozen=True):
    """Labels of our own rule that are worth a look."""

    labels: int
    """Labels that our own rule gave."""
    thin: int
    """Those of them that rest on thin evidence."""
    reasons: dict[str, int]
    """How many of those have which reason, the commonest first."""
    by_label: dict[str, int]
    """How many of those say what, the commonest first."""
    by_model: dict[str, int]
    """How many of those are of which model; models without any are left out."""


def thin_evidence(rated: Sequence[RatedTrajectory]) -> ThinEvidence:
    """What is thin among the labels of our own rule."""
    thin = [each for each in rated if OWN in each.thin]
    return ThinEvidence(
        labels=sum(each.labels.get(OWN) is not None for each in rated),
        thin=len(thin),
        reasons=_counted(each.thin[OWN].partition(":")[0] for each in thin),
        by_label=_counted(str(each.labels[OWN]) for each in thin),
        by_model=_counted(each.model for each in thin),
    )


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(Counter(names).most_common())
