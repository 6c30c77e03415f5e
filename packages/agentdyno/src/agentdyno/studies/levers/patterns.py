"""Wasteful habits: what their detections cost is the most that avoiding them could save."""

from collections.abc import Iterator

from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.inquiry import Inquiry
from agentdyno.studies.levers.finder import LeverFinder


def pattern_levers(inquiry: Inquiry) -> Iterator[Lever]:
    """One for each pattern that was found."""
    for rate in inquiry.patterns.rates:
        if rate.setting is None and rate.pte is not None and rate.pte_share is not None:
            yield Lever(
                name=f"pattern:{rate.pattern}",
                what=f"avoid {rate.pattern.replace('_', ' ')}",
                where=[],
                amount=rate.pte,
                share=rate.pte_share,
                unit=inquiry.unit,
                certainty="at most",
                assumption="every detection is right",
            )


FINDERS = (LeverFinder("patterns", pattern_levers),)
